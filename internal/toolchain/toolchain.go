// Package toolchain finds Go toolchains, lets the go command fetch them, and defines the
// environment of their go commands.
//
// That environment drops every GO* variable of the caller except those that say where
// modules and caches are and how they are fetched and verified (see kept in env.go).
// GOENV is off, so that "go env -w" cannot change a variant unnoticed. GOFLAGS is empty:
// spec.Inherit puts the caller's into the study, where every reader sees them.
package toolchain

import (
	"go/version"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
)

// A Toolchain is a Go installation.
type Toolchain struct {
	// Name is the requested name: "go1.26.8", "path:/a/goroot", or "" for the one in use.
	Name string
	// GOROOT is its folder, Version what it calls itself, such as "go1.26.8" or
	// "devel go1.27-3f2c9aa".
	GOROOT, Version string
}

// Go is the path of the toolchain's own go command.
func (t Toolchain) Go() string { return filepath.Join(t.GOROOT, "bin", "go"+Exe()) }

// HasRandLayout reports whether the linker accepts -randlayout, as since go1.23.
func (t Toolchain) HasRandLayout() bool { return t.AtLeast("go1.23") }

// HasFuncAlign reports whether the linker accepts -funcalign, as since go1.25.
func (t Toolchain) HasFuncAlign() bool { return t.AtLeast("go1.25") }

// AtLeast compares releases; a development version counts as its next release.
func (t Toolchain) AtLeast(v string) bool {
	for f := range strings.FieldsSeq(t.Version) {
		if rest, ok := strings.CutPrefix(f, "go"); ok && rest != "" {
			return version.Compare(f, v) >= 0
		}
	}
	return true
}

// Released reports whether GOROOT holds a published release, judging by its name. Others
// may be edited in place, so their content counts.
func (t Toolchain) Released() bool {
	return !strings.HasPrefix(t.Name, "path:") && releaseName.MatchString(t.Version) && !strings.Contains(t.Version, "devel")
}

// IsCandidate reports whether a version is a release candidate or a beta: "go1.27rc1".
func IsCandidate(version string) bool { return candidateName.MatchString(version) }

var candidateName = regexp.MustCompile(`^go1\.\d+(\.\d+)?(rc|beta)\d+`)

var releaseName = regexp.MustCompile(`^go1(\.\d+){1,2}((rc|beta)\d+)?(-\S+)?$`)

// Command returns the go command in PATH. Without one the error is [no-toolchain].
func Command() (string, error) {
	cmd, err := exec.LookPath("go")
	if err != nil {
		return "", noToolchain("go", []string{"there is no go command in PATH; assay uses it to fetch and run toolchains"}, "install Go, or name a folder: path:/usr/local/go")
	}
	return cmd, nil
}

// Exe returns the suffix of programs: ".exe" on Windows, "" elsewhere.
func Exe() string {
	if runtime.GOOS == "windows" {
		return ".exe"
	}
	return ""
}

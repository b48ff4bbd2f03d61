package spec

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/mod/module"
	"golang.org/x/mod/semver"
)

// WorkingTree is the word for the source as it is now.
const WorkingTree = "."

var (
	toolchainName = regexp.MustCompile(`^go1\.[0-9]+(\.[0-9]+)?((rc|beta)[0-9]+)?$`)
	// almostToolchain matches what people type for a toolchain.
	almostToolchain = regexp.MustCompile(`^(?i:golang|go|v)?[-_ ]?(1\.[0-9]+(\.[0-9]+)?((rc|beta)[0-9]+)?)$`)
)

// VariableName matches the name of a variable of the environment.
var VariableName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// IsToolchain reports whether a word names a toolchain: go1.N, go1.N.P, a release
// candidate or beta, gotip, or path:DIR.
func IsToolchain(w string) bool {
	return toolchainName.MatchString(w) || w == "gotip" || strings.HasPrefix(w, "path:") && w != "path:"
}

// LikelyToolchain returns the toolchain that w may mean, "go1.26.8" for "1.26.8", or "".
func LikelyToolchain(w string) string {
	m := almostToolchain.FindStringSubmatch(w)
	if m == nil {
		return ""
	}
	return "go" + strings.ToLower(m[1])
}

// firstFetched is the minor version of the first Go release that the go command fetches as
// a toolchain.
const firstFetched = 21

// LikelyModuleVersion reports whether w is written like the version of a module, "v1.5.0",
// and not like one of Go.
func LikelyModuleVersion(w string) bool {
	if !semver.IsValid(w) || strings.Count(w, ".") < 2 {
		return false
	}
	_, minor, _ := strings.Cut(semver.MajorMinor(w), ".")
	n, err := strconv.Atoi(minor)
	return err != nil || semver.Major(w) != "v1" || n < firstFetched
}

// toolchain checks the value of a key "go".
func toolchain(s string) (string, error) {
	if IsToolchain(s) {
		return s, nil
	}
	if right := LikelyToolchain(s); right != "" {
		return "", fmt.Errorf("is not a toolchain; write %q", right)
	}
	return "", errors.New(`is not a toolchain; write "go1.26.8" or "path:" and a GOROOT`)
}

// ModuleVersion checks a module version, "path@version".
func ModuleVersion(s string) (string, error) {
	path, version, ok := strings.Cut(s, "@")
	if !ok || version == "" {
		return "", fmt.Errorf("has no version; write %q", path+"@v1.2.3")
	}
	if err := module.CheckPath(path); err != nil || strings.ContainsAny(version, "@{ ") {
		return "", errors.New("is not a module version such as \"golang.org/x/perf@v0.1.0\"")
	}
	return s, nil
}

// Profile checks the value of -pgo: a file, or "auto" for a profile that assay collects.
// It returns "" for "off", the default.
func Profile(s string) (string, error) {
	switch s {
	case "off":
		return "", nil
	case "":
		return "", errors.New("names no profile")
	}
	return s, nil
}

// ModFile checks the value of -modfile, as the go command does.
func ModFile(s string) (string, error) {
	if !strings.HasSuffix(s, ".mod") {
		return "", errors.New("is no file whose name ends in .mod")
	}
	return s, nil
}

// BuildVariables are the variables of "go env" that change what is built. The list is fixed,
// so that a study means the same wherever it is read, even without a go command.
var BuildVariables = []string{
	"GOARCH", "GOOS", "GO386", "GOAMD64", "GOARM", "GOARM64", "GOMIPS", "GOMIPS64", "GOPPC64", "GORISCV64", "GOWASM",
	"GOFIPS140", "CGO_ENABLED", "CGO_CFLAGS", "CGO_CPPFLAGS", "CGO_CXXFLAGS", "CGO_FFLAGS", "CGO_LDFLAGS",
	"CC", "CXX", "FC", "AR", "PKG_CONFIG",
}

// InsteadOf says what to write instead of variables that assay itself sets.
var InsteadOf = map[string]string{
	"GOTOOLCHAIN": "write the toolchain as a word: go1.26.8",
	"GOROOT":      "write the toolchain as a word: path:DIR",
	"GOFLAGS":     "write the flags themselves: -tags=… -gcflags=…",
	"GOENV":       "write the variables themselves",
	"GOWORK":      "every variant is built outside of workspaces",
	"GO111MODULE": "every variant is built as a module",
}

// checkBuildVar checks a name in the table "build" of a study file.
func checkBuildVar(name string) error {
	if name == "GOEXPERIMENT" {
		return errors.New(`GOEXPERIMENT has a key of its own: experiment = ["…"]`)
	}
	if name == "GODEBUG" {
		return errors.New("GODEBUG is a run variable: it belongs in env")
	}
	return checkVar(name)
}

// checkRunVar checks a name in the table "env" of a study file.
func checkRunVar(name string) error {
	if name == "GOEXPERIMENT" {
		return errors.New(`GOEXPERIMENT has a key of its own: experiment = ["…"]`)
	}
	if slices.Contains(BuildVariables, name) {
		return fmt.Errorf("%s is a build variable: it belongs in build", name)
	}
	return checkVar(name)
}

func checkVar(name string) error {
	if !VariableName.MatchString(name) {
		return fmt.Errorf("%q is not the name of a variable", name)
	}
	if instead, ok := InsteadOf[name]; ok {
		switch name {
		case "GOTOOLCHAIN":
			instead = `write go = "go1.26.8"`
		case "GOROOT":
			instead = `write go = "path:DIR"`
		}
		return fmt.Errorf("%s is set by assay itself; %s", name, instead)
	}
	return nil
}

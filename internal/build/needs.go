package build

import (
	"context"
	"fmt"
	"go/version"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/printable"
	"github.com/seed-1318a441/assay/internal/toolchain"
)

// newer finds the Go version that a module requires, as the go command says it since
// go1.21, as it did before, and for a go.mod line of a later form.
var newer = regexp.MustCompile(`requires go >= (\d+\.\d+[\w.]*)|note: module requires Go (\d+\.\d+[\w.]*)|invalid go version '(\d+\.\d+[\w.]*)'`)

// newerGo returns the error of a build whose toolchain is older than a go.mod requires,
// or nil.
func newerGo(j job, chatter string, facts []string) error {
	m := newer.FindStringSubmatch(chatter)
	if m == nil {
		return nil
	}
	want := "go" + strings.TrimRight(m[1]+m[2]+m[3], ".")
	text := fmt.Sprintf("variant %q needs %s or later; its toolchain is %s", j.Variant.Name, want, j.tc.Version)
	try := fmt.Sprintf("go = %q", releaseFor(want, toolchain.Versions(context.Background())))
	if j.Variant.Go == "" {
		try += " in [source]" // for all: a comparison of steps has one toolchain
	}
	return assay.NewError(assay.ExitBuild, assay.CodeNeedsNewerGo, text, facts, try)
}

// releaseFor names a toolchain of at least a version: the newest installed release of its
// series, else the first of the series. It names a candidate only for a version that is one.
// have is sorted, newest first.
func releaseFor(want string, have []string) string {
	for _, v := range have {
		if toolchain.IsCandidate(v) && !toolchain.IsCandidate(want) {
			continue
		}
		if version.Lang(v) == version.Lang(want) && version.Compare(v, want) >= 0 {
			return v
		}
	}
	if version.Lang(want) == want && version.Compare(want, "go1.21") >= 0 {
		return want + ".0" // since go1.21 the first release has three numbers
	}
	return want
}

var (
	redeclared  = regexp.MustCompile(`^\s*(.+?\.go):\d+(?::\d+)?: (.+?) (?:redeclared in this block|already declared at (.+?\.go):\d+.*)$`)
	declaration = regexp.MustCompile(`^\s*(.+?\.go):\d+(?::\d+)?: other declaration of `)
)

// collision returns the error of a build in which a file of the overlay and one of the
// source declare the same name, or nil. The remedy hides all such files.
func collision(j job, chatter, where string) error {
	if j.tree.Overlay == nil {
		return nil
	}
	var facts, hidden []string
	for _, p := range clashes(chatter) {
		name, over, under := p[0], j.relative(p[1]), j.relative(p[2])
		if slices.Contains(j.tree.Overlay, under) {
			over, under = under, over
		}
		if !slices.Contains(j.tree.Overlay, over) || slices.Contains(j.tree.Overlay, under) {
			continue
		}
		if len(facts) < maxFacts {
			facts = append(facts, printable.Short(fmt.Sprintf("%s is declared in %s of the overlay and in %s of the source", name, over, under), maxFact))
		}
		hidden = append(hidden, fmt.Sprintf("%q", under))
	}
	if facts == nil {
		return nil
	}
	slices.Sort(hidden)
	text := fmt.Sprintf("variant %q: %s", j.Variant.Name, facts[0])
	return assay.NewError(assay.ExitBuild, assay.CodeOverlayCollides, text, append(facts[1:], where), "[source] hide = ["+strings.Join(slices.Compact(hidden), ", ")+"]")
}

// clashes returns the name and the two files of each double declaration that a compiler
// complains about.
func clashes(chatter string) (out [][3]string) {
	var open []string
	for line := range strings.Lines(chatter) {
		line = strings.TrimRight(line, "\r\n")
		if m := redeclared.FindStringSubmatch(line); m != nil {
			open = m
			if m[3] != "" {
				out = append(out, [3]string{m[2], m[1], m[3]})
			}
			continue
		}
		if m := declaration.FindStringSubmatch(line); m != nil && open != nil {
			out = append(out, [3]string{open[2], open[1], m[1]})
		}
		open = nil
	}
	return out
}

// relative returns a file of a compiler's message as the overlay names its own. The go
// command prints paths relative to its folder, or absolute ones.
func (j job) relative(file string) string {
	if filepath.IsAbs(file) {
		if rel, err := filepath.Rel(j.tree.Dir, file); err == nil {
			file = rel
		}
	}
	return path.Clean(filepath.ToSlash(file))
}

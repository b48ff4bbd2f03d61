package knobs

import (
	"cmp"
	"context"
	"fmt"
	"go/version"
	"runtime"
	"slices"
	"strings"

	"github.com/seed-1318a441/assay/internal/toolchain"
)

// A History knows which of the releases on this machine have a knob. The zero value knows
// nothing.
type History struct{ releases []toolchain.Toolchain }

// NewHistory looks at the releases on this machine and the given toolchain. It fetches
// nothing.
func NewHistory(ctx context.Context, given toolchain.Toolchain) History {
	all := append([]toolchain.Toolchain{given}, toolchain.Installed(ctx)...)
	all = slices.DeleteFunc(all, func(t toolchain.Toolchain) bool { return !version.IsValid(t.Version) })
	slices.SortStableFunc(all, func(a, b toolchain.Toolchain) int {
		return cmp.Or(version.Compare(a.Version, b.Version), strings.Compare(a.Version, b.Version))
	})
	return History{slices.CompactFunc(all, func(a, b toolchain.Toolchain) bool { return a.Version == b.Version })}
}

// Tell says which other toolchains have a knob that the asking one lacks: "gone in
// go1.27: go1.26.8 still has it", with go1.26.8. Both are "" if none on this machine has
// it. It names a series such as go1.27 if the known releases of it, and of the
// neighbouring series, agree. A candidate counts only where no release has the knob.
func (h History) Tell(ctx context.Context, asking string, kind Kind, name string) (fact, release string) {
	final := slices.DeleteFunc(slices.Clone(h.releases), func(t toolchain.Toolchain) bool {
		return toolchain.IsCandidate(t.Version) && t.Version != asking
	})
	if fact, release = (History{final}).tell(ctx, asking, kind, name); fact == "" && len(final) < len(h.releases) {
		return h.tell(ctx, asking, kind, name)
	}
	return fact, release
}

// tell is Tell for all releases of the history.
func (h History) tell(ctx context.Context, asking string, kind Kind, name string) (fact, release string) {
	at := slices.IndexFunc(h.releases, func(t toolchain.Toolchain) bool { return t.Version == asking })
	if at < 0 {
		return "", ""
	}
	have := make([]bool, len(h.releases))
	for i, r := range h.releases {
		have[i] = i != at && hasName(ctx, r.GOROOT, kind, name)
	}
	if i := lastTrue(have[:at]); i >= 0 {
		return fmt.Sprintf("%s: %s still has it", h.since("gone", i, i+1, have), h.releases[i].Version), h.releases[i].Version
	}
	if i := slices.Index(have[at:], true); i >= 0 {
		i += at
		return fmt.Sprintf("%s: %s is the first here to have it", h.since("came", i-1, i, have), h.releases[i].Version), h.releases[i].Version
	}
	return "", ""
}

func lastTrue(have []bool) int {
	for i, ok := range slices.Backward(have) {
		if ok {
			return i
		}
	}
	return -1
}

// since dates the difference between release i and the next one, j.
func (h History) since(what string, i, j int, have []bool) string {
	before, after := version.Lang(h.releases[i].Version), version.Lang(h.releases[j].Version)
	for k, r := range h.releases {
		if version.Lang(r.Version) == before && have[k] != have[i] || version.Lang(r.Version) == after && have[k] != have[j] {
			before = after // in the middle of a series
		}
	}
	switch {
	case !adjacent(before, after):
		return fmt.Sprintf("%s after %s", what, h.releases[i].Version)
	case what == "came":
		return "came with " + after
	}
	return what + " in " + after
}

// adjacent reports whether one series follows the other, as go1.27 follows go1.26.
func adjacent(before, after string) bool {
	var a, b int
	_, err1 := fmt.Sscanf(before, "go1.%d", &a)
	_, err2 := fmt.Sscanf(after, "go1.%d", &b)
	return err1 == nil && err2 == nil && b == a+1
}

// hasName reports whether the toolchain in goroot has a knob.
func hasName(ctx context.Context, goroot string, kind Kind, name string) bool {
	var known []Knob
	switch kind {
	case KindExperiment:
		known, _ = experimentNames(goroot)
	case KindDebug:
		known, _ = DebugKeys(ctx, goroot)
	case KindGODEBUG:
		known, _ = GODEBUGs(goroot, runtime.GOOS)
		known = live(known)
	}
	return has(known, name)
}

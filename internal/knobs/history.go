package knobs

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"go/version"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// A Release is a toolchain on this machine, such as go1.26.8.
type Release struct{ Version, GOROOT string }

// Releases lists the toolchains that are on this machine, oldest first: the one
// given, that of the go command in PATH, and those in its module cache. Nothing
// is fetched, and toolchains whose version is no release's are left out.
func Releases(ctx context.Context, given Release) []Release {
	all := []Release{given}
	if out, err := askUser(ctx); err == nil {
		var env struct{ GOMODCACHE, GOROOT, GOVERSION string }
		if json.Unmarshal(out, &env) == nil {
			ver, _, _ := strings.Cut(env.GOVERSION, " ")
			all = append(all, Release{ver, env.GOROOT})
			all = append(all, cached(env.GOMODCACHE)...)
		}
	}
	all = slices.DeleteFunc(all, func(r Release) bool { return !version.IsValid(r.Version) })
	slices.SortStableFunc(all, func(a, b Release) int {
		return cmp.Or(version.Compare(a.Version, b.Version), strings.Compare(a.Version, b.Version))
	})
	return slices.CompactFunc(all, func(a, b Release) bool { return a.Version == b.Version })
}

// askUser asks the user's go command, with the user's settings, where things
// are. Like all that history needs, an error only makes it shorter.
func askUser(ctx context.Context) ([]byte, error) {
	cmd := exec.CommandContext(ctx, "go", "env", "-json", "GOMODCACHE", "GOROOT", "GOVERSION")
	cmd.Dir = os.TempDir()
	cmd.Env = append(os.Environ(), "GOTOOLCHAIN=local", "GOWORK=off")
	return cmd.Output()
}

// cached lists the toolchains in a module cache.
func cached(modCache string) []Release {
	prefix := filepath.Join(modCache, "golang.org", "toolchain@v0.0.1-")
	suffix := "." + runtime.GOOS + "-" + runtime.GOARCH
	dirs, _ := filepath.Glob(prefix + "go*" + suffix) // the pattern is well formed
	var out []Release
	for _, dir := range dirs {
		// A download that was cut off has no go command yet.
		if _, err := os.Stat(goCommand(dir)); err == nil {
			out = append(out, Release{strings.TrimSuffix(strings.TrimPrefix(dir, prefix), suffix), dir})
		}
	}
	return out
}

// A History knows which of the releases on this machine have a knob. The zero
// value knows nothing.
type History struct{ releases []Release }

// NewHistory looks at the toolchains on this machine, beside the given one.
func NewHistory(ctx context.Context, given Release) History {
	return History{Releases(ctx, given)}
}

// Tell says of a knob that the toolchain called asking does not have which
// others do: "gone in go1.27: go1.26.8 still has it", with go1.26.8. Both are
// empty where none on this machine has it. A series such as go1.27 is named
// where the releases known of it, and of the series beside it, agree.
func (h History) Tell(ctx context.Context, asking string, kind Kind, name string) (fact, release string) {
	at := slices.IndexFunc(h.releases, func(r Release) bool { return r.Version == asking })
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

// since dates what differs between release i and the next one, j.
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

// adjacent reports whether one series follows the other, as go1.27 go1.26.
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

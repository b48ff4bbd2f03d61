package knobs

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/cache"
	"github.com/seed-1318a441/assay/internal/fault"
	"github.com/seed-1318a441/assay/internal/printable"
	"github.com/seed-1318a441/assay/internal/toolchain"
)

// A Set is what a toolchain accepts for one platform.
type Set struct {
	// Go is the toolchain's version, such as "go1.26.8".
	Go     string `json:"go"`
	GOOS   string `json:"goos"`
	GOARCH string `json:"goarch"`
	Knobs  []Knob `json:"knobs"`
	// goroot is where the toolchain is.
	goroot string
}

// Of returns the knobs of one kind.
func (s Set) Of(k Kind) []Knob {
	return slices.DeleteFunc(slices.Clone(s.Knobs), func(x Knob) bool { return x.Kind != k })
}

// readSet asks the toolchain in goroot, which calls itself version, for all its knobs and
// their defaults for goos and goarch. It takes about 50 ms: four concurrent runs of the
// go command, and six parsed files. A platform that the toolchain does not build for is
// an *assay.Error (flags, exit 2).
func readSet(ctx context.Context, goroot, version, goos, goarch string) (Set, error) {
	s := Set{Go: version, GOOS: goos, GOARCH: goarch, goroot: goroot}
	if err := checkPlatform(goroot, version, goos, goarch); err != nil {
		return s, err
	}
	found := make([][]Knob, 4)
	g, ctx := errgroup.WithContext(ctx)
	for i, read := range []func() ([]Knob, error){
		func() ([]Knob, error) { return Experiments(ctx, goroot, goos, goarch) },
		func() ([]Knob, error) { return DebugKeys(ctx, goroot) },
		func() ([]Knob, error) { return Levels(ctx, goroot, goos, goarch) },
		func() ([]Knob, error) { return GODEBUGs(goroot, goos) },
	} {
		g.Go(func() (err error) {
			defer fault.Exit()
			found[i], err = read()
			return err
		})
	}
	if err := g.Wait(); err != nil {
		return s, err
	}
	s.Knobs = slices.Concat(found...)
	return s, nil
}

// Read reads what toolchains accept, and their defaults for a platform. It calls fetching
// with the names of those that it must fetch.
func Read(ctx context.Context, toolchains []string, goos, goarch string, fetching func(name string)) ([]Set, error) {
	found := toolchain.NewFinder(cache.New(""))
	for _, name := range toolchains {
		if !toolchain.IsHere(name) {
			fetching(name)
		}
	}
	out := make([]Set, len(toolchains))
	g, ctx := errgroup.WithContext(ctx)
	for i, name := range toolchains {
		g.Go(func() error {
			defer fault.Exit()
			tc, err := found.Find(ctx, name, "")
			if err != nil {
				return err
			}
			out[i], err = readSet(ctx, tc.GOROOT, tc.Version, goos, goarch)
			return err
		})
	}
	return out, g.Wait()
}

// Matches reports whether a knob's name contains a word, whatever its case.
func Matches(name, word string) bool {
	return strings.Contains(strings.ToLower(name), strings.ToLower(word))
}

// CheckWord returns an error for a word that no toolchain knows, with similar names and
// the releases that have it.
func CheckWord(ctx context.Context, word string, sets []Set) error {
	var known, versions []string
	for _, s := range sets {
		for _, k := range s.Knobs {
			if Matches(k.Name, word) {
				return nil
			}
			known = append(known, k.Name)
		}
		versions = append(versions, s.Go)
	}
	e := assay.UsageError(assay.CodeUnknownKnob, fmt.Sprintf("no knob of %s is called %q", strings.Join(versions, " or "), word), "")
	if ToolchainName.MatchString("go" + word) {
		e.Facts = []string{"a toolchain is written go" + word}
		return e
	}
	h := NewHistory(ctx, toolchain.Toolchain{Version: sets[0].Go, GOROOT: sets[0].goroot})
	for _, kind := range Kinds {
		name := word
		if strings.HasPrefix(strings.ToLower(word), "no") {
			name = word[len("no"):]
		}
		if fact, release := h.Tell(ctx, sets[0].Go, kind, strings.ToLower(name)); fact != "" {
			e.Facts, e.Try = []string{fact}, "assay knobs "+release+" "+name
			return e
		}
	}
	slices.Sort(known)
	if names := printable.NearestNames(word, slices.Compact(known)); len(names) > 0 {
		e.Facts = []string{"close: " + strings.Join(names, ", ")}
		e.Try = strings.Join([]string{"assay knobs", versions[0], names[0]}, " ")
	}
	return e
}

// ToolchainName matches the names of toolchains.
var ToolchainName = regexp.MustCompile(`^(go\d.*|gotip|path:.*)$`)

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
	s := Set{Go: version, GOOS: goos, GOARCH: goarch}
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

// Read reads what a toolchain accepts, and its defaults for a platform. It calls fetching
// if it must fetch the toolchain.
func Read(ctx context.Context, name, goos, goarch string, fetching func()) (Set, error) {
	if !toolchain.IsHere(name) {
		fetching()
	}
	tc, err := toolchain.NewFinder(cache.New("")).Find(ctx, name, "")
	if err != nil {
		return Set{}, err
	}
	return readSet(ctx, tc.GOROOT, tc.Version, goos, goarch)
}

// Matches reports whether a knob's name contains a word, whatever its case.
func Matches(name, word string) bool {
	return strings.Contains(strings.ToLower(name), strings.ToLower(word))
}

// CheckWord returns an error for a word that the toolchain does not know, with similar
// names.
func (s Set) CheckWord(word string) error {
	if slices.ContainsFunc(s.Knobs, func(k Knob) bool { return Matches(k.Name, word) }) {
		return nil
	}
	e := assay.UsageError(assay.CodeUnknownKnob, fmt.Sprintf("no knob of %s is called %q", s.Go, word), "")
	if ToolchainName.MatchString("go" + word) {
		e.Facts = []string{"a toolchain is written go" + word}
		return e
	}
	if close := printable.NearestNames(word, slices.Compact(slices.Sorted(slices.Values(names(s.Knobs))))); len(close) > 0 {
		e.Facts = []string{"close: " + strings.Join(close, ", ")}
		e.Try = strings.Join([]string{"assay knobs", s.Go, close[0]}, " ")
	}
	return e
}

// ToolchainName matches the names of toolchains.
var ToolchainName = regexp.MustCompile(`^(go\d.*|gotip|path:.*)$`)

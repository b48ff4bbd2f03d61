package lab

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/binary"
	"github.com/seed-1318a441/assay/internal/fault"
)

// Builds are the artifacts of every variant, in the linker's own layout.
type Builds struct {
	// Builder made them.
	Builder Builder

	study     *assay.Study
	artifacts map[string][]Artifact // by variant name
	gaps      []assay.Gap           // steps without artifacts
	unbuilt   []unbuilt             // packages of variants that have other artifacts
}

// Build builds every variant of a study, in parallel. In a study with steps, a failed
// build is a gap (Builds.Gaps) and not an error, unless it is the base's. If no step
// builds the error has the code "steps".
func Build(ctx context.Context, builder Builder, s *assay.Study, events func(Event)) (*Builds, error) {
	if err := checkFiles(s); err != nil {
		return nil, err
	}
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(runtime.GOMAXPROCS(0))
	b := &building{Builds: Builds{Builder: builder, study: s, artifacts: map[string][]Artifact{}}, events: events}
	for _, v := range s.Variants {
		g.Go(func() error {
			defer fault.Exit()
			start := time.Now()
			all, not, err := buildVariant(ctx, builder, s, v)
			if err != nil && ctx.Err() != nil {
				return err // the build was ended, which is not the step's fault
			}
			return b.done(v, all, not, err, time.Since(start))
		})
	}
	err := cmp.Or(g.Wait(), b.base)
	SortGaps(s, b.gaps)
	if why := noSteps(s, b.gaps, b.base); why != nil && errors.Is(err, b.base) {
		return nil, why
	}
	if err == nil {
		for _, gap := range b.gaps {
			events(gapEvent(gap))
		}
		err = b.exclude()
	}
	return &b.Builds, err
}

// building is Builds while they are made.
type building struct {
	Builds
	events func(Event)
	mu     sync.Mutex
	base   error // why the base does not build, while steps are being built
}

// done takes the result of building a variant. An error ends the other builds. A failed
// base waits until a step builds: if none does, all may have one cause.
func (b *building) done(v assay.Variant, all []Artifact, not []unbuilt, err error, took time.Duration) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if err != nil {
		if gap, ok := GapOf(b.study, v, err); ok {
			b.gaps = append(b.gaps, gap)
			return nil
		}
		_, code := baseGap(b.study, err)
		if b.study.Steps == nil || v.Name != b.study.Base || len(b.artifacts) > 0 || !code {
			return err
		}
		b.base = err
		return nil
	}
	b.artifacts[v.Name] = all
	b.unbuilt = append(b.unbuilt, not...)
	if !allGiven(all) {
		b.events(built(v.Name, took, all))
	}
	return b.base
}

func allGiven(as []Artifact) bool {
	return !slices.ContainsFunc(as, func(a Artifact) bool { return !a.Given })
}

func buildVariant(ctx context.Context, builder Builder, s *assay.Study, v assay.Variant) ([]Artifact, []unbuilt, error) {
	var all []Artifact
	for w := range s.Workloads {
		as, err := builder.Build(ctx, BuildRequest{Study: s, Workload: w, Variant: v})
		if err != nil {
			return nil, nil, err
		}
		for i := range as {
			as[i].Info.Code, as[i].Info.Reads = as[i].Print.Sum(), readsOf(as[i:i+1])
		}
		all = append(all, as...)
	}
	return withoutUnbuilt(s, v, all)
}

func built(variant string, took time.Duration, as []Artifact) Event {
	e := Event{Kind: EventBuilt, Variant: variant, Took: took, Cached: true}
	for _, a := range as {
		e.Cached = e.Cached && a.Cached
		e.LogLines += a.LogLines
	}
	return e
}

// artifactsOf returns the artifacts of variants; the control's are the base's.
func (b *Builds) artifactsOf(vs []assay.Variant) map[string][]Artifact {
	out := map[string][]Artifact{}
	for _, v := range vs {
		out[v.Name] = b.Of(v.Name)
	}
	return out
}

// Of returns a variant's artifacts; the control's are the base's.
func (b *Builds) Of(variant string) []Artifact {
	if as, ok := b.artifacts[variant]; ok {
		return as
	}
	if b.study.By != nil {
		return b.artifacts[b.study.Variants[0].Name]
	}
	return b.artifacts[b.study.Base]
}

// Infos describes the builds, one entry per variant.
func (b *Builds) Infos() []assay.ArtifactInfo {
	var out []assay.ArtifactInfo
	for _, v := range b.study.Variants {
		as := b.artifacts[v.Name]
		if len(as) == 0 {
			continue
		}
		info := as[0].Info
		info.Variant, info.ID, info.SHA256, info.Code, info.Reads = v.Name, "", nil, codeOf(as), readsOf(as)
		for _, a := range as {
			info.ID += a.ID[:min(len(a.ID), 16)]
			info.SHA256 = append(info.SHA256, a.Info.SHA256...)
		}
		out = append(out, info)
	}
	return out
}

// codeOf returns the hash of the code of all artifacts of a variant, "" if it is unknown of
// any.
func codeOf(as []Artifact) string {
	if len(as) == 1 {
		return as[0].Info.Code
	}
	h := sha256.New()
	for _, a := range as {
		if a.Info.Code == "" {
			return ""
		}
		fmt.Fprintf(h, "%d %q %s\n", a.Workload, a.Package, a.Info.Code)
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// readsOf returns the hash of the files that the artifacts of a variant may read, "" if they
// are unknown of any.
func readsOf(as []Artifact) string {
	h := sha256.New()
	for _, a := range as {
		if a.Reads == nil {
			return ""
		}
		fmt.Fprintf(h, "%d %q %q\n", a.Workload, a.Package, a.Reads) // fmt sorts the names
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// Same lists the variants that are the same code as another, with the same run settings:
// the base, else the earliest. If the run extends an earlier one (nil for none), variants
// measured there come first, so that they continue to be measured.
//
// Where only the functions are the same, and files differ that the benchmarks may read, the
// variant is among unlike instead.
func (b *Builds) Same(earlier *assay.Plan) (same []assay.SameCode, unlike []Unlike) {
	if b.study.By != nil {
		return nil, nil
	}
	vs := slices.Clone(b.study.Variants)
	slices.SortStableFunc(vs, func(x, y assay.Variant) int { return b.rank(x, earlier) - b.rank(y, earlier) })
	for i, v := range vs {
		var other Unlike
		for _, w := range vs[:i] {
			n, functions := b.sameFunctions(v, w)
			if !functions || slices.ContainsFunc(same, func(s assay.SameCode) bool { return s.Variant == w.Name }) {
				continue
			}
			if files := b.otherFiles(w, v); len(files) > 0 {
				if other.Variant == "" {
					other = Unlike{Variant: v.Name, As: w.Name, Files: files}
				}
				continue
			}
			other = Unlike{}
			if !b.study.Measure.Force {
				same = append(same, assay.SameCode{Variant: v.Name, As: w.Name, Functions: n})
			}
			break
		}
		if other.Variant != "" {
			unlike = append(unlike, other)
		}
	}
	return same, unlike
}

// Unlike says that Variant has the same functions as As and runs with the same settings, but
// that Files differ, which its benchmarks may read.
type Unlike struct {
	Variant, As string
	Files       []string // in their tree, with slashes, sorted
}

// otherFiles lists the files that the benchmarks of two variants may read and that differ.
func (b *Builds) otherFiles(v, w assay.Variant) (out []string) {
	for _, x := range b.artifacts[v.Name] {
		if y, err := find(b.artifacts[w.Name], x.Workload, x.Package); err == nil {
			out = append(out, OtherFiles(x, y)...)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// OtherFiles lists the files that the benchmarks of a package may read and that differ
// between two of its artifacts, or that only one of them has: their paths in the tree, with
// slashes, sorted. There are none where it is unknown what they read.
func OtherFiles(x, y Artifact) (out []string) {
	if x.Reads == nil || y.Reads == nil {
		return nil
	}
	for _, files := range []map[string]string{x.Reads, y.Reads} {
		for name := range files {
			if x.Reads[name] != y.Reads[name] {
				out = append(out, path.Join(filepath.ToSlash(x.Folder), name))
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// A ProfileChange is a default.pgo that go build would use and the builds of assay do not,
// and that is not the same in a variant as in the base.
type ProfileChange struct {
	Variant string
	// Base and Of are the base's and the variant's, one of which may be zero.
	Base, Of Profile
}

// UnusedProfiles lists such profiles, in the order of variants.
func (b *Builds) UnusedProfiles() (out []ProfileChange) {
	for _, v := range b.study.Variants {
		for _, a := range b.artifacts[v.Name] {
			base, err := find(b.Of(b.study.Base), a.Workload, a.Package)
			if err == nil && base.Unused.SHA256 != a.Unused.SHA256 {
				out = append(out, ProfileChange{v.Name, base.Unused, a.Unused})
			}
		}
	}
	return out
}

// rank orders variants: of two equal ones, the later is reported as equal to the first.
func (b *Builds) rank(v assay.Variant, earlier *assay.Plan) int {
	if v.Name == b.study.Base {
		return 0
	}
	if earlier != nil {
		if _, measured := earlier.Variant(v.Name); measured {
			return 1
		}
	}
	return 2
}

// sameFunctions reports whether all binaries of two variants have the same functions and
// data, and the number of functions compared.
func (b *Builds) sameFunctions(v, w assay.Variant) (functions int, same bool) {
	x, y := b.artifacts[v.Name], b.artifacts[w.Name]
	if !v.SameRun(w) || len(x) != len(y) || len(x) == 0 {
		return 0, false
	}
	for i := range x {
		if x[i].Package != y[i].Package || x[i].Print == nil || y[i].Print == nil {
			return 0, false
		}
		d := binary.Compare(x[i].Print, y[i].Print)
		if !d.Same() {
			return 0, false
		}
		functions += d.Functions
	}
	return functions, true
}

// Binary returns what a variant runs of a benchmark, in the linker's own layout.
func (b *Builds) Binary(variant string, bench assay.PlannedBenchmark) (Artifact, error) {
	a, err := find(b.Of(variant), bench.Workload, bench.Package)
	if err != nil {
		return a, fmt.Errorf("variant %q: %w", variant, err)
	}
	return a, nil
}

// find returns the artifact of a package.
func find(as []Artifact, workload int, pkg string) (Artifact, error) {
	for _, a := range as {
		if a.Workload == workload && a.Package == pkg {
			return a, nil
		}
	}
	return Artifact{}, fmt.Errorf("no test binary of package %q", pkg)
}

package lab

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/binary"
	"github.com/seed-1318a441/assay/internal/build"
	"github.com/seed-1318a441/assay/internal/disk"
	"github.com/seed-1318a441/assay/internal/host"
	"github.com/seed-1318a441/assay/internal/trial"
)

// A Local is this machine.
type Local struct {
	// Assay is the path of the assay program, which makes the HTTP load of
	// services; set it before use.
	Assay string

	builder *build.Builder
	// links is the folder of the blocks' own links.
	links string
	count atomic.Int64
	// copies are what Go benchmarks run in.
	copies *copies
	bench  Bench
	// profiling is held while a profile is collected: one run at a time.
	profiling sync.Mutex

	mu    sync.Mutex
	files map[string]holding // by Artifact.ID
}

// A holding is an artifact and what it was built from; from is empty of a program that
// was given.
type holding struct {
	build.Artifact
	from build.Request
}

// NewLocal returns this machine. Close removes the links that it made.
func NewLocal(b *build.Builder) (*Local, error) {
	dir, err := b.Cache.TempDir("links-")
	if err != nil {
		return nil, err
	}
	l := &Local{builder: b, links: dir, copies: newCopies(b, dir), files: map[string]holding{}}
	l.bench.Runner = l
	return l, nil
}

// Close removes the links of blocks and the copies that benchmarks ran in.
func (l *Local) Close() error { return disk.RemoveAll(l.links) }

// Platform implements Machine.
func (l *Local) Platform(ctx context.Context) (assay.Platform, error) {
	return host.Platform(ctx), nil
}

// Build implements Machine.
func (l *Local) Build(ctx context.Context, r BuildRequest) ([]Artifact, error) {
	r.Variant = forTarget(r.Study, r.Variant)
	if w := r.Study.Workloads[r.Workload]; w.IsProgram() {
		a, err := l.command(ctx, r, w)
		return []Artifact{a}, err
	}
	pkgs, err := l.builder.Packages(ctx, request(r, ""), r.Study.Workloads[r.Workload].Packages)
	if err != nil {
		return nil, err
	}
	var out []Artifact
	var failed error
	for _, pkg := range pkgs {
		a, err := l.buildOne(ctx, r, pkg.ImportPath)
		switch {
		case err == nil:
			out = append(out, a)
		case l.passesOver(r, pkg.ImportPath, err):
			failed = cmp.Or(failed, err)
		default:
			return nil, err
		}
	}
	if len(out) == 0 {
		return nil, failed
	}
	return out, nil
}

// passesOver reports whether a package that does not build is left out of a variant:
// the benchmarks of another version may use what this one lacks. It tells of it.
func (l *Local) passesOver(r BuildRequest, pkg string, err error) bool {
	_, suite := r.Study.Source.SuiteTree()
	e, ok := errors.AsType[*assay.Error](err)
	if !suite || !ok || e.Code != "build-failed" {
		return false
	}
	l.builder.Cache.Alert(assay.Warning{Code: "suite", Text: fmt.Sprintf("variant %q: the suite's benchmarks of %s do not build, and are left out there", r.Variant.Name, pkg),
		Facts: firstFacts(e)})
	return true
}

// forTarget is the variant with the architecture that the study is measured
// on, unless it has its own.
func forTarget(s *assay.Study, v assay.Variant) assay.Variant {
	if s.Measure.GOARCH == "" || v.Build["GOARCH"] != "" {
		return v
	}
	v.Build = maps.Clone(v.Build)
	if v.Build == nil {
		v.Build = map[string]string{}
	}
	v.Build["GOARCH"] = s.Measure.GOARCH
	return v
}

// request is what the builder has to build of a package.
func request(r BuildRequest, pkg string) build.Request {
	w := r.Study.Workloads[r.Workload]
	return build.Request{Study: r.Study.Dir, Source: r.Study.Source, Variant: r.Variant, Package: pkg,
		Bench: w.Bench, BuildFlags: w.BuildFlags, Program: w.IsProgram(),
		Clock: trial.SideBySide && slices.Contains([]assay.Gear{"", assay.GearTurns}, r.Study.Measure.Pair)}
}

func (l *Local) buildOne(ctx context.Context, r BuildRequest, pkg string) (Artifact, error) {
	asked := r.Variant
	r, err := l.ownProfile(ctx, r)
	if err != nil {
		return Artifact{}, err
	}
	req := request(r, pkg)
	b, err := l.builder.Binary(ctx, req)
	if err != nil {
		return Artifact{}, err
	}
	l.copies.want(r.Study, r.Variant.Name, b)
	a := l.keep(r.Workload, holding{b, req}, b.ID)
	if a.Print, err = l.print(b); err != nil {
		return a, err
	}
	if a.Info.Profile, err = l.match(asked, b, a.Print, r.Study.Path(r.Variant.PGO)); err != nil {
		return a, err
	}
	tc, err := l.builder.ToolchainFor(ctx, r.Study.Dir, r.Study.Source, r.Variant)
	a.CanLayout, a.CanAlign = tc.HasRandLayout(), tc.HasFuncAlign()
	return a, err
}

// Link implements Machine. Two variants of one binary may ask for the same seed at
// once, so every link has a file of its own; names have one length, since argv[0] moves
// the stack.
func (l *Local) Link(ctx context.Context, r LinkRequest) (Artifact, error) {
	b, err := l.held(r.Artifact)
	if err != nil {
		return Artifact{}, err
	}
	req := b.from
	req.Layout, req.Align, req.Aside = r.Layout, r.Align, r.Aside
	n := l.count.Add(1)
	if b.Artifact, err = l.builder.Relink(ctx, req, filepath.Join(l.links, fmt.Sprintf("%06d.test", n))); err != nil {
		return Artifact{}, err
	}
	a := l.keep(r.Artifact.Workload, b, fmt.Sprintf("%s-%d", b.ID, n))
	a.Package = r.Artifact.Package
	return a, nil
}

// keep takes an artifact in, under an ID.
func (l *Local) keep(workload int, b holding, id string) Artifact {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.files[id] = b
	return Artifact{
		ID: id, Workload: workload, Package: b.Package, Clock: b.Clock, Cached: b.Cached, Took: b.Link, LogLines: b.LogLines,
		Info: assay.ArtifactInfo{ID: id, SHA256: []string{b.SHA256}, GoVersion: b.GoVersion, Commit: b.Commit, Suite: b.Suite, DefaultGODEBUG: b.DefaultGODEBUG},
	}
}

// printName names the fingerprint kept with an artifact. The number goes up
// when package binary hashes something else, so that old prints are not
// compared with new ones.
const printName = "print-3"

// print fingerprints an artifact once and keeps the print with it. It is nil for
// processors that package binary does not know.
func (l *Local) print(b build.Artifact) (*binary.Print, error) {
	p := new(binary.Print)
	if l.builder.Cache.Load(b.ID, printName, p) {
		return p, nil
	}
	p, err := binary.Fingerprint(b.Path)
	if errors.Is(err, binary.ErrArch) || errors.Is(err, binary.ErrStripped) {
		return nil, nil // of 386, say, or linked with -s: the same code is not told there
	}
	if err != nil {
		return nil, err
	}
	return p, l.builder.Cache.Store(b.ID, printName, p)
}

// Run implements Machine.
func (l *Local) Run(ctx context.Context, r RunRequest) (trial.Outcome, error) {
	b, err := l.held(r.Artifact)
	if err != nil {
		return trial.Outcome{}, fmt.Errorf("run trial: %w", err)
	}
	w := r.Study.Workloads[r.Workload]
	if r.Profile != "" && w.IsProgram() {
		return l.runProfiled(ctx, r, w)
	}
	switch w.Kind {
	case assay.KindCommand:
		return l.runCommand(ctx, r, w, b.Artifact)
	case assay.KindService:
		return l.runService(ctx, r, w, b.Artifact)
	}
	return l.runTest(ctx, r, w, b.Artifact)
}

// held finds an artifact.
func (l *Local) held(a Artifact) (holding, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	b, ok := l.files[a.ID]
	if !ok {
		return b, fmt.Errorf("no artifact %q here", a.ID)
	}
	return b, nil
}

// runTest runs one trial of Go benchmarks, in the variant's own copy of the tree.
func (l *Local) runTest(ctx context.Context, r RunRequest, w assay.Workload, b build.Artifact) (trial.Outcome, error) {
	g, in, err := l.goTest(ctx, r, w, b)
	if err != nil {
		return trial.Outcome{}, err
	}
	out, err := g.Run(ctx)
	explainMissing(&out, in.Left())
	return out, err
}

// goTest is a trial of Go benchmarks, and the copy that it runs in.
func (l *Local) goTest(ctx context.Context, r RunRequest, w assay.Workload, b build.Artifact) (trial.GoTest, *build.Copy, error) {
	in, err := l.copies.of(ctx, r, b)
	if err != nil {
		return trial.GoTest{}, nil, err
	}
	procs := trial.Procs(r.Study.Measure, r.Variant)
	flags := w.TestFlags
	if r.Skip != "" {
		flags = append(flags[:len(flags):len(flags)], "-skip="+r.Skip)
	}
	return trial.GoTest{
		Binary: b.Path, Dir: in.Path(b.Dir), Env: trial.Environ(os.Environ(), procs, r.Variant.Env), Procs: procs,
		Names: r.Names, Pattern: r.Pattern, N: r.N, Time: r.Time, Warm: r.Warm, GCTrace: r.GCTrace, Profile: r.Profile,
		TestFlags: flags, Args: w.Args, Timeout: r.Study.Measure.Timeout,
	}, in, nil
}

// Block implements Machine.
func (l *Local) Block(ctx context.Context, r BlockRequest, keep Keeper) error {
	return l.bench.Block(ctx, r, keep)
}

// Drop implements Machine.
func (l *Local) Drop(artifacts []Artifact) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, a := range artifacts {
		if !a.Given {
			os.Remove(l.files[a.ID].Path)
		}
		delete(l.files, a.ID)
	}
}

package lab

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/build"
	"github.com/seed-1318a441/assay/internal/disk"
	"github.com/seed-1318a441/assay/internal/host"
	"github.com/seed-1318a441/assay/internal/scratch"
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
	l := &Local{builder: b, links: dir, copies: newCopies(dir), files: map[string]holding{}}
	l.bench.Runner = l
	return l, nil
}

// Close removes the links of blocks and the copies that benchmarks ran in.
func (l *Local) Close() error { return disk.RemoveAll(l.links) }

// Platform implements Machine.
func (l *Local) Platform(ctx context.Context) (assay.Platform, error) {
	return host.Platform(ctx), nil
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
	a := l.hold(r.Artifact.Workload, b, fmt.Sprintf("%s-%d", b.ID, n))
	a.Package = r.Artifact.Package
	return a, nil
}

// hold takes an artifact in, under an ID.
func (l *Local) hold(workload int, b holding, id string) Artifact {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.files[id] = b
	return Artifact{
		ID: id, Workload: workload, Package: b.Package, Clock: b.Clock, Cached: b.Cached, Took: b.Link, LogLines: b.LogLines,
		Info: assay.ArtifactInfo{ID: id, SHA256: []string{b.SHA256}, GoVersion: b.GoVersion, Commit: b.Commit, Suite: b.Suite, DefaultGODEBUG: b.DefaultGODEBUG},
	}
}

// Run implements Machine.
func (l *Local) Run(ctx context.Context, r RunRequest) (trial.Outcome, error) {
	b, err := l.held(r.Artifact)
	if err != nil {
		return trial.Outcome{}, fmt.Errorf("run trial: %w", err)
	}
	w := r.Study.Workloads[r.Workload]
	if r.Profile != "" && w.IsProgram() {
		return l.runProfiled(ctx, r, w, b.Artifact)
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
func (l *Local) goTest(ctx context.Context, r RunRequest, w assay.Workload, b build.Artifact) (trial.GoTest, *scratch.Copy, error) {
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

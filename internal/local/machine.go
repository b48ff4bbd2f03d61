package local

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/build"
	"github.com/seed-1318a441/assay/internal/cache"
	"github.com/seed-1318a441/assay/internal/disk"
	"github.com/seed-1318a441/assay/internal/host"
	"github.com/seed-1318a441/assay/internal/lab"
	"github.com/seed-1318a441/assay/internal/scratch"
	"github.com/seed-1318a441/assay/internal/trial"
)

// A Machine is a lab.Machine that is this computer.
type Machine struct {
	// Assay is the path of the assay program, which generates the HTTP load of services;
	// set it before use.
	Assay string

	cache *cache.Cache
	// secrets are the values of variables, which no outcome may have.
	secrets secrets
	// links is the folder for the links of blocks.
	links string
	count atomic.Int64
	// copies are the folders in which Go benchmarks run.
	copies *copies
	bench  lab.Bench

	mu    sync.Mutex
	files map[string]holding // by Artifact.ID
}

// A holding is an artifact that this machine can run. relink is nil for a given program
// and for a link.
type holding struct {
	build.Artifact
	relink Relinker
	stamp  stamp // of the binary, when it came
}

// NewMachine returns this machine, which keeps its links and copies in a folder of the
// cache. Close removes them.
func NewMachine(c *cache.Cache) (*Machine, error) {
	dir, err := c.TempDir("links-")
	if err != nil {
		return nil, err
	}
	m := &Machine{cache: c, links: dir, copies: newCopies(dir), files: map[string]holding{}}
	m.bench.Runner = m
	return m, nil
}

// TakeParcels tells the machine, before its first trial, that the trees of builds are
// unpacked parcels, whose files nobody can write to: trials can write to their copies.
func (m *Machine) TakeParcels() { m.copies.unpacked = true }

// Close removes the links of blocks and the copies in which benchmarks ran.
func (m *Machine) Close() error { return disk.RemoveAll(m.links) }

// Platform implements lab.Machine.
func (m *Machine) Platform(ctx context.Context) (assay.Platform, error) {
	return host.Platform(ctx), nil
}

// Link implements lab.Machine. Two variants of one binary may request the same seed at
// once, so every link has a separate file. Names have the same length, since argv[0]
// moves the stack.
func (m *Machine) Link(ctx context.Context, r lab.LinkRequest) (lab.Artifact, error) {
	b, err := m.lookup(r.Artifact)
	if err != nil {
		return lab.Artifact{}, err
	}
	if b.relink == nil {
		return lab.Artifact{}, fmt.Errorf("link %q: it cannot be linked again", r.Artifact.ID)
	}
	n := m.count.Add(1)
	made, err := b.relink(ctx, r.Layout, r.Align, filepath.Join(m.links, fmt.Sprintf("%06d.test", n)))
	if err != nil {
		return lab.Artifact{}, err
	}
	a := describe(r.Artifact.Workload, made, fmt.Sprintf("%s-%d", made.ID, n))
	a.Package = r.Artifact.Package
	m.hold(a.ID, holding{Artifact: made, stamp: stampOf(made.Path)})
	return a, nil
}

// Receive implements Receiver.
func (m *Machine) Receive(d Delivery) {
	m.hold(d.Artifact.ID, holding{d.Built, d.Relink, stampOf(d.Built.Path)})
	for _, v := range d.Variants {
		m.copies.want(d.Study, v, d.Built)
	}
}

// hold registers an artifact under an ID.
func (m *Machine) hold(id string, b holding) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.files[id] = b
}

// Run implements lab.Machine.
func (m *Machine) Run(ctx context.Context, r lab.RunRequest) (trial.Outcome, error) {
	if _, err := m.lookup(r.Artifact); err != nil {
		return trial.Outcome{}, fmt.Errorf("run trial: %w", err)
	}
	run := m.runTest
	switch w := r.Study.Workloads[r.Workload]; {
	case r.Profile != "" && w.IsProgram():
		run = m.runProfiled
	case w.Kind == assay.KindCommand:
		run = m.runCommand
	case w.Kind == assay.KindService:
		run = m.runService
	}
	out, err := run(ctx, r)
	return m.secrets.hide(out), m.secrets.hideError(err)
}

// lookup finds an artifact.
func (m *Machine) lookup(a lab.Artifact) (holding, error) {
	m.mu.Lock()
	b, ok := m.files[a.ID]
	m.mu.Unlock()
	if !ok {
		return b, fmt.Errorf("no artifact %q here", a.ID)
	}
	return b, m.unchanged(a, b)
}

// runTest runs one trial of Go benchmarks, in the variant's own copy of the tree.
func (m *Machine) runTest(ctx context.Context, r lab.RunRequest) (trial.Outcome, error) {
	g, in, err := m.goTest(ctx, r)
	if err != nil {
		return trial.Outcome{}, err
	}
	out, err := g.Run(ctx)
	explainMissing(&out, in.Left())
	return out, err
}

// goTest returns a trial of Go benchmarks, and the copy that it runs in.
func (m *Machine) goTest(ctx context.Context, r lab.RunRequest) (trial.GoTest, *scratch.Copy, error) {
	b, err := m.lookup(r.Artifact)
	if err != nil {
		return trial.GoTest{}, nil, err
	}
	in, err := m.copies.copyFor(ctx, r, b.Artifact)
	if err != nil {
		return trial.GoTest{}, nil, err
	}
	own, err := m.secrets.variables(r.Variant.Env, r.Variant.Secrets)
	if err != nil {
		return trial.GoTest{}, nil, err
	}
	emulator, err := emulatorFor(r)
	if err != nil {
		return trial.GoTest{}, nil, err
	}
	w := r.Study.Workloads[r.Workload]
	procs := trial.Procs(r.Study.Measure, r.Variant)
	flags := w.TestFlags
	if r.Skip != "" {
		flags = append(flags[:len(flags):len(flags)], "-skip="+r.Skip)
	}
	return trial.GoTest{
		Binary: b.Path, Emulator: emulator, Dir: in.Path(b.Dir), Env: trial.Environ(os.Environ(), procs, own), Procs: procs,
		Names: r.Names, Pattern: r.Pattern, N: r.N, Time: r.Time, Warm: r.Warm, GCTrace: r.GCTrace, Profile: r.Profile,
		TestFlags: flags, Args: w.Args, Timeout: r.Study.Measure.Timeout,
	}, in, nil
}

// Block implements lab.Machine.
func (m *Machine) Block(ctx context.Context, r lab.BlockRequest, keep lab.Keeper) error {
	return m.bench.Block(ctx, r, keep)
}

// Drop implements lab.Machine.
func (m *Machine) Drop(artifacts []lab.Artifact) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, a := range artifacts {
		if !a.Given {
			os.Remove(m.files[a.ID].Path)
		}
		delete(m.files, a.ID)
	}
}

// folder creates an empty folder for a trial. All have names of the same length:
// arguments are on the stack and move it.
func (m *Machine) folder() (dir string, drop func(), err error) {
	dir = filepath.Join(m.links, fmt.Sprintf("tmp-%06d", m.count.Add(1)))
	if err := os.Mkdir(dir, 0o700); err != nil {
		return "", nil, fmt.Errorf("make folder for {tmp}: %w", err)
	}
	return dir, func() { os.RemoveAll(dir) }, nil
}

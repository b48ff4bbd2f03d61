// Package sessiontest has a simulated machine that sessions run on, for tests of what
// stands above a session.
package sessiontest

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/inquiry"
	"github.com/seed-1318a441/assay/internal/lab"
	"github.com/seed-1318a441/assay/internal/lab/labtest"
	"github.com/seed-1318a441/assay/internal/record"
	"github.com/seed-1318a441/assay/internal/runs"
	"github.com/seed-1318a441/assay/internal/session"
	"github.com/seed-1318a441/assay/internal/trial"
)

// A Teller keeps what sessions tell.
type Teller struct {
	mu          sync.Mutex
	Said, Lines []string
	Warned      []assay.Warning
	// Cleared is how often Done was called.
	Cleared int
}

// Say implements session.Teller.
func (t *Teller) Say(text string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.Said = append(t.Said, text)
}

// Line implements session.Teller.
func (t *Teller) Line(stage, text string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.Lines = append(t.Lines, stage+": "+text)
}

// Warn implements session.Teller.
func (t *Teller) Warn(w assay.Warning) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.Warned = append(t.Warned, w)
}

// Done implements session.Teller.
func (t *Teller) Done() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.Cleared++
}

// Heard reports whether something with this text was said.
func (t *Teller) Heard(text string) bool {
	return slices.ContainsFunc(t.Said, func(s string) bool { return strings.Contains(s, text) })
}

// A Rig is a simulated machine with a store, on which sessions run one after the other.
type Rig struct {
	*labtest.Simulator
	Teller *Teller
	// Store is the folder of the runs.
	Store string
	// Host is which of several equal computers it is.
	Host string
	// Files has the binary of each build, by the ID of the artifact.
	Files map[string]string
	// Stop ends the run of the latest session.
	Stop *session.Stop
	// Prefix begins the names of runs.
	Prefix string
	// Simulation is this machine, for a Config.
	Simulation *session.Simulation
	runs       int
}

// OwnCache gives the test a cache of its own, but for that of the go command, which builds
// the same for every test.
func OwnCache(t *testing.T) {
	t.Helper()
	if dir, err := os.UserCacheDir(); err == nil && os.Getenv("GOCACHE") == "" {
		t.Setenv("GOCACHE", filepath.Join(dir, "go-build"))
	}
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	if runtime.GOOS == "darwin" { // where the cache is below it
		t.Setenv("HOME", t.TempDir())
	}
}

// New returns a quiet machine with these benchmarks.
func New(t *testing.T, benchmarks ...labtest.Benchmark) *Rig {
	t.Helper()
	OwnCache(t)
	r := &Rig{Simulator: &labtest.Simulator{Seed: 1, Start: time.Millisecond, LinkTime: 10 * time.Millisecond, Benchmarks: benchmarks},
		Teller: &Teller{}, Store: filepath.Join(t.TempDir(), "store"), Files: map[string]string{}}
	r.Simulation = &session.Simulation{Builder: r, Machine: r, Seed: 1, Created: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)}
	return r
}

// Platform implements lab.Machine. A session asks for it once, before its run begins, and so
// each run has a name of its own.
func (r *Rig) Platform(ctx context.Context) (assay.Platform, error) {
	r.runs++
	r.Simulation.Run = fmt.Sprint(cmp.Or(r.Prefix, "run"), r.runs)
	p, err := r.Simulator.Platform(ctx)
	p.Host = r.Host
	return p, err
}

// Run implements lab.Machine. The names of a simulated machine have no "Benchmark" in front,
// which the pattern of a single one has.
func (r *Rig) Run(ctx context.Context, q lab.RunRequest) (trial.Outcome, error) {
	q.Pattern = strings.Replace(q.Pattern, "^Benchmark", "^", 1)
	return r.Simulator.Run(ctx, q)
}

// Locate implements lab.Builder.
func (r *Rig) Locate(a lab.Artifact) (lab.Location, error) {
	if file, ok := r.Files[a.ID]; ok {
		return lab.Location{File: file, Dir: filepath.Dir(file)}, nil
	}
	return r.Simulator.Locate(a)
}

// Config returns the configuration of one session.
func (r *Rig) Config(s *assay.Study) session.Config {
	r.Stop = session.NewStop()
	return session.Config{Options: session.Options{Store: r.Store, Trust: true}, Study: s, Command: "assay compare old new",
		Progress: session.NewProgress(r.Teller), Lease: &session.Lease{}, Stop: r.Stop, Cache: r.Store + ".cache", Simulation: r.Simulation, Explain: inquiry.Changes}
}

// Measure runs a study to its end.
func (r *Rig) Measure(t *testing.T, s *assay.Study) *assay.Result {
	t.Helper()
	result, _, err := session.Measure(t.Context(), r.Config(s))
	if err != nil {
		t.Fatal(err)
	}
	return result
}

// Runs lists the runs of the store with the number of their blocks: "run1 12".
func (r *Rig) Runs(t *testing.T) (out []string) {
	t.Helper()
	kept, err := record.List(r.Store)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range kept {
		run, err := record.Read(record.Folder(e.Dir))
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, fmt.Sprint(e.Run, " ", len(run.Blocks())))
	}
	return out
}

// EndAt makes something happen before the first trial of a block.
func (r *Rig) EndAt(block int, do func() error) {
	r.Hook = func(q lab.RunRequest) error {
		if q.Block != block {
			return nil
		}
		r.Hook = nil
		return do()
	}
}

// Found reads a run of the store.
func (r *Rig) Found(t *testing.T, run string) *runs.Found {
	t.Helper()
	f, err := runs.Read(filepath.Join(r.Store, run), run)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// Bench returns a benchmark of a microsecond with a percent of noise, and what variants change
// about it: 0.05 is 5 % more time.
func Bench(name string, changes map[string]float64) labtest.Benchmark {
	b := labtest.Benchmark{Name: name, Time: time.Microsecond, Bytes: 48, Allocs: 2, Noise: labtest.Normal(0.005), Effects: map[string]float64{}}
	for variant, change := range changes {
		b.Effects[variant] = math.Log1p(change)
	}
	return b
}

// Blocks returns a study of these variants that ends after so many blocks.
func Blocks(n int, variants ...string) *assay.Study {
	s := labtest.Study(variants...)
	s.Measure.Trial, s.Measure.Inner = 10*time.Millisecond, 1
	s.Decide.MinBlocks, s.Decide.MaxBlocks = n, n
	return s
}

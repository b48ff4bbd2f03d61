package session_test

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
	"github.com/seed-1318a441/assay/internal/lab"
	"github.com/seed-1318a441/assay/internal/lab/labtest"
	"github.com/seed-1318a441/assay/internal/record"
	"github.com/seed-1318a441/assay/internal/session"
	"github.com/seed-1318a441/assay/internal/trial"
)

// A teller keeps what sessions tell.
type teller struct {
	mu          sync.Mutex
	said, lines []string
	warned      []assay.Warning
}

func (t *teller) Say(text string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.said = append(t.said, text)
}

func (t *teller) Line(stage, text string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.lines = append(t.lines, stage+": "+text)
}

func (t *teller) Warn(w assay.Warning) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.warned = append(t.warned, w)
}

func (t *teller) Done() {}

// heard reports whether something with this text was said.
func (t *teller) heard(text string) bool {
	return slices.ContainsFunc(t.said, func(s string) bool { return strings.Contains(s, text) })
}

// A rig is a simulated machine with a store, on which sessions run one after the other.
type rig struct {
	*labtest.Simulator
	*teller
	store string
	// host is which of several equal computers it is.
	host string
	// files has the binary of each build, by the ID of the artifact.
	files map[string]string
	// stop ends the run of the latest session.
	stop *session.Stop
	// prefix begins the names of runs.
	prefix string
	sim    *session.Simulation
	runs   int
}

// ownCache gives the test a cache of its own, but for that of the go command, which builds
// the same for every test.
func ownCache(t *testing.T) {
	t.Helper()
	if dir, err := os.UserCacheDir(); err == nil && os.Getenv("GOCACHE") == "" {
		t.Setenv("GOCACHE", filepath.Join(dir, "go-build"))
	}
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	if runtime.GOOS == "darwin" { // where the cache is below it
		t.Setenv("HOME", t.TempDir())
	}
}

// newRig has a quiet machine with these benchmarks.
func newRig(t *testing.T, benchmarks ...labtest.Benchmark) *rig {
	t.Helper()
	ownCache(t)
	r := &rig{Simulator: &labtest.Simulator{Seed: 1, Start: time.Millisecond, LinkTime: 10 * time.Millisecond, Benchmarks: benchmarks},
		teller: &teller{}, store: filepath.Join(t.TempDir(), "store"), files: map[string]string{}}
	r.sim = &session.Simulation{Builder: r, Machine: r, Seed: 1, Created: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)}
	return r
}

// Platform implements lab.Machine. A session asks for it once, before its run begins, and so
// each run has a name of its own.
func (r *rig) Platform(ctx context.Context) (assay.Platform, error) {
	r.runs++
	r.sim.Run = fmt.Sprint(cmp.Or(r.prefix, "run"), r.runs)
	p, err := r.Simulator.Platform(ctx)
	p.Host = r.host
	return p, err
}

// Run implements lab.Machine. The names of a simulated machine have no "Benchmark" in front,
// which the pattern of a single one has.
func (r *rig) Run(ctx context.Context, q lab.RunRequest) (trial.Outcome, error) {
	q.Pattern = strings.Replace(q.Pattern, "^Benchmark", "^", 1)
	return r.Simulator.Run(ctx, q)
}

// Locate implements lab.Builder.
func (r *rig) Locate(a lab.Artifact) (lab.Location, error) {
	if file, ok := r.files[a.ID]; ok {
		return lab.Location{File: file, Dir: filepath.Dir(file)}, nil
	}
	return r.Simulator.Locate(a)
}

// config is that of one session.
func (r *rig) config(s *assay.Study) session.Config {
	r.stop = session.NewStop()
	return session.Config{Options: session.Options{Store: r.store, Trust: true}, Study: s, Command: "assay compare old new",
		Progress: session.NewProgress(r), Lease: &session.Lease{Began: time.Now()}, Stop: r.stop, Cache: r.store + ".cache", Simulation: r.sim, Explain: session.ExplainChanges}
}

// measure runs a study to its end.
func (r *rig) measure(t *testing.T, s *assay.Study) *assay.Result {
	t.Helper()
	result, _, err := session.Measure(t.Context(), r.config(s))
	if err != nil {
		t.Fatal(err)
	}
	return result
}

// list lists the runs of the store with the number of their blocks: "run1 12".
func (r *rig) list(t *testing.T) (out []string) {
	t.Helper()
	kept, err := record.List(r.store)
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

// bench is a benchmark of a microsecond with a percent of noise, and what variants change
// about it: 0.05 is 5 % more time.
func bench(name string, changes map[string]float64) labtest.Benchmark {
	b := labtest.Benchmark{Name: name, Time: time.Microsecond, Bytes: 48, Allocs: 2, Noise: labtest.Normal(0.005), Effects: map[string]float64{}}
	for variant, change := range changes {
		b.Effects[variant] = math.Log1p(change)
	}
	return b
}

// blocksOf is a study of these variants that ends after so many blocks.
func blocksOf(n int, variants ...string) *assay.Study {
	s := labtest.Study(variants...)
	s.Measure.Trial, s.Measure.Inner = 10*time.Millisecond, 1
	s.Decide.MinBlocks, s.Decide.MaxBlocks = n, n
	return s
}

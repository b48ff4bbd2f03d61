package survey

import (
	"context"
	"encoding/json"
	"sync"
	"testing"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/child"
	"github.com/seed-1318a441/assay/internal/collect"
	"github.com/seed-1318a441/assay/internal/lab"
	"github.com/seed-1318a441/assay/internal/trial"
)

// A made machine answers by functions, and keeps what it was asked.
type made struct {
	lab.Machine
	run      func(lab.RunRequest) trial.Outcome
	together func(lab.TogetherRequest) ([]trial.Outcome, error)
	cpus     []int
	noCPUs   error
	links    []time.Duration // what links take, one after the other

	ran     []lab.RunRequest
	mu      sync.Mutex
	linked  []lab.LinkRequest
	dropped int
}

func (m *made) CPUs() ([]int, error) { return m.cpus, m.noCPUs }

func (m *made) Run(_ context.Context, r lab.RunRequest) (trial.Outcome, error) {
	m.ran = append(m.ran, r)
	return m.run(r), nil
}

func (m *made) Together(_ context.Context, r lab.TogetherRequest) ([]trial.Outcome, error) {
	return m.together(r)
}

func (m *made) Link(_ context.Context, r lab.LinkRequest) (lab.Artifact, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	a := r.Artifact
	a.Took = m.links[len(m.linked)%len(m.links)]
	m.linked = append(m.linked, r)
	return a, nil
}

func (m *made) Drop(as []lab.Artifact) { m.dropped += len(as) }

// A shelf is a builder that has the artifacts of variants; those of others have one of the
// package "p".
type shelf struct {
	lab.Builder
	of map[string][]lab.Artifact
}

func (b shelf) Build(_ context.Context, r lab.BuildRequest) ([]lab.Artifact, error) {
	if as, ok := b.of[r.Variant.Name]; ok {
		return as, nil
	}
	return []lab.Artifact{{ID: "id-" + r.Variant.Name, Package: "p", CanLayout: true, CanAlign: true}}, nil
}

func (b shelf) Locate(a lab.Artifact) (lab.Location, error) {
	return lab.Location{Dir: "/src/" + a.Package}, nil
}

// oldNew is a study of Go benchmarks with the variants "old", the base, and "new".
func oldNew() *assay.Study {
	s := &assay.Study{Name: "made", Variants: []assay.Variant{{Name: "old"}, {Name: "new"}}, Workloads: []assay.Workload{{Kind: assay.KindGoTest}}}
	s.SetDefaults()
	return s
}

// surveyed is a surveyor of a study on a made machine.
func surveyed(t *testing.T, s *assay.Study, m *made, b shelf) *surveyor {
	t.Helper()
	silent := func(lab.Event) {}
	builds, err := lab.Build(t.Context(), b, s, silent)
	if err != nil {
		t.Fatal(err)
	}
	return &surveyor{Setup: Setup{Study: s, Machine: m, Builds: builds, Platform: assay.Platform{CPUs: 2}, Command: "assay compare old new", Events: silent},
		metrics: map[string]assay.Better{}}
}

// planned is a plan of a study with the control.
func planned(s *assay.Study, bs ...assay.PlannedBenchmark) *assay.Plan {
	return &assay.Plan{Study: *s, Seed: 1, Command: "assay compare --budget=10m old new", Benchmarks: bs,
		Variants: append(append([]assay.Variant{}, s.Variants...), assay.Variant{Name: assay.ControlName, Control: true})}
}

// chosen is a chooser of the gear of a benchmark called "X" of the package "p".
func chosen(t *testing.T, s *assay.Study, m *made) *chooser {
	t.Helper()
	b := assay.PlannedBenchmark{Benchmark: assay.Benchmark{Package: "p", Name: "X"}, N: 1}
	y := surveyed(t, s, m, shelf{})
	p := planned(s, b)
	c := y.chooser(p, &p.Benchmarks[0])
	c.machine, c.until = m, time.Now().Add(admitTime)
	return c
}

// inMemory is a memo.
func inMemory() Memo {
	known := map[string][]byte{}
	return Memo{
		Store: func(id, name string, v any) (err error) { known[id+name], err = json.Marshal(v); return err },
		Load:  func(id, name string, v any) bool { return json.Unmarshal(known[id+name], v) == nil },
	}
}

// result is the outcome of n operations of benchmarks, each of so many seconds.
func result(sec float64, n int, names ...string) trial.Outcome {
	wall := time.Duration(sec * float64(n) * float64(time.Second))
	out := trial.Outcome{Exit: child.Exit{Wall: wall, User: wall}, Status: assay.StatusOK}
	for _, name := range names {
		out.Readings = append(out.Readings, collect.Reading{Name: name, N: n, Values: map[string]float64{assay.MetricTime: sec}})
	}
	return out
}

// about reports whether two numbers differ by at most off.
func about(a, b, off float64) bool { return a-b <= off && b-a <= off }

// wantText asks for a text.
func wantText(t *testing.T, what, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("%s:\n got %s\nwant %s", what, got, want)
	}
}

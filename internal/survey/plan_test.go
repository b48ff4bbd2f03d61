package survey_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/errortest"
	"github.com/seed-1318a441/assay/internal/lab"
	"github.com/seed-1318a441/assay/internal/lab/labtest"
	"github.com/seed-1318a441/assay/internal/survey"
)

// prepared is the plan of a study on a simulated machine.
func prepared(t *testing.T, m *labtest.Simulator, s *assay.Study) *assay.Plan {
	t.Helper()
	p, _, err := labtest.Plan(t.Context(), m, s)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// warned returns the warnings of a plan with a code.
func warned(p *assay.Plan, code assay.Code) (out []assay.Warning) {
	for _, w := range p.Warnings {
		if w.Code == code {
			out = append(out, w)
		}
	}
	return out
}

// several is a machine with two CPUs and benchmarks that want different gears.
func several() *labtest.Simulator {
	return &labtest.Simulator{Seed: 1, Cores: []int{0, 3}, Alike: true, Start: time.Millisecond, Code: map[string]string{"old": "code of old", "new": "code of new"}, Benchmarks: []labtest.Benchmark{
		{Name: "Quick", Time: time.Microsecond},
		{Name: "Buffers", Time: time.Microsecond, Once: 150 * time.Microsecond},
		{Name: "Map", Time: time.Microsecond, Once: 4 * time.Millisecond},
		{Name: "Allocates", Time: time.Microsecond, Bytes: 300, Allocs: 1},
		{Name: "Prints", Time: time.Microsecond, Prints: true},
		{Name: "Minute", Time: 1500 * time.Millisecond},
		{Name: "Minutes", Time: 1500 * time.Millisecond},
		{Name: "Parallel", Time: time.Microsecond, Portions: 8},
	}}
}

// Every benchmark of a plan has the gear that it can bear, and is compared with plain runs of
// both variants. Those that cannot be sliced for one reason share a note.
func TestGears(t *testing.T) {
	p := prepared(t, several(), labtest.Study("old", "new"))
	for i, want := range []struct {
		gear        assay.Gear
		timed       bool
		least, most int // operations of a slice or a trial
		warm        int
	}{
		{assay.GearSlices, false, 500, 1_500, assay.WarmSlices},
		{assay.GearSlices, false, 1_500, 30_000, assay.WarmSlices},
		{"", false, 500_000, 1_500_000, 0},
		{"", false, 80_000, 400_000, 0},
		{"", false, 80_000, 140_000, 0},
		{"", false, 1, 1, 0},
		{"", false, 1, 1, 0},
		{"", true, 1, 1_000_000, 0},
	} {
		b := p.Benchmarks[i]
		if b.Gear != want.gear || (b.BenchTime > 0) != want.timed || b.N < want.least || b.N > want.most || b.Warm != want.warm {
			t.Errorf("%s: planned is %s timed=%v N=%d warm=%d, want %+v", b.Name, b.Gear, b.BenchTime, b.N, b.Warm, want)
		}
		if b.OneCPU != (b.Gear != "") {
			t.Errorf("%s: on one CPU %t", b.Name, b.OneCPU)
		}
		if b.Trial <= 0 || b.Gear == "" != (b.Slices == 0) {
			t.Errorf("%s: %d slices in trials of %v", b.Name, b.Slices, b.Trial)
		}
	}
	var said []string
	for _, w := range warned(p, assay.CodePair) {
		said = append(said, strings.TrimPrefix(w.Text, "measured as processes, one after the other: ")+": "+w.Facts[0])
	}
	want := []string{"Map: the time of an operation depends on how many are run", "Prints: it prints to standard output", `Minute, Minutes: one operation takes longer than a slice in "old"`,
		"Parallel: operations run in parallel, in portions that package testing sizes: their number cannot be fixed"}
	if !slices.EqualFunc(said, want, strings.HasPrefix) {
		t.Errorf("said %q, want %q", said, want)
	}
}

// The time of a trial in the plan is that of the slowest variant: an operation that takes four
// times as long in one makes all trials as long.
func TestTrialIsOfTheSlowest(t *testing.T) {
	trial := func(effect float64) time.Duration {
		m := &labtest.Simulator{Seed: 1, Cores: []int{0}, Benchmarks: []labtest.Benchmark{{Name: "Quick", Time: time.Microsecond, Effects: map[string]float64{"new": effect}}}}
		b := prepared(t, m, labtest.Study("old", "new")).Benchmarks[0]
		if b.Gear != assay.GearSlices {
			t.Fatalf("planned is %+v, want slices", b)
		}
		return b.Trial / time.Duration(b.N*(b.Slices+b.Warm)) // of an operation
	}
	// ln 4 slower: an operation takes 4 µs, with the interruptions of the simulated machine.
	if one, four := trial(0), trial(1.386); one < 700*time.Nanosecond || one > 2*time.Microsecond || four < 3*time.Microsecond || four > 7*time.Microsecond {
		t.Errorf("an operation takes %v and %v, want about 1µs and 4µs", one, four)
	}
}

// Placement of functions is measured for short slices alone, and reported if it moves a
// benchmark by more than the minimum effect.
func TestPlacementOfPlan(t *testing.T) {
	m := several()
	m.Placement = 0.07
	p := prepared(t, m, labtest.Study("old", "new"))
	for _, b := range p.Benchmarks {
		want := b.Gear == assay.GearSlices
		if got := b.Placement > 0.02 && b.Placement < 0.2; got != want || !want && b.Placement != 0 {
			t.Errorf("%s: placement %.3f, want about 0.07: %t", b.Name, b.Placement, want)
		}
	}
	ws := warned(p, assay.CodePlacement)
	if len(ws) != 1 || !strings.Contains(ws[0].Text, "Quick by ±") || !strings.Contains(ws[0].Text, "Buffers by ±") || strings.Contains(ws[0].Text, "Map") {
		t.Errorf("warnings %v, want one of Quick and Buffers", ws)
	}
}

// Trials of processes hold collections in every variant; where they cannot, the plan says in
// which.
func TestTrialsHoldCollections(t *testing.T) {
	for _, c := range []struct {
		heap float64
		few  string
	}{{8, ""}, {1e4, "a trial spans fewer than 3 garbage collections: X (new)"}} {
		m := &labtest.Simulator{Seed: 1, Start: time.Millisecond, Benchmarks: []labtest.Benchmark{
			{Name: "X", Time: time.Microsecond, Bytes: 300, Allocs: 1, Heap: map[string]float64{"new": c.heap}}}}
		p := prepared(t, m, labtest.Study("old", "new"))
		b := p.Benchmarks[0]
		if b.Warm != 0 || b.Gear != "" || c.few == "" && 300*float64(b.N) < 8*8*(4<<20) {
			t.Errorf("heap of %g: planned is %+v, want eight collections", c.heap, b)
		}
		var said strings.Builder
		for _, w := range warned(p, assay.CodeFewCycles) {
			said.WriteString(w.Text)
		}
		if said.String() != c.few {
			t.Errorf("heap of %g: said %q, want %q", c.heap, said.String(), c.few)
		}
	}
}

// A run that goes on measures as the earlier one did, with its seed, layouts and numbers of
// operations, and runs nothing to find them.
func TestPlanGoesOn(t *testing.T) {
	s, m := labtest.Chain(1, []float64{-0.05}, []float64{-0.05})
	m.Cores = []int{0, 3}
	m.Benchmarks[0].Bytes, m.Benchmarks[0].Allocs = 0, 0
	first := prepared(t, m, s)
	longer, m := labtest.Chain(1, []float64{-0.05}, []float64{-0.05}, []float64{-0.05})
	m.Cores = []int{0, 3}
	m.Benchmarks[0].Time *= 100
	builds, err := lab.Build(t.Context(), m, longer, func(lab.Event) {})
	if err != nil {
		t.Fatal(err)
	}
	first.Run, first.Seed = "first", 77
	p, err := survey.Prepare(t.Context(), survey.Setup{Study: longer, Machine: m, Builds: builds, Platform: assay.Platform{CPUs: 2},
		Events: func(lab.Event) {}, Run: "second", Seed: 5, Earlier: first})
	if err != nil {
		t.Fatal(err)
	}
	if p.Earlier != "first" || p.Seed != 77 || len(p.Variants) != 5 {
		t.Errorf("earlier %q, seed %d, %d variants; want first, 77 and 5", p.Earlier, p.Seed, len(p.Variants))
	}
	got, want := p.Benchmarks[0], first.Benchmarks[0]
	if want.Gear != assay.GearSlices || got.Gear != want.Gear || got.N != want.N || got.Slices != want.Slices ||
		got.Trial != want.Trial || got.OneCPU != want.OneCPU || got.Warm != want.Warm {
		t.Errorf("planned is %+v, want the slices of %+v", got, want)
	}
	if !slices.Equal(p.Metrics, first.Metrics) || len(m.Log()) > 0 {
		t.Errorf("metrics %v after %v, want %v and nothing run", p.Metrics, m.Log(), first.Metrics)
	}
}

// A key of sub-benchmarks that finds one value is refused: there is nothing to compare.
func TestKeyOfOneValue(t *testing.T) {
	m := &labtest.Simulator{Seed: 1, Benchmarks: []labtest.Benchmark{{Name: "X/impl=fast", Time: time.Microsecond}, {Name: "Y", Time: time.Microsecond}}}
	s := labtest.Study("build")
	s.By, s.Base = &assay.By{Key: "/impl"}, ""
	_, _, err := labtest.Plan(t.Context(), m, s)
	text := errortest.Want(t, err, assay.CodeByKey, assay.ExitUsage)
	if !strings.HasPrefix(text, `key "/impl" finds 1 values in the benchmark names`) {
		t.Errorf("got %s", text)
	}
}

// A base without benchmarks is an error that says which variant has some.
func TestNoBenchmarkInBase(t *testing.T) {
	m := &labtest.Simulator{Seed: 1, Benchmarks: []labtest.Benchmark{{Name: "New", Time: time.Microsecond, Lacks: []string{"old"}}}}
	_, _, err := labtest.Plan(t.Context(), m, labtest.Study("old", "new"))
	text := errortest.Want(t, err, assay.CodeNoBenchmarks, assay.ExitBuild)
	if !strings.HasPrefix(text, "New is in new and not in old") {
		t.Errorf("got %s", text)
	}
}

// Before the first block a service is found to be overloaded, or to have too few requests
// for the quantile that decides.
func TestServiceOfPlan(t *testing.T) {
	m := &labtest.Simulator{Seed: 1, Start: time.Second, Benchmarks: []labtest.Benchmark{{Name: "sim", Service: &labtest.Service{
		Latency: labtest.LogNormal(2*time.Millisecond, 0.4, nil), Requests: 5000, Load: 10 * time.Second}}}}
	s := labtest.ServiceStudy("old", "new")
	p := prepared(t, m, s)
	if b := p.Benchmarks[0]; len(p.Warnings) > 0 || b.Trial != 11*time.Second || b.Gear != "" || b.N != 1 {
		t.Errorf("planned is %+v, warnings %v; want trials of 11 s and none", b, p.Warnings)
	}
	m.Benchmarks[0].Service.Intended = 1000
	s.Decide.Metrics = []string{"latency.p99.9"}
	p = prepared(t, m, s)
	over, short := warned(p, assay.CodeOverload), warned(p, assay.CodeShortLoad)
	if len(over) != 1 || !strings.HasPrefix(over[0].Text, "the load of sim is more than old can bear: 500 of") {
		t.Errorf("warnings %v, want that 500 a second are less than 1000", p.Warnings)
	}
	if len(short) != 1 || !strings.Contains(short[0].Facts[0], "a load of 10000 or more") {
		t.Errorf("warnings %v, want that p99.9 needs 10000 requests", p.Warnings)
	}
}

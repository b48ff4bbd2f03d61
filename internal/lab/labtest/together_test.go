package labtest_test

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/lab/labtest"
	"github.com/seed-1318a441/assay/internal/record"
)

// sliced is a machine with two CPUs, and a benchmark that allocates nothing.
func sliced(change func(*labtest.Benchmark)) *labtest.Simulator {
	b := labtest.Benchmark{Name: "X", Time: time.Microsecond, Effects: map[string]float64{"new": math.Log(1.03)}}
	if change != nil {
		change(&b)
	}
	return &labtest.Simulator{Seed: 1, Cores: []int{0, 3}, Benchmarks: []labtest.Benchmark{b}}
}

// inBlocks is a study that ends after some blocks.
func inBlocks(n int) *assay.Study {
	s := labtest.Study("old", "new")
	s.Decide.MinBlocks, s.Decide.MaxBlocks = n, n
	return s
}

// readRun runs a study, and returns what it recorded.
func readRun(t *testing.T, m *labtest.Simulator, s *assay.Study) (*assay.Result, *record.Run) {
	t.Helper()
	store := t.TempDir()
	r, err := labtest.Run(t.Context(), m, s, store)
	if err != nil {
		t.Fatal(err)
	}
	run, err := record.Read(record.Folder(filepath.Join(store, labtest.RunID)))
	if err != nil {
		t.Fatal(err)
	}
	return r, run
}

// A benchmark that allocates nothing runs in slices: a block is one trial of each
// variant with all its slices, on one CPU drawn for it, and the change is found to a
// tenth of a percent where the speed of a CPU drifts by percents from slice to slice.
func TestSlices(t *testing.T) {
	m := sliced(nil)
	r, run := readRun(t, m, inBlocks(12))
	b := run.Plan.Benchmarks[0]
	if b.Gear != assay.GearSlices || b.Slices < 31 || b.Slices%2 == 0 || b.N < 500 || b.N > 1500 || !b.OneCPU {
		t.Fatalf("planned is %q, %d slices of %d, one CPU %t; want about 51 of 1000 on one CPU", b.Gear, b.Slices, b.N, b.OneCPU)
	}
	cpus := map[int]bool{}
	for _, tr := range run.Trials {
		if tr.Gear != assay.GearSlices || len(tr.Slices) != b.Slices || len(tr.CPUs) != 1 || tr.Round != 1 || tr.Of != 2 && tr.Of != 3 {
			t.Fatalf("trial %+v", tr)
		}
		cpus[tr.CPUs[0]] = true
		if _, ok := tr.Observations[assay.MetricUser]; ok {
			t.Error("there is CPU time in slices, between which package testing collects garbage")
		}
		if tr.Observations[assay.MetricBytes] != 0 || tr.Observations[assay.MetricRSS] != 10<<20 {
			t.Errorf("observed %v", tr.Observations)
		}
	}
	if len(cpus) != 2 {
		t.Errorf("blocks ran on the CPUs %v, want both", cpus)
	}
	c := r.Tables[0].Rows[0].Cells[0]
	if c.Variant != "new" || math.Abs(float64(c.Change)-0.03) > 0.002 || !c.Verdict.Differs() {
		t.Errorf("%s changed by %.4f, %s; want 0.03", c.Variant, c.Change, c.Verdict)
	}
	if len(r.Gears) != 1 || r.Gears[0] != (assay.GearOf{Benchmark: b.Benchmark, Gear: b.Gear, N: b.N, Slices: b.Slices}) {
		t.Errorf("the result says %+v", r.Gears)
	}
	if len(run.Plan.Warnings) > 0 {
		t.Errorf("warnings %v", run.Plan.Warnings)
	}
}

// The report says why a benchmark is not sliced; it runs in processes as before.
func TestNotSliced(t *testing.T) {
	for _, test := range []struct {
		name   string
		change func(*labtest.Benchmark)
		study  func(*assay.Study)
		why    string
	}{
		{"prints", func(b *labtest.Benchmark) { b.Prints = true }, nil, "it prints"},
		{"long operation", func(b *labtest.Benchmark) { b.Time = 1500 * time.Millisecond }, nil, "longer than a slice"},
		{"allocates", func(b *labtest.Benchmark) { b.Bytes, b.Allocs = 300, 1 }, nil, ""},
		{"memory", nil, nil, "no memory for all"},
		{"CPU time", nil, func(s *assay.Study) { s.Decide.Metrics = []string{assay.MetricUser} }, "slices do not measure CPU time"},
		{"iterations", nil, func(s *assay.Study) { s.Workloads[0].BenchIters = 100 }, "fixes the number"},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := inBlocks(2)
			if test.study != nil {
				test.study(s)
			}
			m := sliced(test.change)
			if test.name == "memory" {
				m.Memory = 2 << 20
			}
			_, run := readRun(t, m, s)
			if b := run.Plan.Benchmarks[0]; b.Gear != "" || b.Slices != 0 {
				t.Errorf("planned is %q, want processes", b.Gear)
			}
			var said strings.Builder
			for _, w := range run.Plan.Warnings {
				if w.Code == "pair" {
					said.WriteString(strings.Join(w.Facts, " "))
				}
			}
			if !strings.Contains(said.String(), test.why) || test.why == "" && said.String() != "" {
				t.Errorf("said %q, want %q", said.String(), test.why)
			}
		})
	}
}

// A benchmark whose operations take longer in short runs has longer slices. If it has to
// fill a map first, or has long operations, it runs as processes, for longer if there is time.
func TestLongerSlices(t *testing.T) {
	for _, test := range []struct {
		change func(*labtest.Benchmark)
		gear   assay.Gear
		least  int
	}{
		{func(b *labtest.Benchmark) { b.Once = 150 * time.Microsecond }, assay.GearSlices, 1500},
		{func(b *labtest.Benchmark) { b.Once = 4 * time.Millisecond }, "", 500_000},
		{func(b *labtest.Benchmark) { b.Time = 30 * time.Millisecond }, "", 3},
	} {
		_, run := readRun(t, sliced(test.change), inBlocks(2))
		if b := run.Plan.Benchmarks[0]; b.Gear != test.gear || b.N < test.least {
			t.Errorf("planned is %q of %d; want %q of %d or more", b.Gear, b.N, test.gear, test.least)
		}
	}
}

// A cost in lumps is a cost: a variant that does a fifth more, all at once, after every so
// many milliseconds of its own work, is hardly ever called the same: the machine is so noisy
// that a plain run may miss a fifth.
func TestLumps(t *testing.T) {
	same := 0
	for _, every := range []time.Duration{10, 30, 100, 300} {
		for seed := range uint64(25) {
			m := sliced(func(b *labtest.Benchmark) {
				b.Effects, b.Lumps = nil, map[string]time.Duration{"new": every * time.Millisecond}
			})
			m.Seed = seed + 1
			r, run := readRun(t, m, inBlocks(12))
			if c := r.Tables[0].Rows[0].Cells[0]; c.Verdict == assay.Same {
				same++
				t.Logf("a lump per %d ms, seed %d: %s, %+.3f %v, planned %+v", every, seed+1, c.Verdict, c.Change, c.Interval, run.Plan.Benchmarks[0])
			}
		}
	}
	if same > 1 {
		t.Errorf("%d of 100 are called the same", same)
	}
}

// A failure in a block excludes the benchmark by what failed, not by those that were
// left waiting.
func TestSlicesFail(t *testing.T) {
	m := sliced(func(b *labtest.Benchmark) {
		b.Fail = func(variant string, block int) (assay.Status, string) {
			if variant == "new" && block == 2 {
				return assay.StatusFailed, "boom"
			}
			return "", ""
		}
	})
	r, _ := readRun(t, m, inBlocks(12))
	if !slices.ContainsFunc(r.Warnings, func(w assay.Warning) bool { return strings.Contains(fmt.Sprint(w), "boom") }) {
		t.Errorf("warnings %v, want what failed", r.Warnings)
	}
}

// A sliced run that is cut off and resumed has the result of one that never was: the
// gear is in the plan, and the draws of a block do not depend on what ran before.
func TestResumeSlices(t *testing.T) {
	text := func(cut bool) string {
		store := t.TempDir()
		if cut {
			m := sliced(nil)
			crashAfter(m, 4)
			if _, err := labtest.Run(t.Context(), m, inBlocks(12), store); err == nil {
				t.Fatal("it did not crash")
			}
		}
		if _, err := labtest.Run(t.Context(), sliced(nil), inBlocks(12), store); err != nil {
			t.Fatal(err)
		}
		return string(result(t, store))
	}
	if a, b := text(false), text(true); a != b {
		t.Errorf("resumed:\n%s\nuninterrupted:\n%s", b, a)
	}
}

// A trial of a benchmark that allocates spans eight collections in every variant, not
// in the base alone: one with eight times the heap has trials eight times as long.
func TestEveryVariantCollects(t *testing.T) {
	n := func(heap float64) int {
		m := machine()
		for i := range m.Benchmarks {
			m.Benchmarks[i].Bytes, m.Benchmarks[i].Heap = 300, map[string]float64{"new": heap}
		}
		_, run := readRun(t, m, inBlocks(1))
		return run.Plan.Benchmarks[0].N
	}
	if one, eight := n(1), n(8); 300*float64(eight) < 3*8*(4<<20) || eight <= one {
		t.Errorf("N is %d, with a larger heap %d: that is not three collections", one, eight)
	}
}

// Where even the longest trial has too few collections the report says so, since it is
// about the meaning of the figures.
func TestTooFewCollections(t *testing.T) {
	m := machine()
	for i := range m.Benchmarks {
		m.Benchmarks[i].Bytes, m.Benchmarks[i].Heap = 300, map[string]float64{"new": 1e4}
	}
	r, _ := readRun(t, m, inBlocks(1))
	i := slices.IndexFunc(r.Warnings, func(w assay.Warning) bool { return w.Code == "few-cycles" })
	if i < 0 || r.Warnings[i].Minor() || !strings.Contains(r.Warnings[i].Text, "Faster (new)") {
		t.Fatalf("warnings %v, want one of few-cycles that names Faster (new) and is always printed", r.Warnings)
	}
}

// The noise is known after three blocks with a control, which one in four has after the eighth;
// before that as a difference.
func TestNoiseOfFewBlocks(t *testing.T) {
	r, _ := readRun(t, sliced(nil), inBlocks(12))
	if n := r.Noise; n.Floor != 0 || n.Change == 0 || math.Abs(float64(n.Change)) > 0.01 {
		t.Errorf("noise %+v after 12 blocks, want a difference below 1 %% and no interval", n)
	}
	r, _ = readRun(t, sliced(nil), inBlocks(24))
	if c := r.Tables[0].Rows[0].Cells[0]; !c.Verdict.Differs() || r.Noise.Floor == 0 {
		t.Errorf("after 24 blocks %q and noise %+v, want it decided and an interval", c.Verdict, r.Noise)
	}
}

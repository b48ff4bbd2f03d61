package lab_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/pprof/profile"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/lab"
	"github.com/seed-1318a441/assay/internal/lab/labtest"
	"github.com/seed-1318a441/assay/internal/record"
)

var allKinds = []string{assay.CollectCPU, assay.CollectMem, assay.CollectGC}

// explained is a simulated benchmark of 1 µs and 4 objects whose variant "new"
// spends 0.5 µs more in one function.
func explained() labtest.Benchmark {
	return labtest.Benchmark{Name: "X", Time: time.Microsecond, Allocs: 4, Bytes: 64, Effects: map[string]float64{"new": math.Log(1.5)},
		Profile: func(kind, variant string, n int) []byte {
			work := map[string]float64{"old": 1e-6, "new": 1.5e-6, "other": 1e-6}[variant]
			if kind == assay.CollectMem {
				work = 4
			}
			return labtest.ProfileOf(kind, map[string]float64{"p.work<p.BenchmarkX": work}, n)
		}}
}

// inquire prepares an inquiry into the only benchmark of a simulated machine.
func inquire(t *testing.T, m *labtest.Simulator) *lab.Inquiry {
	t.Helper()
	p, builds := prepare(t, m, labtest.Study("old", "new", "other"))
	rec, err := record.Create(t.TempDir(), p, assay.Platform{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { rec.Close() })
	e, err := rec.Evidence()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Close() })
	return &lab.Inquiry{Plan: p, Machine: m, Builds: builds, Evidence: e, Events: silent, Benchmark: p.Benchmarks[0].Benchmark,
		Variants: []string{"new", "other"}, Kinds: allKinds, BaseValue: 1e-6, AllocsPerOp: 4}
}

// places are the trials of a kind, "variant N" in the order in which they ran, a
// list a block.
func places(trials []assay.EvidenceTrial, kind string) (blocks [][]string) {
	for _, t := range trials {
		if t.Kind != kind {
			continue
		}
		if t.Position == 1 {
			blocks = append(blocks, nil)
		}
		last := len(blocks) - 1
		blocks[last] = append(blocks[last], fmt.Sprint(t.Variant, " ", t.N))
	}
	return blocks
}

// Every block has every variant once, in orders that differ; another inquiry draws
// others, the same one those again.
func TestInquirySchedule(t *testing.T) {
	m := sim(explained())
	q := inquire(t, m)
	before := len(m.Log())
	trials, warnings, err := q.Run(t.Context())
	if err != nil || len(warnings) > 0 {
		t.Fatal(err, warnings)
	}
	// A second of 1 µs; 100,000 objects at up to 5 an operation, and half of them.
	each := []string{"new 1000000", "old 1000000", "other 1000000"}
	want := map[string]struct {
		blocks int
		once   []string
	}{assay.CollectCPU: {10, each}, assay.CollectGC: {5, each},
		assay.CollectMem: {2, []string{"new 10000", "new 20000", "old 10000", "old 20000", "other 10000", "other 20000"}}}
	for kind, w := range want {
		got := places(trials, kind)
		if len(got) != w.blocks {
			t.Errorf("%s: got %d blocks, want %d", kind, len(got), w.blocks)
		}
		orders := map[string]bool{}
		for _, block := range got {
			orders[strings.Join(block, ", ")] = true
			if !slices.Equal(slices.Sorted(slices.Values(block)), w.once) {
				t.Errorf("%s: a block has %q", kind, block)
			}
		}
		if len(orders) < 2 {
			t.Errorf("%s: all blocks have the order %q", kind, got[0])
		}
	}
	var ran []string
	for _, trial := range trials {
		ran = append(ran, fmt.Sprintf("X %s %d 0", trial.Variant, trial.Block))
	}
	if got := m.Log()[before:]; !slices.Equal(got, ran) {
		t.Errorf("ran\n%s\nbut the evidence says\n%s", strings.Join(got, "\n"), strings.Join(ran, "\n"))
	}
	if again, _, err := q.Run(t.Context()); err != nil || slices.Equal(flat(again), flat(trials)) {
		t.Errorf("the second inquiry draws the orders of the first, %v", err)
	}
	if again, _, err := inquire(t, sim(explained())).Run(t.Context()); err != nil || !slices.Equal(flat(again), flat(trials)) {
		t.Errorf("the same inquiry draws other orders, %v", err)
	}
}

func flat(trials []assay.EvidenceTrial) []string {
	return slices.Concat(places(trials, assay.CollectCPU)...)
}

// What trials leave is in the run folder, a profile with each of its kinds.
func TestInquiryKeepsProfiles(t *testing.T) {
	q := inquire(t, sim(explained()))
	q.Blocks = 3
	trials, _, err := q.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	samples := map[string]int64{}
	for _, trial := range trials {
		data, err := q.Evidence.Profile(trial)
		if (err == nil) != (trial.Kind != assay.CollectGC) {
			t.Fatalf("%s: got %v", trial.Kind, err)
		}
		if err != nil {
			continue
		}
		p, err := profile.ParseData(data)
		if err != nil {
			t.Fatal(err)
		}
		samples[trial.Kind+" "+trial.Variant] += p.Sample[0].Value[0]
	}
	// Three seconds of 100 samples each, by a half more in "new"; 4 objects of
	// 2 x (10,000 + 20,000) operations.
	for what, want := range map[string]int64{"cpu old": 300, "cpu new": 450, "cpu other": 300, "mem old": 240_000, "mem new": 240_000} {
		if samples[what] != want {
			t.Errorf("%s: got %d, want %d", what, samples[what], want)
		}
	}
	if !slices.EqualFunc(q.Evidence.Trials(), trials, func(a, b assay.EvidenceTrial) bool { return a.ID == b.ID }) || trials[0].Inquiry != 1 {
		t.Error("the evidence does not have the trials")
	}
}

// The number of operations, by what is known of the benchmark.
func TestInquiryOperations(t *testing.T) {
	for _, test := range []struct {
		name           string
		set            func(*lab.Inquiry)
		cpu, gc, mem   string
		blocks, traced int
	}{
		{"a fast one that may allocate", func(q *lab.Inquiry) { q.BaseValue, q.AllocsPerOp = 1e-9, 0 }, "1000000000", "1000000000", "50000 100000", 10, 5},
		{"one that allocates much", func(q *lab.Inquiry) { q.Plan.Benchmarks[0].N, q.BaseValue, q.AllocsPerOp = 50, 1e-3, 1e6 }, "", "", "2 4", 10, 5},
		{"a long one", func(q *lab.Inquiry) { q.Plan.Benchmarks[0].N, q.BaseValue = 1, 4 }, "1", "1", "2 4", 3, 3},
		{"one as long, and blocks that are wished for", func(q *lab.Inquiry) { q.Plan.Benchmarks[0].N, q.BaseValue, q.Blocks = 1, 4, 7 }, "1", "1", "2 4", 7, 3},
		{"its author's number", func(q *lab.Inquiry) { fix(q, 30) }, "30", "30", "15 30", 60, 5},
		{"a small one of the author", func(q *lab.Inquiry) { fix(q, 3) }, "3", "3", "3", 60, 5},
		{"a shorter trial", func(q *lab.Inquiry) { q.Plan.Benchmarks[0].N, q.Trial = 10, 100*time.Millisecond }, "100000", "100000", "", 30, 5},                // of 10 samples each
		{"no shorter than the plan's", func(q *lab.Inquiry) { q.Plan.Benchmarks[0].N, q.Trial = 400_000, 100*time.Millisecond }, "400000", "400000", "", 8, 3}, // of 40
		{"a variant that is three times as slow", func(q *lab.Inquiry) { q.Plan.Benchmarks[0].N, q.Slowest = 10, 3e-6 }, "500000", "500000", "10000 20000", 10, 5},
		{"times known from calibration only", func(q *lab.Inquiry) {
			q.BaseValue, q.AllocsPerOp, q.Plan.Benchmarks[0].N, q.Plan.Benchmarks[0].Trial = 0, 0, 10, time.Second
		}, "10", "10", "5 10", 10, 5},
		{"one block", func(q *lab.Inquiry) { q.Blocks = 1 }, "1000000", "1000000", "", 1, 1},
	} {
		m := sim(explained())
		q := inquire(t, m)
		test.set(q)
		trials, _, err := q.Run(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for kind, want := range map[string]string{assay.CollectCPU: test.cpu, assay.CollectGC: test.gc, assay.CollectMem: test.mem} {
			if got := numbers(trials, kind); want != "" && got != want {
				t.Errorf("%s: %s: got %s operations, want %s", test.name, kind, got, want)
			}
		}
		if cpu, gc := len(places(trials, assay.CollectCPU)), len(places(trials, assay.CollectGC)); cpu != test.blocks || gc != test.traced {
			t.Errorf("%s: got %d and %d blocks, want %d and %d", test.name, cpu, gc, test.blocks, test.traced)
		}
	}
}

func fix(q *lab.Inquiry, n int) {
	q.Plan.Benchmarks[0].N, q.Plan.Study.Workloads[0].BenchIters = n, n
}

// numbers are those of operations of a kind, ascending.
func numbers(trials []assay.EvidenceTrial, kind string) string {
	var ns []int
	for _, t := range trials {
		if t.Kind == kind && !slices.Contains(ns, t.N) {
			ns = append(ns, t.N)
		}
	}
	slices.Sort(ns)
	return strings.Trim(fmt.Sprint(ns), "[]")
}

// A failing trial ends its kind, and only that; what it left of its block is in the
// evidence and not among the trials to be used.
func TestInquiryFails(t *testing.T) {
	b := explained()
	kind := ""
	b.Fail = func(variant string, block int) (assay.Status, string) {
		if kind == assay.CollectCPU && variant == "new" && block == 3 {
			return assay.StatusFailed, "panic: late"
		}
		return "", ""
	}
	m := sim(b)
	m.Hook = func(r lab.RunRequest) error {
		if kind = r.Profile; kind == assay.CollectMem {
			return &assay.Error{Warning: assay.Warning{Code: "no-profile", Text: "an old toolchain"}}
		}
		return nil
	}
	q := inquire(t, m)
	trials, warnings, err := q.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if got := len(trials); got != 2*3+5*3 {
		t.Errorf("got %d trials, want two blocks of CPU profiles and five traces", got)
	}
	var said []string
	for _, w := range warnings {
		said = append(said, string(w.Code)+" "+w.Text+" "+strings.Join(w.Facts, " "))
	}
	want := []string{`no-profile X: no CPU profiles it ended as failed in "new": panic: late`, "no-profile an old toolchain "}
	if !slices.Equal(said, want) {
		t.Errorf("got  %q\nwant %q", said, want)
	}
	failed := 0
	for _, trial := range q.Evidence.Trials() {
		if trial.Status != assay.StatusOK {
			failed++
		}
	}
	if failed != 1 {
		t.Errorf("the evidence has %d failed trials, want 1", failed)
	}
}

// An inquiry that was cut off leaves its trials; the next has a number of its own
// and begins anew.
func TestInquiryCutOff(t *testing.T) {
	m := sim(explained())
	q := inquire(t, m)
	ctx, cancel := context.WithCancel(t.Context())
	ran := 0
	m.Hook = func(lab.RunRequest) error {
		if ran++; ran == 8 { // the second trial of block 3
			cancel()
			return ctx.Err()
		}
		return nil
	}
	trials, _, err := q.Run(ctx)
	if !errors.Is(err, context.Canceled) || len(trials) != 6 || len(q.Evidence.Trials()) != 7 {
		t.Fatalf("got %v, %d trials of complete blocks, %d in the evidence", err, len(trials), len(q.Evidence.Trials()))
	}
	if trials, _, err = q.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := trials[0]; got.Inquiry != 2 || got.ID != 8 || got.Block != 1 {
		t.Errorf("got evidence %d of inquiry %d, block %d", got.ID, got.Inquiry, got.Block)
	}
}

// What is not in the run is refused before anything is run.
func TestInquiryRefuses(t *testing.T) {
	for want, set := range map[string]func(*lab.Inquiry){
		"no variant is named":               func(q *lab.Inquiry) { q.Variants = nil },
		`not measured in variant "nobody"`:  func(q *lab.Inquiry) { q.Variants = []string{"nobody"} },
		`not measured in variant "new"`:     func(q *lab.Inquiry) { q.Plan.Benchmarks[0].Missing = []string{"new"} },
		"no benchmark Y is in the run":      func(q *lab.Inquiry) { q.Benchmark.Name = "Y" },
		`explain: no trial collects "heap"`: func(q *lab.Inquiry) { q.Kinds = []string{"heap"} },
	} {
		q := inquire(t, sim(explained()))
		set(q)
		if _, _, err := q.Run(t.Context()); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
		if n := len(q.Evidence.Trials()); n > 0 {
			t.Errorf("%s: %d trials were run", want, n)
		}
	}
}

// Services are not profiled, and each kind has a warning.
func TestInquiryOfService(t *testing.T) {
	q := inquire(t, sim(explained()))
	q.Plan.Study.Workloads[0].Kind = assay.KindService
	trials, warnings, err := q.Run(t.Context())
	if err != nil || len(trials) > 0 || len(warnings) != 3 || warnings[0].Code != "no-profile" {
		t.Errorf("got %d trials, %v, %v", len(trials), warnings, err)
	}
}

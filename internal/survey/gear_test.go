package survey

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/calibration"
	"github.com/seed-1318a441/assay/internal/lab"
	"github.com/seed-1318a441/assay/internal/trial"
)

// Benchmarks that run as processes for one reason share a warning; those of which nothing is
// to be said have none.
func TestPairWarnings(t *testing.T) {
	var bs []assay.PlannedBenchmark
	notes := map[assay.Benchmark]gearNote{}
	for name, why := range map[string]string{"A": "it prints", "B": "it waits", "C": "it prints", "D": "", "E": "it prints"} {
		b := assay.PlannedBenchmark{Benchmark: assay.Benchmark{Name: name}}
		if name == "E" {
			b.Gear = assay.GearSlices
		}
		bs, notes[b.Benchmark] = append(bs, b), gearNote{refused: why}
	}
	slices.SortFunc(bs, func(a, b assay.PlannedBenchmark) int { return strings.Compare(a.Name, b.Name) })
	wantText(t, "warnings", fmt.Sprint(pairWarnings(bs, notes)),
		"[measured as processes, one after the other: A, C   [pair]\n  it prints measured as processes, one after the other: B   [pair]\n  it waits]")
}

// A plain run rules slices out if it failed, or its time is missing, untrue or too long.
func TestUnfit(t *testing.T) {
	c := chosen(t, oldNew(), &made{})
	for _, test := range []struct {
		ref  calibration.Plain
		want string
	}{
		{calibration.Plain{PerOp: 0.019}, ""},
		{calibration.Plain{PerOp: 0.021}, tooLong},
		{calibration.Plain{}, "it reports no time per operation"},
		{calibration.Plain{PerOp: 1e-9, Untrue: true}, "the time that it reports is not that of its operations"},
		{calibration.Plain{Broken: "exit status 3"}, "the reference run failed: exit status 3"},
	} {
		wantText(t, fmt.Sprintf("%+v", test.ref), c.unfit(test.ref), test.want)
	}
}

// Trials run side by side where the machine can and the study lets it; a reason is given
// where that is not plain from the study.
func TestSideBySide(t *testing.T) {
	for _, test := range []struct {
		name   string
		cpus   []int
		err    error
		change func(*surveyor)
		want   string
		beside bool
	}{
		{"two CPUs", []int{0, 1}, nil, nil, "", true},
		{"none", nil, nil, nil, "", false},
		{"none, for a reason", nil, errors.New("this system cannot bind to a CPU"), nil, "this system cannot bind to a CPU", false},
		{"emulated", []int{0}, nil, func(s *surveyor) { s.Platform.Emulated = "qemu-arm64" }, "qemu-arm64 runs the programs", false},
		{"a command", []int{0}, nil, func(s *surveyor) { s.Study.Workloads[0].Kind = assay.KindCommand }, "", false},
		{"a service", []int{0}, nil, func(s *surveyor) { s.Study.Workloads[0].Kind = assay.KindService }, "", false},
		{"iterations", []int{0}, nil, func(s *surveyor) { s.Study.Workloads[0].BenchIters = 100 }, "-benchtime=100x fixes the number of iterations", true},
	} {
		c := chosen(t, oldNew(), &made{cpus: test.cpus, noCPUs: test.err})
		c.machine = nil
		if test.change != nil {
			test.change(c.surveyor)
		}
		why, err := reason(c.sideBySide())
		if err != nil || !strings.HasPrefix(why, test.want) || test.want == "" && why != "" || (c.machine != nil) != test.beside {
			t.Errorf("%s: got %q, %v, side by side %t; want %q, %t", test.name, why, err, c.machine != nil, test.want, test.beside)
		}
	}
}

// CPU time cannot be decided by slices.
func TestNotSliced(t *testing.T) {
	for metric, want := range map[string]bool{assay.MetricUser: true, assay.MetricSys: true, assay.MetricTime: false, assay.MetricBytes: false} {
		c := chosen(t, oldNew(), &made{})
		c.surveyor.Study.Decide.Metrics = []string{assay.MetricAllocs, metric}
		if got := c.notSliced() != nil; got != want {
			t.Errorf("%s decides: slices are ruled out %t, want %t", metric, got, want)
		}
	}
}

// A misfit is a reason; any other error stays one, also around a misfit's text.
func TestReason(t *testing.T) {
	broken := errors.New("no space left")
	for _, c := range []struct {
		err  error
		why  string
		want error
	}{
		{nil, "", nil},
		{misfit("it prints"), "it prints", nil},
		{fmt.Errorf("try: %w", misfit("it prints")), "it prints", nil},
		{misfitIn(assay.Variant{Name: "."}, "it waits"), "it waits in your tree", nil},
		{broken, "", broken},
	} {
		if why, err := reason(c.err); why != c.why || err != c.want {
			t.Errorf("%v: got %q and %v, want %q and %v", c.err, why, err, c.why, c.want)
		}
	}
}

// All variants are in memory at once, and the base twice if the control is a copy of it.
func TestMemory(t *testing.T) {
	c := chosen(t, oldNew(), &made{})
	c.refs = calibration.Plains{{RSS: 100}, {RSS: 7}}
	if got := c.memory(); got != 207 {
		t.Errorf("with a control: %d bytes, want 207", got)
	}
	c.plan.Variants = c.plan.Variants[:2]
	if got := c.memory(); got != 107 {
		t.Errorf("without a control: %d bytes, want 107", got)
	}
}

// A variant that lacks the benchmark is not tried, and the control is the base.
func TestVariantsOfChooser(t *testing.T) {
	s := oldNew()
	s.Variants = append(s.Variants, assay.Variant{Name: "newer"})
	y := surveyed(t, s, &made{}, shelf{})
	c := y.chooser(planned(s), &assay.PlannedBenchmark{Missing: []string{"old"}})
	if len(c.variants) != 2 || c.variants[0].Name != "new" || c.variants[1].Name != "newer" || c.baseAt() != 0 {
		t.Errorf("got %v with the base at %d, want new and newer", c.variants, c.baseAt())
	}
	s.Base = "newer"
	if c = y.chooser(planned(s), &assay.PlannedBenchmark{}); c.baseAt() != 2 {
		t.Errorf("the base is at %d, want 2", c.baseAt())
	}
}

// Finding the gears takes a tenth of the budget at most: plain runs are as long as leaves
// room for those of all benchmarks.
func TestReferenceTime(t *testing.T) {
	for _, test := range []struct {
		budget time.Duration
		want   time.Duration
	}{
		// 20 runs of twice as long.
		{0, time.Second},
		{400 * time.Second, time.Second},
		{390 * time.Second, 500 * time.Millisecond},
		{100 * time.Second, 200 * time.Millisecond},
		{60 * time.Second, 100 * time.Millisecond},
		{time.Second, 100 * time.Millisecond},
	} {
		c := chosen(t, oldNew(), &made{})
		c.plan.Benchmarks = make([]assay.PlannedBenchmark, 10)
		if test.budget > 0 {
			c.surveyor.Left, c.surveyor.half = func() time.Duration { return test.budget }, test.budget/2
		}
		if got := c.referenceTime(); got != test.want {
			t.Errorf("%v: plain runs of %v, want %v", test.budget, got, test.want)
		}
	}
}

// Trials may be as long as leaves time for twice the blocks of a verdict.
func TestAffordable(t *testing.T) {
	for budget, want := range map[time.Duration]time.Duration{
		0: 2 * time.Second, time.Hour: 2 * time.Second, time.Minute: 1400 * time.Millisecond, time.Second: 100 * time.Millisecond,
	} {
		c := chosen(t, oldNew(), &made{}) // 10 blocks of 3 trials in seven tenths of the time
		if budget > 0 {
			c.surveyor.Left, c.surveyor.half = func() time.Duration { return budget }, budget/2
		}
		if got := c.affordable(); got.Round(time.Millisecond) != want {
			t.Errorf("%v: trials of %v, want %v", budget, got, want)
		}
	}
}

// Each benchmark has its share of the time from the beginning, so that it inherits what the
// ones before it did not need, and never more than some seconds for each variant.
func TestDeadline(t *testing.T) {
	began := time.Now()
	s := &surveyor{half: 10 * time.Second}
	p := &assay.Plan{Variants: make([]assay.Variant, 3), Benchmarks: make([]assay.PlannedBenchmark, 4)}
	s.Left = func() time.Duration { return 20 * time.Second }
	for i, want := range []time.Duration{500 * time.Millisecond, time.Second, 1500 * time.Millisecond, 2 * time.Second} {
		if got := s.deadline(p, began, i).Sub(began); got != want {
			t.Errorf("benchmark %d of 4: until %v after the beginning, want %v", i, got, want)
		}
	}
	for name, left := range map[string]func() time.Duration{"no budget": nil, "an hour": func() time.Duration { return time.Hour }} {
		s.Left, s.half = left, 30*time.Minute
		for variants, want := range map[int]time.Duration{2: admitTime, 3: admitTime, 15: 5 * admitTime} {
			p.Variants = make([]assay.Variant, variants)
			if got := s.deadline(p, began.Add(-time.Minute), 3); got.Before(began.Add(want)) || got.After(time.Now().Add(want)) {
				t.Errorf("%s, %d variants: until %v, want %v from now", name, variants, got.Sub(began), want)
			}
		}
	}
	s.Left, s.half = func() time.Duration { return 29 * time.Minute }, 30*time.Minute
	if !s.late() {
		t.Error("it is not late though less than half of the time is left")
	}
	if s.Left = nil; s.late() {
		t.Error("it is late without a budget")
	}
}

// A plain run says what an operation takes, and whether that can be true: package testing
// runs as many as take a second.
func TestReference(t *testing.T) {
	for _, test := range []struct {
		name  string
		perOp float64
		n     int
		wall  time.Duration
		want  calibration.Plain
	}{
		{"true", 1e-6, 1_000_000, 1100 * time.Millisecond, calibration.Plain{N: 1_000_000, PerOp: 1e-6, Busy: 2}},
		{"longer than the clock", 1e-3, 1_000_000, 1100 * time.Millisecond, calibration.Plain{N: 1_000_000, PerOp: 1e-3, Busy: 2, Untrue: true}},
		{"far shorter", 1e-9, 1_000_000, 1100 * time.Millisecond, calibration.Plain{N: 1_000_000, PerOp: 1e-9, Busy: 2, Untrue: true}},
		{"as short as can be", 1e-11, 1_000_000_000, 200 * time.Millisecond, calibration.Plain{N: 1_000_000_000, PerOp: 1e-11, Busy: 2}},
	} {
		m := &made{run: func(r lab.RunRequest) trial.Outcome {
			if r.N != 0 || r.Time != time.Second || !slices.Equal(r.Names, []string{"X"}) {
				t.Errorf("%s: ran %+v, want a second of X", test.name, r)
			}
			out := result(test.perOp, test.n, "X")
			out.Wall, out.User, out.Sys = test.wall, test.wall, test.wall
			return out
		}}
		c := chosen(t, oldNew(), m)
		c.surveyor.Memo = inMemory()
		for _, anew := range []bool{false, false, true} {
			c.anew = anew
			if got, err := c.reference(t.Context(), 1); err != nil || got != test.want {
				t.Errorf("%s: got %+v, %v; want %+v", test.name, got, err, test.want)
			}
		}
		if len(m.ran) != 2 {
			t.Errorf("%s: %d runs, want one that is remembered and one anew", test.name, len(m.ran))
		}
	}
}

// With a budget, a plain run ends early if its timer stands still most of the time. The
// others need not run then.
func TestReferenceStandsStill(t *testing.T) {
	m := &made{run: func(r lab.RunRequest) trial.Outcome {
		if r.Study.Measure.Timeout != 2500*time.Millisecond {
			t.Errorf("may run for %v, want 2.5 s", r.Study.Measure.Timeout)
		}
		return trial.Outcome{Status: assay.StatusTimeout, Reason: "ended after 2.5s without finishing"}
	}}
	s := oldNew()
	s.Measure.Timeout = time.Minute
	c := chosen(t, s, m)
	c.surveyor.Left, c.surveyor.half = func() time.Duration { return 15 * time.Second }, 7500*time.Millisecond
	length := c.referenceTime()
	want := fmt.Sprintf("the reference run failed: %v of operations took more than 2.5s in \"old\"", length)
	if err := c.references(t.Context()); err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	if len(m.ran) != 1 || s.Measure.Timeout != time.Minute {
		t.Errorf("%d runs, and a trial may take %v; want one, and a minute as before", len(m.ran), s.Measure.Timeout)
	}
	if r := c.refs[0]; !r.Still {
		t.Errorf("read %+v, want a timer that stands still", r)
	}
}

// A plain run that failed says why, and is not remembered.
func TestReferenceFails(t *testing.T) {
	out := result(1e-3, 1000, "X")
	c := chosen(t, oldNew(), &made{run: func(lab.RunRequest) trial.Outcome { return out }})
	c.surveyor.Memo = inMemory()
	out.Status, out.Reason = assay.StatusFailed, "exit status 3"
	if got, err := c.reference(t.Context(), 0); err != nil || got != (calibration.Plain{Broken: "exit status 3"}) {
		t.Errorf("got %+v, %v; want what broke", got, err)
	}
	out = result(1e-3, 1000, "X")
	if got, err := c.reference(t.Context(), 0); err != nil || got.PerOp != 1e-3 || got.Broken != "" {
		t.Errorf("got %+v, %v; want 1 ms", got, err)
	}
}

// A benchmark whose turn comes when the time of calibration is over runs with a number of
// operations that package testing chooses, unless one is known, or CPU time decides.
func TestNoTimeToCalibrate(t *testing.T) {
	m := &made{run: func(r lab.RunRequest) trial.Outcome { return result(1e-6, r.N, r.Names[0]) }}
	over := time.Now().Add(-time.Second)
	for name, test := range map[string]struct {
		change func(s *assay.Study)
		until  time.Time
		own    bool
	}{
		"over":     {func(*assay.Study) {}, over, true},
		"not over": {func(*assay.Study) {}, time.Now().Add(time.Hour), false},
		"CPU time": {func(s *assay.Study) { s.Decide.Metrics = []string{assay.MetricUser} }, over, false},
		"100x":     {func(s *assay.Study) { s.Workloads[0].BenchIters = 100 }, over, false},
	} {
		study := oldNew()
		test.change(study)
		y := surveyed(t, study, m, shelf{})
		y.Memo = inMemory()
		for _, known := range []bool{false, true} {
			b := assay.PlannedBenchmark{Benchmark: assay.Benchmark{Package: "p", Name: "X"}}
			if _, _, err := y.settle(t.Context(), planned(study, b), &b, study.Variants[0], test.until); err != nil {
				t.Fatal(err)
			}
			if want := test.own; (b.BenchTime > 0) != want || b.N < 1 || b.Trial <= 0 {
				t.Errorf("%s, known %t: trials of %v with N = %d and -benchtime=%v, want package testing to choose: %t", name, known, b.Trial, b.N, b.BenchTime, want)
			}
			one, err := y.subject(b, study.Variants[0])
			if err == nil {
				_, err = one.size(t.Context())
			}
			if err != nil {
				t.Fatal(err)
			}
			if test.own = false; known {
				break
			}
		}
	}
}

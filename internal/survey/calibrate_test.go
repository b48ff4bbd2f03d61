package survey

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/lab"
	"github.com/seed-1318a441/assay/internal/trial"
)

// sized sizes the benchmark X of a study on a machine.
func sized(t *testing.T, s *assay.Study, m *made, memo Memo) (calibrated, error) {
	t.Helper()
	y := surveyed(t, s, m, shelf{})
	y.Memo = memo
	one, err := y.subject(assay.PlannedBenchmark{Benchmark: assay.Benchmark{Package: "p", Name: "X"}}, y.base())
	if err != nil {
		t.Fatal(err)
	}
	return one.size(t.Context())
}

// A command is timed by one run, and by a second one where the first was so short that cold
// caches would matter. The result is remembered.
func TestTimeOfCommand(t *testing.T) {
	for _, test := range []struct {
		first, second time.Duration
		runs          int
		want          time.Duration
	}{
		{900 * time.Millisecond, 300 * time.Millisecond, 2, 300 * time.Millisecond},
		{time.Second, 300 * time.Millisecond, 1, time.Second},
	} {
		s := oldNew()
		s.Workloads[0] = assay.Workload{Kind: assay.KindCommand, Names: []string{"X"}}
		m, memo := &made{}, inMemory()
		m.run = func(lab.RunRequest) trial.Outcome {
			if len(m.ran) == 1 {
				return result(test.first.Seconds(), 1, "X")
			}
			return result(test.second.Seconds(), 1, "X")
		}
		for range 2 {
			c, err := sized(t, s, m, memo)
			if err != nil || c.N != 1 || c.Trial != test.want || !slices.Equal(c.Metrics, []string{assay.MetricTime, assay.MetricSys, assay.MetricUser}) {
				t.Errorf("%v and then %v: got %+v, %v; want %v", test.first, test.second, c, err, test.want)
			}
		}
		if len(m.ran) != test.runs {
			t.Errorf("%v and then %v: %d runs, want %d", test.first, test.second, len(m.ran), test.runs)
		}
	}
}

// A Go benchmark has as many iterations as take about a trial's time, or as many as the user
// says; one without a time of its own is noted as such.
func TestSizeOfBenchmark(t *testing.T) {
	for _, test := range []struct {
		name        string
		change      func(*assay.Study)
		timeless    bool
		least, most int
		once        bool
	}{
		{"default", nil, false, 16_000, 24_000, false}, // 100 ms of 5 µs
		{"longer trials", func(s *assay.Study) { s.Measure.Trial = 500 * time.Millisecond }, false, 80_000, 120_000, false},
		{"-benchtime", func(s *assay.Study) { s.Workloads[0].BenchTime = 50 * time.Millisecond }, false, 8_000, 12_000, false},
		{"-benchtime=77x", func(s *assay.Study) { s.Workloads[0].BenchIters = 77 }, false, 77, 77, true},
		{"no ns/op", nil, true, 4_000, 40_000, false}, // by the clock
	} {
		m := &made{run: func(r lab.RunRequest) trial.Outcome {
			out := result(5e-6, r.N, "X")
			if test.timeless {
				out.Readings[0].Values = map[string]float64{"widgets": 1}
			}
			return out
		}}
		s := oldNew()
		if test.change != nil {
			test.change(s)
		}
		c, err := sized(t, s, m, Memo{})
		if err != nil || c.N < test.least || c.N > test.most || c.Timeless != test.timeless || (len(m.ran) == 1) != test.once {
			t.Errorf("%s: got %+v after %d runs, %v; want %d to %d", test.name, c, len(m.ran), err, test.least, test.most)
		}
		if want := time.Duration(c.N) * 5 * time.Microsecond; c.Trial.Round(time.Microsecond) != want {
			t.Errorf("%s: trials of %v, want %v", test.name, c.Trial, want)
		}
	}
}

// A benchmark that fails is broken, which ends its own calibration and no other; the error
// says how it ended.
func TestBroken(t *testing.T) {
	m := &made{run: func(lab.RunRequest) trial.Outcome {
		return trial.Outcome{Status: assay.StatusFailed, Reason: "panic: boom"}
	}}
	_, err := sized(t, oldNew(), m, Memo{})
	if _, broken := errors.AsType[*brokenError](err); !broken || err.Error() != "X: failed: panic: boom" {
		t.Errorf("got %v, want it broken by panic: boom", err)
	}
}

// A memory is of one artifact, machine and setting: nothing else may find it.
func TestMemoName(t *testing.T) {
	name := func(change func(*surveyor, *assay.Variant)) string {
		s := &surveyor{Setup: Setup{Study: oldNew(), Platform: assay.Platform{ID: "a"}}}
		s.Study.Measure.GOMAXPROCS = 2
		v := assay.Variant{Name: "old"}
		if change != nil {
			change(s, &v)
		}
		return s.memoName("n", v, lab.Artifact{})
	}
	plain := name(nil)
	if again := name(func(s *surveyor, v *assay.Variant) { v.Name, s.Study.Name = "new", "other" }); again != plain {
		t.Error("names of the variant or the study make it another memory")
	}
	for what, change := range map[string]func(*surveyor, *assay.Variant){
		"machine":       func(s *surveyor, _ *assay.Variant) { s.Platform.ID = "b" },
		"trial":         func(s *surveyor, _ *assay.Variant) { s.Study.Measure.Trial = time.Second },
		"CPUs":          func(s *surveyor, _ *assay.Variant) { s.Study.Measure.GOMAXPROCS = 1 },
		"own CPUs":      func(_ *surveyor, v *assay.Variant) { v.Env = map[string]string{"GOMAXPROCS": "1"} },
		"variables":     func(_ *surveyor, v *assay.Variant) { v.Env = map[string]string{"GOGC": "50"} },
		"secrets":       func(_ *surveyor, v *assay.Variant) { v.Secrets = map[string]string{"TOKEN": "ci"} },
		"flags of test": func(s *surveyor, _ *assay.Variant) { s.Study.Workloads[0].TestFlags = []string{"-short"} },
	} {
		if name(change) == plain {
			t.Errorf("another %s finds the same memory", what)
		}
	}
}

// What fails is not remembered, and without a memory everything is computed anew.
func TestRemembered(t *testing.T) {
	for name, test := range map[string]struct {
		memo  Memo
		fails int
		want  int
	}{"memory": {inMemory(), 0, 1}, "memory, fails once": {inMemory(), 1, 2}, "none": {Memo{}, 0, 3}} {
		computed := 0
		var last int
		for range 3 {
			last, _ = remembered(test.memo, lab.Artifact{ID: "a"}, "x", func() (int, error) {
				if computed++; computed <= test.fails {
					return 0, errors.New("fails")
				}
				return 7, nil
			})
		}
		if computed != test.want || last != 7 {
			t.Errorf("%s: computed %d times, %d; want %d times, 7", name, computed, last, test.want)
		}
	}
}

// Benchmarks that collect too seldom are named with the variants, the first few of many.
func TestFewCycles(t *testing.T) {
	if ws := fewCycles(nil); ws != nil {
		t.Errorf("got %v for none", ws)
	}
	ws := fewCycles([]string{"X (old)", "Y (old, new)"})
	if len(ws) != 1 || !strings.HasPrefix(ws[0].Text, "a trial spans fewer than 3 garbage collections: X (old), Y (old, new)") || ws[0].Code != assay.CodeFewCycles {
		t.Errorf("got %v", ws)
	}
}

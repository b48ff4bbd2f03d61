package survey

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/calibration"
	"github.com/seed-1318a441/assay/internal/lab"
	"github.com/seed-1318a441/assay/internal/trial"
)

// served is a study of a service with the built-in load.
func served() *assay.Study {
	s := &assay.Study{Variants: []assay.Variant{{Name: "old"}, {Name: "new"}}, Workloads: []assay.Workload{{Kind: assay.KindService, Names: []string{"X"},
		Service: &assay.Service{Start: []string{"{bin}", "-port={port}"}, HTTP: &assay.HTTPLoad{URL: "http://127.0.0.1:{port}/", Rate: 500, Duration: 10 * time.Second}}}}}
	s.SetDefaults()
	return s
}

// Several servers can run at once if all that they and their helpers touch is theirs: a port
// or a folder of the trial.
func TestShared(t *testing.T) {
	for _, test := range []struct {
		name   string
		change func(*assay.Workload)
		want   string
	}{
		{"own port", nil, ""},
		{"fixed port", func(w *assay.Workload) { w.Service.HTTP.URL = "http://127.0.0.1:80/" }, "its port is fixed: the load asks http://127.0.0.1:80/"},
		{"ready at a fixed address", func(w *assay.Workload) { w.Service.Ready.TCP = "127.0.0.1:80" }, "its port is fixed: ready at 127.0.0.1:80"},
		{"ready at a fixed page", func(w *assay.Workload) { w.Service.Ready.HTTP = "http://localhost/up" }, "its port is fixed: ready at http://localhost/up"},
		{"ready at its own", func(w *assay.Workload) { w.Service.Ready.HTTP = "http://localhost:{port}/up" }, ""},
		{"nothing of its own", func(w *assay.Workload) {
			w.Service.Start, w.Service.HTTP, w.Service.Load = []string{"{bin}"}, nil, []string{"wrk"}
		}, "its servers could share state: nothing names {port} or {tmp}"},
		{"a database for all", func(w *assay.Workload) { w.Service.Setup = [][]string{{"mkdir", "{tmp}/a"}, {"createdb", "x"}} },
			"several servers may share what this changes, for it names neither {port} nor {tmp}: createdb x"},
		{"cleaned up for all", func(w *assay.Workload) { w.Service.Cleanup = [][]string{{"dropdb", "x"}} },
			"several servers may share what this changes, for it names neither {port} nor {tmp}: dropdb x"},
		{"a load elsewhere", func(w *assay.Workload) { w.Service.HTTP, w.Service.Load = nil, []string{"wrk", "http://localhost/"} },
			"several servers may share what this changes, for it names neither {port} nor {tmp}: wrk http://localhost/"},
		{"a database by a variable", func(w *assay.Workload) {
			w.Env, w.Service.Setup = map[string]string{"PGPORT": "{port}"}, [][]string{{"createdb", "x"}}
		}, ""},
	} {
		s := served()
		if test.change != nil {
			test.change(&s.Workloads[0])
		}
		wantText(t, test.name, loads{chosen(t, s, &made{})}.shared(s.Workloads[0]), test.want)
	}
}

// Turns are tried with a short load, as long as requests are many. The study's own load
// stays, and one of unknown length cannot be cut.
func TestShortLoad(t *testing.T) {
	for _, test := range []struct {
		name         string
		change       func(*assay.Service)
		short, whole time.Duration
		ok           bool
	}{
		{"built in", nil, 2 * time.Second, 10 * time.Second, true},
		{"with a warm-up", func(s *assay.Service) { s.HTTP.Warmup = time.Second }, 3 * time.Second, 11 * time.Second, true},
		{"rare requests", func(s *assay.Service) { s.HTTP.Rate = 8 }, 5 * time.Second, 10 * time.Second, true}, // 40 of them
		{"very rare requests", func(s *assay.Service) { s.HTTP.Rate = 0.1 }, 10 * time.Second, 10 * time.Second, true},
		{"a tool", func(s *assay.Service) { s.HTTP, s.Load, s.Parse = nil, []string{"wrk", "-d", "30s", "http://x"}, "wrk" }, 2 * time.Second, 30 * time.Second, true},
		{"a short tool", func(s *assay.Service) { s.HTTP, s.Load, s.Parse = nil, []string{"wrk", "-d1s", "http://x"}, "wrk" }, time.Second, time.Second, true},
		{"a number of requests", func(s *assay.Service) { s.HTTP, s.Load, s.Parse = nil, []string{"hey", "-n", "100", "http://x"}, "hey" }, 0, 0, false},
		{"another tool", func(s *assay.Service) { s.HTTP, s.Load, s.Parse = nil, []string{"./load", "-d", "30s"}, "assay" }, 0, 0, false},
	} {
		s := served()
		if test.change != nil {
			test.change(s.Workloads[0].Service)
		}
		short, whole, ok := shortLoad(s, 0)
		if ok != test.ok || whole != test.whole {
			t.Errorf("%s: the load takes %v and can be cut %t, want %v and %t", test.name, whole, ok, test.whole, test.ok)
			continue
		}
		if !ok {
			continue
		}
		if got, _ := loadTime(short.Workloads[0]); got != test.short {
			t.Errorf("%s: the short load takes %v, want %v", test.name, got, test.short)
		}
		if got, _ := loadTime(s.Workloads[0]); got != test.whole {
			t.Errorf("%s: the study's load is now of %v", test.name, got)
		}
	}
}

// loaded is the outcome of a short load.
func loaded(values map[string]float64) trial.Outcome {
	out := result(2, 1, "X")
	out.Server, out.Readings[0].Values = []byte("up\n"), values
	return out
}

// One load alone shows whether turns are right: it succeeds, is not too much, and most of its
// requests end within half a turn.
func TestNotForLoadTurns(t *testing.T) {
	failed := trial.Outcome{Status: assay.StatusFailed, Reason: "exit status 1"}
	much := loaded(map[string]float64{assay.MetricRequests: 400})
	much.Intended = 500
	for _, test := range []struct {
		name string
		out  trial.Outcome
		tool bool
		turn time.Duration
		why  string
	}{
		{"quick", loaded(map[string]float64{"latency.p50": 0.01, "latency.p90": 0.4}), false, time.Second, ""},
		{"slow ones", loaded(map[string]float64{"latency.p50": 0.01, "latency.p90": 0.6}), false, time.Second, "many requests take longer than half a turn (500ms)"},
		{"slow, of few", loaded(map[string]float64{"latency.p50": 0.6}), false, time.Second, "many requests take longer than half a turn (500ms)"},
		{"quick, of few", loaded(map[string]float64{"latency.p50": 0.4}), false, time.Second, ""},
		{"slow, with a tool", loaded(map[string]float64{"latency.p50": 0.6}), true, 0, ""},
		{"failed", failed, false, 0, "a short load failed: exit status 1"},
		{"too much", much, false, 0, "the load is more than it can bear (400 of 500 requests a second)"},
	} {
		s := served()
		if test.tool {
			s.Workloads[0].Service.HTTP = nil
		}
		turn, why := loads{chosen(t, s, &made{})}.notForLoadTurns(test.out, s)
		if turn != test.turn || why != test.why {
			t.Errorf("%s: got turns of %v, %q; want %v, %q", test.name, turn, why, test.turn, test.why)
		}
	}
}

// Turns must not change what a whole load measures; a metric that one of the loads lacks does
// not count.
func TestTurnsDisagree(t *testing.T) {
	both := func(p50, rate float64) []trial.Outcome {
		out := loaded(map[string]float64{"latency.p50": p50, assay.MetricRequests: rate})
		return []trial.Outcome{out, out}
	}
	half := both(0.01, 500)
	half[1] = loaded(map[string]float64{assay.MetricRequests: 500})
	for _, test := range []struct {
		name        string
		alone, outs []trial.Outcome
		want        string
	}{
		{"the same", both(0.01, 500), both(0.0101, 499), ""},
		{"slower", both(0.01, 500), both(0.02, 500), "latency.p50 in turns disagrees with that of a whole load by 100 %"},
		{"fewer", both(0.01, 500), both(0.01, 250), assay.MetricRequests + " in turns disagrees with that of a whole load by 100 %"},
		{"slower, in one of two unknown", half, both(0.02, 500), ""},
		{"unknown", both(0, 0), both(0.01, 500), "neither its latency nor its rate is known of a short load"},
	} {
		c := loads{chosen(t, served(), &made{})}
		why, err := reason(c.turnsDisagree(test.alone, test.outs, map[string][][]float64{}))
		if err != nil || why != test.want {
			t.Errorf("%s: got %q, %v; want %q", test.name, why, err, test.want)
		}
	}
}

// A server's memory is the peak of its process, or of all its processes together if that is
// known and more.
func TestPeakMemory(t *testing.T) {
	out := loaded(nil)
	out.PeakRSS = 100
	if got := peakMemory(out); got != 100 {
		t.Errorf("got %d bytes, want 100", got)
	}
	out.Collected = &assay.Collected{Memory: []assay.MemorySample{{Bytes: 50}, {Bytes: 170}, {Bytes: 60}}}
	if got := peakMemory(out); got != 170 {
		t.Errorf("got %d bytes, want 170 of a server with children", got)
	}
}

// atOnce is a machine on which a service takes ten times as long for requests where several
// servers are there, for the first tries.
func atOnce(crowdedTries int) *made {
	m := &made{cpus: []int{0, 1}, run: func(lab.RunRequest) trial.Outcome {
		out := loaded(map[string]float64{"latency.p50": 0.01, assay.MetricRequests: 500})
		out.PeakRSS, out.Wall = 100, 3*time.Second
		return out
	}}
	tries := 0
	m.together = func(r lab.TogetherRequest) ([]trial.Outcome, error) {
		tries++
		var outs []trial.Outcome
		for range r.Arms {
			out := m.run(r.Arms[0])
			if out.Wall = 8 * time.Second; tries <= crowdedTries {
				out.Readings[0].Values["latency.p50"] = 0.1
			}
			outs = append(outs, out)
		}
		if r.Turn != time.Second || r.Memory != 300 || r.Gear != assay.GearTurns || r.Arms[0].Study.Workloads[0].Service.HTTP.Duration != tryLoad {
			return nil, fmt.Errorf("asked for %+v", r)
		}
		return outs, nil
	}
	return m
}

// Turns are tried with a short load of all servers at once, and again if that disagrees with
// each alone. What a trial takes longer grows with the load.
func TestLoadTurns(t *testing.T) {
	for _, test := range []struct {
		name    string
		crowded int
		runs    int
		why     string
	}{
		{"not crowded", 0, 2, ""},
		{"crowded", calibration.Tries, 2 * calibration.Tries, "latency.p50 in turns disagrees with that of a whole load by 900 %"},
	} {
		m := atOnce(test.crowded)
		c := chosen(t, served(), m)
		c.bench.Trial = 12 * time.Second
		why, err := reason(loads{c}.loadTurns(t.Context()))
		if err != nil || why != test.why || len(m.ran) != test.runs {
			t.Errorf("%s: got %q after %d runs, %v; want %q after %d", test.name, why, len(m.ran), err, test.why, test.runs)
		}
		if test.why != "" {
			if c.bench.Gear != "" || c.bench.Trial != 12*time.Second {
				t.Errorf("%s: planned is %+v, want processes", test.name, c.bench)
			}
			continue
		}
		// At once the two take 8 s, alone 6: a second more for each. That is of a load of
		// 2 s, and the study's is of 10.
		if c.bench.Gear != assay.GearTurns || c.bench.Turn != time.Second || c.bench.Trial != 17*time.Second {
			t.Errorf("%s: planned is %+v, want turns of a second and trials of 17", test.name, c.bench)
		}
	}
}

// What is refused before anything runs: a shared port, a load that cannot be cut, and a try
// that takes too much of the budget. Who asks for turns has them tried in spite of the first
// and the last.
func TestLoadTurnsRefused(t *testing.T) {
	for _, test := range []struct {
		name   string
		change func(*assay.Service)
		budget time.Duration
		why    string
		forced int // runs if turns are asked for
	}{
		{"a database for all", func(s *assay.Service) { s.Setup = [][]string{{"createdb", "x"}} }, 0, "several servers may share", 2},
		{"a tool of its own", func(s *assay.Service) { s.HTTP, s.Load, s.Parse = nil, []string{"./load", "{port}"}, "assay" }, 0, "its load cannot be cut into runs of 1s", 0},
		{"little time", nil, 70 * time.Second, string(costlyTurns), 2}, // twice two short trials of 4 s are 16 s
	} {
		for _, pair := range []assay.Gear{"", assay.GearTurns} {
			s, m := served(), atOnce(0)
			if test.change != nil {
				test.change(s.Workloads[0].Service)
			}
			s.Measure.Pair = pair
			c := chosen(t, s, m)
			c.bench.Trial = 12 * time.Second
			if test.budget > 0 {
				c.surveyor.Left, c.surveyor.half = func() time.Duration { return test.budget }, test.budget/2
			}
			why, err := reason(loads{c}.loadTurns(t.Context()))
			runs := map[bool]int{true: test.forced, false: 0}[pair != ""]
			if err != nil || len(m.ran) != runs || (c.bench.Gear != "") != (runs > 0) || runs == 0 && !strings.HasPrefix(why, test.why) {
				t.Errorf("%s, asked for %q: gear %q, %q after %d runs, %v; want %q after %d", test.name, pair, c.bench.Gear, why, len(m.ran), err, test.why, runs)
			}
		}
	}
	c := chosen(t, served(), atOnce(0))
	c.bench.Trial, c.surveyor.Left, c.surveyor.half = 12*time.Second, func() time.Duration { return 90 * time.Second }, 45*time.Second
	if why, err := reason(loads{c}.loadTurns(t.Context())); why != "" || err != nil || c.bench.Gear != assay.GearTurns {
		t.Errorf("with 90 s: got %q, %v, gear %q; want turns", why, err, c.bench.Gear)
	}
}

package labtest_test

import (
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/lab/labtest"
)

// atOnce is a machine with a service whose "new" takes 5 % longer, and a study of it with
// the built-in load.
func atOnce(change func(*labtest.Simulator, *assay.Study)) (*labtest.Simulator, *assay.Study) {
	m := &labtest.Simulator{Seed: 1, Cores: []int{0, 1}, Start: time.Second, Benchmarks: []labtest.Benchmark{{Name: "sim", Noise: labtest.Normal(0.01), Service: &labtest.Service{
		Latency: labtest.LogNormal(2*time.Millisecond, 0.4, map[string]float64{"new": math.Log(1.05)}), Requests: 5000, Load: 10 * time.Second,
		Metrics: map[string]float64{assay.MetricRSS: 100 << 20}}}}}
	s := labtest.ServiceStudy("old", "new")
	w := s.Workloads[0].Service
	w.Start, w.Load, w.Parse = []string{"{bin}", "{port}"}, nil, ""
	w.HTTP = &assay.HTTPLoad{URL: "http://127.0.0.1:{port}/", Rate: 500, Duration: 10 * time.Second}
	if change != nil {
		change(m, s)
	}
	return m, s
}

// Services take their load in turns where they can be there at once; else a note says why
// they do not.
func TestLoadTurns(t *testing.T) {
	tool := func(words ...string) func(*labtest.Simulator, *assay.Study) {
		return func(_ *labtest.Simulator, s *assay.Study) {
			w := s.Workloads[0].Service
			w.HTTP, w.Load, w.Parse = nil, words, words[0]
		}
	}
	service := func(change func(*assay.Service)) func(*labtest.Simulator, *assay.Study) {
		return func(_ *labtest.Simulator, s *assay.Study) { change(s.Workloads[0].Service) }
	}
	pair := func(gear assay.Gear) func(*labtest.Simulator, *assay.Study) {
		return func(_ *labtest.Simulator, s *assay.Study) { s.Measure.Pair = gear }
	}
	for name, test := range map[string]struct {
		change    func(*labtest.Simulator, *assay.Study)
		why, code string // "" where it takes turns
	}{
		"built in":      {},
		"gc traced":     {change: func(_ *labtest.Simulator, s *assay.Study) { s.Measure.Collect = []string{assay.CollectGC} }},
		"sysbench":      {change: tool("sysbench", "--port={port}", "--time=10", "run")},
		"own folder":    {change: service(func(s *assay.Service) { s.Prepare = [][]string{{"mkdir", "{tmp}/data"}} })},
		"fixed events":  {tool("sysbench", "--port={port}", "--events=10", "run"), "its load cannot be cut into runs of 1s", "pair"},
		"one database":  {service(func(s *assay.Service) { s.Prepare = [][]string{{"createdb", "x"}} }), "it names neither {port} nor {tmp}: createdb x", "pair"},
		"fixed port":    {service(func(s *assay.Service) { s.HTTP.URL = "http://127.0.0.1:8080/" }), "its port is fixed", "pair"},
		"fixed ready":   {service(func(s *assay.Service) { s.Ready.TCP = "127.0.0.1:8080" }), "its port is fixed", "pair"},
		"little memory": {func(m *labtest.Simulator, _ *assay.Study) { m.Memory = 290 << 20 }, "there is no memory for all variants at once", "pair"},
		"enough memory": {change: func(m *labtest.Simulator, _ *assay.Study) { m.Memory = 315 << 20 }},
		"slow requests": {change: func(m *labtest.Simulator, _ *assay.Study) {
			m.Benchmarks[0].Service.Latency = labtest.LogNormal(300*time.Millisecond, 0.1, nil)
		}},
		"too slow requests": {func(m *labtest.Simulator, _ *assay.Study) {
			m.Benchmarks[0].Service.Latency = labtest.LogNormal(800*time.Millisecond, 0.1, nil)
		}, `many requests take longer than half a turn (500ms) in "old"`, "pair"},
		"too much load":  {func(m *labtest.Simulator, s *assay.Study) { m.Benchmarks[0].Service.Intended = 1000 }, "the load is more than it can bear", "pair"},
		"crowded":        {func(m *labtest.Simulator, _ *assay.Study) { m.Benchmarks[0].Service.Crowded = math.Log(2) }, "latency.p50 in turns disagrees with that of a whole load by", "pair"},
		"several rounds": {func(_ *labtest.Simulator, s *assay.Study) { s.Measure.Inner = 3 }, "--inner asks for 3 trials a block", "pair"},
		"slices":         {pair(assay.GearSlices), "slices are not for this kind of workload (service)", "no-pair"},
		"processes":      {pair(assay.GearProcesses), "", "none"},
		"turns asked for": {change: func(_ *labtest.Simulator, s *assay.Study) {
			s.Measure.Pair, s.Workloads[0].Service.Prepare = assay.GearTurns, [][]string{{"createdb", "x"}}
		}},
	} {
		t.Run(name, func(t *testing.T) {
			m, s := atOnce(test.change)
			s.Decide.MinBlocks, s.Decide.MaxBlocks = 2, 2
			_, run := readRun(t, m, s)
			want := assay.GearTurns
			if test.code != "" {
				want = ""
			}
			b := run.Plan.Benchmarks[0]
			if b.Gear != want || b.OneCPU || b.Slices != 0 {
				t.Errorf("planned is %+v, want gear %q", b, want)
			}
			if turn, ok := map[string]time.Duration{"built in": time.Second, "sysbench": 0}[name]; ok && b.Turn != turn {
				t.Errorf("turns of %v, want %v", b.Turn, turn)
			}
			for _, tr := range run.Trials {
				if tr.Gear != want || tr.CPUs != nil || tr.Observations["latency.p50"] <= 0 {
					t.Errorf("trial %d of %q: gear %q, CPUs %v, observed %v", tr.ID, tr.Variant, tr.Gear, tr.CPUs, tr.Observations)
				}
			}
			told := slices.ContainsFunc(run.Plan.Warnings, func(w assay.Warning) bool {
				return w.Code == assay.Code(test.code) && test.why != "" && strings.Contains(w.Facts[0], test.why)
			})
			if told != (test.why != "") {
				t.Errorf("told: %+v, want %q", run.Plan.Warnings, test.why)
			}
		})
	}
}

// The plan of a service in turns has the price of its trials, and a variant that fails in
// a block spoils that block alone.
func TestLoadTurnsBlocks(t *testing.T) {
	m, s := atOnce(nil)
	m.Benchmarks[0].Fail = func(variant string, block int) (assay.Status, string) {
		if variant == "new" && block == 4 {
			return assay.StatusFailed, "the server died under load"
		}
		return "", ""
	}
	s.Decide.MinBlocks, s.Decide.MaxBlocks = 12, 12
	r, run := readRun(t, m, s)
	if b := run.Plan.Benchmarks[0]; b.Trial != 11*time.Second {
		t.Errorf("a trial is to take %v, want 11 s", b.Trial)
	}
	for _, tr := range run.Trials {
		want := assay.StatusOK
		if tr.Block == 4 {
			want = assay.StatusSkipped
			if tr.Variant == "new" {
				want = assay.StatusFailed
			}
		}
		if tr.Status != want || want == assay.StatusOK && tr.Duration != 11*time.Second {
			t.Errorf("block %d, %q: %s (%s) in %v, want %s", tr.Block, tr.Variant, tr.Status, tr.Reason, tr.Duration, want)
		}
	}
	if len(r.Gears) != 1 || r.Gears[0].Gear != assay.GearTurns {
		t.Errorf("gears of the result: %+v", r.Gears)
	}
}

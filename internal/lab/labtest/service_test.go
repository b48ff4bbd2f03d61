package labtest

import (
	"math"
	"testing"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/lab"
)

// service is a simulated service whose variant "slow" has 15 % longer latencies
// and marks, and whose "lean" has half the memory.
func service() Benchmark {
	return Benchmark{Name: "sim", Noise: Normal(0.01),
		GC: &GC{Cycles: 100, Mark: 5 * time.Millisecond, Pause: 50 * time.Microsecond, Live: 64 << 20, Effects: map[string]float64{"slow": math.Log(1.15)}},
		Service: &Service{Latency: LogNormal(4*time.Millisecond, 0.4, map[string]float64{"slow": math.Log(1.15)}), Requests: 5000, Load: 10 * time.Second,
			Metrics: map[string]float64{assay.MetricMeanRSS: 100 << 20},
			Effects: map[string]map[string]float64{"lean": {assay.MetricMeanRSS: math.Log(0.5)}}}}
}

// What one trial tells is the truth, but for the sample: the standard error of the p99 of
// 5000 log-normal latencies is 2.4 %, buckets add 1.8 % at most, so 10 % is five sigmas.
func TestServiceTellsTheTruth(t *testing.T) {
	b := service()
	b.Noise = nil
	m := &Simulator{Seed: 3, Benchmarks: []Benchmark{b}}
	s := ServiceStudy("base", "slow")
	s.Measure.Collect = []string{assay.CollectGC}
	for _, v := range s.Variants {
		out, err := m.Run(t.Context(), lab.RunRequest{Study: s, Variant: v, Names: []string{"sim"}, N: 1, Block: 1, Round: 1})
		if err != nil {
			t.Fatal(err)
		}
		got := out.Observations("sim", 1)
		want := map[string]float64{"latency.p50": b.Service.Latency(v.Name, 0.5), "latency.p99": b.Service.Latency(v.Name, 0.99),
			assay.MetricRequests: 500, assay.MetricMeanRSS: 100 << 20, assay.MetricGCMark: 0.005 * math.Exp(b.GC.Effects[v.Name]),
			assay.MetricGCCyclesMin: 600, assay.MetricGCLive: 64 << 20}
		for name, w := range want {
			if math.Abs(got[name]/w-1) > 0.1 {
				t.Errorf("%s of %q: got %g, want %g", name, v.Name, got[name], w)
			}
		}
		if _, given := got["latency.p99.9"]; given {
			t.Error("p99.9 is given with 5 requests beyond it")
		}
		if h := out.Collected.Latency; h.Total() != 5000 || len(h.Values) > 300 {
			t.Errorf("%d requests in %d buckets", h.Total(), len(h.Values))
		}
	}
}

// The whole way, from the service to the verdict.
func TestServiceVerdicts(t *testing.T) {
	m := &Simulator{Seed: 1, Benchmarks: []Benchmark{service()}, Start: time.Second}
	s := ServiceStudy("base", "slow", "lean")
	s.Measure.Collect = []string{assay.CollectGC}
	s.Decide.MinEffect, s.Decide.Budget = 0.05, time.Hour
	s.Decide.Metrics = []string{"latency.p50", assay.MetricMeanRSS, assay.MetricGCMark}
	r, err := Run(t.Context(), m, s, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if r.Spent.Stop != "decided" {
		t.Errorf("stopped by %q after %d blocks", r.Spent.Stop, r.Spent.Blocks)
	}
	want := map[string]map[string]float64{"latency.p50": {"slow": 0.15}, assay.MetricMeanRSS: {"lean": -0.5}, assay.MetricGCMark: {"slow": 0.15}}
	seen := 0
	for _, table := range r.Tables {
		for _, c := range table.Rows[0].Cells {
			truth, ok := want[table.Metric.Name][c.Variant]
			if want[table.Metric.Name] == nil {
				continue
			}
			seen++
			if c.Verdict.Differs() != ok || math.Abs(float64(c.Change)-truth) > 0.03 {
				t.Errorf("%s of %q: %v %v, the truth is %+.2f", table.Metric.Name, c.Variant, c.Change, c.Verdict, truth)
			}
		}
	}
	if seen < 6 {
		t.Errorf("%d comparisons in the tables, want those of 3 metrics and 2 variants", seen)
	}
}

package analysis

import (
	"math"
	"testing"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/analysis/answer"
	"github.com/seed-1318a441/assay/internal/slow"
)

// Cells that are surely far within a gate's limit are no rejections: beside twenty of
// them one cell must prove its failure as one of twenty-one, which takes an e-value
// of 21/.05.
func TestGateCountsOnlyFailures(t *testing.T) { checkGateCounts(t, 8) }

func TestSlowGateCountsOnlyFailures(t *testing.T) {
	slow.Test(t)
	checkGateCounts(t, 30)
}

func checkGateCounts(t *testing.T, studies int) {
	for _, better := range []assay.Better{assay.BetterLower, assay.BetterHigher} {
		worse := map[assay.Better]float64{assay.BetterLower: 1, assay.BetterHigher: -1}[better]
		between := 0
		for seed := range uint64(studies) {
			names := []string{"Bad"}
			effects := map[string]float64{"b/Bad": worse * 0.062}
			for i := range 20 {
				names = append(names, string(rune('A'+i)))
				effects["b/"+names[i+1]] = -worse * 0.3
			}
			w := noisyWorld(seed, names, effects, "a", "b")
			w.plan.Metrics = []assay.Metric{{Name: assay.MetricTime, Better: better, MinEffect: 0.01}}
			w.plan.Study.Decide.Gate = 0.05
			tr := NewTracker(w.plan, time.Hour)
			for range 40 {
				tr.Add(w.next(tr.Turns()))
				got := tr.Result(assay.Platform{}, "").Answer.Gate
				bad := tr.set.Benchmarks[0].Samples[assay.MetricTime]["b"]
				e := bad.EValue(tr.rule.gateLimit(assay.MetricTime))
				switch {
				case got == answer.GateFailed && e < 21/falseClaims:
					t.Fatalf("better %s, seed %d: fails with an e-value of %g at the limit, %g is needed", better, seed, e, 21/falseClaims)
				case got == answer.GateOpen && e >= 100:
					between++
				}
				if got == answer.GateFailed {
					break
				}
			}
		}
		if between < studies/6 {
			t.Errorf("better %s: the evidence was between the thresholds in %d blocks only: this tests nothing", better, between)
		}
	}
}

// What has no ratio is no part of a gate's list, and stays open.
func TestGateWithoutRatio(t *testing.T) {
	w := noisyWorld(1, []string{"X", "Zero"}, map[string]float64{"b/X": 0.2}, "a", "b")
	f := w.f
	w.f = func(v, b string, block int) map[string]float64 {
		out := f(v, b, block)
		if b == "Zero" {
			out[assay.MetricTime] = math.Max(0, float64(block%3)-1) * 1e-9
		}
		return out
	}
	w.plan.Study.Decide.Gate = 0.05
	tr := NewTracker(w.plan, time.Hour)
	stop := w.run(tr)
	if got := tr.Result(assay.Platform{}, stop).Answer.Gate; stop != "decided" || got != answer.GateFailed {
		t.Errorf("stopped by %q with gate %q, want decided and failed", stop, got)
	}
	if n := len(couldFail(tr.rule.cells(tr.set.Active(), assay.MetricTime))); n != 1 {
		t.Errorf("%d cells could fail, want X alone", n)
	}
}

package gc

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/seed-1318a441/assay"
)

// gcTrials are traced trials of 1000 operations, one a block, from cycles per trial.
func gcTrials(cycles ...float64) []assay.EvidenceTrial {
	var list []assay.EvidenceTrial
	for i, n := range cycles {
		v := map[string]float64{assay.MetricGCCyclesOp: n / 1000}
		if n > 0 {
			v[assay.MetricGCMarkCPU] = 2e-3
			v[assay.MetricGCLive] = 1 << 20
		}
		list = append(list, assay.EvidenceTrial{Kind: assay.CollectGC, Status: assay.StatusOK, Inquiry: 1, Block: i + 1, N: 1000, Values: v})
	}
	return list
}

func gcRowOf(t *testing.T, g *assay.GCChange, metric string) assay.GCChangeRow {
	t.Helper()
	if g == nil {
		t.Fatal("no comparison")
	}
	for _, r := range g.Rows {
		if r.Metric == metric {
			return r
		}
	}
	t.Fatalf("no row of %s in %+v", metric, g.Rows)
	return assay.GCChangeRow{}
}

func TestCompareGC(t *testing.T) {
	g := Compare(gcTrials(100, 110, 90), gcTrials(200, 220, 180), 0.95)
	if g.Trials != 3 || g.N != 1000 {
		t.Errorf("got %d trials of %d, want 3 of 1000", g.Trials, g.N)
	}
	r := gcRowOf(t, g, assay.MetricGCCyclesOp)
	if r.Base != 0.1 || r.Variant != 0.2 || math.Abs(float64(r.Change)-1) > 1e-9 {
		t.Errorf("got %v -> %v, %v, want 0.1 -> 0.2, +100 %%", r.Base, r.Variant, r.Change)
	}
	// The ratios are the same in all blocks: what is left is one cycle of 100.
	if r.Interval == nil || math.Abs(r.Interval.Hi.Log()-r.Change.Log()-math.Log(1.01)) > 1e-9 {
		t.Errorf("got interval %+v, want one cycle of 100 to each side", r.Interval)
	}
	mark := gcRowOf(t, g, assay.MetricGCMarkOp)
	if math.Abs(mark.Base-2e-4) > 1e-12 || math.Abs(mark.Variant-4e-4) > 1e-12 {
		t.Errorf("got mark CPU %v -> %v s/op, want 0.0002 -> 0.0004", mark.Base, mark.Variant)
	}
	if live := gcRowOf(t, g, assay.MetricGCLive); live.Change != 0 || *live.Interval != (assay.Interval{}) {
		t.Errorf("got live heap %+v, want no change", live)
	}
}

func TestCompareGCPairsByBlock(t *testing.T) {
	base, variant := gcTrials(100, 400, 1600), gcTrials(110, 440, 1760)
	variant[0], variant[2] = variant[2], variant[0]
	r := gcRowOf(t, Compare(base, variant, 0.99), assay.MetricGCCyclesOp)
	if math.Abs(float64(r.Change)-0.1) > 1e-9 || r.Interval == nil || r.Interval.Half() > 0.02 {
		t.Errorf("got %v %+v, want +10 %% with a narrow interval", r.Change, r.Interval)
	}
}

func TestCompareGCWithoutCycles(t *testing.T) {
	if g := Compare(gcTrials(0, 0), gcTrials(0, 0), 0.95); g != nil {
		t.Errorf("got %+v of trials without a cycle, want nil", g)
	}
	if g := Compare(nil, nil, 0.95); g != nil {
		t.Errorf("got %+v of no trials, want nil", g)
	}
	// The base never collects: there is no ratio, and the result can be written.
	g := Compare(gcTrials(0, 0), gcTrials(3, 4), 0.95)
	r := gcRowOf(t, g, assay.MetricGCCyclesOp)
	if r.Base != 0 || r.Variant != 0.0035 || r.Change != 0 || r.Interval != nil {
		t.Errorf("got %+v, want 0 -> 0.0035 without a change", r)
	}
	if _, err := json.Marshal(g); err != nil {
		t.Error(err)
	}
	// One block of three without: no block may be left out of the ratio.
	r = gcRowOf(t, Compare(gcTrials(2, 4, 4), gcTrials(0, 8, 8), 0.95), assay.MetricGCCyclesOp)
	if r.Change != 1 || r.Interval != nil {
		t.Errorf("got %+v, want the ratio of the medians", r)
	}
}

func TestCompareGCPassesOver(t *testing.T) {
	base := gcTrials(10, 10)
	bad := gcTrials(500, 500, 500)
	bad[0].Status, bad[1].Kind = assay.StatusFailed, assay.CollectCPU
	bad[2].Values[assay.MetricGCCyclesOp] = math.NaN()
	r := gcRowOf(t, Compare(append(bad, base...), gcTrials(10, 10), 0.95), assay.MetricGCCyclesOp)
	if r.Base != 0.01 || r.Change != 0 {
		t.Errorf("got %+v, want no change from 0.01", r)
	}
}

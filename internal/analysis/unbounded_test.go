package analysis

import (
	"encoding/json"
	"math"
	"testing"
	"time"

	"github.com/seed-1318a441/assay"
)

// Seven blocks are enough for 95 % when they agree. When they scatter by
// many orders of magnitude no change can be ruled out: the cell is unclear, without an
// interval, and the result can be stored, which JSON refuses for infinity.
func TestUnbounded(t *testing.T) {
	scatter := []float64{1, 1e-8, 1e8, 1e-3, 1e5, 0.9, 1e6}
	w := newWorld([]string{"A", "B"}, "old", "new", assay.ControlName)
	w.plan.Study.Decide.Confidence = 0.95
	w.plan.Study.Decide.MaxBlocks = len(scatter)
	w.f = func(v, _ string, block int) map[string]float64 {
		x := 1e-6
		if v != "old" {
			x *= scatter[block-1]
		}
		return map[string]float64{assay.MetricTime: x}
	}
	tr := NewTracker(w.plan, time.Hour)
	if stop := w.run(tr); stop != "blocks" {
		t.Fatalf("stopped by %q, want blocks", stop)
	}
	r := tr.Result(assay.Platform{}, "blocks")
	if _, err := json.Marshal(r); err != nil {
		t.Fatal(err)
	}
	c := r.Tables[0].Rows[0].Cells[0]
	if c.Verdict != assay.Unclear || c.Interval != nil || c.Reason != "7 blocks bound nothing yet" {
		t.Errorf("got %+v", c)
	}
	if r.Noise.Floor != 0 || math.IsInf(float64(r.Noise.Change), 0) {
		t.Errorf("noise is %+v, want not known", r.Noise)
	}
}

package analysis

import (
	"math"
	"testing"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/analysis/sample"
	"github.com/seed-1318a441/assay/internal/stats"
)

// A run chart has the blocks that carry verdicts, in order, with what the verdict
// was made of; the mean over the suite stands before its benchmarks.
func TestBlockSeries(t *testing.T) {
	w := chainWorld(7, names(3), -0.2, 0.1)
	var turns []assay.Turn
	for _, b := range w.plan.Benchmarks {
		turns = append(turns, assay.Turn{Benchmark: b.Benchmark, Inner: 1})
	}
	var blocks [][]assay.Trial
	for range 12 {
		blocks = append(blocks, w.next(turns))
	}
	list, left := sample.BlockSeries(w.plan, blocks)
	if left != 0 || len(list) != 3*4 { // two steps and the control, of the mean and three benchmarks
		t.Fatalf("%d series, %d left out, want 12 and 0", len(list), left)
	}
	for _, s := range list {
		if len(s.Block) != len(s.LN) || len(s.Block) != len(s.Start) || len(s.Block) != 12 {
			t.Errorf("%s %s: %d blocks, %d values, %d starts", s.Variant, s.Benchmark, len(s.Block), len(s.LN), len(s.Start))
		}
		for i := range s.Block[1:] {
			if s.Block[i] >= s.Block[i+1] || s.Start[i] > s.Start[i+1] {
				t.Errorf("%s %s: out of order at %d", s.Variant, s.Benchmark, i)
			}
		}
		want := map[string]float64{"s1": -0.2, "s2": -0.1, assay.ControlName: 0}[s.Variant]
		if sum := sumOf(s.LN) / float64(len(s.LN)); math.Abs(sum-want) > 0.05 {
			t.Errorf("%s %s: mean %.3f, want about %.1f", s.Variant, s.Benchmark, sum, want)
		}
	}
	if list[0].Benchmark != (assay.Benchmark{}) || list[1].Benchmark.Name != "B0" {
		t.Errorf("got %v, %v, want the mean first", list[0].Benchmark, list[1].Benchmark)
	}
	if list, left := sample.BlockSeries(w.plan, nil); len(list) != 0 || left != 0 {
		t.Errorf("no blocks: %d series, %d left out", len(list), left)
	}
}

// The chart of the geomean has the blocks of the geomean's own comparison: those that ran
// all common benchmarks, however many others one of them has. In each stands the mean over
// the benchmarks, not one of them.
func TestWholeSeriesIsTheGeomean(t *testing.T) {
	w := noisyWorld(2, []string{"X", "Y"}, map[string]float64{"b/Y": 0.3}, "a", "b")
	turns := []assay.Turn{{Benchmark: w.plan.Benchmarks[0].Benchmark, Inner: 1}, {Benchmark: w.plan.Benchmarks[1].Benchmark, Inner: 1}}
	var blocks [][]assay.Trial
	tr := NewTracker(w.plan, 0)
	for i := range 16 {
		blocks = append(blocks, w.next(turns[:2-i%2])) // Y runs in every other block
		tr.Add(blocks[i])
	}
	list, _ := sample.BlockSeries(w.plan, blocks)
	g := tr.Result(assay.Platform{}, "").Tables[0].Geomean[0]
	if s := list[0]; s.Benchmark != (assay.Benchmark{}) || len(s.Block) != g.N || g.N != 8 || math.Abs(stats.Mean(s.LN)-g.Change.Log()) > 0.02 {
		t.Errorf("got %d blocks with a mean of %g, the geomean has %d and %g", len(s.Block), stats.Mean(s.LN), g.N, g.Change.Log())
	}
	ln := map[int]float64{} // of X and Y together
	for _, s := range list[1:3] {
		for i, b := range s.Block {
			ln[b] += s.LN[i] / 2
		}
	}
	for i, b := range list[0].Block {
		if got, want := list[0].LN[i], ln[b]; math.Abs(got-want) > 2e-5 {
			t.Errorf("block %d: %g, want the mean of both benchmarks, %g", b, got, want)
		}
	}
}

func sumOf(x []float64) (sum float64) {
	for _, v := range x {
		sum += v
	}
	return sum
}

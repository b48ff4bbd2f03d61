package analysis

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/seed-1318a441/assay"
)

// record runs a world to its end and keeps the blocks.
func (w *world) record(blocks int) (out [][]assay.Trial) {
	tr := NewTracker(w.plan, w.plan.Study.Decide.Budget)
	for range blocks {
		block := w.next(tr.Turns())
		tr.Add(block)
		out = append(out, block)
	}
	return out
}

// followed is a tracker that has followed a run of these blocks.
func followed(p *assay.Plan, blocks [][]assay.Trial) *Tracker {
	t := NewTracker(p, p.Study.Decide.Budget)
	for _, b := range blocks {
		t.Next()
		t.Add(b)
	}
	return t
}

// The interval of any two variants covers their truth, from the blocks that
// hold both.
func TestPairCoversTheTruth(t *testing.T) {
	missed, seen, drifts := 0, 0, 0
	for seed := range uint64(60) {
		w := noisyWorld(100+seed, []string{"X"}, map[string]float64{"a": 0.05, "b": -0.03}, eight...)
		w.plan.Together = 6
		blocks := w.record(80)
		r, err := followed(w.plan, blocks).Pair(blocks, "a", "b", assay.Platform{})
		if err != nil {
			t.Fatal(err)
		}
		c := r.Tables[0].Rows[0].Cells[0]
		if c.N < 10 || c.N > 30 || r.Spent.Blocks != c.N || r.Base != "a" {
			t.Fatalf("%d blocks of %d behind the pair, base %s", c.N, r.Spent.Blocks, r.Base)
		}
		seen++
		if !c.Interval.Covers(assay.ChangeOfLog(-0.08)) {
			missed++
		}
		if c.Verdict != assay.Faster || r.Answer.Use != "b" || r.Noise.Control != assay.ControlName {
			t.Errorf("seed %d: %s, use %q, noise %+v", seed, c.Verdict, r.Answer.Use, r.Noise)
		}
		drifts += btoi(r.Noise.Floor <= 0)
	}
	if missed > 3 || drifts > 3 { // at 1 % each, four of 60 have probability .003
		t.Errorf("%d of %d intervals miss the truth, %d controls drift", missed, seen, drifts)
	}
}

// A pair with the base is the cell of the table, in either direction.
func TestPairWithTheBase(t *testing.T) {
	w := noisyWorld(1, []string{"X", "Y"}, map[string]float64{"a": 0.05}, "base", "a", "b", assay.ControlName)
	blocks := w.record(15)
	tr := NewTracker(w.plan, w.plan.Study.Decide.Budget)
	for _, b := range blocks {
		tr.Add(b)
	}
	whole := tr.Result(assay.Platform{}, "")
	r, err := followed(w.plan, blocks).Pair(blocks, "base", "a", assay.Platform{})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := r.Tables[0].Geomean[0].Change, whole.Tables[0].Geomean[0].Change; got != want {
		t.Errorf("change is %v, in the table %v", got, want)
	}
	if got, want := r.Noise.Floor, whole.Noise.Floor; got != want || got == 0 {
		t.Errorf("noise is %v, of the run %v", got, want)
	}
	back, err := followed(w.plan, blocks).Pair(blocks, "a", "base", assay.Platform{})
	if err != nil {
		t.Fatal(err)
	}
	// No control stands beside it then, so that the estimate is another one.
	if got, want := back.Tables[0].Rows[0].Cells[0].Change.Log(), -r.Tables[0].Rows[0].Cells[0].Change.Log(); math.Abs(got-want) > 0.01 {
		t.Errorf("the other way round ln is %v, want %v", got, want)
	}
	if back.Noise.Floor != whole.Noise.Floor {
		t.Errorf("noise is %v without the control in the pair, want the run's %v", back.Noise.Floor, whole.Noise.Floor)
	}
}

// A pair that the run's tables compare has the verdicts and intervals that they have, though
// its own list is shorter: with the base, and of neighbouring steps.
func TestPairIsTheCellOfTheTable(t *testing.T) {
	same := func(what string, got, want assay.Comparison) {
		t.Helper()
		apart := func(x, y assay.Change) bool { return math.Abs(float64(x-y)) > 1e-5 } // of one resolution for a pair, two for a step
		if x, y := got.Interval, want.Interval; got.Verdict != want.Verdict || x == nil || y == nil || apart(x.Lo, y.Lo) || apart(x.Hi, y.Hi) {
			t.Errorf("%s: the pair is %s %v, the table %s %v", what, got.Verdict, x, want.Verdict, y)
		}
	}
	pair := func(w *world, blocks [][]assay.Trial, a, b string) assay.Table {
		t.Helper()
		r, err := followed(w.plan, blocks).Pair(blocks, a, b, assay.Platform{})
		if err != nil {
			t.Fatal(err)
		}
		return r.Tables[0]
	}
	w := noisyWorld(3, names(8), map[string]float64{"a/B1": 0.02, "b": 0.05}, "base", "a", "b", "c", assay.ControlName)
	blocks := w.record(14)
	whole := followed(w.plan, blocks).Result(assay.Platform{}, "").Tables[0]
	for i, v := range []string{"a", "b", "c"} {
		tab := pair(w, blocks, "base", v)
		same(v, tab.Geomean[0], whole.Geomean[i])
		for j, row := range tab.Rows {
			same(v+"/"+row.Benchmark.Name, row.Cells[0], whole.Rows[j].Cells[i])
		}
	}
	w = chainWorld(11, names(8), -0.1, -0.004, -0.1)
	blocks = w.record(14)
	whole = followed(w.plan, blocks).Result(assay.Platform{}, "").Tables[0]
	for _, step := range whole.Steps {
		tab := pair(w, blocks, step.Previous, step.Variant)
		same(step.Variant, tab.Geomean[0], *step.Whole)
		for i, c := range step.Cells {
			same(step.Variant+"/"+c.Benchmark.Name, tab.Rows[i].Cells[0], c)
		}
	}
}

func TestPairOfTheSameCode(t *testing.T) {
	w := noisyWorld(1, []string{"X"}, map[string]float64{"a": 0.05}, "base", "a", assay.ControlName)
	w.plan.Study.Variants = append(w.plan.Study.Variants, assay.Variant{Name: "twin"})
	w.plan.Same = []assay.SameCode{{Variant: "twin", As: "a", Functions: 7}}
	blocks := w.record(12)
	r, err := followed(w.plan, blocks).Pair(blocks, "a", "twin", assay.Platform{})
	if err != nil {
		t.Fatal(err)
	}
	if r.Answer.Verdict != assay.SameCoded || !strings.Contains(r.Answer.Text[0], "7 functions") {
		t.Errorf("answer %+v, want same code", r.Answer)
	}
	r, err = followed(w.plan, blocks).Pair(blocks, "base", "twin", assay.Platform{})
	if err != nil {
		t.Fatal(err)
	}
	if r.Tables[0].Rows[0].Cells[0].Variant != "a" || r.Tables[0].Rows[0].Cells[0].Verdict != assay.Slower {
		t.Errorf("cell %+v, want a in place of twin", r.Tables[0].Rows[0].Cells[0])
	}
	if !slices.ContainsFunc(r.Warnings, func(x assay.Warning) bool { return x.Code == "same-code" }) {
		t.Errorf("warnings %v, want same-code", r.Warnings)
	}
}

func TestPairRefusesUnknownNames(t *testing.T) {
	w := noisyWorld(1, []string{"X"}, nil, "base", "a", assay.ControlName)
	for _, names := range [][2]string{{"base", "nosuch"}, {"a", "a"}, {"base", assay.ControlName}} {
		_, err := followed(w.plan, nil).Pair(nil, names[0], names[1], assay.Platform{})
		var e *assay.Error
		if !errors.As(err, &e) || e.Exit != assay.ExitUsage || !strings.Contains(e.Error(), "base, a") {
			t.Errorf("%v: got %v, want a list of the variants", names, err)
		}
	}
}

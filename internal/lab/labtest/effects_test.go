package labtest_test

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/design"
	"github.com/seed-1318a441/assay/internal/lab/labtest"
)

// crossed is a study of three switches, each on or off, and a machine on which gc/off
// takes 5 % more, slices/off 3 % less, and gc and malloc both off another 4 % more.
func crossed(t *testing.T, seed uint64) (*assay.Study, *labtest.Simulator) {
	t.Helper()
	s := labtest.Study()
	for _, f := range []string{"gc", "slices", "malloc"} {
		s.Factors = append(s.Factors, assay.Factor{Name: f, Levels: []assay.Level{
			{Name: "+" + f}, {Name: "-" + f, Setting: assay.Variant{Env: map[string]string{f: "off"}}}}})
	}
	if err := design.Cross(s); err != nil {
		t.Fatal(err)
	}
	effects := map[string]float64{}
	for _, v := range s.Variants {
		ln := 0.0
		for setting, x := range map[string]float64{"-gc": 0.05, "-slices": -0.03} {
			if strings.Contains(v.Name, setting) {
				ln += x
			}
		}
		if strings.Contains(v.Name, "-gc") && strings.Contains(v.Name, "-malloc") {
			ln += 0.04
		}
		effects[v.Name] = ln
	}
	m := &labtest.Simulator{Seed: seed, Start: 2 * time.Millisecond, LinkTime: 20 * time.Millisecond}
	for _, name := range []string{"A", "B", "C"} {
		m.Benchmarks = append(m.Benchmarks, labtest.Benchmark{Name: name, Time: time.Microsecond, Noise: labtest.Normal(0.01), Effects: effects})
	}
	return s, m
}

// Eight variants are more than a block holds: each has the base and a choice of
// the others, and the effects of the switches are found all the same.
func TestEffectsAreFound(t *testing.T) {
	truth := map[string]float64{"-gc": 0.07, "-slices": -0.03, "-malloc": 0.02,
		"-gc × -slices": 0, "-gc × -malloc": 0.04, "-slices × -malloc": 0}
	missed, seen := 0, 0
	for seed := range uint64(6) {
		s, m := crossed(t, seed)
		r, err := labtest.Run(t.Context(), m, s, t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		if r.Spent.Stop != "decided" {
			t.Errorf("seed %d: stopped by %q", seed, r.Spent.Stop)
		}
		if held := heldBy(m, 1); held >= 9 || held < 4 {
			t.Errorf("the first block held %d variants, want a choice of the nine", held)
		}
		if len(r.Tables[0].Effects) != len(truth) {
			t.Fatalf("%d effects, want %d", len(r.Tables[0].Effects), len(truth))
		}
		for _, e := range r.Tables[0].Effects {
			want := truth[switches(e)]
			seen++
			if e.Whole.Interval == nil || !e.Whole.Interval.Covers(assay.ChangeOfLog(want)) {
				missed++
			}
			if len(e.Switches) > 1 || math.Abs(want) < 0.03 {
				continue
			}
			if e.Whole.Verdict.Bad() != (want > 0) || e.Whole.Verdict.Good() != (want < 0) {
				t.Errorf("seed %d: %s is %s, want the sign of %g", seed, switches(e), e.Whole.Verdict, want)
			}
		}
	}
	if missed > 2 { // at 1 % each, three of 36 have probability .006
		t.Errorf("%d of %d intervals miss the truth", missed, seen)
	}
}

func switches(e assay.Effect) string {
	var to []string
	for _, s := range e.Switches {
		to = append(to, s.To)
	}
	return strings.Join(to, " × ")
}

// heldBy counts the variants of a block.
func heldBy(m *labtest.Simulator, block int) int {
	seen := map[string]bool{}
	for _, line := range m.Log() {
		if f := strings.Fields(line); f[2] == fmt.Sprint(block) {
			seen[f[1]] = true
		}
	}
	return len(seen)
}

// A run in which blocks hold a choice of eight variants ends with the verdicts
// that the truth asks for.
func TestChoiceOfVariants(t *testing.T) {
	names := []string{"old", "a", "b", "c", "d", "e", "f", "g"}
	effects := map[string]float64{"a": 0.05, "b": -0.08, "d": 0.1, "f": -0.04}
	m := &labtest.Simulator{Seed: 3, Start: 2 * time.Millisecond, LinkTime: 20 * time.Millisecond}
	for _, name := range []string{"X", "Y"} {
		m.Benchmarks = append(m.Benchmarks, labtest.Benchmark{Name: name, Time: time.Microsecond, Noise: labtest.Normal(0.01), Effects: effects})
	}
	r, err := labtest.Run(t.Context(), m, labtest.Study(names...), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range r.Tables[0].Rows {
		for _, c := range row.Cells {
			want := map[bool]assay.Verdict{true: assay.Slower, false: assay.Faster}[effects[c.Variant] > 0]
			if effects[c.Variant] == 0 {
				want = assay.Same
			}
			if c.Verdict != want {
				t.Errorf("%s of %s is %s %v, want %s", c.Benchmark.Name, c.Variant, c.Verdict, c.Interval, want)
			}
		}
	}
	if r.Spent.Stop != "decided" || r.Answer.Use != "b" {
		t.Errorf("stopped by %q, answer %+v, want b", r.Spent.Stop, r.Answer)
	}
}

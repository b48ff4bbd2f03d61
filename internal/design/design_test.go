package design

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/seed-1318a441/assay"
)

func testPlan(layouts int) *assay.Plan {
	s := assay.Study{Base: "a", Variants: []assay.Variant{{Name: "a"}, {Name: "b"}}, Measure: assay.Measure{Layouts: layouts},
		Decide: assay.Decide{Confidence: 0.99}}
	vs, _ := Variants(&s, nil)
	return &assay.Plan{Study: s, Seed: 7, Variants: vs}
}

func turns(names ...string) []assay.Turn {
	var out []assay.Turn
	for _, n := range names {
		out = append(out, assay.Turn{Benchmark: assay.Benchmark{Name: n}, Inner: 2})
	}
	return out
}

func TestBlockRunsEveryVariantOncePerRound(t *testing.T) {
	slots := BlockOf(testPlan(0), assay.NextBlock{Turns: turns("X", "Y")}, 3, 1).Slots
	if got, want := len(slots), 2*2*3; got != want {
		t.Fatalf("got %d slots, want %d", got, want)
	}
	seen := map[string]int{}
	for i, s := range slots {
		if s.Position != i+1 {
			t.Errorf("slot %d has position %d", i, s.Position)
		}
		seen[fmt.Sprint(s.Benchmark, s.Round, s.Variant)]++
	}
	for k, n := range seen {
		if n != 1 {
			t.Errorf("%s runs %d times, want 1", k, n)
		}
	}
}

// The order on one benchmark must not depend on which others run: a decided
// benchmark leaves without disturbing the rest.
func TestOrderDoesNotDependOnWhatElseRuns(t *testing.T) {
	p := testPlan(0)
	pick := func(slots []Slot) (order []string) {
		for _, s := range slots {
			if s.Benchmark.Name == "Y" {
				order = append(order, s.Variant)
			}
		}
		return order
	}
	for block := 1; block < 20; block++ {
		got, want := pick(BlockOf(p, assay.NextBlock{Turns: turns("X", "Y", "Z")}, block, 1).Slots), pick(BlockOf(p, assay.NextBlock{Turns: turns("Y")}, block, 1).Slots)
		if !slices.Equal(got, want) {
			t.Fatalf("block %d: got %v, want %v", block, got, want)
		}
	}
}

// Two variants: a fair coin. 4000 draws have a standard deviation of 0.8 %;
// five of them are allowed.
func TestOrderIsAFairCoin(t *testing.T) {
	const draws = 4000
	first := 0
	for block := range draws {
		if Order(1, assay.Benchmark{Name: "X"}, 2, block, 1, 1)[0] == 0 {
			first++
		}
	}
	if share := float64(first) / draws; share < 0.46 || share > 0.54 {
		t.Errorf("variant 0 came first in %.3f of the blocks, want 0.5", share)
	}
}

func TestAnotherAttemptDrawsAnotherOrder(t *testing.T) {
	p := testPlan(0)
	same := 0
	for block := 1; block <= 50; block++ {
		if slices.Equal(BlockOf(p, assay.NextBlock{Turns: turns("X")}, block, 1).Slots, BlockOf(p, assay.NextBlock{Turns: turns("X")}, block, 2).Slots) {
			same++
		}
	}
	if same > 10 { // 36 orders of two rounds of three: about 1.4 expected
		t.Errorf("%d of 50 second attempts had the order of the first", same)
	}
}

func TestLayout(t *testing.T) {
	if got := Layout(testPlan(1), "a", 5); got != 0 {
		t.Errorf("layouts = 1: got seed %d, want 0", got)
	}
	fresh := testPlan(0)
	if Layout(fresh, "a", 1) == Layout(fresh, "b", 1) || Layout(fresh, "a", 1) == Layout(fresh, "a", 2) {
		t.Error("fresh layouts repeat over variants or blocks")
	}
}

// Variants of one build share its link; the control has its own where there is
// another build, and the sub-benchmarks of one binary share one.
func TestLinkOf(t *testing.T) {
	p := &assay.Plan{Study: assay.Study{Base: "a"}, Variants: []assay.Variant{{Name: "a"}, {Name: "b"}, {Name: "c"}, {Name: assay.ControlName, Control: true}}}
	for _, tc := range []struct {
		ids  []string // of a, b, c
		by   *assay.By
		want string
	}{
		{[]string{"1", "2", "3"}, nil, "a b c control"},
		{[]string{"1", "2", "1"}, nil, "a b a control"},
		{[]string{"1", "2", "2"}, nil, "a b b control"},
		{[]string{"1", "1", "1"}, nil, "a a a a"},
		{nil, nil, "a b c control"},
		{nil, &assay.By{Key: "/x"}, "a a a control"},
	} {
		p.Artifacts, p.Study.By = nil, tc.by
		for i, id := range tc.ids {
			p.Artifacts = append(p.Artifacts, assay.ArtifactInfo{Variant: p.Variants[i].Name, ID: id})
		}
		var got []string
		for _, v := range p.Variants {
			got = append(got, LinkOf(p, v.Name))
		}
		if strings.Join(got, " ") != tc.want {
			t.Errorf("builds %v, by %v: links of %v, want %s", tc.ids, tc.by, got, tc.want)
		}
	}
}

func TestVariantsControl(t *testing.T) {
	s := assay.Study{Base: "a", Variants: []assay.Variant{{Name: "a"}, {Name: "b"}, {Name: "c"}}}
	names := func(vs []assay.Variant) (out []string) {
		for _, v := range vs {
			n := v.Name
			if v.Control {
				n += "*"
			}
			out = append(out, n)
		}
		return out
	}
	for _, tc := range []struct {
		same      []assay.SameCode
		noControl bool
		want      []string
	}{
		{nil, false, []string{"a", "b", "c", "control*"}},
		{nil, true, []string{"a", "b", "c"}},
		{[]assay.SameCode{{Variant: "b", As: "a"}}, false, []string{"a", "b*", "c"}},
		{[]assay.SameCode{{Variant: "c", As: "b"}}, false, []string{"a", "b", "control*"}},
		{[]assay.SameCode{{Variant: "b", As: "a"}, {Variant: "c", As: "a"}}, false, []string{"a", "b*"}},
	} {
		s.Measure.NoControl = tc.noControl
		vs, _ := Variants(&s, tc.same)
		if got := names(vs); !slices.Equal(got, tc.want) {
			t.Errorf("same %v, no control %v: got %v, want %v", tc.same, tc.noControl, got, tc.want)
		}
	}
}

func TestStudyHashIgnoresTheFolder(t *testing.T) {
	a, b := assay.Study{Name: "x", Dir: "/one"}, assay.Study{Name: "x", Dir: "/two"}
	if StudyHash(&a) != StudyHash(&b) {
		t.Error("a study that moved has another hash")
	}
	b.Name = "y"
	if StudyHash(&a) == StudyHash(&b) {
		t.Error("another study has the same hash")
	}
}

// The platform is not part of the question.
func TestStudyHashIgnoresThePlatform(t *testing.T) {
	a := assay.Study{Name: "x"}
	b := assay.Study{Name: "x", Measure: assay.Measure{GOMAXPROCS: 1, GOARCH: "386"}}
	if StudyHash(&a) != StudyHash(&b) {
		t.Error("a study for another platform has another hash")
	}
	b.Measure.Layouts = 1
	if StudyHash(&a) == StudyHash(&b) {
		t.Error("a study with one layout has the same hash")
	}
}

// The control is part of a comparison where it is the base once more: where all three
// run one file, or each a link of its own that no other block repeats.
func TestBeside(t *testing.T) {
	plan := func(layouts int, builds ...string) *assay.Plan {
		p := &assay.Plan{Study: assay.Study{Base: "base", Measure: assay.Measure{Layouts: layouts}, Decide: assay.Decide{Confidence: 0.99}}}
		for i, name := range []string{"base", "gogc", "other"}[:len(builds)] {
			p.Variants = append(p.Variants, assay.Variant{Name: name})
			p.Artifacts = append(p.Artifacts, assay.ArtifactInfo{Variant: name, ID: builds[i]})
		}
		p.Variants = append(p.Variants, assay.Variant{Name: assay.ControlName, Control: true})
		return p
	}
	again := func(builds ...string) *assay.Plan {
		p := plan(0, builds...)
		p.Relink = 3
		return p
	}
	for _, tc := range []struct {
		plan        *assay.Plan
		gogc, other bool
	}{
		{plan(0, "1", "1", "2"), false, true}, // gogc has the base's link, the control has not
		{plan(0, "1", "1"), true, false},      // all share one
		{plan(1, "1", "1", "2"), true, true},  // one file each, the control's is the base's
		{again("1", "1", "2"), false, false},  // links come round again
		{again("1", "1"), true, false},        // but all share them
	} {
		if gogc, other := Beside(tc.plan, "gogc"), len(tc.plan.Variants) > 3 && Beside(tc.plan, "other"); gogc != tc.gogc || other != tc.other {
			t.Errorf("layouts %d, %d builds: control beside gogc %t, beside other %t", tc.plan.Study.Measure.Layouts, len(tc.plan.Variants)-1, gogc, other)
		}
		if Beside(tc.plan, "base") || Beside(tc.plan, assay.ControlName) {
			t.Error("the control stands beside itself or the base")
		}
	}
	none := plan(0, "1", "2")
	none.Variants = none.Variants[:2]
	if Beside(none, "gogc") {
		t.Error("there is no control")
	}
}

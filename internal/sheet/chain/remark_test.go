package chain

import (
	"fmt"
	"strings"
	"testing"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/sheet"
)

// A remark has the author's words, what all machines say, and what some say, by machine.
func TestRemark(t *testing.T) {
	a, b, c := madeResult(), madeResult(), madeResult()
	for _, r := range []*assay.Result{a, b, c} {
		r.Arc.Steps[0].Aside, r.Arc.Steps[0].Missing = "intended", []assay.Benchmark{benchA}
		r.Tables[0].Steps[0].Text = "a spike"
	}
	a.Tables[0].Steps[0].Text = "no change proved"
	c.Arc.Steps[0].Gates = []assay.GateResult{gate(assay.GateTests, assay.GateFailed, "", "T1", "T2"), gate(assay.GateRace, assay.GateUnknown, "",
		"x"), gate(assay.GateVet, assay.GateHeld, "")}
	for _, x := range []struct {
		name    string
		results []*assay.Result
		want    string
	}{
		{"one machine", []*assay.Result{a}, "intended; no change proved; 1 benchmark missing"}, {"two that agree", []*assay.Result{b, b},
			"intended; a spike; 1 benchmark missing"},
		{"three", []*assay.Result{a, b, c}, "intended; 1 benchmark missing; m1: no change proved; m2, m3: a spike; m3: fails: tests (2), unknown: race"},
	} {
		ch := chainOf(false, x.results...)
		if got := ch.Remark(ch.Steps[0]); got != x.want {
			t.Errorf("%s: got %q, want %q", x.name, got, x.want)
		}
	}
	if got, want := chainOf(true, b).Remark(b.Arc.Steps[0]), "intended; a spike; 1 benchmark missing: A"; got != want {
		t.Errorf("with all: got %q, want %q", got, want)
	}
	short := madeResult()
	short.Arc.Steps = short.Arc.Steps[:2]
	a.Tables[0].Steps[2].Text, a.Arc.Steps[3].Missing = "a spike", []assay.Benchmark{benchA}
	ch := chainOf(false, short, a)
	if got, want := ch.Remark(ch.Steps[3]), "m1: not measured; m2: a spike, the change may be below 2 %, 1 benchmark missing"; got != want {
		t.Errorf("a step that one machine lacks: got %q, want %q", got, want)
	}
}

// What a record says is cleaned of what could move a cursor.
func TestRemarkIsClean(t *testing.T) {
	r := madeResult()
	r.Arc.Steps[0].Aside = "a\x1b[2Jb\n"
	if got := chainOf(false, r).Remark(r.Arc.Steps[0]); got != "ab" {
		t.Errorf("got %q, want %q", got, "ab")
	}
}

// A step of a chain of commits that is none is the tree as it is; a version is not.
func TestTreeAsItIs(t *testing.T) {
	r := madeResult()
	r.Variants[0].Commit = "d2af"
	r.Variants[1].GoVersion, r.Variants[4].GoVersion, r.Variants[4].Words = "go1.26", "go1.26", []string{"e.com/p@v1.2.3"}
	ch := chainOf(false, r)
	if got := ch.Remark(ch.Steps[0]); got != AsItIs {
		t.Errorf("got %q, want %q", got, AsItIs)
	}
	if got := ch.Remark(ch.Steps[3]); got != "the change may be below 2 %" {
		t.Errorf("a version: got %q", got)
	}
}

// A change at the end of its interval says so, on the line of its step and on the last,
// by machine where it does not stand there on all.
func TestEndOfInterval(t *testing.T) {
	r := madeResult()
	r.Tables[0].Steps[0].Whole.Interval.Hi = r.Tables[0].Steps[0].Whole.Change
	if got := chainOf(false, r).Remark(r.Arc.Steps[0]); got != sheet.EndWords {
		t.Errorf("got %q, want %q", got, sheet.EndWords)
	}
	if got := chainOf(false, r).TotalRemark(); got != "" {
		t.Errorf("of the last step: got %q", got)
	}
	end := &r.Tables[0].Geomean[1]
	end.Interval.Lo = end.Change
	for want, ch := range map[string]*Chain{sheet.EndWords: chainOf(false, r), "m2: " + sheet.EndWords: chainOf(false, madeResult(), r)} {
		if got := ch.TotalRemark(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
		lines := linesOf(ch.Table(Layout{}))
		if last := lines[len(lines)-1]; !strings.HasSuffix(last, "|"+want) {
			t.Errorf("the last line is %q, want %q at its end", last, want)
		}
	}
}

// A step without an interval yet says why, and a gap says once that it did not build.
func TestRemarksOfLittle(t *testing.T) {
	r := madeResult()
	r.Tables[0].Steps = nil
	early := &r.Tables[0].Geomean[0]
	early.Verdict, early.Interval, early.Reason = assay.Unclear, nil, "3 of 9 blocks"
	if got := chainOf(false, r).Remark(r.Arc.Steps[0]); got != "3 of 9 blocks" {
		t.Errorf("got %q", got)
	}
	for reason, want := range map[string]string{"x.go:1: bad": "did not build: x.go:1: bad", "did not build with go1.26": "did not build with go1.26"} {
		if got := GapText(assay.Gap{Reason: reason}); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	many := assay.StepResult{}
	for i := range maxNames + 5 {
		many.Missing = append(many.Missing, assay.Benchmark{Name: fmt.Sprint("B", i)})
	}
	if got := chainOf(true, r).missing(many); !strings.HasPrefix(got, "45 benchmarks missing: B0, B1") || !strings.HasSuffix(got, "B39, …") {
		t.Errorf("got %q", got)
	}
}

// What a step changed most is explained by the run of the chain, in the variant that was
// measured.
func TestExplain(t *testing.T) {
	r := madeResult()
	x := Panel{Result: r}
	if got := x.Explain(r.Arc.Steps[1]); got != "" {
		t.Errorf("of a step that moved nothing: got %q", got)
	}
	r.Arc.Steps[1].Movers = []assay.Comparison{moved("two", benchA, assay.Faster, -0.4)}
	if got, want := x.Explain(r.Arc.Steps[1]), "assay explain r1 A --variant one"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	r.Run = ""
	if got := x.Explain(r.Arc.Steps[1]); got != "" {
		t.Errorf("without a run: got %q", got)
	}
}

package chain

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/record"
	"github.com/seed-1318a441/assay/internal/sheet"
)

// gated is the made chain with tests and vet asked for, and results of these gates of the
// steps one, two and four.
func gated(one, two, four []assay.GateResult) *assay.Result {
	r := madeResult()
	r.Arc.Gates = assay.Gates{Tests: assay.GatePass, Vet: assay.GatePass}
	r.Arc.Steps[0].Gates, r.Arc.Steps[1].Gates, r.Arc.Steps[3].Gates = one, two, four
	return r
}

func gate(name string, status assay.GateStatus, text string, evidence ...string) assay.GateResult {
	return assay.GateResult{Gate: name, Status: status, Text: text, Evidence: evidence}
}

// Gates that failed and those that could not be checked have a line each with their
// evidence; then it is said which steps were not checked, and which hold everything.
func TestGateLines(t *testing.T) {
	held, failed := gate(assay.GateTests, assay.GateHeld, ""), gate(assay.GateTests, assay.GateFailed, "2 tests fail", "TestA", "   TestB", "")
	failed.Against, failed.Log = "base", "gates/1.txt"
	other := failed
	other.Evidence = []string{"TestC"}
	unknown := gate(assay.GateVet, assay.GateUnknown, "no go command")
	unknown.Log = "gates/2.txt"
	const asked = "tests pass, vet pass (against the base)"
	for _, c := range []struct {
		name string
		r    *assay.Result
		want []string
	}{
		{"all hold", gated([]assay.GateResult{held}, nil, []assay.GateResult{held}), []string{"held by all 3 steps that were built: " + asked}},
		{"one fails", gated([]assay.GateResult{failed}, nil, []assay.GateResult{held}),
			[]string{"step 1 fails tests against base: 2 tests fail", "  TestA", "  TestB", "held by the other 2 steps: " + asked}},
		{"two fail alike", gated([]assay.GateResult{failed}, []assay.GateResult{failed}, []assay.GateResult{held}),
			[]string{"steps 1, 2 fail tests against base: 2 tests fail", "  TestA", "  TestB", "held by the other step: " + asked}},
		{"two fail otherwise", gated([]assay.GateResult{failed}, []assay.GateResult{other}, []assay.GateResult{held}),
			[]string{"step 1 fails tests against base: 2 tests fail", "  TestA", "  TestB", "step 2 fails tests against base: 2 tests fail", "  TestC",
				"held by the other step: " + asked}},
		{"one is unknown, one not checked", gated([]assay.GateResult{unknown}, []assay.GateResult{unknown}, nil),
			[]string{"steps 1, 2 unknown: vet: no go command", "  log: gates/2.txt", "not checked: step 4", "asked for: " + asked}},
		{"no gate is asked for", madeResult(), nil},
	} {
		ch := chainOf(false, c.r)
		sameLines(t, c.name, ch.GateLines(ch.Panels[0], "(hint)"), c.want...)
	}
	whole := gated([]assay.GateResult{held}, nil, []assay.GateResult{held})
	whole.Arc.Steps[2].Gap, whole.Arc.Steps[2].Gates = nil, []assay.GateResult{held}
	sameLines(t, "without a gap", chainOf(false, whole).GateLines(Panel{Result: whole}, ""), "held by all 4 steps: "+asked)
}

// Much evidence is counted, with a line for each gate; with all it is listed.
func TestMuchEvidence(t *testing.T) {
	var evidence []string
	for i := range maxEvidence + 1 {
		evidence = append(evidence, fmt.Sprint("Test", i))
	}
	failed := gate(assay.GateTests, assay.GateFailed, "13 tests fail", evidence...)
	failed.Log = "gates/1.txt"
	r := gated([]assay.GateResult{failed}, []assay.GateResult{failed}, []assay.GateResult{gate(assay.GateTests, assay.GateHeld, ""),
		gate(assay.GateVet, assay.GateUnknown, "no go command")})
	ch := chainOf(false, r)
	sameLines(t, "counted", ch.GateLines(ch.Panels[0], "(hint)"), "tests: 1 of 3 steps pass; steps 1, 2 fail: 13 tests fail",
		"vet: 0 of 1 step pass; step 4 unknown: no go command",
		"13 lines of evidence (hint)", "asked for: tests pass, vet pass (against the base)")
	lines := chainOf(true, r).GateLines(ch.Panels[0], "(hint)")
	if len(lines) != 1+len(evidence)+1+1 || lines[len(evidence)] != "  Test12" {
		t.Errorf("with all: got\n%s", strings.Join(lines, "\n"))
	}
	group := groupGates(r.Arc.Steps, assay.GateFailed)[0]
	if lines := ch.groupLines(group); len(lines) != 1+maxEvidence+1 || lines[len(lines)-1] != "  … 1 more: gates/1.txt" {
		t.Errorf("one gate: got\n%s", strings.Join(lines, "\n"))
	}
}

// Of a gate that fails in many ways the first ones are named.
func TestManyFailures(t *testing.T) {
	var steps []assay.StepResult
	for i := range maxFailures + 3 {
		steps = append(steps, assay.StepResult{Number: i + 1, Gates: []assay.GateResult{gate(assay.GateUnsafe, assay.GateFailed, fmt.Sprint(i+1, " uses"))}})
	}
	got := gateTotals(steps, groupGates(steps, assay.GateFailed))
	sameLines(t, "totals", got, "unsafe: 0 of 9 steps pass; step 1 fails: 1 uses; step 2 fails: 2 uses; step 3 fails: 3 uses; "+
		"step 4 fails: 4 uses; step 5 fails: 5 uses; step 6 fails: 6 uses; 3 more steps")
}

// What a study asks of every step is listed, with what it is compared with where that
// matters.
func TestGatesText(t *testing.T) {
	for _, c := range []struct {
		g    assay.Gates
		want string
	}{
		{assay.Gates{}, ""}, {assay.Gates{Unsafe: assay.GateNone, Race: assay.GatePass, Vet: assay.GatePass}, "unsafe none, vet pass, race pass"},
		{assay.Gates{API: assay.GateSame, Allocs: assay.GateNoMore}, "api same, allocs no more (against the base)"},
		{assay.Gates{Tests: assay.GatePass, Against: assay.AgainstPrevious}, "tests pass (against the previous step)"},
	} {
		if got := GatesText(c.g); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}

// The chains of the studies have a line for each step, with its number, star and name and
// as many cells as columns, whatever the layout; each failed gate is named.
func TestStoredChains(t *testing.T) {
	for _, study := range []string{"arc", "go-toml"} {
		r, err := record.ReadResult(os.DirFS(filepath.Join("../../../studies", study, "record/main")))
		if err != nil {
			t.Fatal(err)
		}
		ch := New([]Panel{{Result: r}}, true, "block")
		for _, l := range []Layout{{}, {Both: true}, {Base: true, Half: true}, {Extras: ch.Extras()}} {
			linesOfSteps(t, study, ch, ch.Table(l))
		}
		text := strings.Join(ch.GateLines(ch.Panels[0], ""), "\n")
		for _, s := range r.Arc.Steps {
			for _, g := range s.Gates {
				if g.Status == assay.GateFailed && (!strings.Contains(text, g.Text) || !strings.Contains(ch.Remark(s), g.Gate)) {
					t.Errorf("%s: step %d fails %s: %s, which neither of these says:\n%s\n%s", study, s.Number, g.Gate, g.Text, text, ch.Remark(s))
				}
			}
		}
	}
}

// linesOfSteps checks the lines of the steps in a table: a step's line has a number.
func linesOfSteps(t *testing.T, study string, ch *Chain, table *sheet.Table) {
	t.Helper()
	i := 0
	for _, row := range table.Rows {
		if len(row.Cells) > len(table.Columns) || row.Cells != nil && len(row.Cells) < len(table.Columns)-1 {
			t.Errorf("%s: %d cells in %d columns", study, len(row.Cells), len(table.Columns))
		}
		if row.Cells == nil || row.Cells[0].Text == "" {
			continue
		}
		s := ch.Steps[min(i, len(ch.Steps)-1)]
		if i++; row.Cells[0].Text != fmt.Sprint(i) || row.Cells[NameColumn].Text != s.Variant {
			t.Errorf("%s: line %d is %q of %q", study, i, row.Cells[0].Text, row.Cells[NameColumn].Text)
		}
		want := row.Cells[1].Text != ""
		if begins := s.Phase != "" && (i == 1 || ch.Steps[i-2].Phase != s.Phase); begins != want {
			t.Errorf("%s: step %d of the phase %q has the star %q", study, i, s.Phase, row.Cells[1].Text)
		}
	}
	if i != len(ch.Steps) {
		t.Errorf("%s: %d lines of %d steps", study, i, len(ch.Steps))
	}
}

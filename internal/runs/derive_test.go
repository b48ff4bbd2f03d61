package runs

import (
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/record"
)

// A published run's result follows from its record and its end; without the end it lacks
// what only that has, and the verdicts stay.
func TestDerive(t *testing.T) {
	f, err := Read("../../studies/queue-path/record", "queue-path")
	if err != nil {
		t.Fatal(err)
	}
	stored, err := f.StoredResult()
	if err != nil {
		t.Fatal(err)
	}
	whole, err := Derive(f.Run, f.Ending)
	if err != nil {
		t.Fatal(err)
	}
	if d, err := differenceOf(stored, whole); d != "" || err != nil {
		t.Errorf("got %s, %v", d, err)
	}
	bare, err := Derive(f.Run, assay.End{})
	if err != nil {
		t.Fatal(err)
	}
	if bare.Spent.Stop != "" || !SameJSON(bare.Tables, whole.Tables) {
		t.Errorf("without an end: stopped by %q, other tables: %t", bare.Spent.Stop, !SameJSON(bare.Tables, whole.Tables))
	}
	facts := func(r *assay.Result) (n int) {
		for _, w := range r.Warnings {
			if IsNoisy(w) {
				n += len(w.Facts)
			}
		}
		return n
	}
	if facts(whole) != facts(bare)+len(f.Ending.Noise) || len(f.Ending.Noise) == 0 {
		t.Errorf("got %d facts about noise with the end, %d without, want %d more", facts(whole), facts(bare), len(f.Ending.Noise))
	}
}

// What the author of a study wrote since comes from the end of the run.
func TestDeriveFromEnd(t *testing.T) {
	f, err := Read("../../studies/queue-path/record", "queue-path")
	if err != nil {
		t.Fatal(err)
	}
	end := f.Ending
	end.Told = &assay.Told{Report: assay.Report{Title: "a title"}}
	r, err := Derive(f.Run, end)
	if err != nil || r.Report.Title != "a title" {
		t.Errorf("got title %q, %v, want that of the end", r.Report.Title, err)
	}
}

// The end of a run adds its sources of noise to the warning about noise, and its own
// warnings behind the others.
func TestConclude(t *testing.T) {
	end := assay.End{Noise: []string{"swap"}, Warnings: []assay.Warning{{Code: assay.CodeNoWork}}, Explanations: []assay.Explanation{{Variant: "new"}}}
	facts := append(make([]string, 0, 8), "±4 %") // with room behind it, which is not ours
	for _, x := range []struct {
		what string
		in   []assay.Warning
		want string
	}{
		{"noisy", []assay.Warning{{Code: assay.CodePair}, {Code: assay.CodeNoisy, Facts: facts}}, "[pair[] noisy[±4 % swap] no-work[]]"},
		{"quiet", []assay.Warning{{Code: assay.CodePair}}, "[pair[] no-work[]]"},
	} {
		r := &assay.Result{Warnings: x.in}
		Conclude(r, &record.Run{}, end)
		var got []string
		for _, w := range r.Warnings {
			got = append(got, string(w.Code)+fmt.Sprint(w.Facts))
		}
		if fmt.Sprint(got) != x.want || len(r.Explanations) != 1 || r.Assay != assay.Version() {
			t.Errorf("%s: got %v, %d explanations by %s, want %s and one", x.what, got, len(r.Explanations), r.Assay, x.want)
		}
	}
	if rest := facts[:2]; rest[1] != "" || slices.Contains(end.Noise, "±4 %") {
		t.Errorf("the facts of the warning were written to: %q", rest)
	}
}

// An error about a record says what happened to it and what helps.
func TestBadRecord(t *testing.T) {
	for _, x := range []struct {
		what string
		err  error
		text string
		try  string
	}{
		{"changed", &record.Fault{File: "plan.json", Text: "x"}, "the record of my run has changed since assay wrote it", "assay verify 'my run'"},
		{"collected changed", fmt.Errorf("x: %w", record.ErrCollected), "the record of my run has changed since assay wrote it", "assay verify 'my run'"},
		{"without a chain", fmt.Errorf("x: %w", &record.Fault{Unsealed: true}), "the record of my run is not sealed: nothing shows whether it has changed", ""},
		{"newer", fmt.Errorf("x: %w", record.ErrNewer), "the record of my run was made by a newer assay than this one", upgrade},
		{"unreadable", fs.ErrPermission, "the record of my run cannot be read", "assay verify 'my run'"},
	} {
		e := BadRecord("my run", x.err)
		if e.Text != x.text || e.Try != x.try || e.Exit != assay.ExitRefused || e.Code != assay.CodeBadRecord || len(e.Facts) != 1 {
			t.Errorf("%s: got %+v", x.what, e)
		}
	}
	if e := badResult("a b.json", &record.Fault{Text: "x"}); e.Text != "the result a b.json has changed since assay wrote it" || e.Try != "" || !strings.Contains(e.Advice, "assay show --json") {
		t.Errorf("a result: got %+v", e)
	}
	if e := badResult("x.json", fmt.Errorf("x: %w", record.ErrNewer)); e.Text != "the result x.json was made by a newer assay than this one" || e.Try != upgrade {
		t.Errorf("a newer result: got %+v", e)
	}
}

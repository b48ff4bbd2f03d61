package record

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/seed-1318a441/assay"
)

// A planned end is a look, and the trials after it say so; to be stopped by hand or killed
// is none. A kill before the next trial leaves the end.
func TestLooks(t *testing.T) {
	r := create(t, 3)
	id := 3
	goOn := func(stop assay.StopReason, want int) {
		t.Helper()
		if err := r.WriteEnd(assay.End{Stop: stop}); err != nil {
			t.Fatal(err)
		}
		r.Close()
		var err error
		if r, err = Open(r.Dir); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { r.Close() })
		if err := r.reopen(); err != nil { // and a kill before the trial
			t.Fatal(err)
		}
		r.Close()
		if r, err = Open(r.Dir); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { r.Close() })
		for range 3 {
			if got := r.Run().Looks(); got != want {
				t.Fatalf("after %q: %d looks, want %d", stop, got, want)
			}
			id++
			tr := testTrial(id)
			tr.Looks = r.Run().Looks()
			if err := r.Append(tr, Raw{}); err != nil {
				t.Fatal(err)
			}
		}
	}
	goOn(assay.StopInterrupted, 0)
	goOn(assay.StopBudget, 1)
	goOn(assay.StopDecided, 1)
	goOn(assay.StopBlocks, 2)
	run, err := Read(os.DirFS(r.Dir))
	if err != nil || run.End != nil || len(run.Trials) != 15 {
		t.Errorf("%v, end %v, %d trials", err, run.End, len(run.Trials))
	}
	run.Plan.Schema = assay.PlanSchemaSealed
	if got := run.Looks(); got != 0 {
		t.Errorf("a record of an older version has %d looks", got)
	}
}

// A longer chain knows of the looks at the run that it extends, before its first trial too.
func TestExtendKnowsLooks(t *testing.T) {
	old := create(t, 3)
	if err := old.WriteEnd(assay.End{Stop: assay.StopBudget}); err != nil {
		t.Fatal(err)
	}
	old.Close()
	p := testPlan()
	p.Run, p.Earlier = "efgh", "abcd"
	r, err := Extend(filepath.Dir(old.Dir), p, assay.Platform{}, []byte("x"), old.Run())
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if got := r.Run().Looks(); got != 1 {
		t.Errorf("%d looks, want 1", got)
	}
}

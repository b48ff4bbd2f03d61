package runs

import (
	"errors"
	"strings"
	"testing"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/record"
)

// A pair is split at the comma between two variants of the run, since their names may have
// commas; what is no pair is an error.
func TestSplitPair(t *testing.T) {
	f := &Found{Ref: "my run", Run: &record.Run{Plan: &assay.Plan{Variants: []assay.Variant{{Name: "old"}, {Name: "GOEXPERIMENT=a,b"}, {Name: "a"}},
		Study: assay.Study{Variants: []assay.Variant{{Name: "same,code"}}}}}}
	for pair, want := range map[string][2]string{
		"old,a": {"old", "a"}, "GOEXPERIMENT=a,b,old": {"GOEXPERIMENT=a,b", "old"}, "old,GOEXPERIMENT=a,b": {"old", "GOEXPERIMENT=a,b"}, "same,code,old": {"same,code", "old"},
		"x,y": {"x", "y"}, // whose names are wrong is said elsewhere
	} {
		if a, b, err := splitPair(f, pair); err != nil || a != want[0] || b != want[1] {
			t.Errorf("%q: got %q, %q, %v, want %q", pair, a, b, err, want)
		}
	}
	for _, pair := range []string{"old", ",old", "old,", ","} {
		_, _, err := splitPair(f, pair)
		if e, ok := errors.AsType[*assay.Error](err); !ok || e.Code != assay.CodeFlags || e.Try != "assay show 'my run' --pairs" {
			t.Errorf("%q: got %v, want an error that lists the pairs", pair, err)
		}
	}
}

// A pair compares its second variant with its first, whichever is the base of the run.
func TestOpenPair(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	store := t.TempDir()
	dir := keep(t, store, demo("aaaa", 1), true)
	for pair, want := range map[string]assay.Verdict{"": assay.Faster, "old,new": assay.Faster, "new,old": assay.Slower} {
		r, err := OpenPair(store, "aaaa", pair)
		if err != nil {
			t.Errorf("%q: %v", pair, err)
			continue
		}
		base, _, swapped := strings.Cut(pair, ",")
		if !swapped {
			base = "old"
		}
		if c := r.Tables[0].Rows[0].Cells; r.Base != base || len(c) != 1 || c[0].Verdict != want || r.Ref != pathRef(dir) {
			t.Errorf("%q: got %+v against %s of %s, want one that is %s than %s", pair, c, r.Base, r.Ref, want, base)
		}
	}
	_, err := OpenPair(store, "aaaa", "old,young")
	if e, ok := errors.AsType[*assay.Error](err); !ok || e.Code != assay.CodeUnknownVariant || !strings.Contains(e.Text, "young") {
		t.Errorf("a variant that the run does not have: got %v", err)
	}
}

// What a trial printed is told by its streams, fit to print; of a trial that is none, or
// was measured in another run, it is said.
func TestPrinted(t *testing.T) {
	store := t.TempDir()
	keep(t, store, demo("aaaa", 1), false)
	parts, err := Printed(store, "aaaa", 2)
	if err != nil || len(parts) != 2 || parts[0] != [2]string{"stdout of trial 2:", "trial 2"} || parts[1] != [2]string{"server of trial 2:", "up"} {
		t.Errorf("got %q, %v, want what trial 2 and its server printed", parts, err)
	}
	for _, trial := range []int{0, 10} {
		_, err := Printed(store, "aaaa", trial)
		if e, ok := errors.AsType[*assay.Error](err); !ok || e.Code != assay.CodeNoLog || len(e.Facts) != 1 || e.Facts[0] != "it has trials 1 to 9" {
			t.Errorf("trial %d: got %v, want the numbers of the trials", trial, err)
		}
	}
	_, err = Printed("none", "../../studies/queue-path/record", 1)
	if e, ok := errors.AsType[*assay.Error](err); !ok || e.Code != assay.CodeNoLog || len(e.Facts) != 0 || e.Try != "assay show ../../studies/queue-path/record" {
		t.Errorf("a trial without output: got %v", err)
	}
}

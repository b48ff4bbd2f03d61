package analysis

import (
	"strings"
	"testing"
	"time"

	"github.com/seed-1318a441/assay"
)

// Of several variants before the first verdict is possible nothing is known: they are not
// tied.
func TestNothingKnownIsNoTie(t *testing.T) {
	w := noisyWorld(3, []string{"A", "B"}, nil, "old", "new", "newer", assay.ControlName)
	tr := NewTracker(w.plan, time.Minute)
	for range 3 {
		tr.Add(w.hold(tr.Next()))
	}
	a := tr.Result(assay.Platform{}, "budget").Answer
	if len(a.Text) != 1 || !strings.HasPrefix(a.Text[0], "not decided: 3 of ") || a.Verdict != assay.Unclear {
		t.Errorf("%s: %q", a.Verdict, a.Text)
	}
}

package survey

import (
	"math"
	"testing"
	"time"

	"github.com/seed-1318a441/assay/internal/calibration"
	"github.com/seed-1318a441/assay/internal/lab"
	"github.com/seed-1318a441/assay/internal/trial"
)

// Slices are admitted that measure what plain runs do, and get a few tries, each with plain
// runs of its own.
func TestAdmit(t *testing.T) {
	const perOp = 1e-3
	at := func(factor float64) measured { // of both variants
		ln := math.Log(factor * perOp)
		return measured{level: []float64{ln, ln}}
	}
	counted := at(1.5)
	counted.counts = at(1).level
	for _, test := range []struct {
		name  string
		tries []measured // the last one again and again
		late  bool
		why   string
		want  int // tries
	}{
		{"the same", []measured{at(1.02)}, false, "", 1},
		{"slower", []measured{at(1.5)}, false, "it is off by 50 %", calibration.Tries},
		{"faster", []measured{at(1 / 1.5)}, false, "it is off by 50 %", calibration.Tries},
		{"disturbed once", []measured{at(1.2), at(1)}, false, "", calibration.Tries},
		{"by what counts", []measured{counted}, false, "", 1},
		{"slower, no time", []measured{at(1.3)}, true, "it is off by 30 %", calibration.Tries},
		{"disturbed once, no time", []measured{at(1.2), at(1)}, true, "", calibration.Tries},
	} {
		m := &made{run: func(lab.RunRequest) trial.Outcome { return result(perOp, 1000, "X") }}
		c := chosen(t, oldNew(), m)
		c.refs = calibration.Plains{{PerOp: perOp}, {PerOp: perOp}}
		if test.late {
			c.until = time.Now().Add(-time.Second)
		}
		tries := 1
		again := func() (measured, error) {
			tries++
			return test.tries[min(tries, len(test.tries))-1], nil
		}
		why, err := reason(c.admit(t.Context(), "it is off", test.tries[0], again))
		if err != nil || why != test.why || tries != test.want {
			t.Errorf("%s: got %q after %d tries, %v; want %q after %d", test.name, why, tries, err, test.why, test.want)
		}
		if want := 2 * (tries - 1); len(m.ran) != want { // of two variants
			t.Errorf("%s: %d plain runs, want %d", test.name, len(m.ran), want)
		}
	}
}

// Plain runs that are repeated are compared with from then on; one that has become useless
// ends the gear.
func TestRepeatReferences(t *testing.T) {
	out := result(2e-3, 500, "X")
	m := &made{run: func(lab.RunRequest) trial.Outcome { return out }}
	c := chosen(t, oldNew(), m)
	c.surveyor.Memo = inMemory()
	c.refs = calibration.Plains{{PerOp: 1e-3}, {PerOp: 1e-3}}
	if err := c.repeatReferences(t.Context()); err != nil || c.refs[0].PerOp != 2e-3 || c.refs[1].PerOp != 2e-3 || c.anew {
		t.Errorf("got %+v, %v, anew %t; want 2 ms of both", c.refs, err, c.anew)
	}
	// They run as many operations as the first ones had, without the runs that find them.
	c.refs[0].N, c.refs[1].N = 700, 0
	if err := c.repeatReferences(t.Context()); err != nil || m.ran[2].N != 700 || m.ran[2].Time != 0 || m.ran[3].N != 0 || m.ran[3].Time != time.Second {
		t.Errorf("%v: ran %+v, want 700 of the first and a second of the other", err, m.ran[2:])
	}
	out = result(2, 1, "X")
	if why, err := reason(c.repeatReferences(t.Context())); why != tooLong+` in "old"` || err != nil {
		t.Errorf("got %q, %v; want that it is too long", why, err)
	}
}

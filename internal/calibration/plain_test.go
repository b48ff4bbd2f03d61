package calibration

import (
	"math"
	"testing"
)

// The plain runs say how many CPUs a benchmark needs, whether it allocates, and what an
// operation takes.
func TestPlains(t *testing.T) {
	one := Plains{{PerOp: 4, Busy: 1}, {PerOp: 1, Busy: 1.08}}
	for busy, want := range map[float64]bool{1.03: true, 1.08: false, 0.6: false} {
		if ps := (Plains{{Busy: 1}, {Busy: busy}}); ps.OneCPU() != want {
			t.Errorf("a variant keeps %v CPUs busy: one CPU %t", busy, !want)
		}
	}
	if one.Allocate() || !(Plains{{}, {Bytes: 8}}).Allocate() || !(Plains{{Allocs: 1}, {}}).Allocate() {
		t.Error("it allocates if a variant does")
	}
	if got := one.Fastest(); got != 1 {
		t.Errorf("the fastest takes %v, want 1", got)
	}
	if got := one.Typical(); math.Abs(got-2) > 1e-12 {
		t.Errorf("typical is %v, want the geometric mean 2", got)
	}
	if got := one.Off([]float64{math.Log(8), 0}); math.Abs(got[0]-math.Ln2) > 1e-12 || math.Abs(got[1]) > 1e-12 {
		t.Errorf("off by %v, want ln 2 and 0", got)
	}
}

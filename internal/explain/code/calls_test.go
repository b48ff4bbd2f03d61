package code

import (
	"maps"
	"testing"
)

// TestPairs: what went is paired with what came only where there is no choice.
func TestPairs(t *testing.T) {
	type counts = map[string]int
	const object, small2, small4 = "runtime.newobject", "runtime.mallocgcSmallNoScanSC2", "runtime.mallocgcSmallNoScanSC4"
	for _, c := range []struct {
		name      string
		lost, won counts
		want      map[edge]int
		left      int // callees left over
	}{
		{"one for one", counts{"a.F": 2}, counts{"b.G": 2}, map[edge]int{{from: "a.F", to: "b.G"}: 2}, 0},
		{"not as often", counts{"a.F": 2}, counts{"b.G": 1}, map[edge]int{}, 2},
		{"two of another package", counts{"a.F": 1}, counts{"b.G": 1, "b.H": 1}, map[edge]int{}, 3},
		{"one of the same package", counts{"a.F": 1}, counts{"a.G": 1, "b.H": 1}, map[edge]int{{from: "a.F", to: "a.G"}: 1}, 1},
		{"two of the same package", counts{"a.F": 1}, counts{"a.G": 1, "a.H": 1}, map[edge]int{}, 3},
		{"allocators", counts{object: 3, "a.F": 1}, counts{small2: 2, small4: 1}, map[edge]int{{from: object, to: small2}: 2, {from: object, to: small4}: 1}, 1},
		{"fewer objects", counts{object: 3}, counts{small2: 2}, map[edge]int{{from: object, to: small2}: 2}, 1},
		{"other things of the run time", counts{"runtime.mapassign_fast64": 1, "runtime.chanrecv1": 1}, counts{"runtime.growslice": 1}, map[edge]int{}, 3},
		{"checks", counts{"runtime.panicIndex": 4, "runtime.panicSliceB": 1}, counts{"runtime.panicBounds": 5},
			map[edge]int{{from: "runtime.panicIndex", to: "runtime.panicBounds"}: 4, {from: "runtime.panicSliceB", to: "runtime.panicBounds"}: 1}, 0},
	} {
		d := callDiff{lost: maps.Clone(c.lost), won: maps.Clone(c.won), changed: map[edge]int{}}
		d.pairKin()
		d.pairAlone()
		if !maps.Equal(d.changed, c.want) || len(d.lost)+len(d.won) != c.left {
			t.Errorf("%s: got %v, left %v %v; want %v and %d left", c.name, d.changed, d.lost, d.won, c.want, c.left)
		}
	}
}

func TestGlob(t *testing.T) {
	for _, c := range []struct {
		pattern, name string
		want          bool
	}{
		{"runtime.newobject", "runtime.newobject", true},
		{"runtime.newobject", "runtime.newobject2", false},
		{"runtime.*malloc*", "runtime.mallocgcSmallNoScanSC4", true},
		{"runtime.*malloc*", "xruntime.malloc", false},
		{"*", "a/b.F", true},
		{"*.F", "a/b.F", true},
		{"a*b*a", "aba", true},
		{"ab*ba", "aba", false},
	} {
		if got := glob(c.pattern, c.name); got != c.want {
			t.Errorf("glob(%q, %q): got %v, want %v", c.pattern, c.name, got, c.want)
		}
	}
}

package sheet

import (
	"testing"

	"github.com/seed-1318a441/assay"
)

// How benchmarks are measured is said unless each trial is a process, in the order of the
// gears.
func TestPlannedGears(t *testing.T) {
	for _, c := range []struct {
		gears []assay.Gear
		want  string
	}{
		{[]assay.Gear{"", ""}, ""},
		{[]assay.Gear{"", assay.GearProcesses}, ""},
		{[]assay.Gear{"", assay.GearTurns, assay.GearSlices, assay.GearSlices}, "slices (2 benchmarks), turns (1 benchmark), processes (1 benchmark)"},
		{[]assay.Gear{assay.GearTurns}, "turns (1 benchmark)"},
	} {
		p := new(assay.Plan)
		for _, g := range c.gears {
			p.Benchmarks = append(p.Benchmarks, assay.PlannedBenchmark{Gear: g})
		}
		if got := PlannedGears(p); got != c.want {
			t.Errorf("%q: got %q, want %q", c.gears, got, c.want)
		}
	}
}

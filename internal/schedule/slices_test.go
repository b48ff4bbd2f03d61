package schedule

import (
	"testing"
	"time"

	"github.com/seed-1318a441/assay"
)

// Blocks have more slices where links cost more than they do, and fewer where a verdict
// would not fit.
func TestFitSlices(t *testing.T) {
	for name, c := range map[string]struct {
		link, left time.Duration
		want       int
	}{
		"links cost nothing":                  {0, time.Hour, 101},
		"links cost half as much":             {300 * time.Millisecond, time.Hour, 101},
		"links cost as much again and a half": {900 * time.Millisecond, time.Hour, 151},
		"links cost ten times as much":        {6 * time.Second, time.Hour, 151},
		"hardly time for a verdict":           {0, 6500 * time.Millisecond, 87},
		"no time for a verdict":               {0, time.Second, 31},
	} {
		p := &assay.Plan{Link: c.link, Left: c.left, Variants: []assay.Variant{{Name: "a"}, {Name: "b"}, {Name: "control", Control: true}},
			Study: assay.Study{Base: "a", Variants: []assay.Variant{{Name: "a"}, {Name: "b"}}, Decide: assay.Decide{Budget: time.Hour, Confidence: 0.99}},
			Benchmarks: []assay.PlannedBenchmark{
				{Gear: assay.GearSlices, Slices: 101, Warm: 2, Trial: 103 * time.Millisecond},
				{Gear: assay.GearSlices, Slices: 101, Warm: 2, Trial: 103 * time.Millisecond},
				{Gear: assay.GearTurns, Slices: 2},
			}}
		FitSlices(p)
		b := p.Benchmarks[1]
		if b.Slices < c.want-4 || b.Slices > c.want+4 || b.Slices%2 == 0 {
			t.Errorf("%s: %d slices, want about %d", name, b.Slices, c.want)
		}
		if want := time.Duration(b.Slices+2) * time.Millisecond; b.Trial != want {
			t.Errorf("%s: a trial takes %v, want %v", name, b.Trial, want)
		}
		if p.Benchmarks[2].Slices != 2 {
			t.Errorf("%s: turns changed", name)
		}
	}
}

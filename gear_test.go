package assay

import "testing"

// Each gear measures some kind of workload, and one that is not a gear keeps nothing alive.
func TestGears(t *testing.T) {
	for _, c := range []struct {
		gear       Gear
		sideBySide bool
		measures   []Kind
	}{
		{"", false, []Kind{KindGoTest, KindCommand, KindService}},
		{GearProcesses, false, []Kind{KindGoTest, KindCommand, KindService}},
		{GearSlices, true, []Kind{KindGoTest}},
		{GearTurns, true, nil},
	} {
		n := 0
		for _, k := range []Kind{KindGoTest, KindCommand, KindService} {
			if c.gear.Measures(k) {
				n++
			}
		}
		for _, k := range c.measures {
			if !c.gear.Measures(k) {
				t.Errorf("%q does not measure %s", c.gear, k)
			}
		}
		if n != len(c.measures) || c.gear.SideBySide() != c.sideBySide {
			t.Errorf("%q: measures %d kinds, side by side %v; want %d, %v", c.gear, n, c.gear.SideBySide(), len(c.measures), c.sideBySide)
		}
	}
}

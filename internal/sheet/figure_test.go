package sheet

import "testing"

// A legend has all digits of what a study fixed, and says what has no room.
func TestRulerLegend(t *testing.T) {
	l := RulerLegend{Dots: true, Noise: true, Confidence: 0.995, MinEffect: 0.125, More: 3}
	words, zone := l.Wide()
	if want := "3 more not shown · dots: blocks · line: 99.5 % interval · grey: noise · shaded: minimum effect"; words != want || zone != "±12.5 %" {
		t.Errorf("wide: %q, %q", words, zone)
	}
	if words, zone = l.Narrow(); words != "grey: noise · shaded: minimum effect" || zone != "±12.5 %" {
		t.Errorf("narrow: %q, %q", words, zone)
	}
	if words, zone = (RulerLegend{}).Narrow(); words+zone != "" {
		t.Errorf("of nothing: %q, %q", words, zone)
	}
}

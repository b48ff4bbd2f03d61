package lab

import (
	"testing"
	"time"

	"github.com/seed-1318a441/assay"
)

// More blocks run until each variant has enough samples, if that is within a minute; how
// many the user wants is not exceeded.
func TestMoreSamples(t *testing.T) {
	for _, c := range []struct {
		name           string
		base, variant  int64
		took           time.Duration // of 60 blocks
		blocks, wanted int
		want           bool
	}{
		{"enough", 300, 900, time.Second, 60, 0, false},
		{"the variant has too few", 900, 299, time.Second, 60, 0, true},
		{"in a minute", 100, 900, 19 * time.Second, 60, 0, true},
		{"not in a minute", 100, 900, 21 * time.Second, 60, 0, false},
		{"none at all", 900, 0, time.Second, 60, 0, false},
		{"as many as wanted", 100, 100, time.Second, 60, 60, false},
	} {
		in := &runningInquiry{Inquiry: &Inquiry{Blocks: c.wanted}, variants: []assay.Variant{{Name: "old"}, {Name: "new"}},
			samples: map[string]int64{"old": c.base, "new": c.variant}, took: c.took}
		if got := in.more(c.blocks); got != c.want {
			t.Errorf("%s: got %t, want %t", c.name, got, c.want)
		}
	}
}

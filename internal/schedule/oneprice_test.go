package schedule

import (
	"strings"
	"testing"

	"github.com/seed-1318a441/assay"
)

// An output has one price: what adds to the run, else the largest budget. Commands about
// anything else stay, whatever budget they repeat.
func TestOnePrice(t *testing.T) {
	const force = "assay compare --force --budget=1h0m0s old new"
	for _, c := range []struct {
		name string
		try  []string
		want string
	}{
		{"none", []string{"", "assay doctor", force}, " assay doctor " + force},
		{"one", []string{force, "assay compare --budget 30m old new"}, force + " assay compare --budget 30m old new"},
		{"the largest", []string{"assay compare --budget 90s old new", "assay compare --budget 1h old new", "assay compare --budget 30m old new"}, " assay compare --budget 1h old new "},
		{"blocks", []string{"assay compare --blocks 5- old new", "assay compare --budget 1h --blocks=2 old new"}, "assay compare --blocks 5- old new "},
		{"what adds to few blocks", []string{"assay compare --blocks 5- old new", "assay compare --more 15s --blocks=2 old new"}, " assay compare --more 15s --blocks=2 old new"},
		{"what adds", []string{"assay compare --budget 1h old new", "assay compare --more 15s --budget=1m0s old new"}, " assay compare --more 15s --budget=1m0s old new"},
	} {
		var ws []assay.Warning
		for _, try := range c.try {
			ws = append(ws, assay.Warning{Text: "so", Try: try})
		}
		var got []string
		for _, w := range OnePrice(ws) {
			got = append(got, w.Try)
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
		if ws[0].Try != c.try[0] {
			t.Errorf("%s: the warnings that were given changed", c.name)
		}
	}
}

package answer

import (
	"cmp"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/printable"
)

// Counts says how many comparisons have which verdict, in the order in which the words
// first come: "412 same, 1 faster, 13 within ±15 %". The bound holds for all that it counts,
// which come last.
func Counts(list []assay.Comparison) string {
	var words []string
	var widest assay.Comparison
	n, within := map[string]int{}, 0
	for _, c := range list {
		if c.Bound() != "" {
			within, widest = within+1, wider(widest, c)
			continue
		}
		w := cmp.Or(c.Words(), "without verdict")
		if n[w]++; n[w] == 1 {
			words = append(words, w)
		}
	}
	for i, w := range words {
		words[i] = printable.Int(n[w]) + " " + w
	}
	if within > 0 {
		words = append(words, printable.Int(within)+" "+widest.Words())
	}
	return strings.Join(words, ", ")
}

// wider is the one of two comparisons whose interval reaches farther from 0. The first may
// have none.
func wider(a, b assay.Comparison) assay.Comparison {
	if a.Interval == nil || a.Interval.Farthest() < b.Interval.Farthest() {
		return b
	}
	return a
}

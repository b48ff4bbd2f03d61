package report

import (
	"fmt"

	"github.com/seed-1318a441/assay"
)

// Compared is a comparison on one line, as the tables print it: "12 to 14, +16.7 %
// (exact), more" or "+8.1 % [+6.9, +9.3], slower", with why it is no clearer.
func Compared(m assay.Metric, base float64, c assay.Comparison) string {
	s := &Sheet{r: &assay.Result{}}
	e := entry{metric: m, base: base, cells: []assay.Comparison{c}}
	f := s.fields(e, c.Variant)
	text := joinWords(" ", f.change.joined(), f.interval.joined())
	if c.Exact {
		text = fmt.Sprintf("%s to %s, %s", e.number(base).joined(), f.value.joined(), text)
	}
	return joinWords("; ", joinWords(", ", text, verdictWord(c.Verdict)), f.note)
}

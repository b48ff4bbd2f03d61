package report

import (
	"fmt"
	"strconv"

	"github.com/seed-1318a441/assay"
)

// Compared is a comparison on one line, as the tables print it: "12 to 14, +16.7 %
// (exact), more" or "+8.1 % [+6.9, +9.3], slower", with why it is no clearer.
func Compared(m assay.Metric, base float64, c assay.Comparison) string {
	s := &sheet{r: &assay.Result{}}
	e := entry{metric: m, base: base, cells: []assay.Comparison{c}}
	f := s.fields(e, c.Variant)
	text := joinWords(" ", f.change.joined(), f.interval.joined())
	if c.Exact {
		text = fmt.Sprintf("%s to %s, %s", e.number(base).joined(), f.value.joined(), text)
	}
	return joinWords("; ", joinWords(", ", text, verdictWord(c.Verdict)), f.note)
}

// Percent is a limit or a margin as it is printed: "3 %", "0.5 %".
func Percent(f float64) string {
	if bogus(f) {
		return strconv.FormatFloat(f, 'g', -1, 64)
	}
	return margin(f)
}

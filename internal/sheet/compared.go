package sheet

import (
	"fmt"

	"github.com/seed-1318a441/assay"
)

// Compared is a comparison on one line, as the tables print it: "12 to 14, +16.7 %
// (exact), more" or "+8.1 % [+6.9, +9.3], slower", with why it is no clearer.
func Compared(m assay.Metric, base float64, c assay.Comparison) string {
	s := &Sheet{Result: &assay.Result{}}
	e := Entry{Metric: m, Base: base, Cells: []assay.Comparison{c}}
	f := s.Fields(e, c.Variant)
	text := Joined(f.Change, f.Interval)
	if c.Exact {
		text = fmt.Sprintf("%s to %s, %s", e.Number(base).Joined(), f.Value.Joined(), text)
	}
	return JoinWords("; ", JoinWords(", ", text, VerdictWords(c)), f.Note)
}

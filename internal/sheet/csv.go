package sheet

import (
	"encoding/csv"
	"io"
	"strconv"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/printable"
)

// csvHead are the columns of [WriteCSV].
var csvHead = []string{"metric", "unit", "package", "benchmark", "variant", "base", "against", "base_value", "value",
	"change", "lo", "hi", "verdict", "n", "e", "exact", "reason"}

// WriteCSV writes the comparisons of a result, a line each: every benchmark, metric and
// variant against the base, and every step against the previous one. A line without a
// benchmark is about the geomean. Numbers are raw, changes relative (0.05 is +5 %), and
// what is not known is empty.
func WriteCSV(w io.Writer, r *assay.Result) error {
	out := csv.NewWriter(w)
	lines := [][]string{csvHead}
	for _, t := range r.Tables {
		for _, c := range Comparisons(r, t) {
			lines = append(lines, csvLine(r, t.Metric, c))
		}
	}
	return out.WriteAll(lines)
}

func csvLine(r *assay.Result, m assay.Metric, c Comparison) []string {
	line := []string{csvText(m.Name), Unit(m.Name), csvText(c.Benchmark.Package), csvText(c.Benchmark.Name), csvText(c.Variant), csvText(r.Base), csvText(c.Against), csvNumber(c.Base)}
	return append(append(line, CSVFigures(c.Comparison)...), strconv.FormatBool(c.Exact), csvText(c.Reason))
}

// CSVFigures returns the fields of a line of [WriteCSV] from value to e, which follow from the
// comparison alone.
func CSVFigures(c assay.Comparison) []string {
	value, change, lo, hi, e := csvNumber(c.Value), csvNumber(float64(c.Change)), "", "", ""
	if c.N == 0 || c.Verdict == assay.Invalid {
		value, change = "", "" // nothing was measured: a zero would be a value
	}
	if c.Interval != nil {
		lo, hi = csvNumber(float64(c.Interval.Lo)), csvNumber(float64(c.Interval.Hi))
	}
	if c.E != 0 {
		e = csvNumber(c.E)
	}
	return []string{value, change, lo, hi, string(c.Verdict), strconv.Itoa(c.N), e}
}

// csvNumber is a number in full, "" where there is none; zero has no sign.
func csvNumber(x float64) string {
	switch {
	case NotFinite(x):
		return ""
	case x == 0:
		return "0"
	}
	return strconv.FormatFloat(x, 'g', -1, 64)
}

// csvText is a text, fit to print, that no spreadsheet takes for a formula: where it
// begins like one, it has an apostrophe in front.
func csvText(text string) string {
	text = printable.Clean(text)
	if t := strings.TrimLeft(text, " "); t != "" && strings.ContainsRune("=+-@", rune(t[0])) {
		return "'" + text
	}
	return text
}

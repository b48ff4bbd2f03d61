package raw

import (
	"encoding/csv"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/printable"
	"github.com/seed-1318a441/assay/internal/sheet"
)

// csvHead are the columns of [CSV].
var csvHead = []string{"metric", "unit", "package", "benchmark", "variant", "base", "against", "base_value", "value",
	"change", "lo", "hi", "verdict", "n", "e", "exact", "reason"}

// CSV writes the comparisons of a result, a line each: every benchmark, metric and
// variant against the base, and every step against the step before it. A line
// without a benchmark is the geomean. Numbers are raw, changes relative (0.05 is
// +5 %), and what is not known is empty.
func CSV(w io.Writer, r *assay.Result) error {
	out := csv.NewWriter(w)
	lines := [][]string{csvHead}
	for _, t := range r.Tables {
		lines = append(lines, csvTable(r, t)...)
	}
	if err := out.WriteAll(lines); err != nil {
		return err
	}
	return out.Error()
}

// csvTable are the lines of a metric: benchmarks, geomean, steps.
func csvTable(r *assay.Result, t assay.Table) (lines [][]string) {
	values := csvValues{}
	for _, row := range t.Rows {
		values.set(row.Benchmark, r.Base, row.Base)
		for _, c := range row.Cells {
			values.set(row.Benchmark, c.Variant, c.Value)
		}
	}
	for _, row := range t.Rows {
		for _, c := range row.Cells {
			lines = append(lines, csvLine(r, t.Metric, row.Benchmark, c, r.Base, row.Base))
		}
	}
	values.set(assay.Benchmark{}, r.Base, sheet.GeomeanBase(t))
	for _, c := range t.Geomean {
		values.set(assay.Benchmark{}, c.Variant, c.Value)
		lines = append(lines, csvLine(r, t.Metric, assay.Benchmark{}, c, r.Base, sheet.GeomeanBase(t)))
	}
	for _, s := range t.Steps {
		for _, c := range s.Cells {
			lines = append(lines, csvStep(r, t.Metric, c.Benchmark, c, s.Previous, values))
		}
		if s.Whole != nil && len(t.Geomean) > 0 {
			lines = append(lines, csvStep(r, t.Metric, assay.Benchmark{}, *s.Whole, s.Previous, values))
		}
	}
	return lines
}

// csvStep is a step against the one before it. The value against which it is follows
// from the change where that is a ratio: blocks that hold both steps say it, and the
// previous step's own line is of other blocks.
func csvStep(r *assay.Result, m assay.Metric, b assay.Benchmark, c assay.Comparison, previous string, values csvValues) []string {
	value := values.of(b, previous)
	if ratio := 1 + float64(c.Change); ratio > 0 && !(c.Change == 0 && c.Verdict.Differs()) {
		value = c.Value / ratio
	}
	return csvLine(r, m, b, c, previous, value)
}

// csvValues are the values of one metric, by benchmark and variant.
type csvValues map[csvKey]float64

type csvKey struct {
	benchmark assay.Benchmark
	variant   string
}

func (v csvValues) set(b assay.Benchmark, variant string, x float64) { v[csvKey{b, variant}] = x }

// of is a value, NaN where it is not known.
func (v csvValues) of(b assay.Benchmark, variant string) float64 {
	if x, ok := v[csvKey{b, variant}]; ok {
		return x
	}
	return math.NaN()
}

// csvLine is one comparison with the variant against which it is, and that one's
// value, NaN where it is not known.
func csvLine(r *assay.Result, m assay.Metric, b assay.Benchmark, c assay.Comparison, against string, base float64) []string {
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
	return []string{csvText(m.Name), sheet.Unit(m.Name), csvText(b.Package), csvText(b.Name), csvText(c.Variant), csvText(r.Base), csvText(against),
		csvNumber(base), value, change, lo, hi, string(c.Verdict), strconv.Itoa(c.N), e, strconv.FormatBool(c.Exact), csvText(c.Reason)}
}

// csvNumber is a number in full, "" where there is none; zero has no sign.
func csvNumber(x float64) string {
	switch {
	case sheet.NotFinite(x):
		return ""
	case x == 0:
		return "0"
	}
	return strconv.FormatFloat(x, 'g', -1, 64)
}

// csvText is a text that no spreadsheet takes for a formula: where it begins like
// one, it has an apostrophe in front. It is fit to print, as all texts are.
func csvText(text string) string {
	text = printable.Clean(text)
	if t := strings.TrimLeft(text, " "); t != "" && strings.ContainsRune("=+-@", rune(t[0])) {
		return "'" + text
	}
	return text
}

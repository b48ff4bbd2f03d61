package sheet

import (
	"math"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/analysis/answer"
	"github.com/seed-1318a441/assay/internal/analysis/sample"
	"github.com/seed-1318a441/assay/internal/printable"
)

// An Entry is a row to print: a benchmark of a metric, a geomean, or in a result of one
// benchmark a metric.
type Entry struct {
	Label   string
	Heading string // a line printed before it, such as "pkg: …"
	Geomean bool   // it stands under the rows of which it is the geomean
	Metric  assay.Metric
	Base    float64 // NaN where it is not known
	Spread  *assay.Spread
	Cells   []assay.Comparison
	bench   string // the service, if it is of one
	Refused string // why there is no value
}

// EntryOf is the entry of a row of a table.
func EntryOf(t assay.Table, r assay.Row) Entry {
	return Entry{Label: r.Benchmark.Name, Metric: t.Metric, Base: r.Base, Spread: r.Spread, Cells: r.Cells}
}

// Geomean is the entry of a table's geomean.
func Geomean(r *assay.Result, t assay.Table) Entry {
	return Entry{Label: GeomeanWords(r, t, t.Geomean), Geomean: true, Metric: t.Metric, Cells: t.Geomean, Base: GeomeanBase(t)}
}

// AtEnd reports whether the change of a geomean is an end of its interval, because the
// mean of its benchmarks' changes lies beyond.
func AtEnd(c assay.Comparison) bool {
	i := c.Interval
	return i != nil && c.Benchmark == sample.Geomean && (c.Change == i.Lo || c.Change == i.Hi)
}

// EndWords say what AtEnd reports.
const EndWords = "end of the interval: the mean of the benchmarks is beyond it"

// GeomeanWords say what the geomeans of a list are over: "geomean of 24" benchmarks, and
// "geomean of 24 (n=10)" where other blocks than those of the run had all of them.
func GeomeanWords(r *assay.Result, t assay.Table, list []assay.Comparison) string {
	text := GeomeanWord
	if t.Common > 0 {
		text += " of " + printable.Int(t.Common)
	}
	return text + OtherBlocks(r, list)
}

// OtherBlocks is " (n=10)" or " (n=8–10)" of comparisons with other numbers of blocks
// than the run's, which its head has.
func OtherBlocks(r *assay.Result, list []assay.Comparison) string {
	n := answer.OtherBlocks(r, list)
	if n == "" {
		return ""
	}
	return " (n=" + n + ")"
}

// GeomeanBase is the base's value for the changes of a geomean, NaN where it is not
// known. It is over the blocks in which all benchmarks ran, while rows may have more.
func GeomeanBase(t assay.Table) float64 {
	if t.GeomeanBase != 0 {
		return t.GeomeanBase
	}
	for _, c := range t.Geomean { // older records do not have the field
		if ratio := 1 + float64(c.Change); c.N > 0 && ratio > 0 {
			return c.Value / ratio
		}
	}
	return math.NaN()
}

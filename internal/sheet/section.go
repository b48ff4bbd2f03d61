package sheet

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/printable"
)

// MaxRows is the number of rows of a table before it is cut to what changed.
const MaxRows = 40

// LongTable is the number of rows up to which tables are not cut to fit a screen.
const LongTable = 20

// A Room is how many rows the tables of a long suite may have: those of metrics that
// decide, and those of the others, which are counted in a line where they have none. The
// zero value is MaxRows for both.
type Room struct{ Deciding, Others int }

// Unlimited is the room for every row.
var Unlimited = Room{Deciding: math.MaxInt, Others: math.MaxInt}

// rows is the number of rows that a table may have.
func (r Room) rows(t assay.Table) int {
	switch {
	case r == Room{}, r != Unlimited && len(t.Rows) <= LongTable:
		return MaxRows
	case t.Decides:
		return r.Deciding
	}
	return r.Others
}

// A Section is a titled group of entries.
type Section struct {
	Title   string
	Decides bool
	Entries []Entry
	Tail    string         // a line after the entries
	Facts   []fact         // metrics, and what holds for all of them
	Bench   string         // the name of a service that begins here
	Aside   string         // follows the title where there is room
	hidden  int            // metrics that were left out
	Latency *assay.Latency // pictured after the entries
}

// A fact is what holds for all of a metric, or of several. Short means that more is known
// of it; a writer says how to see that.
type fact struct {
	Lead, Text string
	Short      bool
}

// Sections are what is printed of all tables; see [choice].
func (s *Sheet) Sections() []Section { return choice{s}.sections() }

// A choice says which rows of a sheet are printed. Metrics that decide come in full.
// Allocations come where they differ, and CPU, memory and rates as their geomeans, since
// they are noisy or follow from the time.
type choice struct{ sheet *Sheet }

func (s choice) sections() []Section {
	if s.sheet.Single() {
		return s.metricSection()
	}
	var out []Section
	sums := Section{}
	rest, gc := Section{}, Section{}
	for _, t := range s.sheet.Result.Tables {
		switch {
		case len(t.Rows) == 0:
		case IsGC(t.Metric.Name) && !t.Decides && !s.sheet.all:
			s.collector(t, &gc)
		case t.Decides || s.sheet.all:
			out = append(out, s.full(t))
		case Unchanged(t.Rows):
			rest.Facts = addFact(rest.Facts, t.Metric.Name, unchangedText(t.Rows), false)
		case !slices.ContainsFunc(t.Rows, s.bounded):
			rest.Facts = addFact(rest.Facts, t.Metric.Name, "no interval yet in all "+printable.Int(len(t.Rows)), true)
		case Summarised(t.Metric.Name) && !s.rateAlone(t):
			s.summary(t, &sums, &rest)
		case s.sheet.Room.rows(t) == 0:
			rest.Facts = addFact(rest.Facts, t.Metric.Name, counts(t.Rows), true)
		default:
			out = append(out, s.partial(t))
		}
	}
	if len(sums.Entries) > 0 {
		sums.Title = GeomeanWord
		out = append(out, sums)
	}
	if len(rest.Facts) > 0 {
		out = append(out, rest)
	}
	return s.withCollector(out, gc, GeomeanWord)
}

func (s choice) metricSection() []Section {
	sec := Section{Title: s.sheet.Result.Tables[0].Rows[0].Benchmark.Name, Decides: true}
	rest, gc := Section{}, Section{}
	for _, t := range s.sheet.Result.Tables {
		switch {
		case len(t.Rows) != 1:
		case IsGC(t.Metric.Name) && !t.Decides:
			s.collector(t, &gc)
		case s.unasked(t, t.Rows[0].Cells):
			rest.Facts = addFact(rest.Facts, t.Metric.Name, noChange, true)
		default:
			e := EntryOf(t, t.Rows[0])
			e.Label = t.Metric.Name
			sec.Entries = append(sec.Entries, e)
		}
	}
	out := []Section{sec}
	if len(rest.Facts) > 0 {
		out = append(out, rest)
	}
	return s.withCollector(out, gc, sec.Title)
}

// unasked reports whether a table shows nothing that anybody asked for: CPU, memory or
// counts, for which no run waits, without a verdict or equal in every trial.
func (s choice) unasked(t assay.Table, cells []assay.Comparison) bool {
	return !s.sheet.all && !t.Decides && Summarised(t.Metric.Name) &&
		!slices.ContainsFunc(cells, func(c assay.Comparison) bool {
			return c.Verdict != assay.Unclear && !(c.Verdict == assay.Same && (c.Exact || c.Never()))
		})
}

// rateAlone reports whether a table is the throughput of benchmarks whose time is not known:
// then it follows from nothing that is printed.
func (s choice) rateAlone(t assay.Table) bool {
	timed := func(row assay.Row) bool {
		return slices.ContainsFunc(s.sheet.Result.Tables, func(o assay.Table) bool {
			return o.Metric.IsTime() && slices.ContainsFunc(o.Rows, func(r assay.Row) bool { return r.Benchmark == row.Benchmark })
		})
	}
	return t.Metric.Name == assay.MetricRate && !slices.ContainsFunc(t.Rows, timed)
}

const noChange = "no change shown"

// Summarised reports whether a metric is printed as its geomean: it is noisy, or follows
// from the time.
func Summarised(metric string) bool {
	m, _ := assay.FindMetric(metric)
	return m.Follows
}

func (s choice) full(t assay.Table) Section {
	sec := Section{Title: t.Metric.Name, Decides: t.Decides}
	if s.briefly(t) {
		sec.Entries, sec.Tail = []Entry{Geomean(s.sheet.Result, t)}, s.rowsOf(t)+" "+s.sheet.ShowAll()
		return sec
	}
	rows := t.Rows
	if !s.sheet.all {
		rows, sec.Tail = s.fold(rows, s.sheet.Room.rows(t))
	}
	sec.Entries = grouped(t, rows)
	if len(t.Geomean) > 0 {
		g := Geomean(s.sheet.Result, t)
		if severalPackages(t.Rows) {
			g.Heading = "all packages"
		}
		sec.Entries = append(sec.Entries, g)
	}
	return sec
}

// partial prints the rows that changed or may have.
func (s choice) partial(t assay.Table) Section {
	sec := Section{Title: t.Metric.Name}
	if s.briefly(t) {
		sec.Entries, sec.Tail = []Entry{Geomean(s.sheet.Result, t)}, s.rowsOf(t)
		return sec
	}
	var rows []assay.Row
	same, exact := 0, true
	for _, r := range t.Rows {
		if isUnchanged(r) {
			same++
			exact = exact && allExact(r)
			continue
		}
		rows = append(rows, r)
	}
	rows, sec.Tail = s.fold(rows, s.sheet.Room.rows(t))
	sec.Entries = grouped(t, rows)
	if same > 0 {
		text := fmt.Sprintf("… %s more, %s", printable.Int(same), unchangedWord(t.Rows))
		if exact {
			text += " (exact)"
		}
		sec.Tail = strings.TrimPrefix(sec.Tail+"; "+text, "; ")
	}
	return sec
}

// summary prints a table as its geomean, or as counts where it has none.
func (s choice) summary(t assay.Table, sums, rest *Section) {
	if s.unasked(t, wholeOf(t)) {
		text := noChange
		if slices.ContainsFunc(AllCells(t), func(c assay.Comparison) bool { return c.Verdict.Differs() }) {
			text = counts(t.Rows) // nothing is proved on the whole, but of some
		}
		rest.Facts = addFact(rest.Facts, t.Metric.Name, text, true)
		return
	}
	s.whole(t, t.Metric.Name, sums, rest)
}

// whole adds the geomean of a table to one section, or where a zero in it leaves none,
// the counts of its verdicts to another.
func (s choice) whole(t assay.Table, label string, sums, rest *Section) {
	if len(t.Geomean) > 0 {
		e := Geomean(s.sheet.Result, t)
		e.Label, e.Geomean = label, false
		sums.Entries = append(sums.Entries, e)
		return
	}
	rest.Facts = addFact(rest.Facts, label, counts(t.Rows), true)
}

// wholeOf are the comparisons that stand for a table: its geomean, or all cells where a
// value is zero and there is no geomean.
func wholeOf(t assay.Table) []assay.Comparison {
	if len(t.Geomean) > 0 {
		return t.Geomean
	}
	return AllCells(t)
}

// AllCells are the comparisons of all rows of a table.
func AllCells(t assay.Table) (all []assay.Comparison) {
	for _, r := range t.Rows {
		all = append(all, r.Cells...)
	}
	return all
}

func addFact(facts []fact, lead, text string, short bool) []fact {
	for i := range facts {
		if facts[i].Text == text {
			facts[i].Lead += ", " + lead
			return facts
		}
	}
	return append(facts, fact{lead, text, short})
}

func unchangedText(rows []assay.Row) string {
	text := unchangedWord(rows) + " in all " + printable.Int(len(rows))
	exact := 0
	for _, r := range rows {
		if allExact(r) {
			exact++
		}
	}
	switch exact {
	case len(rows):
		return text + " (exact)"
	case 0:
		return text
	}
	return fmt.Sprintf("%s (%s exact)", text, printable.Int(exact))
}

// grouped makes entries of rows, with a heading before each package where there are
// several. Packages keep the order of the record, rows their own.
func grouped(t assay.Table, rows []assay.Row) []Entry {
	place := map[string]int{} // of packages
	for _, r := range t.Rows {
		if _, ok := place[r.Benchmark.Package]; !ok {
			place[r.Benchmark.Package] = len(place)
		}
	}
	rows = slices.Clone(rows)
	slices.SortStableFunc(rows, func(a, b assay.Row) int {
		return cmp.Compare(place[a.Benchmark.Package], place[b.Benchmark.Package])
	})
	var out []Entry
	for i, r := range rows {
		e := EntryOf(t, r)
		if len(place) > 1 && (i == 0 || rows[i-1].Benchmark.Package != r.Benchmark.Package) {
			e.Heading = "pkg: " + r.Benchmark.Package
		}
		out = append(out, e)
	}
	return out
}

// severalPackages reports whether rows are of more than one package.
func severalPackages(rows []assay.Row) bool {
	return slices.ContainsFunc(rows, func(r assay.Row) bool { return r.Benchmark.Package != rows[0].Benchmark.Package })
}

// RowName is the name of a row's benchmark, with its package where a table has several.
func RowName(t assay.Table, r assay.Row) string {
	if severalPackages(t.Rows) {
		return r.Benchmark.String()
	}
	return r.Benchmark.Name
}

package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/printable"
)

// maxRows is the number of rows of a table before it is cut to what changed.
const maxRows = 40

// minBetter of them are kept for improvements where most rows are worse.
const minBetter = 10

// An entry is a row to print: a benchmark of a metric, a geomean, or in a
// result of one benchmark a metric.
type entry struct {
	label   string
	heading string // a line printed before it, such as "pkg: …"
	metric  assay.Metric
	base    float64 // NaN where it is not known
	spread  *assay.Spread
	cells   []assay.Comparison
	bench   string // the service that it is of
	refused string // why there is no value
}

// A section is a titled group of entries.
type section struct {
	title   string
	decides bool
	entries []entry
	tail    string // a line after the entries
	// facts are lines "metrics   what holds for all of them".
	facts []fact
	// bench is set where a service begins: its name.
	bench string
	// aside follows the title where there is room.
	aside string
	// hidden is the number of metrics that were left out.
	hidden int
	// latency is what is pictured after the entries.
	latency *assay.Latency
}

type fact struct{ lead, text string }

// sections chooses what is printed of every table. The deciding metrics come
// in full. Of the others allocations come where they differ, CPU, memory and
// rates as their geomean, since they are noisy or follow from the time.
func (p *printer) sections() []section {
	if p.single() {
		return p.metricSection()
	}
	var out []section
	sums := section{}
	rest, gc := section{}, section{}
	for _, t := range p.r.Tables {
		switch {
		case len(t.Rows) == 0:
		case isGC(t.Metric.Name) && !t.Decides && !p.s.All:
			p.collector(t, &gc)
		case t.Decides || p.s.All:
			out = append(out, p.full(t))
		case p.unchanged(t.Rows) == len(t.Rows):
			rest.facts = addFact(rest.facts, t.Metric.Name, unchangedText(t.Rows))
		case !slices.ContainsFunc(t.Rows, p.bounded):
			rest.facts = addFact(rest.facts, t.Metric.Name, "nothing known yet in all "+printable.Int(len(t.Rows))+" "+p.showAll())
		case summarised(t.Metric.Name):
			p.summary(t, &sums, &rest)
		default:
			out = append(out, p.partial(t))
		}
	}
	if len(sums.entries) > 0 {
		sums.title = geomeanWord
		out = append(out, sums)
	}
	if len(rest.facts) > 0 {
		out = append(out, rest)
	}
	return p.withCollector(out, gc, geomeanWord)
}

// single reports whether there is only one benchmark, so that metrics can be
// the rows.
func (p *printer) single() bool {
	if len(p.r.Tables) == 0 || len(p.r.Tables[0].Rows) != 1 {
		return false
	}
	b := p.r.Tables[0].Rows[0].Benchmark
	return !slices.ContainsFunc(p.r.Tables, func(t assay.Table) bool {
		return len(t.Rows) > 1 || len(t.Rows) == 1 && t.Rows[0].Benchmark != b
	})
}

func (p *printer) metricSection() []section {
	sec := section{title: p.r.Tables[0].Rows[0].Benchmark.Name, decides: true}
	rest, gc := section{}, section{}
	for _, t := range p.r.Tables {
		switch {
		case len(t.Rows) != 1:
		case isGC(t.Metric.Name) && !t.Decides:
			p.collector(t, &gc)
		case p.unasked(t, t.Rows[0].Cells):
			rest.facts = addFact(rest.facts, t.Metric.Name, p.noChange())
		default:
			e := p.entry(t, t.Rows[0])
			e.label = t.Metric.Name
			sec.entries = append(sec.entries, e)
		}
	}
	out := []section{sec}
	if len(rest.facts) > 0 {
		out = append(out, rest)
	}
	return p.withCollector(out, gc, sec.title)
}

// unasked reports whether a table shows nothing that anybody asked for: CPU,
// memory or counts, which no run waits for, without a verdict or exactly equal.
func (p *printer) unasked(t assay.Table, cells []assay.Comparison) bool {
	return !p.s.All && !t.Decides && summarised(t.Metric.Name) &&
		!slices.ContainsFunc(cells, func(c assay.Comparison) bool {
			return c.Verdict != assay.Unclear && !(c.Exact && c.Verdict == assay.Same)
		})
}

func (p *printer) noChange() string { return "no change shown " + p.showAll() }

func summarised(metric string) bool {
	switch metric {
	case assay.MetricUser, assay.MetricSys, assay.MetricRSS, assay.MetricRate,
		assay.MetricMinorFaults, assay.MetricMajorFaults, assay.MetricVoluntary, assay.MetricInvoluntary,
		assay.MetricInstructions, assay.MetricCycles, assay.MetricBranchMisses, assay.MetricCacheMisses:
		return true
	}
	return false
}

func (p *printer) entry(t assay.Table, r assay.Row) entry {
	return entry{label: r.Benchmark.Name, metric: t.Metric, base: r.Base, spread: r.Spread, cells: r.Cells}
}

// geomean is the entry of a table's geomean.
func (p *printer) geomean(t assay.Table) entry {
	return entry{label: p.geomeanWords(t, t.Geomean), metric: t.Metric, cells: t.Geomean, base: geomeanBase(t)}
}

// geomeanWords say what a geomean is over: "geomean of 24" benchmarks, and where the
// blocks that ran all of them are not those of the run, how many there were: "geomean
// of 24 (n=10)". The comparisons are those that it says it of.
func (p *printer) geomeanWords(t assay.Table, list []assay.Comparison) string {
	text := geomeanWord
	if t.Common > 0 {
		text += " of " + printable.Int(t.Common)
	}
	return text + p.otherBlocks(list)
}

// otherBlocks is " (n=10)" or " (n=8–10)" of comparisons with other numbers of blocks
// than the run's, which its head has.
func (p *printer) otherBlocks(list []assay.Comparison) string {
	least, most := blocksOf(list)
	switch {
	case most == 0 || least == most && most == p.r.Spent.Blocks:
		return ""
	case least == most:
		return " (n=" + printable.Int(most) + ")"
	}
	return " (n=" + printable.Int(least) + "–" + printable.Int(most) + ")"
}

// blocksOf are the least and the most blocks behind comparisons that have any.
func blocksOf(list []assay.Comparison) (least, most int) {
	for _, c := range list {
		if c.N > 0 && (least == 0 || c.N < least) {
			least = c.N
		}
		most = max(most, c.N)
	}
	return least, most
}

// geomeanBase is the base's value that the changes of a geomean are of, NaN where it
// is not known. It is over the blocks in which all benchmarks ran: not to be had from
// the rows, which may have more.
func geomeanBase(t assay.Table) float64 {
	if t.GeomeanBase != 0 {
		return t.GeomeanBase
	}
	for _, c := range t.Geomean { // of a record that was written before it had the field
		if ratio := 1 + float64(c.Change); c.N > 0 && ratio > 0 {
			return c.Value / ratio
		}
	}
	return math.NaN()
}

func (p *printer) full(t assay.Table) section {
	sec := section{title: t.Metric.Name, decides: t.Decides}
	rows := t.Rows
	if !p.s.All {
		rows, sec.tail = p.fold(rows)
	}
	sec.entries = p.grouped(t, rows)
	if len(t.Geomean) > 0 {
		g := p.geomean(t)
		if packages(t.Rows) > 1 {
			g.heading = "all packages"
		}
		sec.entries = append(sec.entries, g)
	}
	return sec
}

// partial prints the rows that changed or may have.
func (p *printer) partial(t assay.Table) section {
	sec := section{title: t.Metric.Name}
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
	rows, sec.tail = p.fold(rows)
	sec.entries = p.grouped(t, rows)
	if same > 0 {
		text := fmt.Sprintf("… %s more, unchanged", printable.Int(same))
		if exact {
			text += " (exact)"
		}
		sec.tail = strings.TrimPrefix(sec.tail+"; "+text, "; ")
	}
	return sec
}

// maxUnknown is the number of rows of which nothing is known yet that are printed.
const maxUnknown = 8

// bounded reports whether something is known of a row. Before the least number of
// blocks nothing is.
func (p *printer) bounded(r assay.Row) bool {
	return slices.ContainsFunc(r.Cells, func(c assay.Comparison) bool {
		return c.Verdict != assay.Unclear || c.Interval != nil || c.N >= p.r.Rule.MinBlocks
	})
}

// fold chooses the rows that are printed, and tells what was left out: the rows of
// which nothing is known yet, but for a few, and what is beyond maxRows.
func (p *printer) fold(rows []assay.Row) (kept []assay.Row, tail string) {
	unknown := 0
	for _, r := range rows {
		if !p.bounded(r) {
			unknown++
		}
		if p.bounded(r) || unknown <= maxUnknown {
			kept = append(kept, r)
		}
	}
	if n := len(rows) - len(kept); n > 0 {
		tail = "… " + printable.Int(n) + " more of which nothing is known yet " + p.showAll()
	}
	if len(kept) <= maxRows {
		return kept, tail
	}
	rows, more := p.cap(kept)
	if tail != "" {
		more = joinNotes(more, strings.TrimPrefix(tail, "… "))
	}
	return rows, more
}

// summary prints a table as its geomean, or as counts where it has none.
func (p *printer) summary(t assay.Table, sums, rest *section) {
	if p.unasked(t, wholeOf(t)) {
		rest.facts = addFact(rest.facts, t.Metric.Name, p.noChange())
		return
	}
	if len(t.Geomean) > 0 {
		e := p.geomean(t)
		e.label = t.Metric.Name
		sums.entries = append(sums.entries, e)
		return
	}
	rest.facts = addFact(rest.facts, t.Metric.Name, p.counts(t.Rows)+" "+p.showAll())
}

// wholeOf are the comparisons that stand for a whole table: its geomean, or all
// cells where a value is zero and there is none.
func wholeOf(t assay.Table) []assay.Comparison {
	if len(t.Geomean) > 0 {
		return t.Geomean
	}
	var all []assay.Comparison
	for _, r := range t.Rows {
		all = append(all, r.Cells...)
	}
	return all
}

func addFact(facts []fact, lead, text string) []fact {
	for i := range facts {
		if facts[i].text == text {
			facts[i].lead += ", " + lead
			return facts
		}
	}
	return append(facts, fact{lead, text})
}

func unchangedText(rows []assay.Row) string {
	text := "unchanged in all " + printable.Int(len(rows))
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

func (p *printer) unchanged(rows []assay.Row) int {
	n := 0
	for _, r := range rows {
		if isUnchanged(r) {
			n++
		}
	}
	return n
}

// isUnchanged reports whether no variant of a row differs or may differ.
func isUnchanged(r assay.Row) bool {
	return !slices.ContainsFunc(r.Cells, func(c assay.Comparison) bool {
		return c.Verdict != assay.Same && c.Verdict != assay.SameCoded && !seenEqual(c)
	})
}

// seenEqual reports whether nothing of results of others, which have no verdict,
// shows a difference. That is not exact: nobody knows whether every one was equal.
func seenEqual(c assay.Comparison) bool {
	return c.Verdict == assay.Withheld && c.Change == 0 && c.Difference == 0 && c.Spread != nil && c.Spread.Lo == c.Spread.Hi
}

func allExact(r assay.Row) bool {
	return !slices.ContainsFunc(r.Cells, func(c assay.Comparison) bool {
		return !c.Exact && c.Verdict != assay.SameCoded
	})
}

// grouped makes entries of rows, with a heading before each package where
// there are several. Packages keep the order of the record, rows their own.
func (p *printer) grouped(t assay.Table, rows []assay.Row) []entry {
	var out []entry
	if packages(t.Rows) < 2 {
		for _, r := range rows {
			out = append(out, p.entry(t, r))
		}
		return out
	}
	order := map[string]int{}
	for _, r := range t.Rows {
		if _, ok := order[r.Benchmark.Package]; !ok {
			order[r.Benchmark.Package] = len(order)
		}
	}
	rows = slices.Clone(rows)
	slices.SortStableFunc(rows, func(a, b assay.Row) int {
		return cmp.Compare(order[a.Benchmark.Package], order[b.Benchmark.Package])
	})
	for i, r := range rows {
		e := p.entry(t, r)
		if i == 0 || rows[i-1].Benchmark.Package != r.Benchmark.Package {
			e.heading = "pkg: " + r.Benchmark.Package
		}
		out = append(out, e)
	}
	return out
}

func packages(rows []assay.Row) int {
	seen := map[string]bool{}
	for _, r := range rows {
		seen[r.Benchmark.Package] = true
	}
	return len(seen)
}

// A class orders rows by what one wants to see first.
type class int

const (
	isWorse class = iota
	isBetter
	isChanged
	isUnclear
	isWithheld
	isSame
)

// classOf is the first class that any variant of the row falls into.
func classOf(r assay.Row) class {
	best := isSame
	for _, c := range r.Cells {
		best = min(best, classOfCell(c))
	}
	return best
}

func classOfCell(c assay.Comparison) class {
	switch v := c.Verdict; {
	case v.Bad():
		return isWorse
	case v.Good():
		return isBetter
	case v.Differs():
		return isChanged
	case v == assay.Same || v == assay.SameCoded:
		return isSame
	case v == assay.Withheld:
		return isWithheld
	}
	return isUnclear
}

// size is the largest change of a row, in logs.
func size(r assay.Row) float64 {
	most := 0.0
	for _, c := range r.Cells {
		if l := math.Abs(c.Change.Log()); l > most {
			most = l
		}
	}
	return most
}

// cap chooses at most maxRows rows: the worse, then the better, each by size;
// and tells what was left out. Rows without verdicts go by size alone.
func (p *printer) cap(rows []assay.Row) (kept []assay.Row, tail string) {
	by := map[class][]assay.Row{}
	for _, r := range rows {
		c := classOf(r)
		by[c] = append(by[c], r)
	}
	room := maxRows
	take := func(c class, most int) {
		list := by[c]
		slices.SortStableFunc(list, func(a, b assay.Row) int { return cmp.Compare(size(b), size(a)) })
		n := min(len(list), most, room)
		kept, by[c] = append(kept, list[:n]...), list[n:]
		room -= n
	}
	take(isWorse, maxRows-min(minBetter, len(by[isBetter])+len(by[isChanged])))
	take(isBetter, room)
	take(isChanged, room)
	take(isWithheld, room)
	var left []assay.Row
	for c := isWorse; c <= isSame; c++ {
		left = append(left, by[c]...)
	}
	return kept, "… " + p.counts(left) + " " + p.showAll()
}

// counts tells rows by verdict: "412 same, 3 unclear". The words are those of
// the record.
func (p *printer) counts(rows []assay.Row) string {
	var words []string
	n := map[string]int{}
	for _, r := range rows {
		w := wordOf(r)
		if n[w] == 0 {
			words = append(words, w)
		}
		n[w]++
	}
	for i, w := range words {
		words[i] = printable.Int(n[w]) + " " + w
	}
	return strings.Join(words, ", ")
}

// wordOf is the verdict that put a row into its class.
func wordOf(r assay.Row) string {
	best := classOf(r)
	for _, c := range r.Cells {
		if classOfCell(c) == best {
			if c.Verdict == assay.Withheld {
				return "without verdict"
			}
			return string(c.Verdict)
		}
	}
	return string(assay.Same)
}

package markdown

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/printable"
	"github.com/seed-1318a441/assay/internal/sheet"
	"github.com/seed-1318a441/assay/internal/sheet/chain"
	"github.com/seed-1318a441/assay/internal/terminal"
)

// body is what stands between heading and foot where something is to be told.
func (m *comment) body() {
	m.pin(strings.Join(m.texts(), "<br>\n"))
	switch {
	case m.Result.Arc != nil:
		m.steps()
	case len(m.Services) > 0:
		m.serviceTables()
	case len(m.Shown) > 1:
		m.variantTable()
	default:
		m.changedTables()
	}
	m.add(m.wholes())
	m.add(m.causes())
	m.add(m.notices())
	m.everything()
	m.add(m.measuredHow())
}

// mdTable writes rows below a head, aligned as toLeft and toRight say.
func mdTable(head, align []string, rows [][]string) string {
	if len(rows) == 0 {
		return ""
	}
	var b strings.Builder
	for _, row := range append([][]string{head, align}, rows...) {
		b.WriteString(mdRow(row) + "\n")
	}
	return strings.TrimSuffix(b.String(), "\n")
}

func mdRow(cells []string) string { return "| " + strings.Join(cells, " | ") + " |" }

const (
	toLeft  = ":--"
	toRight = "--:"
)

// changeHead is the title of a column of changes: "change (99 %)".
func (m *comment) changeHead() string {
	if m.Result.Rule.Confidence <= 0 || m.Foreign { // those of others have no interval of a change
		return "change"
	}
	return "change (" + sheet.Percent(m.Result.Rule.Confidence) + ")"
}

// heads are those of a table of entries, one variant in full or several side by side.
// The title is Markdown already.
func (m *comment) heads(title string) (head, align []string) {
	base, variant := m.names()
	head, align = []string{title, base}, []string{toLeft, toRight}
	if len(m.Shown) == 1 {
		return append(head, variant, m.changeHead(), ""), append(align, toRight, toLeft, toLeft)
	}
	for _, v := range m.Shown {
		head, align = append(head, Code(v)), append(align, toRight)
	}
	return head, align
}

// entryRow is a benchmark or a metric in such a table.
func (m *comment) entryRow(e sheet.Entry, label string) []string {
	if e.Refused != "" {
		return []string{label, Prose(e.Refused)}
	}
	row := []string{label, sheet.Joined(e.BaseCell(), sheet.SpreadCell(e.Base, e.Spread))}
	for _, v := range m.Shown {
		f := m.Fields(e, v)
		c, _ := e.Of(v)
		if len(m.Shown) > 1 && m.Foreign {
			row = append(row, sheet.JoinWords(", ", sheet.Joined(f.Value, f.Spread), f.Change.Joined()))
			continue
		}
		if len(m.Shown) > 1 {
			row = append(row, sheet.Joined(f.Change, f.Half, sheet.Word(sheet.Mark(c))))
			continue
		}
		row = append(row, sheet.Joined(f.Value, f.Spread),
			sheet.JoinWords(" ", mdChange(c, f), f.Interval.Joined()), mdVerdict(c, f))
	}
	return row
}

func mdChange(c assay.Comparison, f sheet.Fields) string {
	text := f.Change.Joined()
	if c.Verdict.Differs() && f.Change.Num {
		return "**" + strings.TrimPrefix(text, "&#43;") + "**"
	}
	return text
}

// mdVerdict is the mark, the record's word, and what weakens it.
func mdVerdict(c assay.Comparison, f sheet.Fields) string {
	text := sheet.JoinWords(" ", sheet.Mark(c), sheet.VerdictWord(c.Verdict))
	if f.Note != "" {
		text += " (" + Prose(f.Note) + ")"
	}
	return text
}

// changedTables show what changed on the metrics that decide.
func (m *comment) changedTables() {
	room := sheet.MaxRows
	for _, t := range m.Result.Tables {
		if !t.Decides && !m.Foreign || len(m.Shown) == 0 {
			continue
		}
		rows := sheet.ChangedRows(t)
		if m.Foreign {
			rows = t.Rows
		}
		n := min(len(rows), room)
		m.add(m.rowsTable(t, rows[:n]))
		if n < len(rows) {
			m.add("… and " + printable.Int(len(rows)-n) + " more that changed, below")
		}
		room -= n
	}
}

// rowsTable is a table of some rows of a metric.
func (m *comment) rowsTable(t assay.Table, rows []assay.Row) string {
	head, align := m.heads(Prose(sheet.MetricWords(t.Metric.Name)))
	var lines [][]string
	for _, r := range rows {
		lines = append(lines, m.entryRow(sheet.EntryOf(t, r), Code(m.rowName(t, r))))
	}
	return mdTable(head, align, lines)
}

// rowName is a benchmark's name, with its package where there are several.
func (m *comment) rowName(t assay.Table, r assay.Row) string {
	if sheet.PackageCount(t.Rows) > 1 {
		return r.Benchmark.String()
	}
	return r.Benchmark.Name
}

// variantTable has a line a variant: what it does to the suite, and to how many
// benchmarks.
func (m *comment) variantTable() {
	if len(m.Result.Tables) == 0 {
		return
	}
	t := m.Result.Tables[0]
	e := sheet.Entry{Metric: t.Metric, Cells: t.Geomean, Base: math.NaN()}
	title := sheet.MetricWords(t.Metric.Name) + ", " + sheet.GeomeanWords(m.Result, t, t.Geomean)
	if len(t.Rows) == 1 {
		e, title = sheet.EntryOf(t, t.Rows[0]), sheet.MetricWords(t.Metric.Name)
	}
	var lines [][]string
	for _, v := range m.Result.Variants {
		if !slices.Contains(m.Shown, v.Name) || len(lines) == sheet.MaxRows {
			continue
		}
		f := m.Fields(e, v.Name)
		c, _ := e.Of(v.Name)
		line := []string{Code(v.Name), sheet.JoinWords(" ", mdChange(c, f), f.Interval.Joined()), mdVerdict(c, f)}
		if len(t.Rows) > 1 {
			line = append(line, printable.Int(v.Better), printable.Int(v.Worse), printable.Int(v.Same), printable.Int(v.Unclear))
		}
		lines = append(lines, line)
	}
	head, align := []string{"variant", Prose(title) + " against " + Code(m.Result.Base), ""}, []string{toLeft, toLeft, toLeft}
	if len(t.Rows) > 1 {
		head = append(head, "better", "worse", "same", "unclear")
		align = append(align, toRight, toRight, toRight, toRight)
	}
	m.add(mdTable(head, align, lines))
	if n := len(m.Shown) - len(lines); n > 0 {
		m.add("… and " + printable.Count(n, "variant") + " more")
	}
}

// serviceTables show what the load generator saw of each service.
func (m *comment) serviceTables() {
	room := sheet.MaxRows
	for _, b := range m.Services {
		sections := m.ServiceSections(b)
		n := min(len(sections[0].Entries), room)
		m.add(m.sectionTable(b.Name, sections[0].Entries[:n]))
		room -= n
	}
	if !m.Serves {
		rest := *m
		rest.Sheet = m.WithoutServices()
		rest.changedTables()
		m.blocks = rest.blocks
	}
}

// sectionTable has the metrics of a service as rows.
func (m *comment) sectionTable(title string, entries []sheet.Entry) string {
	head, align := m.heads(Code(title))
	var lines [][]string
	for _, e := range entries {
		lines = append(lines, m.entryRow(e, Prose(e.Label)))
	}
	return mdTable(head, align, lines)
}

// steps is the chain: each step against the one before it, the last against the base.
func (m *comment) steps() {
	a := chain.New([]chain.Panel{{Result: m.Result}}, false, m.BlockNoun())
	x := a.Panels[0]
	t := x.First()
	if t == nil || len(a.Steps) == 0 {
		return
	}
	shown, left := a.Shown()
	var lines [][]string
	for _, s := range shown {
		lines = append(lines, m.stepRow(a, x, t, s))
	}
	if a.Compares() {
		c, ok := x.End(t)
		lines = append(lines, []string{"", "**total, against the base**", "", stepText(t.Metric, c, ok), ""})
	}
	m.add(mdTable([]string{"", "step", Prose(sheet.MetricWords(t.Metric.Name)) + " against the step before", "against " + Code(m.Result.Base), ""},
		[]string{toRight, toLeft, toLeft, toLeft, toLeft}, lines))
	if left > 0 {
		m.add("… and " + printable.Count(left, "step") + " with the least changes")
	}
}

func (m *comment) stepRow(a *chain.Chain, x chain.Panel, t *assay.Table, s assay.StepResult) []string {
	before := sheet.None
	if a.Compares() {
		c, ok := x.Whole(t, s.Variant)
		before = stepText(t.Metric, c, ok)
	}
	c, ok := x.Direct(t, s.Variant)
	return []string{printable.Int(s.Number), Code(s.Variant), before, stepText(t.Metric, c, ok), Prose(terminal.Style{}.Middle(a.Remark(s), chain.MaxRemark))}
}

// stepText is a change with its interval and mark.
func stepText(metric assay.Metric, c assay.Comparison, ok bool) string {
	if !ok {
		return sheet.None
	}
	change, interval, _ := chain.ChangeCells(metric, c)
	return sheet.JoinWords(" ", mdChange(c, sheet.Fields{Change: change}), interval.Joined(), sheet.Mark(c))
}

// wholes is what each metric says of the suite, and what changed of the counts.
func (m *comment) wholes() string {
	if len(m.Shown) != 1 || m.Serves || m.Result.Arc != nil {
		return ""
	}
	var parts []string
	for _, t := range m.Result.Tables {
		switch {
		case t.Decides && len(t.Geomean) > 0:
			parts = append(parts, m.geomeanText(t))
		case !t.Decides && counted(t.Metric.Name) && len(sheet.ChangedRows(t)) > 0:
			parts = append(parts, m.countsText(t))
		}
	}
	return strings.Join(parts, " · ")
}

// geomeanText is "geomean of 11: +0.4 % [−0.1, +0.9], same within ±2 %".
func (m *comment) geomeanText(t assay.Table) string {
	e := sheet.Geomean(m.Result, t)
	f := m.Fields(e, m.Shown[0])
	c, _ := e.Of(m.Shown[0])
	text := sheet.GeomeanWords(m.Result, t, t.Geomean)
	if m.Result.Tables[0].Metric.Name != t.Metric.Name {
		text += " " + Prose(t.Metric.Name)
	}
	text += ": " + sheet.Joined(f.Change, f.Interval) + ", " + sheet.VerdictWord(c.Verdict)
	if c.Verdict == assay.Same {
		text += " within ±" + sheet.Percent(t.Metric.MinEffect)
	}
	return text
}

// counted reports whether a metric that does not decide is told of all the same:
// allocations, which are exact, and what a benchmark counts itself.
func counted(metric string) bool { return !sheet.Summarised(metric) && !sheet.IsGC(metric) }

// maxMoved is the number of benchmarks that are named whose counts changed.
const maxMoved = 3

// countsText is "allocs/op: Encode/large 12 → 14".
func (m *comment) countsText(t assay.Table) string {
	var parts []string
	rows := sheet.ChangedRows(t)
	for _, r := range rows[:min(len(rows), maxMoved)] {
		e := sheet.EntryOf(t, r)
		f := m.Fields(e, m.Shown[0])
		parts = append(parts, Code(m.rowName(t, r))+" "+e.BaseCell().Joined()+" → "+f.Value.Joined())
	}
	text := Prose(t.Metric.Name) + ": " + strings.Join(parts, ", ")
	if n := len(rows) - len(parts); n > 0 {
		text += ", … " + printable.Int(n) + " more"
	}
	return text
}

// causes are the first causes of the largest changes.
func (m *comment) causes() string {
	var lines []string
	for _, e := range sheet.ByChange(m.Result.Explanations) {
		if !e.Comparison.Verdict.Differs() || len(e.Causes) == 0 || len(lines) == sheet.MaxWhys {
			continue
		}
		text, part := sheet.FirstCause(e)
		if c := e.Causes[0]; c.File != "" && !strings.Contains(text, c.File) {
			text += fmt.Sprintf(" (%s:%d)", c.File, c.Line)
		}
		lines = append(lines, "**Likely cause of "+Code(m.WhyName(e))+":** "+sheet.JoinWords(", ", Prose(text), Prose(part)))
	}
	return strings.Join(lines, "<br>\n")
}

// inSight reports whether a warning weakens what the tables say; others are told
// under how it was measured.
func inSight(w assay.Warning) bool {
	switch w.Code {
	case assay.CodeSameCode, assay.CodePlacebo, assay.CodeProfileMatch, assay.CodeNoisy, assay.CodeGateFailed, assay.CodePair, assay.CodePlacement:
		return false
	}
	return true
}

// maxNotices is the number of warnings in sight.
const maxNotices = 6

// notices are the warnings: of what is not decided with how much longer that takes.
func (m *comment) notices() string {
	var lines []string
	for _, w := range m.Result.Warnings {
		restless := w.Code == assay.CodeNoisy && m.cannotTell()
		if len(lines) < maxNotices && (inSight(w) || restless) {
			lines = append(lines, mdWarning(w))
		}
	}
	return strings.Join(lines, "\n")
}

// mdWarning is a warning with its first facts and what cures it.
func mdWarning(w assay.Warning) string {
	var text strings.Builder
	text.WriteString("- " + Prose(w.Text))
	for _, f := range w.Facts[:min(len(w.Facts), 3)] {
		text.WriteString("; " + Prose(f))
	}
	if w.Try != "" {
		text.WriteString("; try: " + mdLine(w.Try))
	}
	return text.String()
}

package markdown

import (
	"fmt"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/printable"
	"github.com/seed-1318a441/assay/internal/sheet"
	"github.com/seed-1318a441/assay/internal/sheet/chain"
	"github.com/seed-1318a441/assay/internal/terminal"
)

// body stands between heading and foot where something changed.
func (m *comment) body() {
	m.pin(strings.Join(m.head.texts(), "<br>\n"))
	switch {
	case m.head.sheet.Result.Arc != nil:
		m.steps()
	case len(m.head.sheet.Services) > 0:
		m.serviceTables()
	case len(m.head.sheet.Shown) > 1:
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
	var lines []string
	for _, row := range append([][]string{head, align}, rows...) {
		lines = append(lines, mdRow(row))
	}
	return strings.Join(lines, "\n")
}

func mdRow(cells []string) string { return "| " + strings.Join(cells, " | ") + " |" }

const (
	toLeft  = ":--"
	toRight = "--:"
)

// columnsOf puts the cells of a row of the sheet, whose names are Markdown already, into
// fewer columns. Where changes stand alone, proved ones are bold.
func columnsOf(t *sheet.Table, r sheet.Row, bold bool) []string {
	if r.Cells == nil {
		return []string{r.Lead, Prose(r.Text)}
	}
	var out []string
	for i, c := range r.Cells {
		text, join := c.Joined(), t.Columns[i].Join
		switch proved := c.Tone == sheet.Good || c.Tone == sheet.Bad || c.Tone == sheet.Changed; {
		case bold && c.Num && proved:
			text = "**" + text + "**"
		case text != "" && t.Columns[i].Quoted && join != "":
			text = "(" + Prose(text) + ")"
		case t.Columns[i].Quoted:
			text = Prose(text)
		}
		if join == "" {
			out = append(out, text)
		} else {
			out[len(out)-1] = sheet.JoinWords(join, out[len(out)-1], text)
		}
	}
	return out
}

// changeHead is the heading of a column of changes: "change (99 %)".
func (m *comment) changeHead() string {
	if m.head.sheet.Result.Rule.Confidence <= 0 || m.head.sheet.Foreign { // imported changes have no interval
		return "change"
	}
	return "change (" + printable.Level(m.head.sheet.Result.Rule.Confidence) + ")"
}

// heads are the headings of a table of entries, for one variant in full or several side
// by side. The title is Markdown already.
func (m *comment) heads(title string) (head, align []string) {
	base, variant := m.names()
	head, align = []string{title, base}, []string{toLeft, toRight}
	if len(m.head.sheet.Shown) == 1 {
		return append(head, variant, m.changeHead(), ""), append(align, toRight, toLeft, toLeft)
	}
	for _, v := range m.head.sheet.Shown {
		head, align = append(head, Code(v)), append(align, toRight)
	}
	return head, align
}

// entryRows are benchmarks or metrics in such a table. Their labels are Markdown.
func (m *comment) entryRows(entries []sheet.Entry) (rows [][]string) {
	l := sheet.Layout{Values: true, Marks: true, Notes: true, Reasons: true}
	switch {
	case len(m.head.sheet.Shown) > 1 && m.head.sheet.Foreign:
		l = sheet.Layout{Values: true, Bare: true, Wordless: true}
	case len(m.head.sheet.Shown) > 1:
		l = sheet.Layout{Half: true, Marks: true, Wordless: true}
	}
	t := m.head.sheet.EntryTable(entries, m.head.sheet.Shown, l)
	for _, r := range t.Rows {
		rows = append(rows, columnsOf(t, r, len(m.head.sheet.Shown) == 1))
	}
	return rows
}

// entryTable has some entries as rows.
func (m *comment) entryTable(title string, entries []sheet.Entry) string {
	head, align := m.heads(title)
	return mdTable(head, align, m.entryRows(entries))
}

// changedTables show what changed on the metrics that decide.
func (m *comment) changedTables() {
	room := sheet.MaxRows
	for _, t := range m.head.sheet.Result.Tables {
		if !t.Decides && !m.head.sheet.Foreign || len(m.head.sheet.Shown) == 0 {
			continue
		}
		rows := sheet.ChangedRows(t)
		if m.head.sheet.Foreign {
			rows = t.Rows
		}
		n := min(len(rows), room)
		m.add(m.entryTable(Prose(sheet.MetricWords(t.Metric.Name)), m.entries(t, rows[:n])))
		if n < len(rows) {
			m.add("… and " + printable.Int(len(rows)-n) + " more that changed, below")
		}
		room -= n
	}
}

// entries are rows of a metric by their names.
func (m *comment) entries(t assay.Table, rows []assay.Row) (out []sheet.Entry) {
	for _, r := range rows {
		e := sheet.EntryOf(t, r)
		e.Label = Code(sheet.RowName(t, r))
		out = append(out, e)
	}
	return out
}

// variantTable has a row a variant: what it does to the suite, and to how many
// benchmarks.
func (m *comment) variantTable() {
	if len(m.head.sheet.Result.Tables) == 0 {
		return
	}
	t := m.head.sheet.Result.Tables[0]
	title := sheet.MetricWords(t.Metric.Name)
	head, align := []string{"variant", "", ""}, []string{toLeft, toLeft, toLeft}
	if len(t.Rows) > 1 {
		title += ", " + sheet.GeomeanWords(m.head.sheet.Result, t, t.Geomean)
		head = append(head, "better", "worse", "same", "unclear")
		align = append(align, toRight, toRight, toRight, toRight)
	}
	head[1] = Prose(title) + " against " + Code(m.head.sheet.Result.Base)
	var rows [][]string
	table := m.head.sheet.VariantTable(sheet.Layout{Marks: true, Notes: true, Reasons: true, Zeros: true})
	for _, r := range table.Rows {
		if len(r.Cells) == len(table.Columns) && len(rows) < sheet.MaxRows {
			row := columnsOf(table, r, true)
			row[0], row[4], row[5] = Code(row[0]), row[5], row[4]
			rows = append(rows, row[:len(head)])
		}
	}
	m.add(mdTable(head, align, rows))
	if n := len(m.head.sheet.Shown) - len(rows); n > 0 {
		m.add("… and " + printable.Count(n, "variant") + " more")
	}
}

// serviceTables show what the load generator saw of each service.
func (m *comment) serviceTables() {
	room := sheet.MaxRows
	for _, b := range m.head.sheet.Services {
		load := m.head.sheet.ServiceSections(b)[0].Entries
		load = load[:min(len(load), room)]
		for i := range load {
			load[i].Label = Prose(load[i].Label)
		}
		m.add(m.entryTable(Code(b.Name), load))
		room -= len(load)
	}
	if !m.head.sheet.Serves {
		rest := *m
		rest.head.sheet = m.head.sheet.WithoutServices()
		rest.changedTables()
		m.blocks = rest.blocks
	}
}

// steps is the chain: each step against the one before it, the last against the base.
func (m *comment) steps() {
	a := chain.New([]chain.Panel{{Result: m.head.sheet.Result}}, false, m.head.sheet.BlockNoun())
	if a.Panels[0].First() == nil || len(a.Steps) == 0 {
		return
	}
	var rows [][]string
	t := a.Table(chain.Layout{Both: true})
	for i, r := range t.Rows {
		switch last := len(t.Columns) - 1; {
		case i == len(t.Rows)-1 && a.Compares():
			rows = append(rows, []string{"", "**total, against the base**", "", columnsOf(t, r, true)[4], Prose(a.TotalRemark())})
		case len(r.Cells) > last:
			r.Cells[last].Text = terminal.Style{}.Middle(r.Cells[last].Text, chain.MaxRemark)
			row := columnsOf(t, r, true)
			rows = append(rows, append([]string{row[0], Code(row[2])}, row[3:]...))
		}
	}
	m.add(mdTable([]string{"", "step", Prose(sheet.MetricWords(a.Metric().Name)) + " against the step before", "against " + Code(m.head.sheet.Result.Base), ""},
		[]string{toRight, toLeft, toLeft, toLeft, toLeft}, rows))
	if _, left := a.Shown(); left > 0 {
		m.add("… and " + printable.Count(left, "step") + " with the least changes")
	}
}

// wholes says what each metric does over the suite, and which counts changed.
func (m *comment) wholes() string {
	if len(m.head.sheet.Shown) != 1 || m.head.sheet.Serves || m.head.sheet.Result.Arc != nil {
		return ""
	}
	var parts []string
	for _, t := range m.head.sheet.Result.Tables {
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
	e := sheet.Geomean(m.head.sheet.Result, t)
	f := m.head.sheet.Fields(e, m.head.sheet.Shown[0])
	c, _ := e.Of(m.head.sheet.Shown[0])
	text := sheet.GeomeanWords(m.head.sheet.Result, t, t.Geomean)
	if m.head.sheet.Result.Tables[0].Metric.Name != t.Metric.Name {
		text += " " + Prose(t.Metric.Name)
	}
	text += ": " + sheet.Joined(f.Change, f.Interval) + ", " + sheet.VerdictWords(c)
	if c.Verdict == assay.Same {
		text += " within ±" + printable.Percent(t.Metric.MinEffect)
	}
	return text
}

// counted reports whether a metric is worth a line although it does not decide:
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
		f := m.head.sheet.Fields(e, m.head.sheet.Shown[0])
		parts = append(parts, Code(sheet.RowName(t, r))+" "+e.BaseCell().Joined()+" → "+f.Value.Joined())
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
	for _, e := range sheet.ByChange(m.head.sheet.Result.Explanations) {
		if !e.Comparison.Verdict.Differs() || len(e.Causes) == 0 || len(lines) == sheet.MaxWhys {
			continue
		}
		text, part := sheet.FirstCause(e)
		if c := e.Causes[0]; c.File != "" && !strings.Contains(text, c.File) {
			text += fmt.Sprintf(" (%s:%d)", c.File, c.Line)
		}
		lines = append(lines, "**Likely cause of "+Code(m.head.sheet.WhyName(e))+":** "+sheet.JoinWords(", ", Prose(text), Prose(part)))
	}
	return strings.Join(lines, "<br>\n")
}

// inSight reports whether a warning weakens what the tables say. Others stand in the fold
// on how it was measured.
func inSight(w assay.Warning) bool {
	switch w.Code {
	case assay.CodeSameCode, assay.CodePlacebo, assay.CodeProfileMatch, assay.CodeNoisy, assay.CodeGateFailed, assay.CodePair, assay.CodePlacement:
		return false
	}
	return true
}

// maxNotices is the number of warnings in sight.
const maxNotices = 6

// notices are the warnings; one on what is not decided says how much longer that takes.
func (m *comment) notices() string {
	var lines []string
	for _, w := range m.head.sheet.Result.Warnings {
		restless := w.Code == assay.CodeNoisy && m.head.cannotTell()
		if len(lines) < maxNotices && (inSight(w) || restless) {
			lines = append(lines, mdWarning(w))
		}
	}
	return strings.Join(lines, "\n")
}

// mdWarning is a warning with its first facts and a remedy.
func mdWarning(w assay.Warning) string {
	parts := []string{"- " + Prose(w.Text)}
	for _, f := range w.Facts[:min(len(w.Facts), 3)] {
		parts = append(parts, Prose(f))
	}
	switch {
	case w.Try != "":
		parts = append(parts, strings.TrimSpace("try: "+codeSpan(w.Try, maxMarkdownCommand)+" "+Prose(w.Advice)))
	case w.Advice != "":
		parts = append(parts, "try: "+Prose(w.Advice))
	}
	return strings.Join(parts, "; ")
}

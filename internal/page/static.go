package page

import (
	"cmp"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/analysis/sample"
	"github.com/seed-1318a441/assay/internal/printable"
	"github.com/seed-1318a441/assay/internal/ruler"
	"github.com/seed-1318a441/assay/internal/sheet"
)

// Bounds of what a page holds as text, for readers without a script.
const (
	staticRows     = 50
	staticVariants = 4
)

// staticWords are the part of a page that needs no script: the words and figures of
// [report.Text], as HTML. The script replaces it.
type staticWords struct {
	Title, Question string
	Over            *overWords
	Machines        []staticMachine
	Warnings        []assay.Warning
	Commands        []Command
	IDs             string
}

type staticMachine struct {
	Name     string // "" where there is only one
	Platform string
	Class    string
	Large    *large
	Text     []string
	Basis    string
	Warnings []assay.Warning
	Figure   *figure
	Variants *table
	Rows     *table
}

// A figure is drawn in two widths; the style sheet shows one.
type figure struct {
	Caption string
	SVG     string
	// Why is the figure below it, on the same axis if that has room.
	Why *figure
}

// figureOf draws a figure; its SVG escapes all names.
func figureOf(caption string, of interface{ SVG(telephone bool) string }) *figure {
	return &figure{Caption: caption, SVG: of.SVG(false) + of.SVG(true)}
}

// static writes the part of the page that needs no script.
func (p *Page) static(w io.Writer) error {
	first := &p.Machines[0].Result
	s := staticWords{Title: cmp.Or(printable.Clean(first.Report.Title), printable.Clean(first.Study)), Question: printable.Clean(first.Question), Warnings: cleanWarnings(p.Warnings), Over: p.over(), IDs: strings.Join(p.ids(), " · ")}
	for _, c := range p.Commands {
		s.Commands = append(s.Commands, Command{printable.Clean(c.What), printable.Clean(c.Line)})
	}
	for i := range p.Machines {
		m := staticOf(&p.Machines[i].Result)
		if u := p.rulers[i]; u != nil {
			m.Large = largeOf(u)
			m.Figure = figureOf(u.What, u)
			if w := p.waterfalls[i]; w != nil {
				m.Figure.Why = figureOf(w.What, w)
			}
		}
		if len(p.Machines) > 1 {
			m.Name = printable.Clean(p.Machines[i].Name)
		}
		s.Machines = append(s.Machines, m)
	}
	return render(w, s.nodes()...)
}

// ruler returns the figure of a machine's result, nil if it has none.
func (p *Page) ruler(machine int, r *assay.Result) *ruler.Ruler {
	own := slices.DeleteFunc(slices.Clone(p.Series), func(s sample.Series) bool { return s.Machine != machine })
	return ruler.Of(r, own)
}

// A large is a number in large print, and what it is of.
type large struct {
	Text  string `json:"text"`
	Of    string `json:"of"`
	Class string `json:"class,omitempty"`
}

// largeOf is the number of an answer in large print, nil without a figure.
func largeOf(u *ruler.Ruler) *large {
	if u == nil {
		return nil
	}
	text, of, tone := u.Large()
	return &large{printable.Clean(text), of, tone.Class()}
}

func cleanWarnings(list []assay.Warning) (out []assay.Warning) {
	for _, w := range list {
		facts := make([]string, len(w.Facts))
		for i, f := range w.Facts {
			facts[i] = printable.Clean(f)
		}
		out = append(out, assay.Warning{Code: assay.Code(printable.Clean(string(w.Code))), Text: printable.Clean(w.Text), Facts: facts, Try: printable.Clean(w.Try)})
	}
	return out
}

// ids returns what identifies the data: the runs, the study, and the date.
func (p *Page) ids() []string {
	ids := []string{}
	for _, m := range p.Machines {
		if m.Result.Run != "" {
			ids = append(ids, "run "+printable.Clean(m.Result.Run))
		}
	}
	if h := p.Machines[0].Result.StudyHash; h != "" {
		ids = append(ids, "study "+printable.Clean(sheet.ShortHash(h)))
	}
	if c := p.Machines[0].Result.Created; !c.IsZero() {
		ids = append(ids, c.UTC().Format("2 January 2006"))
	}
	return ids
}

func staticOf(r *assay.Result) staticMachine {
	p := sheet.New(r, false, false)
	m := staticMachine{Basis: printable.Clean(r.Answer.Basis), Warnings: cleanWarnings(r.Warnings), Class: sheet.AnswerTone(r.Answer).Class()}
	m.Platform = strings.Join(slices.DeleteFunc(append(sheet.Platform(r.Platform), p.Noise()), func(s string) bool { return s == "" }), " · ")
	m.Platform = printable.Clean(m.Platform)
	for _, t := range sheet.AnswerLines(r.Answer) {
		m.Text = append(m.Text, printable.Clean(t))
	}
	if len(m.Text) == 0 {
		m.Text = []string{string(r.Answer.Verdict)}
	}
	if len(r.Tables) > 0 {
		m.Variants, m.Rows = suiteTable(p), rowsTable(p)
	}
	return m
}

// suiteTable returns the table of variants over the whole suite.
func suiteTable(p *sheet.Sheet) *table {
	e, what := p.Suite()
	t := &table{Name: printable.Clean(strings.TrimSuffix(e.Metric.Name+", "+what, ", ") + ", against " + p.Result.Base),
		Head: columnHeads("variant", append([]string{"change", "interval", "verdict"}, sheet.CountHeads(e.Metric, false)...)...)}
	for _, r := range p.VariantTable(sheet.Layout{}).Rows[1:] {
		name, cells := r.Lead, []sheet.Cell{sheet.Word(r.Text)}
		if len(r.Cells) > 0 {
			name, cells = r.Cells[0].Text, r.Cells[1:]
		}
		figures := cellsOf(cells)
		if len(cells) < len(t.Head)-1 {
			figures = []cell{{Text: printable.Clean(sheet.Joined(cells...)), Wide: len(t.Head) - 1}}
		}
		t.Rows = append(t.Rows, append([]cell{plainText(name)}, figures...))
	}
	return t
}

// rowsTable returns the first table with the first variants, or with the last step.
func rowsTable(p *sheet.Sheet) *table {
	tab, shown := p.Result.Tables[0], p.Shown
	if p.Result.Arc != nil && len(shown) > 0 {
		shown = shown[len(shown)-1:]
	}
	shown = shown[:min(len(shown), staticVariants)]
	t := &table{Name: printable.Clean(tab.Metric.Name + " of every benchmark, against " + p.Result.Base), Head: columnHeads("benchmark", p.Result.Base)}
	for _, v := range shown {
		t.Head = append(t.Head, columnHeads(v, "interval", "verdict")...)
	}
	for _, r := range tab.Rows[:min(len(tab.Rows), staticRows)] {
		t.Rows = append(t.Rows, rowOf(p, tab, r, shown))
	}
	if n := len(tab.Rows) - staticRows; n > 0 {
		t.More = "… " + printable.Int(n) + " more"
	}
	return t
}

func rowOf(p *sheet.Sheet, t assay.Table, r assay.Row, shown []string) []cell {
	e := sheet.EntryOf(t, r)
	row := append([]cell{plainText(sheet.RowName(t, r))}, cellsOf([]sheet.Cell{e.BaseCell()})...)
	for _, v := range shown {
		f := p.Fields(e, v)
		row = append(row, cellsOf([]sheet.Cell{f.Change, f.Interval, f.Verdict})...)
	}
	return row
}

func (s *staticWords) nodes() []node {
	out := []node{
		element("header", "", element("h1", "", text(s.Title)), worded("p", "", s.Question)),
		element("noscript", "", element("p", "muted", text("This is the part of the page that needs no script. With JavaScript there are charts, every benchmark and the data."))),
	}
	out = append(out, warningNodes(s.Warnings)...)
	if o := s.Over; o != nil {
		section := append([]node{element("h2", "", text(o.Name))}, answerNodes(o.Class, o.Text)...)
		out = append(out, block("section", "", append(section, element("p", "", text(o.Basis)), o.Table.node())...))
	}
	for _, m := range s.Machines {
		out = append(out, m.node())
	}
	footer := element("footer", "")
	for _, c := range s.Commands {
		footer.AppendChild(element("p", "", text(c.What+": "), element("code", "", text(c.Line))))
	}
	footer.AppendChild(element("p", "muted", text(s.IDs)))
	return append(out, footer)
}

func (m *staticMachine) node() node {
	section := append([]node{worded("h2", "", m.Name), m.Large.node()}, answerNodes(m.Class, m.Text)...)
	section = append(section, worded("p", "", m.Basis), worded("p", "muted", m.Platform), m.Figure.node("measure"))
	section = append(section, warningNodes(m.Warnings)...)
	return block("section", "", append(section, m.Variants.node(), m.Rows.node())...)
}

// node returns a number in large print, nil for none.
func (l *large) node() node {
	if l == nil {
		return nil
	}
	return element("p", strings.TrimSpace("large "+l.Class), text(l.Text+" "), element("span", "of", text(l.Of)))
}

// answerNodes returns the paragraphs of an answer.
func answerNodes(class string, lines []string) (out []node) {
	for _, t := range lines {
		out = append(out, element("p", class, element("strong", "", text(t))))
	}
	return out
}

// node returns a figure of a class, nil for none.
func (f *figure) node(class string) node {
	if f == nil {
		return nil
	}
	return element("figure", class, element("figcaption", "", text(f.Caption)), drawn(f.SVG), f.Why.node("why"))
}

func warningNodes(list []assay.Warning) (out []node) {
	for _, w := range list {
		n := element("details", "warning", element("summary", "", text("⚠ "+w.Text+" "), element("code", "", text("["+string(w.Code)+"]"))))
		if len(w.Facts) > 0 {
			facts := element("ul", "")
			for _, f := range w.Facts {
				facts.AppendChild(element("li", "", text(f)))
			}
			n.AppendChild(facts)
		}
		if w.Try != "" {
			n.AppendChild(element("p", "", text("try: "), element("code", "", text(w.Try))))
		}
		out = append(out, n)
	}
	return out
}

// node returns a table, nil for none. Its head has no scope: HTML needs none, and there
// are many.
func (t *table) node() node {
	if t == nil {
		return nil
	}
	head, body := element("tr", ""), element("tbody", "")
	for _, h := range t.Head {
		head.AppendChild(element("th", "", text(h.Text)))
	}
	for _, row := range t.Rows {
		r := element("tr", "")
		for i, c := range row {
			r.AppendChild(c.node(i == 0))
		}
		body.AppendChild(r)
	}
	n := element("table", "", element("caption", "", text(t.Name)), element("thead", "", head), body)
	return element("div", "table", element("div", "scroll", n), worded("p", "", t.More))
}

// node returns a cell, or the name of its row.
func (c cell) node(name bool) node {
	if name {
		return with(element("th", "", element("bdi", "", text(c.Text))), "scope", "row")
	}
	n := element("td", c.Class, text(c.Text))
	if c.Wide != 0 {
		n = with(n, "colspan", strconv.Itoa(c.Wide))
	}
	return n
}

package page

import (
	"html/template"
	"io"
	"slices"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/analysis/answer"
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
	SVG     template.HTML
	// Next is the figure below it, on the same axis if that has room.
	Next *figure
}

// figureOf draws a figure; its SVG escapes all names.
func figureOf(caption string, of interface{ SVG(telephone bool) string }) *figure {
	return &figure{Caption: caption, SVG: template.HTML(of.SVG(false) + of.SVG(true))}
}

// figuresOf draws the ruler, and the waterfall below it, or above it if the study asks for
// causes. w may be nil.
func figuresOf(u *ruler.Ruler, w *ruler.Waterfall) *figure {
	first := figureOf(u.What, u)
	if w == nil {
		return first
	}
	next := figureOf(w.What, w)
	if w.Leads {
		first, next = next, first
	}
	first.Next = next
	return first
}

// static writes the part of the page that needs no script.
func (p *Page) static(w io.Writer) error {
	first := &p.Machines[0].Result
	s := staticWords{Title: sheet.Title(first), Question: first.Question, Warnings: p.Warnings, Over: p.over(), Commands: p.Commands, IDs: strings.Join(p.ids(), " · ")}
	for i := range p.Machines {
		m := staticOf(&p.Machines[i].Result)
		if u := p.rulers[i]; u != nil {
			m.Large, m.Figure = largeOf(u, p.waterfalls[i]), figuresOf(u, p.waterfalls[i])
		}
		if len(p.Machines) > 1 {
			m.Name = p.Machines[i].Name
		}
		s.Machines = append(s.Machines, m)
	}
	return render(w, "page", s)
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
func largeOf(u *ruler.Ruler, w *ruler.Waterfall) *large {
	if u == nil {
		return nil
	}
	text, of, tone := ruler.Large(u, w)
	return &large{text, of, tone.Class()}
}

// ids returns what identifies the data: the runs, the study, and the date.
func (p *Page) ids() []string {
	ids := []string{}
	for _, m := range p.Machines {
		if m.Result.Run != "" {
			ids = append(ids, "run "+m.Result.Run)
		}
	}
	if h := p.Machines[0].Result.StudyHash; h != "" {
		name := "study"
		if p.Machines[0].Result.Report.Title != "" { // which has not the name
			name = p.Machines[0].Result.Study
		}
		ids = append(ids, name+" "+sheet.ShortHash(h))
	}
	if c := p.Machines[0].Result.Created; !c.IsZero() {
		ids = append(ids, sheet.Day(c))
	}
	if covered := answer.Coverage(&p.Machines[0].Result); covered != "" {
		ids = append(ids, covered)
	}
	return ids
}

func staticOf(r *assay.Result) staticMachine {
	p := sheet.New(r, false, false)
	m := staticMachine{Basis: r.Answer.Basis, Warnings: r.Warnings, Class: sheet.AnswerTone(r.Answer).Class()}
	m.Platform = strings.Join(p.Setting(), " · ")
	if m.Text = sheet.AnswerLines(r.Answer); len(m.Text) == 0 {
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
	t := &table{Name: strings.TrimSuffix(e.Metric.Name+", "+what, ", ") + ", against " + p.Result.Base,
		Head: columnHeads("variant", append([]string{"change", "interval", "verdict"}, sheet.CountHeads(e.Metric, false)...)...)}
	for _, r := range p.VariantTable(sheet.Layout{}).Rows[1:] {
		name, cells := r.Lead, []sheet.Cell{sheet.Word(r.Text)}
		if len(r.Cells) > 0 {
			name, cells = r.Cells[0].Text, r.Cells[1:]
		}
		figures := cellsOf(cells)
		if len(cells) < len(t.Head)-1 {
			figures = []cell{{Text: sheet.Joined(cells...), Wide: len(t.Head) - 1}}
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
	t := &table{Name: tab.Metric.Name + " of every benchmark, against " + p.Result.Base, Head: columnHeads("benchmark", p.Result.Base)}
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

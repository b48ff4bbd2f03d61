package page

import (
	"math"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/printable"
	"github.com/seed-1318a441/assay/internal/sheet"
	"github.com/seed-1318a441/assay/internal/sheet/account"
	"github.com/seed-1318a441/assay/internal/terminal"
)

// Limits of an explanation on a page: the rows of a list, the parts of a time, and the
// characters of a line and its function.
const (
	maxRows  = 40
	maxParts = 12
	maxLine  = 120
)

// whyWords are one explanation in the words of [report.Explanation]. What the script
// draws of it (profiles, flame graphs, listings) is in the result.
type whyWords struct {
	// Sides are what base and variant are called over columns.
	Sides [2]string `json:"sides"`
	// Values are those of both sides: "7.12 ns → 6.01 ns".
	Values   string     `json:"values,omitempty"`
	Same     string     `json:"same,omitempty"`
	Title    string     `json:"title"` // of the causes
	Causes   []cause    `json:"causes,omitempty"`
	Ways     []way      `json:"ways,omitempty"`
	Seen     string     `json:"seen,omitempty"`
	Sections []section  `json:"sections,omitempty"`
	Funcs    []function `json:"funcs,omitempty"`
	Commands []Command  `json:"commands,omitempty"`
	Foot     string     `json:"foot"`
}

// A cause has what the page shows below the text of a cause.
type cause struct {
	Share string `json:"share,omitempty"`
	Place string `json:"place,omitempty"`
}

// A way is one way to divide the time of an operation into parts.
type way struct {
	Name string `json:"name"`
	Bars []bar  `json:"bars"`
}

// A bar is a part of a difference in words, and its change to draw.
type bar struct {
	Name     string          `json:"name"`
	Base     string          `json:"base"`
	Variant  string          `json:"variant"`
	Points   string          `json:"points"`
	Span     string          `json:"span,omitempty"`
	Change   assay.Change    `json:"change"`
	Interval *assay.Interval `json:"interval,omitempty"`
}

// A section is a part of an explanation: lines, tables, and what they rest on.
type section struct {
	Title  string   `json:"title"`
	Lines  []string `json:"lines,omitempty"`
	Tables []table  `json:"tables,omitempty"`
	Note   string   `json:"note,omitempty"`
}

// An explained puts one explanation into words.
type explained struct{ account *account.Account }

// whyOf puts an explanation into words for the page.
func whyOf(s *sheet.Sheet, e *assay.Explanation) whyWords {
	x := explained{account.New(s, e, terminal.Style{}.WidthOf, false)}
	w := whyWords{Sides: [2]string{x.account.Base, x.account.Variant}, Title: x.account.CausesTitle(), Same: x.account.SameCode(), Commands: x.commands(), Foot: x.account.Foot()}
	if e.Metric != "" {
		m := sheet.Entry{Metric: account.Metric(x.account.Sheet.Result, e), Base: e.BaseValue, Cells: []assay.Comparison{e.Comparison}}
		w.Values = m.Number(e.BaseValue).Joined() + " → " + m.Number(e.Comparison.Value).Joined()
	}
	if list := e.Causes; !(len(list) == 1 && account.SaysNothing(list[0]) && len(e.Text) > 0) {
		for _, c := range list {
			w.Causes = append(w.Causes, cause{x.account.Share(c), x.account.Place(c.Function, c.File, c.Line)})
		}
	}
	if e.CPU != nil {
		w.Ways, w.Seen = x.ways(e.CPU), x.account.SeenText(e.CPU)
	}
	for _, s := range []*section{x.allocs(e.Allocs), x.collector(e.GC), x.code(e.Code), x.layout()} {
		if s != nil {
			w.Sections = append(w.Sections, *s)
		}
	}
	if e.Code != nil {
		for _, f := range e.Code.Functions[:min(maxRows, len(e.Code.Functions))] {
			w.Funcs = append(w.Funcs, x.function(f))
		}
	}
	return w
}

func (x explained) commands() (out []Command) {
	add := func(what, line string) {
		if line != "" {
			out = append(out, Command{what, line})
		}
	}
	add("again, where the run is kept", x.account.Again()) // the profiles are there, too
	return out
}

// ways returns the ways in which a profile divides the time.
func (x explained) ways(c *assay.CPUChange) (out []way) {
	difference := x.account.PartRow("measured difference", c.Difference)
	if groups := x.account.GroupRows(); groups != nil {
		out = append(out, way{"cause", barsOf(append(groups, difference))})
	}
	for _, w := range []struct {
		name string
		list []assay.Part
	}{{"function", c.Functions}, {"kind of work", c.Categories}, {"caller", c.Owners}, {"package", c.Packages}, {"line", c.Lines}} {
		if len(w.list) == 0 {
			continue
		}
		var rows []account.PartRow
		if w.name == "line" {
			for _, p := range w.list[:min(maxParts, len(w.list))] {
				place, function := x.account.LineOf(p)
				rows = append(rows, x.account.PartRow(terminal.Style{}.Beside(place, function, maxLine), p))
			}
		} else {
			rows = append(x.account.PartRows(w.list, maxParts), x.account.PartRow(assay.NotSeen, c.NotSeen), difference)
		}
		out = append(out, way{w.name, barsOf(rows)})
	}
	return out
}

func barsOf(rows []account.PartRow) []bar {
	var out []bar
	for _, r := range rows {
		cs := cellsOf(r.Cells)
		name, _, _ := strings.Cut(cs[0].Text, ", ") // "others, 3 of them with --all"
		b := bar{name, cs[1].Text, cs[2].Text, cs[3].Text, cs[4].Text, drawnChange(r.Change), nil}
		if b.Span != "" {
			b.Interval = &assay.Interval{Lo: drawnChange(r.Interval.Lo), Hi: drawnChange(r.Interval.Hi)}
		}
		out = append(out, b)
	}
	return out
}

// drawnChange has as many digits as a pixel can tell. The script draws no change as large
// as that of sums that are no number.
func drawnChange(c assay.Change) assay.Change {
	if sheet.NotFinite(float64(c)) {
		return 1e5
	}
	return assay.Change(math.Round(float64(c)*1e5) / 1e5)
}

func (x explained) allocs(a *assay.AllocChange) *section {
	if a == nil {
		return nil
	}
	if alike := account.Alike(a); alike != "" {
		return &section{Title: "allocations", Lines: []string{alike}, Note: account.AllocNote(a)}
	}
	of := x.account.Explanation.Benchmark.Name
	tables := []table{{Name: "allocations per operation of " + of, Head: columnHeads("per operation", x.account.Base, x.account.Variant, "change"),
		Rows: rowsOf(x.account.AllocTable(a))}}
	if len(a.Sites) > 0 {
		tables = append(tables, x.sitesTable(a.Sites, of))
	}
	return &section{Title: "allocations", Tables: tables, Note: account.AllocNote(a)}
}

// sitesTable lists the sites that differ, with a bar for the bytes.
func (x explained) sitesTable(sites []assay.AllocSite, of string) table {
	t := table{Name: "sites that allocate otherwise in " + of, Head: []columnHead{{Text: "site"}, {Text: "objects", Num: true}, {Text: "what, and why on the heap"}}}
	most := 0.0
	for _, s := range sites {
		if by := s.VariantBytes - s.BaseBytes; !sheet.NotFinite(by) {
			most = max(most, by, -by)
		}
	}
	for _, s := range sites {
		bar := (s.VariantBytes - s.BaseBytes) / most
		if sheet.NotFinite(bar) {
			bar = 0
		}
		t.Rows = append(t.Rows, []cell{{Text: x.account.Place(s.Function, s.File, s.Line)},
			{Text: account.SiteCount(s), Bar: bar}, {Text: account.SiteObjects(s)}})
	}
	return t
}

func (x explained) collector(c *assay.GCChange) *section {
	if c == nil || len(c.Rows) == 0 {
		return nil
	}
	t := table{Name: "collector of " + x.account.Explanation.Benchmark.Name, Head: columnHeads("collector", x.account.Base, x.account.Variant, "change", "interval"),
		Rows: rowsOf(x.account.CollectorTable(c))}
	return &section{Title: "collector", Tables: []table{t}, Note: account.CollectorNote(c)}
}

func (x explained) code(c *assay.CodeChange) *section {
	if c == nil {
		return nil
	}
	s := &section{Title: "code", Lines: x.account.Whole(c)}
	of := x.account.Explanation.Benchmark.Name
	sizes := table{Name: "size in bytes with " + of, Head: columnHeads("size in bytes", x.account.Base, x.account.Variant, "change", "relative"),
		Rows: rowsOf(x.account.SizeTable(c, maxRows))}
	calls := table{Name: "calls that changed in " + of, Head: columnHeads("calls that changed", "calls", "functions"),
		Rows: rowsOf(x.account.CallTable(c, len(c.Calls)))}
	for _, t := range []table{sizes, calls} {
		if len(t.Rows) > 0 {
			s.Tables = append(s.Tables, t)
		}
	}
	if n := len(c.Functions) - maxRows; n > 0 {
		s.Note = "… " + printable.Count(n, "more function") + " in the data"
	}
	return s
}

// A function is a function that differs: where it is, what was counted in it, and what
// the compiler did otherwise.
type function struct {
	Place string   `json:"place"`
	About string   `json:"about,omitempty"`
	Notes []string `json:"notes"`
}

func (x explained) function(f assay.FuncChange) function {
	out := function{Place: x.account.PlaceOf(f), About: account.Weight(f), Notes: []string{sheet.JoinWords(" · ", x.account.FactsOf(f)...)}}
	for _, k := range f.Calls {
		out.Notes = append(out.Notes, "call "+x.account.CallIn(f, k))
	}
	// Decisions that differ only in their column count as one.
	var n sheet.Notes
	for _, d := range f.Decisions {
		n.Add("compiler "+account.Decision(d), x.account.SideOf(d))
	}
	for _, t := range n.Texts {
		sides := n.Where[t]
		out.Notes = append(out.Notes, t+account.Times(len(sides))+" (only "+sides[0]+")")
	}
	out.Notes = out.Notes[:min(len(out.Notes), maxRows)]
	return out
}

func (x explained) layout() *section {
	l := x.account.Explanation.Layout
	if l == nil {
		return nil
	}
	line := x.account.LayoutText(l)
	if l.Survives {
		line += "; the difference holds across relinked builds"
	}
	return &section{Title: "layout", Lines: []string{l.Text}, Note: line}
}

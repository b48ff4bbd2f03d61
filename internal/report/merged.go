package report

import (
	"io"
	"slices"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/printable"
	"github.com/seed-1318a441/assay/internal/sheet"
	"github.com/seed-1318a441/assay/internal/terminal"
)

// Merged prints one study on several machines: a section for each, with the tables of
// [Text], then the machines side by side, what each shows of every variant, and last the
// answer over all of them and one for each. Nothing is averaged over machines.
func Merged(w io.Writer, m *assay.Merged, s terminal.Style) error {
	g := &gathered{m: m, p: newPrinter(&assay.Result{Study: m.Study, StudyHash: m.StudyHash, Question: m.Question, Warnings: m.Warnings}, s)}
	g.header()
	if panels := g.arcs(); len(panels) > 0 {
		newArc(g.p, panels).print()
	}
	for i := range m.Machines {
		g.machine(&m.Machines[i])
	}
	g.across()
	g.over()
	g.p.warnings()
	g.answers()
	g.again()
	_, err := io.WriteString(w, g.p.out.String())
	return err
}

// A gathered prints a Merged. p has the output and what all machines have in common.
type gathered struct {
	m *assay.Merged
	p *printer
}

func (g *gathered) header() {
	benchmarks, variants := 0, 0
	for i := range g.m.Machines {
		r := &g.m.Machines[i].Result
		benchmarks = max(benchmarks, (&sheet.Sheet{Result: r}).Benchmarks())
		variants = max(variants, len(r.Variants))
	}
	size := append([]string{g.m.Study}, g.size(benchmarks, variants)...)
	g.p.out.Parts("  ·  ", append(size, printable.Count(len(g.m.Machines), "machine"))...)
	g.p.out.Parts("", g.m.Question)
}

// machine prints the section of a machine: what Text prints, with a rule in place of the
// header and without the answer.
func (g *gathered) machine(m *assay.Machine) {
	p := newPrinter(&m.Result, g.p.out.Style)
	p.sheet.Hint, p.chained = "(--all shows them)", true
	p.out.Blank()
	p.rule(m.Name, p.sheet.MachineParts(m.Name))
	p.body()
	g.p.out.Insert(p.out.String())
}

// rule prints a line across the screen with a name and as many parts as fit, and the
// others below it.
func (p *printer) rule(name string, parts []string) {
	width := p.out.Style.Columns()
	dash, dot := p.out.Style.Text("─"), p.out.Style.Text(" · ")
	line := strings.Repeat(dash, 2) + " " + p.out.Style.Middle(name, width/2)
	sep := "  "
	for len(parts) > 0 {
		part := p.out.Style.Text(parts[0])
		if part != "" && terminal.Width(line+sep+part)+4 > width {
			break
		}
		if part != "" {
			line, sep = line+sep+part, dot
		}
		parts = parts[1:]
	}
	p.out.Line(line + " " + strings.Repeat(dash, max(0, width-terminal.Width(line)-1)))
	p.out.Parts(" · ", parts...)
}

// across prints the machines side by side, a table for each metric. Machines that do not
// fit beside the first one go into tables of their own.
func (g *gathered) across() {
	var metrics []string
	for _, a := range g.m.Across {
		if !slices.Contains(metrics, a.Metric) {
			metrics = append(metrics, a.Metric)
		}
	}
	if len(metrics) == 0 || len(g.m.Machines) < 2 {
		return
	}
	for _, metric := range metrics {
		t := sheet.AcrossTable(g.m, metric)
		t.Columns[0].Limit = g.p.out.Style.NameLimit()
		for _, part := range terminal.NewGrid(g.p.out.Style, t).Parts(2, 2) {
			g.p.out.Table(t.Part(2, 2*part[0], 2*part[1]))
		}
	}
	g.p.out.Blank()
	g.p.out.Labelled("note", sheet.Plain, "no verdict on the machines themselves: they cannot be interleaved, so machine and time cannot be separated")
}

// over prints what each machine shows of every variant.
func (g *gathered) over() {
	t := sheet.OverTable(g.m, g.p.out.Style.All)
	if t == nil {
		return
	}
	t.Columns[0].Limit = g.p.out.Style.NameLimit()
	g.p.out.Table(t)
}

// answers prints the answer over all machines, that of each machine's own record, and how
// they were decided: once where that is the same.
func (g *gathered) answers() {
	if a := g.m.Answer; a != nil {
		g.p.out.Blank()
		g.p.out.Labelled("ANSWER", sheet.AnswerTone(*a), a.Text[0])
		g.p.out.Labelled("", sheet.Plain, append(a.Text[1:len(a.Text):len(a.Text)], a.Basis)...)
	}
	s := g.p.out.Style
	indent := len("ANSWER  ")
	for _, m := range g.m.Machines {
		indent = max(indent, len("ANSWER  on : ")+s.WidthOf(m.Name))
	}
	indent = min(indent, s.Columns()/2)
	g.p.out.Blank()
	lead := "ANSWER  "
	if g.m.Answer != nil {
		lead = "        "
	}
	var bases []string
	for _, m := range g.m.Machines {
		a := m.Result.Answer
		lines := sheet.AnswerLines(a)
		if len(lines) == 0 {
			lines = []string{string(a.Verdict)}
		}
		name := s.Middle(m.Name, indent-len("ANSWER  on : "))
		g.p.out.Hanging(lead+"on "+name+":", indent, sheet.AnswerTone(a), strings.Join(lines, "; "))
		lead = "        "
		if a.Basis != "" && !slices.Contains(bases, a.Basis) {
			bases = append(bases, a.Basis)
		}
	}
	g.apart()
	if len(bases) == 1 {
		g.p.out.Labelled("", sheet.Plain, bases[0])
		return
	}
	for _, m := range g.m.Machines {
		if b := m.Result.Answer.Basis; b != "" {
			g.p.out.Labelled("", sheet.Plain, m.Name+": "+b)
		}
	}
}

// again prints what repeats the results: commands, each once, and runs.
func (g *gathered) again() {
	var commands, runs []string
	for _, m := range g.m.Machines {
		if c := m.Result.Command; !slices.Contains(commands, c) {
			commands = append(commands, c)
		}
		if m.Result.Run != "" {
			runs = append(runs, "run "+m.Result.Run+" on "+m.Name)
		}
	}
	if h := g.m.StudyHash; h != "" {
		runs = append(runs, "study "+sheet.ShortHash(h))
	}
	g.p.again(commands, strings.Join(runs, " · "))
}

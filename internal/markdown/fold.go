package markdown

import (
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/printable"
	"github.com/seed-1318a441/assay/internal/sheet"
)

// fold is a text that shows its summary alone until somebody opens it.
func fold(summary, text string) string {
	return "<details><summary>" + summary + "</summary>\n\n" + text + "\n\n</details>"
}

// everything is the fold with all benchmarks and metrics for which there is room.
func (m *comment) everything() {
	var names []string
	for _, t := range m.head.sheet.Result.Tables {
		if len(t.Rows) > 0 && len(names) < 4 {
			names = append(names, Prose(sheet.MetricWords(t.Metric.Name)))
		}
	}
	if len(names) == 0 || len(m.head.sheet.Shown) == 0 {
		return
	}
	if len(m.head.sheet.Result.Tables) > len(names) {
		names = append(names, "…")
	}
	title := "All " + printable.Count(m.head.sheet.Benchmarks(), "benchmark") + ": " + strings.Join(names, ", ")
	if m.head.sheet.Benchmarks() == 1 {
		title = "All metrics: " + strings.Join(names, ", ")
	}
	m.blocks = append(m.blocks, block{fill: func(room int) string { return m.allRows(title, room) }})
}

// An mdGroup is a table of the fold: the benchmarks of a metric, or the metrics of a
// service or of the only benchmark.
type mdGroup struct {
	title   string
	entries []sheet.Entry
}

func (m *comment) groups() []mdGroup {
	var out []mdGroup
	at := map[assay.Benchmark]int{}
	for _, t := range m.head.sheet.Result.Tables {
		if !m.head.sheet.Single() && !m.head.sheet.Serves {
			out = append(out, mdGroup{Prose(sheet.MetricWords(t.Metric.Name)), m.entries(t, t.Rows)})
			continue
		}
		for _, r := range t.Rows {
			i, ok := at[r.Benchmark]
			if !ok {
				i, at[r.Benchmark] = len(out), len(out)
				out = append(out, mdGroup{title: Code(r.Benchmark.Name)})
			}
			e := sheet.EntryOf(t, r)
			e.Label = Prose(sheet.MetricWords(t.Metric.Name))
			out[i].entries = append(out[i].entries, e)
		}
	}
	return out
}

// allRows is that fold in at most so many bytes: whole rows, and how many it leaves out.
func (m *comment) allRows(title string, room int) string {
	leftOut := func(n int) string { return "\n\n… and " + printable.Int(n) + " more: on the report page" }
	room -= len(fold(title, "")) + len(leftOut(1e9))
	var b strings.Builder
	left := 0
	for _, g := range m.groups() {
		head, align := m.heads(g.title)
		lead := "\n\n" + mdRow(head) + "\n" + mdRow(align)
		for i := range g.entries {
			if left > 0 {
				left++
				continue
			}
			line := lead + "\n" + mdRow(m.entryRows(g.entries[i : i+1])[0])
			if b.Len()+len(line) > room {
				left++
				continue
			}
			b.WriteString(line)
			lead = ""
		}
	}
	switch {
	case b.Len() == 0:
		return ""
	case left > 0:
		b.WriteString(leftOut(left))
	}
	return fold(title, strings.TrimLeft(b.String(), "\n"))
}

// measuredHow is the fold on machine, noise, rule and toolchains.
func (m *comment) measuredHow() string {
	var lines []string
	add := func(parts ...string) {
		if text := sheet.JoinWords(" · ", parts...); text != "" {
			lines = append(lines, "- "+text)
		}
	}
	add(Prose(m.head.sheet.Result.Answer.Basis))
	if n := m.head.sheet.Result.Spent.Blocks; n > 0 {
		add(printable.Count(m.head.sheet.Result.Spent.Trials, "trial") + " in " + printable.Count(n, m.head.sheet.BlockNoun()) + ", interleaved")
	}
	var machine []string
	for _, p := range m.head.sheet.Setting() {
		machine = append(machine, Prose(p))
	}
	add(machine...)
	var toolchains []string
	for _, t := range sheet.Toolchains(m.head.sheet.Result) {
		toolchains = append(toolchains, Code(t))
	}
	add(toolchains[:min(len(toolchains), sheet.MaxRows)]...)
	for _, v := range m.head.sheet.Result.Variants {
		if v.SameAs != nil && len(lines) < sheet.MaxRows {
			add(Code(v.Name) + ": " + Prose(m.head.sheet.SameText(v)))
		}
	}
	for _, w := range m.head.sheet.Result.Warnings {
		if told := inSight(w) || w.Code == assay.CodeNoisy && m.head.cannotTell(); !told && len(lines) < sheet.MaxRows {
			lines = append(lines, mdWarning(w))
		}
	}
	if len(lines) == 0 {
		return ""
	}
	return fold("How it was measured", strings.Join(lines, "\n"))
}

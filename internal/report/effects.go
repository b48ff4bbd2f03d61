package report

import (
	"math"
	"strings"

	"github.com/seed-1318a441/assay"
)

// The columns of a table of effects.
const (
	effName = iota
	effChange
	effInterval
	effVerdict
	effNote
)

// An effectLayout says how effects are printed.
type effectLayout struct{ notes, half bool }

var effectLayouts = []effectLayout{{notes: true}, {}, {half: true}}

// effects prints what each switch does, for every metric that has them: those
// of one switch, in groups by what was held, then those of two.
func (p *printer) effects() {
	for _, t := range p.r.Tables {
		if len(t.Effects) == 0 || oneFactor(t.Effects) {
			continue
		}
		for i, l := range effectLayouts {
			g := p.effectGrid(t, l)
			g.measure()
			if g.width() > p.s.width() && i < len(effectLayouts)-1 {
				continue
			}
			if !l.notes {
				p.keepEffects(t)
			}
			p.grid(g)
			break
		}
	}
}

// oneFactor reports whether all effects are of one factor and nothing else was
// held: then the table of variants says the same.
func oneFactor(all []assay.Effect) bool {
	for _, e := range all {
		if len(e.Switches) != 1 || len(all[0].Switches) != 1 || e.Held != "" || e.Switches[0].Factor != all[0].Switches[0].Factor {
			return false
		}
	}
	return true
}

func (p *printer) effectGrid(t assay.Table, l effectLayout) *grid {
	intervals := pair
	if l.half {
		intervals = right
	}
	g := &grid{style: p.s, cols: []column{{limit: p.labelLimit(l)}, {align: point, gap: 3}, {align: intervals, gap: 1}, {gap: 2}, {gap: 2}}}
	heading := ""
	for _, e := range t.Effects {
		if !p.printed(e) {
			continue
		}
		if h := effectHeading(e); h != heading {
			p.effectHead(g, t, e)
			heading = h
		}
		p.effectRows(g, t, e, l)
	}
	if tail := p.unclearInteractions(t); tail != "" {
		g.text("", tail)
	}
	return g
}

// labelLimit is the room that the names of switches may take.
func (p *printer) labelLimit(l effectLayout) int {
	if l.half {
		return max(minName, p.s.width()-32)
	}
	return max(minName, p.s.width()/2-2)
}

// printed reports whether an effect has a line of its own: interactions that
// nothing is known of yet are only counted.
func (p *printer) printed(e assay.Effect) bool {
	known := e.Whole.Verdict != assay.Unclear && e.Whole.Verdict != assay.SameCoded
	return len(e.Switches) < 2 || known || p.s.All
}

func effectHeading(e assay.Effect) string {
	switch {
	case len(e.Switches) > 1:
		return "two switches"
	case e.Held != "":
		return "switch, others as in " + e.Held
	}
	return "switch, mean over the others"
}

// effectHead opens a group.
func (p *printer) effectHead(g *grid, t assay.Table, e assay.Effect) {
	if len(g.lines) > 0 {
		g.blank()
	}
	what := "effect on " + effectMetric(t.Metric)
	if t.Common > 1 {
		var list []assay.Comparison
		for _, e := range t.Effects {
			list = append(list, e.Whole)
		}
		what += ", " + p.geomeanWords(t, list)
	}
	if len(e.Switches) > 1 {
		what = "together, beyond each alone"
	}
	g.head(span{text: effectHeading(e)}, span{from: effChange, to: effNote, text: what, whole: true})
}

// effectMetric is the metric as one speaks of it.
func effectMetric(m assay.Metric) string {
	if m.Name == assay.MetricTime {
		return "time"
	}
	return metricWords(m.Name)
}

// switchLabel names the switches of an effect: "gc: greentea to classic", and
// of two where they lead: "gc classic × slices heap".
func switchLabel(e assay.Effect) string {
	if len(e.Switches) == 1 {
		return e.Switches[0].String()
	}
	var parts []string
	for _, s := range e.Switches {
		if s.From == "" {
			parts = append(parts, s.To)
		} else {
			parts = append(parts, s.Factor+" "+s.To)
		}
	}
	return strings.Join(parts, " × ")
}

// effectRows prints an effect on the whole suite, and on each benchmark where
// everything is asked for.
func (p *printer) effectRows(g *grid, t assay.Table, e assay.Effect, l effectLayout) {
	label := switchLabel(e)
	if e.Whole.Verdict == assay.SameCoded {
		limit := g.cols[effName].limit
		g.text(p.s.middle(p.s.text(label), limit), "–  "+noEffect(e.Whole.Reason))
		return
	}
	g.row(p.effectCells(label, t.Metric, e.Whole, l)...)
	if !p.s.All {
		return
	}
	for _, c := range e.Cells {
		g.row(p.effectCells("  "+c.Benchmark.Name, t.Metric, c, l)...)
	}
}

func noEffect(reason string) string {
	if reason == "" {
		return "no effect possible: it builds to the same code"
	}
	return "no effect possible: " + strings.TrimPrefix(reason, "no effect possible: ")
}

func effectEntry(m assay.Metric, c assay.Comparison) entry {
	return entry{metric: m, base: math.NaN(), cells: []assay.Comparison{c}}
}

func (p *printer) effectCells(label string, m assay.Metric, c assay.Comparison, l effectLayout) []cell {
	f := p.fields(effectEntry(m, c), c.Variant)
	cs := []cell{word(label), f.change, f.interval, f.verdict, {}}
	if l.half {
		cs[effInterval] = f.half
	}
	if l.notes {
		cs[effNote] = word(f.note)
	}
	return cs
}

// keepEffects puts the notes below the tables.
func (p *printer) keepEffects(t assay.Table) {
	for _, e := range t.Effects {
		if e.Whole.Verdict == assay.SameCoded || !p.printed(e) {
			continue
		}
		if text := p.noteOf(effectEntry(t.Metric, e.Whole), e.Whole); text != "" {
			p.notes.add(text, switchLabel(e))
		}
	}
}

// unclearInteractions counts those that have no line, in the words of their
// verdicts.
func (p *printer) unclearInteractions(t assay.Table) string {
	var left []assay.Row
	for _, e := range t.Effects {
		if !p.printed(e) {
			left = append(left, assay.Row{Cells: []assay.Comparison{e.Whole}})
		}
	}
	if len(left) == 0 {
		return ""
	}
	return "… interactions: " + p.counts(left) + " " + p.showAll()
}

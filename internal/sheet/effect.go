package sheet

import (
	"cmp"
	"math"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/analysis/answer"
)

// OneFactor reports whether all effects are of one factor with nothing else held: then
// the table of variants says the same.
func OneFactor(all []assay.Effect) bool {
	for _, e := range all {
		if len(e.Switches) != 1 || len(all[0].Switches) != 1 || e.Held != "" || e.Switches[0].Factor != all[0].Switches[0].Factor {
			return false
		}
	}
	return true
}

// EffectHeading is the heading of the group that an effect is in.
func EffectHeading(e assay.Effect) string {
	switch {
	case len(e.Switches) > 1:
		return "two switches"
	case e.Held != "":
		return "switch, others as in " + e.Held
	}
	return "switch, mean over the others"
}

// EffectMetric is the metric as people speak of it.
func EffectMetric(m assay.Metric) string {
	if m.Name == assay.MetricTime {
		return "time"
	}
	return MetricWords(m.Name)
}

// SwitchLabel names the switches of an effect: "gc: greentea to classic", and of two of
// them what they lead to: "gc classic × slices heap".
func SwitchLabel(e assay.Effect) string {
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

// noEffect says why switches cannot have an effect.
func noEffect(reason string) string {
	const lead = "no effect possible: "
	return lead + strings.TrimPrefix(cmp.Or(reason, "it builds to the same code"), lead)
}

// EffectTable says what each switch does to the metric of a table: first the effects of
// one switch, grouped by what was held, then those of two together.
func (s *Sheet) EffectTable(table assay.Table, l Layout) *Table {
	t := &Table{Columns: append([]Column{{}}, l.columns(1)...)}
	t.Columns[1].Over, t.Columns[1].Whole = len(t.Columns)-2, true
	heading := ""
	for _, e := range table.Effects {
		if !s.printed(e) {
			continue
		}
		if h := EffectHeading(e); h != heading {
			if heading != "" {
				t.Blank()
			}
			heading = h
			t.Columns[0].Head, t.Columns[1].Head = h, s.effectOn(table, e)
			t.Heads()
		}
		if e.Whole.Verdict == assay.SameCoded {
			t.Text(SwitchLabel(e), "–  "+noEffect(e.Whole.Reason))
			continue
		}
		row := func(label string, c assay.Comparison) {
			t.Row(append([]Cell{Word(label)}, l.cells(s.Fields(EffectEntry(table.Metric, c), c.Variant))...)...)
		}
		row(SwitchLabel(e), e.Whole)
		for _, c := range e.Cells {
			if s.all {
				row("  "+table.NameOf(c.Benchmark), c)
			}
		}
	}
	if tail := s.unclearInteractions(table); tail != "" {
		t.Text("", tail)
	}
	return t
}

// effectOn is the heading over the changes of a group of effects.
func (s *Sheet) effectOn(table assay.Table, e assay.Effect) string {
	if len(e.Switches) > 1 {
		return "together, beyond each alone"
	}
	what := "effect on " + EffectMetric(table.Metric)
	if table.Common > 1 {
		var list []assay.Comparison
		for _, e := range table.Effects {
			list = append(list, e.Whole)
		}
		what += ", " + GeomeanWords(s.Result, table, list)
	}
	return what
}

// EffectEntry is the entry of an effect, whose base has no value.
func EffectEntry(m assay.Metric, c assay.Comparison) Entry {
	return Entry{Metric: m, Base: math.NaN(), Cells: []assay.Comparison{c}}
}

// printed reports whether an effect has a row of its own: interactions of which nothing
// is known yet are only counted.
func (s *Sheet) printed(e assay.Effect) bool {
	known := e.Whole.Verdict != assay.Unclear && e.Whole.Verdict != assay.SameCoded
	return len(e.Switches) < 2 || known || s.all
}

// unclearInteractions counts the effects without a row by their verdicts.
func (s *Sheet) unclearInteractions(t assay.Table) string {
	var left []assay.Comparison
	for _, e := range t.Effects {
		if !s.printed(e) {
			left = append(left, e.Whole)
		}
	}
	if len(left) == 0 {
		return ""
	}
	return "… interactions: " + answer.Counts(left) + " " + s.ShowAll()
}

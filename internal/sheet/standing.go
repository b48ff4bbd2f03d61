package sheet

import (
	"slices"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/analysis/answer"
	"github.com/seed-1318a441/assay/internal/printable"
)

// A lane is a metric over all services.
type lane struct {
	metric, label string
	entries       map[assay.Benchmark]Entry // of services that have a value
	refused       []assay.Benchmark         // services with too few requests
}

// lanes are the metrics of all services, details among them, in the order of printing.
func (s Digest) lanes() (out []lane) {
	for _, b := range s.Sheet.Services {
		for _, e := range s.entriesOf(b) {
			i := slices.IndexFunc(out, func(l lane) bool { return l.metric == e.Metric.Name })
			if i < 0 {
				i = len(out)
				out = append(out, lane{metric: e.Metric.Name, label: nameAlone(e.Metric.Name), entries: map[assay.Benchmark]Entry{}})
			}
			if e.Refused != "" {
				out[i].refused = append(out[i].refused, b)
			} else {
				out[i].entries[b] = e
			}
		}
	}
	return out
}

// over are the comparisons of a metric in all services of a sheet.
func (l lane) over(s Digest) (out []assay.Comparison) {
	for _, b := range s.Sheet.Services {
		for _, c := range l.entries[b].Cells {
			if slices.Contains(s.Sheet.Shown, c.Variant) {
				out = append(out, c)
			}
		}
	}
	return out
}

// StandingTable has a line for each metric that decides: how its comparisons came out over
// all services, and with bases the base's values. The lines below it name the quantiles
// for which there were too few requests, and count the metrics that have no line here nor
// in [Digest.FindingTable].
func (s Digest) StandingTable(bases bool) *Table {
	t := &Table{Columns: []Column{{Head: "base values"}}}
	if bases {
		for _, b := range s.Sheet.Services {
			t.Columns = append(t.Columns, Column{Head: b.Name, Align: Point, Gap: 2, Limit: 20})
		}
		t.Columns = append(t.Columns, Column{Gap: 3})
	}
	more := 0
	var others []assay.Comparison
	lanes := s.lanes()
	for _, l := range lanes {
		list := l.over(s)
		switch {
		case len(l.entries) == 0:
		case !s.Sheet.decides(l.metric):
			if !slices.ContainsFunc(list, found) {
				more++
				others = append(others, list...)
			}
		case bases:
			if len(t.Rows) == 0 {
				t.Heads()
			}
			t.Row(slices.Concat([]Cell{Word(l.label)}, l.bases(s), []Cell{Word(answer.Counts(list))})...)
		default:
			t.Text(l.label, answer.Counts(list))
		}
	}
	if labels, text := s.tooFew(lanes); text != "" {
		t.Text(labels, text)
	}
	if more > 0 {
		t.Text(printable.Count(more, "more metric"), answer.Counts(others)+" "+s.Sheet.ShowAll())
	}
	return t
}

// bases are the base's values of a metric in each service.
func (l lane) bases(s Digest) (out []Cell) {
	for _, b := range s.Sheet.Services {
		if e, ok := l.entries[b]; ok {
			out = append(out, e.BaseCell())
		} else {
			out = append(out, Word(None))
		}
	}
	return out
}

// tooFew names the quantiles that were refused, and says why. Services are named where
// others have the quantile.
func (s Digest) tooFew(lanes []lane) (labels, text string) {
	var names []string
	most := 0
	for _, l := range lanes {
		if len(l.refused) == 0 {
			continue
		}
		name := strings.TrimPrefix(l.label, "latency ")
		if len(l.entries) > 0 {
			var in []string
			for _, b := range l.refused {
				in = append(in, b.Name)
			}
			name += " in " + strings.Join(in, ", ")
		}
		names = append(names, name)
		for _, b := range l.refused {
			for _, x := range s.Sheet.LatencyOf(b).Refused {
				if x.Metric == l.metric {
					most = max(most, x.Seen)
				}
			}
		}
	}
	if len(names) == 0 {
		return "", ""
	}
	return strings.Join(names, ", "), "too few requests: " + printable.Int(assay.MinBeyond) + " beyond it needed, at most " + printable.Int(most) + " seen"
}

// NoEffect reports whether no effect in a table is decided.
func NoEffect(t assay.Table) bool {
	none := []assay.Verdict{assay.Unclear, assay.SameCoded, assay.Invalid}
	return !slices.ContainsFunc(t.Effects, func(e assay.Effect) bool { return !slices.Contains(none, e.Whole.Verdict) })
}

// EffectStanding says in one line how the effects of switches came out in some tables, ""
// where there are none.
func EffectStanding(tables []assay.Table) string {
	var names []string
	var list []assay.Comparison
	for _, t := range tables {
		for _, e := range t.Effects {
			list = append(list, e.Whole)
			var factors []string
			for _, x := range e.Switches {
				factors = append(factors, x.Factor)
			}
			if name := strings.Join(factors, " × "); !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	if len(list) == 0 {
		return ""
	}
	return printable.Few(names, MaxNotes) + " on " + printable.Count(len(tables), "metric") + ": " + answer.Counts(list)
}

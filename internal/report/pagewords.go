package report

import (
	"cmp"
	"math"
	"slices"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/sheet"
)

// PageWords are the words of a page, which its script shows as they are: it makes
// none. Figures that follow the reader's choices (axes, values under the pointer)
// it formats itself, in the units given here.
type PageWords struct {
	// Units are the ladders of units that Metrics name, by their last unit.
	Units    map[string][]pageUnit         `json:"units"`
	Metrics  map[string]pageMetric         `json:"metrics"`
	Verdicts map[assay.Verdict]pageVerdict `json:"verdicts"`
	// Cells are what comparisons say beside their verdict and figures, each text
	// once; the first says nothing.
	Cells []pageCell `json:"cells"`
	// Said has for each machine the index into Cells of its comparisons, in the order
	// of eachComparison. Packed ones have a column of it.
	Said [][]int `json:"said"`
	// Why has the explanations of each machine.
	Why [][]pageWhy `json:"why"`

	index map[pageCell]int
}

type pageUnit struct {
	Div  float64 `json:"div"`
	Unit string  `json:"unit"`
}

// A pageMetric is how a metric is printed. Group is "service" or "gc" for what is
// listed with those, in the order of At.
type pageMetric struct {
	Label string  `json:"label"`
	Unit  string  `json:"unit"`
	Group string  `json:"group,omitempty"`
	At    float64 `json:"at,omitempty"`
}

type pageVerdict struct {
	Word    string `json:"word"`
	Mark    string `json:"mark"`
	Tone    string `json:"tone"`
	Differs bool   `json:"differs,omitempty"`
}

// A pageCell is what a comparison says beside its verdict and figures. Change and
// Interval stand where it has no change in percent with an interval, Mark where the
// verdict does not tell it.
type pageCell struct {
	Note     string `json:"note,omitempty"`
	Aside    string `json:"aside,omitempty"`
	Change   string `json:"change,omitempty"`
	Interval string `json:"interval,omitempty"`
	Mark     string `json:"mark,omitempty"`
}

// words begins the words of a page: those of its metrics and of all verdicts.
func (p *Page) words() *PageWords {
	w := &PageWords{Units: map[string][]pageUnit{}, Metrics: map[string]pageMetric{}, Verdicts: map[assay.Verdict]pageVerdict{},
		Cells: []pageCell{{}}, index: map[pageCell]int{{}: 0}}
	for _, v := range []assay.Verdict{assay.Faster, assay.Slower, assay.Higher, assay.Lower, assay.Less, assay.More, assay.Changed,
		assay.Same, assay.Unclear, assay.SameCoded, assay.Saturated, assay.Invalid, assay.Mixed, assay.Withheld} {
		w.Verdicts[v] = pageVerdict{Word: sheet.VerdictWord(v), Mark: sheet.Mark(assay.Comparison{Verdict: v}),
			Tone: cmp.Or(classOfTone(sheet.ToneOf(v)), "plain"), Differs: v.Differs()}
	}
	// Axes and pointers tell these, whatever was measured.
	for _, m := range []string{assay.MetricGCMark, assay.MetricGCLive, "latency.p50"} {
		w.metric(m)
	}
	for _, m := range p.Machines {
		w.metricsOf(&m.Result)
	}
	return w
}

// metricsOf adds the metrics of a result.
func (w *PageWords) metricsOf(r *assay.Result) {
	for _, t := range r.Tables {
		w.metric(t.Metric.Name)
	}
	for _, l := range r.Latencies {
		for _, x := range l.Refused {
			w.metric(x.Metric)
		}
	}
	for _, g := range r.GCs {
		for _, x := range g.Phases {
			w.metric(x.Name)
		}
	}
	for _, e := range r.Explanations {
		w.metric(e.Metric)
	}
}

func (w *PageWords) metric(name string) {
	ladder := sheet.LadderOf(name)
	l, known := sheet.LabelOf(name)
	x := pageMetric{Label: clean(l.Text), Unit: ladder[len(ladder)-1].Unit}
	switch {
	case sheet.IsGC(name):
		x.Group = "gc"
	case assay.IsLatency(name) || known:
		x.Group = "service"
	}
	if known {
		x.At = sheet.Place(name)
	}
	w.Metrics[name] = x
	units := make([]pageUnit, len(ladder))
	for i, s := range ladder {
		units[i] = pageUnit{s.Div, s.Unit}
	}
	w.Units[x.Unit] = units
}

// say finds the index of what a comparison says, for a printer that leaves nothing out.
func (w *PageWords) say(p *printer, m assay.Metric, base float64, c assay.Comparison) int {
	e := sheet.Entry{Metric: m, Base: base, Cells: []assay.Comparison{c}}
	x := pageCell{Note: clean(p.NoteOf(e, c)), Aside: c.Placement()}
	change, interval, _ := sheet.ChangeCells(e, c)
	if math.IsNaN(base) {
		change, interval, _ = stepCells(m, c)
	}
	if a, b := plainChange(c); change.Joined() != a || interval.Joined() != b {
		x.Change, x.Interval = change.Joined(), interval.Joined()
	} else {
		x.Aside = sheet.JoinWords(" · ", c.Change.Ratio(m), x.Aside)
	}
	if v := w.Verdicts[c.Verdict]; sheet.Mark(c) != v.Mark {
		x.Mark = sheet.Mark(c)
	}
	i, ok := w.index[x]
	if !ok {
		i = len(w.Cells)
		w.index[x], w.Cells = i, append(w.Cells, x)
	}
	return i
}

// plainChange is a change with its interval as the script prints it where nothing
// else is said.
func plainChange(c assay.Comparison) (change, interval string) {
	switch {
	case c.Exact:
		return sheet.Change(c.Change, 0), "(exact)"
	case c.Interval == nil:
		return "", ""
	}
	return sheet.Change(c.Change, c.Interval.Half()), c.Interval.String()
}

// said adds what the comparisons of a result say that were not packed; p prints the
// whole of it.
func (w *PageWords) said(p *printer, r *assay.Result) {
	out := []int{}
	eachComparison(r, p.Result, func(m assay.Metric, base float64, c assay.Comparison) { out = append(out, w.say(p, m, base, c)) })
	w.Said = append(w.Said, out)
	var why []pageWhy
	short := newPrinter(p.Result, Style{})
	for i := range r.Explanations {
		why = append(why, short.pageWhy(&r.Explanations[i]))
	}
	w.Why = append(w.Why, why)
}

// eachComparison goes through what the page shows of a result, with the base's value
// or NaN. web/src/data.ts goes through the same in the same order.
func eachComparison(r, full *assay.Result, f func(m assay.Metric, base float64, c assay.Comparison)) {
	list := func(m assay.Metric, base float64, cells []assay.Comparison) {
		for _, c := range cells {
			f(m, base, c)
		}
	}
	for _, t := range r.Tables {
		for _, row := range t.Rows {
			list(t.Metric, row.Base, row.Cells)
		}
		list(t.Metric, math.NaN(), t.Geomean)
		for _, s := range t.Steps {
			if s.Whole != nil {
				f(t.Metric, math.NaN(), *s.Whole)
			}
			list(t.Metric, math.NaN(), s.Cells)
		}
		for _, e := range t.Effects {
			f(t.Metric, math.NaN(), e.Whole)
		}
	}
	first := decidingTable(full)
	list(first.Metric, math.NaN(), r.Noise.Cells)
	for _, v := range r.Variants {
		if v.Worst != nil {
			f(first.Metric, baseIn(first, v.Worst.Benchmark), *v.Worst)
		}
	}
	if r.Arc != nil {
		for _, c := range r.Arc.Compound {
			f(assay.Metric{Name: c.Metric}, math.NaN(), c.Direct)
		}
	}
	for _, e := range r.Explanations {
		f((&explained{printer: &printer{Sheet: &sheet.Sheet{Result: full}}, e: &e}).metric(), e.BaseValue, e.Comparison)
	}
}

// decidingTable is the first that decides, else the first.
func decidingTable(r *assay.Result) assay.Table {
	i := slices.IndexFunc(r.Tables, func(t assay.Table) bool { return t.Decides })
	if i < 0 && len(r.Tables) == 0 {
		return assay.Table{}
	}
	return r.Tables[max(i, 0)]
}

// baseIn is the base's value of a benchmark, NaN where it was not measured.
func baseIn(t assay.Table, b assay.Benchmark) float64 {
	if i := slices.IndexFunc(t.Rows, func(r assay.Row) bool { return r.Benchmark == b }); i >= 0 {
		return t.Rows[i].Base
	}
	return math.NaN()
}

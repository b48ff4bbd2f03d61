// Package ruler draws the verdict ruler: how identical code scatters against itself, how
// each variant scatters against the base, and the interval claimed of it, on one axis. It
// prints what the sheet says and computes no verdict.
package ruler

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/analysis/answer"
	"github.com/seed-1318a441/assay/internal/analysis/sample"
	"github.com/seed-1318a441/assay/internal/sheet"
)

// maxRows is how many rows fit on a first screen.
const maxRows = 7

// A Ruler is the figure of one result, on its first deciding metric.
type Ruler struct {
	// What names the figure: the metric, the benchmarks it is over, the base.
	What string
	// Metric is the name of its metric.
	Metric string
	// Left and Right say at the ends of the axis which side is better, "" if unknown.
	Left, Right string
	// Margin is the minimum effect, as a share.
	Margin float64
	// Confidence of the intervals, as a share.
	Confidence float64
	// Same are the blocks of identical code. Noise says to how much they are known to be the
	// same, and Floor is that as a share, 0 where it is not of this metric.
	Same  Dots
	Noise string
	Floor float64
	Rows  []Row
	// Lead is the index of the row that the answer is about.
	Lead int
	// answered is the variant that the answer is about, which leads if no effect does.
	answered string
	// More counts the rows that have no room.
	More int
	// Heat is the strip of the benchmarks behind the row that leads, nil for one benchmark.
	Heat *Heat

	shared *axis // with the rulers of other machines; nil for its own
}

// Dots are the natural logarithms of the ratios to the base, by block.
type Dots struct {
	Blocks []int
	LN     []float64
}

// A Row is a variant over the whole suite, or one benchmark of the only variant.
type Row struct {
	Variant, Benchmark string
	// Name is what is printed.
	Name string
	Dots Dots
	// Point, Lo and Hi are natural logarithms of ratios; Lo and Hi are NaN while there is
	// no interval.
	Point, Lo, Hi float64
	// Change, Interval and Verdict are the words of the sheet.
	Change, Interval, Verdict string
	Mark                      string
	Tone                      sheet.Tone
	verdict                   assay.Verdict
	rare                      answer.Rarity
	// effect marks the row of a switch, which has cells of its benchmarks.
	effect bool
	cells  []assay.Comparison
}

// Of returns the ruler of a result, nil if it has one block, or no comparison that is a
// ratio. The series are those of the result's blocks, none for a result without a record.
func Of(r *assay.Result, series []sample.Series) *Ruler {
	if len(r.Tables) == 0 || r.Spent.Single() {
		return nil
	}
	lead := answer.LeadOf(r)
	t := lead.Table
	s := sheet.New(r, false, false)
	e, what := s.SuiteOf(t)
	u := &Ruler{Metric: t.Metric.Name, Margin: t.Metric.MinEffect, Confidence: r.Rule.Confidence}
	u.Left, u.Right = sheet.Sides(t.Metric)
	if e.Cells = answer.Headlines(t); len(e.Cells) > 0 {
		u.What = sheet.JoinWords(", ", sheet.MetricWords(t.Metric.Name), what)
		of := assay.Benchmark{}
		if len(t.Geomean) == 0 {
			of = e.Cells[0].Benchmark
		}
		u.Same = dotsOf(series, t.Metric.Name, of, r.Noise.Control)
		for _, c := range e.Cells {
			if c.Variant != r.Noise.Control {
				x, ok := row(s, e, c, c.Variant, dotsOf(series, t.Metric.Name, of, c.Variant))
				x.rare = answer.RarityOf(t, c)
				u.add(x, ok)
			}
		}
		u.lead(s)
	}
	u.effects(s, t, lead.Effects)
	if variants := others(r); len(u.Rows) < 2 && len(variants) == 1 {
		u.benchmarks(s, t, variants[0], series)
	}
	if len(u.Rows) == 0 {
		return nil
	}
	switch lead := u.Rows[u.Lead]; {
	case lead.effect:
		u.Heat = heatOf(t.Metric, effectEntries(t.Metric, lead.cells))
	case u.Rows[len(u.Rows)-1].Benchmark == "":
		u.Heat = heatOf(t.Metric, columnOf(r, t, lead.Variant))
	}
	if r.Noise.Known() && t.Metric.Name == r.Tables[0].Metric.Name { // of which the floor is
		u.Noise, u.Floor = s.Noise(), float64(r.Noise.Floor)
	}
	u.What = sheet.JoinWords(", ", u.What, sheet.Against(r.Base))
	return u
}

// others are the variants that are compared with the base.
func others(r *assay.Result) (names []string) {
	for _, v := range r.Variants {
		if v.Name != r.Base && v.Name != r.Noise.Control && v.SameAs == nil {
			names = append(names, v.Name)
		}
	}
	return names
}

// row returns the row of a comparison; ok is false if it is no ratio.
func row(s *sheet.Sheet, e sheet.Entry, c assay.Comparison, name string, dots Dots) (x Row, ok bool) {
	e.Cells = []assay.Comparison{c}
	f := s.Fields(e, c.Variant)
	point := c.Change.Log()
	if c.N == 0 || !f.Change.Num || math.IsNaN(point) || math.IsInf(point, 0) || answer.NoFigure(c.Verdict) {
		return x, false
	}
	x = Row{Variant: c.Variant, Name: name, Dots: dots, Point: point, Lo: math.NaN(), Hi: math.NaN(),
		Change: f.Change.Joined(), Interval: f.Interval.Joined(), Verdict: f.Verdict.Joined(), Mark: sheet.Mark(c), Tone: sheet.ToneOf(c.Verdict), verdict: c.Verdict}
	if i := c.Interval; i != nil {
		x.Lo, x.Hi = assay.Change(i.Lo).Log(), assay.Change(i.Hi).Log()
	}
	return x, true
}

func (u *Ruler) add(x Row, ok bool) {
	if ok {
		u.Rows = append(u.Rows, x)
	}
}

// lead finds the row that the answer is about, and keeps as many rows as there is room
// for: that one and the largest changes, in the order of the study.
func (u *Ruler) lead(s *sheet.Sheet) {
	if len(u.Rows) == 0 {
		return
	}
	answered, _ := s.Answered()
	order := make([]int, len(u.Rows))
	for i := range order {
		order[i] = i
	}
	weight := func(x Row) float64 {
		switch {
		case x.Variant == answered.Name:
			return math.Inf(1)
		case !x.verdict.Differs():
			return -1 / (1 + math.Abs(x.Point))
		}
		return math.Abs(x.Point)
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(weight(u.Rows[j]), weight(u.Rows[i])) })
	first := order[0]
	order = order[:min(len(order), maxRows)]
	slices.Sort(order)
	var kept []Row
	for _, i := range order {
		kept = append(kept, u.Rows[i])
	}
	u.answered = u.Rows[first].Variant
	u.More, u.Lead = len(u.Rows)-len(kept), slices.Index(order, first)
	u.Rows = kept
}

// effects puts the effects of single switches above the variants, of which those stay that
// there is room for. The one that the answer names first leads.
func (u *Ruler) effects(s *sheet.Sheet, t assay.Table, list []assay.Effect) {
	var rows []Row
	for _, e := range list {
		if x, ok := row(s, sheet.EffectEntry(t.Metric, e.Whole), e.Whole, answer.Setting(e), Dots{}); ok {
			x.Variant, x.effect, x.cells, x.rare = "", true, e.Cells, answer.RarityOfEffect(t, e)
			rows = append(rows, x)
		}
	}
	if len(rows) == 0 {
		return
	}
	rows = append(rows, u.Rows...)
	u.More += max(0, len(rows)-maxRows)
	u.Rows, u.Lead = rows[:min(len(rows), maxRows)], 0
}

// benchmarks adds rows for the benchmarks of the only variant, the largest changes first.
func (u *Ruler) benchmarks(s *sheet.Sheet, t assay.Table, variant string, series []sample.Series) {
	if len(t.Rows) < 2 {
		return
	}
	var rows []Row
	for _, r := range t.Rows {
		e := sheet.EntryOf(t, r)
		if c, ok := e.Of(variant); ok {
			if x, ok := row(s, e, c, sheet.RowName(t, r), dotsOf(series, t.Metric.Name, r.Benchmark, variant)); ok {
				x.Benchmark = r.Benchmark.String()
				rows = append(rows, x)
			}
		}
	}
	if len(u.Rows) == 0 {
		u.What = sheet.MetricOf(t.Metric.Name, variant)
	}
	slices.SortStableFunc(rows, func(a, b Row) int {
		return cmp.Or(-compareBools(a.verdict.Differs(), b.verdict.Differs()), cmp.Compare(math.Abs(b.Point), math.Abs(a.Point)))
	})
	room := maxRows - len(u.Rows)
	u.More += max(0, len(rows)-room)
	u.Rows = append(u.Rows, rows[:min(room, len(rows))]...)
}

func compareBools(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}

// dotsOf returns the blocks of a variant, none where there are no series.
func dotsOf(series []sample.Series, metric string, b assay.Benchmark, variant string) Dots {
	i := slices.IndexFunc(series, func(s sample.Series) bool {
		return s.Metric == metric && s.Variant == variant && s.Benchmark == b
	})
	if i < 0 || variant == "" {
		return Dots{}
	}
	return Dots{series[i].Block, series[i].LN}
}

// Large is the number of the answer in large print, what it is of, and its tone: the
// change if one was proved, else what is left possible. Where the study asks for causes, it
// is the largest cause of the change in the waterfall.
func Large(u *Ruler, w *Waterfall) (text, of string, tone sheet.Tone) {
	if w != nil && w.Leads {
		return w.large()
	}
	return u.large()
}

func (u *Ruler) large() (text, of string, tone sheet.Tone) {
	x := u.Rows[u.Lead]
	of = sheet.MetricOf(u.Metric, x.Name)
	if x.effect {
		of = sheet.EffectOf(u.Metric, x.Name)
	}
	if !x.rare.Typical() {
		text, rest := LargeRarity(x.rare)
		return text, of + ": " + rest, sheet.Plain
	}
	interval := x.Interval
	if math.IsNaN(x.Lo) {
		interval = ""
	}
	return LargeText(x.verdict, x.Change, interval, u.Margin), of, x.Tone
}

// LargeRarity is the number in large print for a change that is not typical of its benchmarks,
// "1 of 14", and what it is of.
func LargeRarity(x answer.Rarity) (text, of string) {
	text = fmt.Sprintf("%d of %d", x.Moved, x.Of)
	return text, strings.TrimPrefix(x.String(), text+" ")
}

// LargeText is the number in large print for a verdict: the change if one is claimed, the
// minimum effect of what is the same, or else the interval, "?" without one.
func LargeText(v assay.Verdict, change, interval string, margin float64) string {
	switch {
	case v.Differs():
		return change
	case v == assay.Same:
		return sheet.MinEffect(margin)
	case interval != "":
		return sheet.Number(interval, "%").Joined()
	}
	return "?"
}

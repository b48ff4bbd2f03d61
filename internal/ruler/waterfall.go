package ruler

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/explain/group"
	"github.com/seed-1318a441/assay/internal/sheet"
)

// A Waterfall is the figure of why a comparison differs: groups of causes, each bar from
// where the one above it ends, and the measured change that they add up to.
type Waterfall struct {
	// What names the figure: the benchmark, the variant and the base.
	What string
	// Leads is set if the study asks for causes: the figure stands before the ruler.
	Leads bool
	Rows  []Fall

	of   string // the benchmark and the variant
	axis axis
	left int // where the axis begins, under that of the ruler
}

// A Fall is a group of causes, or the measured change, which is the last.
type Fall struct {
	Name string
	// Change is in percent of the base's value, Interval its interval or "".
	Change, Interval string
	// From and To are natural logarithms of ratios to the base: what the groups above amount
	// to, without and with this one.
	From, To float64
	Tone     sheet.Tone
	// Hatched marks what is unexplained.
	Hatched bool
}

// WaterfallOf returns the figure of the largest change that is explained: of the variant
// that the answer is about, else of any. It is nil if no explanation of the first metric has
// parts. Its axis is that of the ruler if all bars lie within.
func WaterfallOf(r *assay.Result, u *Ruler) *Waterfall {
	e := explanationOf(r, u)
	if e == nil {
		return nil
	}
	metric := r.Tables[0].Metric
	w := &Waterfall{What: sheet.WhyTitle(e), Leads: r.Answer.Asks.Kind() == assay.AskCauses, of: e.Benchmark.Name + " in " + e.Variant}
	w.fall(e, metric.Better)
	w.axis = w.newAxis(u, metric.MinEffect)
	if u != nil {
		w.left = u.roomy(wide).left
	}
	return w
}

// explanationOf returns the explanation to draw, nil if there is none.
func explanationOf(r *assay.Result, u *Ruler) *assay.Explanation {
	var first *assay.Explanation
	for _, e := range sheet.ByChange(r.Explanations) {
		groups := group.Of(e)
		if len(groups) < 2 || len(r.Tables) == 0 || e.Metric != r.Tables[0].Metric.Name || !e.Comparison.Verdict.Differs() || !(e.Comparison.Change > -1) {
			continue
		}
		if u != nil && e.Variant == u.answered {
			return e
		}
		first = cmp.Or(first, e)
	}
	return first
}

// large is the largest cause, in points of the change: "+787 of +1031 %". It has no tone, since
// the answer to a question about causes is neither good nor bad.
func (w *Waterfall) large() (text, of string, tone sheet.Tone) {
	parts, whole := w.Rows[:len(w.Rows)-1], w.Rows[len(w.Rows)-1]
	largest := slices.MaxFunc(parts, func(a, b Fall) int { return cmp.Compare(a.size(), b.size()) })
	return strings.TrimSuffix(largest.Change, " %") + " of " + whole.Change, largest.Name + ": " + w.of, sheet.Strong
}

// size is how much of the change a bar is.
func (f Fall) size() float64 { return math.Abs(math.Exp(f.To) - math.Exp(f.From)) }

// least is the smallest ratio that a bar may reach.
const least = 0.02

// fall adds the rows of an explanation. Groups stand in their usual order; if these would
// take more than the whole time away before others add to it, those that add come first.
func (w *Waterfall) fall(e *assay.Explanation, better assay.Better) {
	groups := group.Of(e)
	at := 1.0
	for _, g := range groups {
		if at += float64(g.Change); at < least {
			slices.SortStableFunc(groups, func(a, b group.Group) int { return cmp.Compare(b.Change, a.Change) })
			break
		}
	}
	at = 1
	for _, g := range groups {
		f := Fall{Name: g.Name, Change: sheet.Number(g.Points, "%").Joined(), From: math.Log(at), Hatched: g.Name == group.Unexplained, Tone: toneOfChange(g.Change, g.Interval, better)}
		if f.Hatched {
			f.Tone = sheet.Plain
		}
		if g.Interval != nil {
			f.Interval = g.Interval.String()
		}
		at = max(at+float64(g.Change), 1e-4)
		f.To = math.Log(at)
		w.Rows = append(w.Rows, f)
	}
	c := e.Comparison
	whole := Fall{Name: sheet.Measured, Change: group.Total(e), To: c.Change.Log(), Tone: sheet.ToneOf(c.Verdict)}
	if c.Interval != nil {
		whole.Interval = c.Interval.String()
	}
	w.Rows = append(w.Rows, whole)
}

// toneOfChange is the tone of a part of a change, faint if it may be none.
func toneOfChange(c assay.Change, i *assay.Interval, better assay.Better) sheet.Tone {
	switch {
	case i != nil && i.Covers(0):
		return sheet.Faint
	case better == assay.BetterLower && c < 0, better == assay.BetterHigher && c >= 0:
		return sheet.Good
	case better == assay.BetterLower, better == assay.BetterHigher:
		return sheet.Bad
	}
	return sheet.Faint
}

// newAxis returns the axis of a ruler if it holds all bars, else one that does.
func (w *Waterfall) newAxis(u *Ruler, margin float64) axis {
	own := 2.5 * math.Log1p(max(margin, 0))
	a := axis{-own, own}
	for _, f := range w.Rows {
		a.lo, a.hi = min(a.lo, f.From, f.To), max(a.hi, f.From, f.To)
	}
	if u != nil {
		if of := u.newAxis(); of.lo <= a.lo && a.hi <= of.hi {
			return of
		}
	}
	room := 0.06 * (a.hi - a.lo)
	return axis{a.lo - room, a.hi + room}
}

// SVG returns the figure for a page, in one of two widths as [Ruler.SVG].
func (w *Waterfall) SVG(telephone bool) string {
	p := paper{axis: w.axis, shape: w.shape(telephone)}
	p.open("ruler waterfall", w.Description(), w.height(p.shape))
	w.draw(&p)
	p.WriteString("</svg>")
	return p.String()
}

// fallTop is the height above the bars, for the ticks.
const fallTop = 26

// shape is where the parts of the figure lie, with less room for a row than a ruler has.
func (w *Waterfall) shape(telephone bool) shape {
	s := shapeOf(telephone)
	s.pitch, s.left = 23, max(s.left, w.left)
	if telephone {
		s.pitch, s.left = 38, narrow.left
	}
	return s
}

func (w *Waterfall) height(s shape) int { return fallTop + len(w.Rows)*s.pitch + 6 }

// middleOf is the height of the middle of the bar whose row begins at y.
func (p *paper) middleOf(y float64) float64 {
	if p.narrow {
		return y + 25
	}
	return p.lineOf(y)
}

// Description is the finding in a sentence, for readers who do not see the figure.
func (w *Waterfall) Description() string {
	parts := []string{w.What}
	for _, f := range w.Rows {
		parts = append(parts, sheet.JoinWords(" ", f.Name, f.Change, f.Interval))
	}
	return strings.Join(parts, "; ")
}

// draw draws the bars and the grid behind them.
func (w *Waterfall) draw(p *paper) {
	p.grid(fallTop, float64(fallTop+len(w.Rows)*p.pitch))
	y := float64(fallTop)
	for i, f := range w.Rows {
		p.group("row " + classOf(f.Tone))
		next := math.NaN()
		if i+2 < len(w.Rows) {
			next = y + float64(p.pitch)
		}
		p.fall(f, y, next)
		p.words(y, "name", f.Name, f.Change, f.Interval, classOf(f.Tone))
		p.end()
		y += float64(p.pitch)
	}
}

// barHeight is the height of a bar in pixels.
const barHeight = 12

// fall draws a bar, and a line from its end to the bar below, which begins there.
func (p *paper) fall(f Fall, y, next float64) {
	line := p.middleOf(y)
	from, to := p.clamp(f.From), p.clamp(f.To)
	left, width := min(from, to), max(1, math.Abs(to-from))
	above := line - barHeight/2.0
	if f.Hatched {
		p.path("hatch open", hatching(left, above, width, barHeight))
	} else {
		p.rect("fall "+classOf(f.Tone), left, above, width, barHeight)
	}
	if !math.IsNaN(next) {
		p.path("joint", fmt.Sprintf("M%s %sV%s", px(to), px(above+barHeight), px(p.middleOf(next)-barHeight/2.0)))
	}
}

// hatching is the outline of a bar with oblique lines in it.
func hatching(x, y, width, height float64) string {
	var d strings.Builder
	fmt.Fprintf(&d, "M%s %sh%sv%sh%sz", px(x), px(y), px(width), px(height), px(-width))
	const pitch = 6
	for at := pitch - height; at < width; at += pitch {
		a, b := max(at, 0), min(at+height, width) // from the bottom at a to the top at b
		fmt.Fprintf(&d, "M%s %sL%s %s", px(x+a), px(y+height-(a-at)), px(x+b), px(y+height-(b-at)))
	}
	return d.String()
}

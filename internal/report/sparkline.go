package report

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/printable"
	"github.com/seed-1318a441/assay/internal/sheet"
	"github.com/seed-1318a441/assay/internal/terminal"
)

// Bounds of the picture: bars beside a text, bars alone, and lines.
const (
	minBars  = 24
	maxBars  = 60
	maxLines = 12
)

// A logAxis divides latencies into columns that are equally wide on a log scale.
type logAxis struct {
	lo, hi float64 // ln seconds
	cols   int
}

// at is the place of a value on the axis, in columns.
func (a logAxis) at(x float64) float64 { return (math.Log(x) - a.lo) / (a.hi - a.lo) * float64(a.cols) }

// A spark is one variant of the picture.
type spark struct {
	name, text string
	h          assay.Histogram
}

// sparklines draws how the latencies of the base and of some variants are distributed,
// below each other on one axis.
func (p *printer) sparklines(t *sheet.Table, l *assay.Latency, variants []string) {
	sparks := p.sparks(l, variants)
	if len(sparks) == 0 {
		return
	}
	more := 0
	if len(sparks) > maxLines && !p.out.Style.All {
		more, sparks = len(sparks)-maxLines, sparks[:maxLines]
	}
	names, texts := 0, 0
	for i := range sparks {
		s := &sparks[i]
		s.name = p.out.Style.Middle(s.name, p.out.Style.NameLimit())
		names, texts = max(names, terminal.Width(s.name)), max(texts, terminal.Width(s.text))
	}
	room := p.out.Style.Columns() - names - 2
	a := axisOf(sparks)
	a.cols = max(1, min(maxBars, room))
	beside := room-texts-2 >= minBars
	if beside && texts > 0 {
		a.cols = min(maxBars, room-texts-2)
	}
	t.Blank()
	indent := strings.Repeat(" ", names+2)
	common := ""
	if !beside {
		common = commonText(sparks)
	}
	for i, bars := range a.bars(sparks) {
		s := sparks[i]
		line := terminal.Pad(s.name, names, false) + "  " + p.out.Style.Text(bars)
		if beside && s.text != "" {
			line = terminal.Pad(line, names+2+a.cols, false) + "  " + s.text
		}
		t.Draw(line)
		if !beside && common == "" && s.text != "" {
			for _, text := range terminal.Wrap(s.text, room) {
				t.Draw(indent + text)
			}
		}
	}
	t.Draw(indent + a.ticks(p.out.Style, room))
	if common != "" {
		t.Text("", common)
	}
	if more > 0 {
		t.Text("", "… "+printable.Count(more, "more variant")+" "+p.sheet.ShowAll())
	}
}

// commonText is the text of all variants but the base, "" where they have several.
func commonText(sparks []spark) string {
	if len(sparks) < 3 || slices.ContainsFunc(sparks[1:], func(s spark) bool { return s.text != sparks[1].text }) {
		return ""
	}
	return "each variant: " + sparks[1].text
}

// sparks are the variants whose latencies are known, with the texts on their shifts.
func (p *printer) sparks(l *assay.Latency, variants []string) (out []spark) {
	if l == nil {
		return nil
	}
	for _, d := range l.Variants {
		if d.Variant != p.sheet.Result.Base && !slices.Contains(variants, d.Variant) {
			continue
		}
		s := spark{name: d.Variant, h: usable(d.Histogram)}
		if len(s.h.Values) == 0 {
			continue
		}
		if i := slices.IndexFunc(l.Shifts, func(x assay.Shift) bool { return x.Variant == d.Variant }); i >= 0 {
			s.text = strings.TrimSpace(p.out.Style.Text(l.Shifts[i].Text))
		}
		out = append(out, s)
	}
	return out
}

// usable is the part of a histogram that has a place on a log scale, ascending.
func usable(h assay.Histogram) (out assay.Histogram) {
	for i, v := range h.Values {
		if i >= len(h.Counts) || h.Counts[i] <= 0 || v <= 0 || sheet.NotFinite(v) {
			continue
		}
		if n := len(out.Values); n > 0 && v <= out.Values[n-1] {
			continue
		}
		out.Values, out.Counts = append(out.Values, v), append(out.Counts, h.Counts[i])
	}
	return out
}

// axisOf goes from the least p0.1 to the largest p99.9, and has some width even where
// they are equal.
func axisOf(sparks []spark) logAxis {
	a := logAxis{lo: math.Inf(1), hi: math.Inf(-1)}
	for _, s := range sparks {
		all, below := float64(s.h.Total()), 0.0
		for i, v := range s.h.Values {
			if below <= 0.999*all {
				a.hi = max(a.hi, math.Log(v))
			}
			below += float64(s.h.Counts[i])
			if below >= 0.001*all {
				a.lo = min(a.lo, math.Log(v))
			}
		}
	}
	const least = 0.1
	if a.hi-a.lo < least {
		middle := (a.lo + a.hi) / 2
		a.lo, a.hi = middle-least/2, middle+least/2
	}
	return a
}

// bars are the lines, on the scale of the highest column.
func (a logAxis) bars(sparks []spark) (lines []string) {
	var densities [][]float64
	most := 0.0
	for _, s := range sparks {
		d := a.density(s.h)
		densities, most = append(densities, d), max(most, slices.Max(d))
	}
	for _, density := range densities {
		var line strings.Builder
		for _, d := range density {
			line.WriteString(sheet.Bar(d / most))
		}
		lines = append(lines, line.String())
	}
	return lines
}

// density is the share of requests in each column. A bucket reaches half way to its
// neighbours, but no further than buckets usually do: otherwise buckets as wide as
// columns would look like a comb, and gaps would look filled.
func (a logAxis) density(h assay.Histogram) []float64 {
	out := make([]float64, a.cols)
	var gaps []float64
	for i := 1; i < len(h.Values); i++ {
		gaps = append(gaps, a.at(h.Values[i])-a.at(h.Values[i-1]))
	}
	usual := 0.0
	if len(gaps) > 0 {
		usual = slices.Sorted(slices.Values(gaps))[len(gaps)/2]
	}
	all := float64(h.Total())
	for i, v := range h.Values {
		x, left, right := a.at(v), usual, usual
		if i > 0 {
			left = min(left, gaps[i-1])
		}
		if i < len(gaps) {
			right = min(right, gaps[i])
		}
		spread(out, x-left/2, x+right/2, float64(h.Counts[i])/all)
	}
	return out
}

// spread adds a share to the columns between two places, and drops what lies beyond the
// ends.
func spread(out []float64, from, to, share float64) {
	if to-from < 1e-9 {
		if i := int(math.Floor(min(from, float64(len(out))-1e-9))); i >= 0 && from <= float64(len(out)) {
			out[i] += share
		}
		return
	}
	for i := int(max(0, math.Floor(from))); i < len(out) && float64(i) < to; i++ {
		part := min(to, float64(i+1)) - max(from, float64(i))
		out[i] += share * max(0, part) / (to - from)
	}
}

// ticks is the line below the bars: a few round latencies, each behind a stroke in its
// column.
func (a logAxis) ticks(style terminal.Style, room int) string {
	line := ""
	for _, v := range roundValues(math.Exp(a.lo), math.Exp(a.hi)) {
		at := min(int(a.at(v)), a.cols-1)
		u := sheet.ScaleFor(assay.Quantiles[0].Metric(), v, 0)
		text := style.Text("│" + strconv.FormatFloat(v/u.Div, 'g', 4, 64) + " " + u.Unit)
		if at < terminal.Width(line)+min(1, terminal.Width(line)) || at+terminal.Width(text) > room {
			continue
		}
		line = terminal.Pad(line, at, false) + text
	}
	return line
}

// maxTicks is the number of ticks on an axis.
const maxTicks = 4

// roundValues are at most maxTicks round values between two values: 1, 2 and 5 in each
// decade, or decades, or even steps where there is less than a decade.
func roundValues(lo, hi float64) []float64 {
	from, to := int(math.Floor(math.Log10(lo))), int(math.Ceil(math.Log10(hi)))
	inside := func(digits []float64, every int) (out []float64) {
		for k := from; k <= to; k += every {
			for _, d := range digits {
				if v := d * math.Pow10(k); v >= lo*(1-1e-9) && v <= hi*(1+1e-9) {
					out = append(out, v)
				}
			}
		}
		return out
	}
	if some := inside([]float64{1, 2, 5}, 1); len(some) <= maxTicks {
		if even := evenSteps(lo, hi); len(some) < maxTicks-1 && len(even) > len(some) {
			return even
		}
		return some
	}
	for every := 1; ; every++ {
		if some := inside([]float64{1}, every); len(some) <= maxTicks {
			return some
		}
	}
}

// evenSteps are multiples of the least step of 1, 2 or 5 that gives at most maxTicks.
func evenSteps(lo, hi float64) []float64 {
	decade := math.Pow10(int(math.Floor(math.Log10((hi - lo) / maxTicks))))
	for _, step := range []float64{decade, 2 * decade, 5 * decade, 10 * decade, 20 * decade} {
		first := math.Ceil(lo / step)
		n := int(math.Floor(hi/step) - first + 1)
		if n > maxTicks || sheet.NotFinite(step) || step <= 0 {
			continue
		}
		var out []float64
		for i := range n {
			out = append(out, (first+float64(i))*step)
		}
		return out
	}
	return nil
}

package report

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-1318a441/assay/internal/printable"
	"github.com/seed-1318a441/assay/internal/sheet"
	"github.com/seed-1318a441/assay/internal/sheet/chain"
	"github.com/seed-1318a441/assay/internal/terminal"
)

// The curve: a bar is at most maxBar cells wide, and the curve about curveCells.
const (
	maxBar     = 3
	curveCells = 48
)

// maxSpike bounds the scale of the curve: values above so many times the base's would
// flatten everything else, and are shown as off the scale.
const maxSpike = 1.5

// A curve is a machine's values relative to the base: first that of the base, NaN for
// gaps and for what is not known yet.
type curve struct {
	chain.Panel
	values []float64
}

// curve draws the first metric over base and steps, a line for each machine on one scale,
// and below it a ruler that names the steps at which phases begin.
func (a *arc) curve() {
	var curves []curve
	names := 0
	for _, x := range a.Panels {
		c := curve{Panel: x, values: a.Values(x)}
		if !x.Result.Spent.Single() && slices.ContainsFunc(c.values[1:], func(v float64) bool { return !math.IsNaN(v) }) {
			curves = append(curves, c)
			names = max(names, a.p.out.Style.WidthOf(x.Name))
		}
	}
	if len(curves) == 0 {
		return
	}
	title := a.Title()
	lead := a.p.out.Style.WidthOf(title)
	a.p.out.Blank()
	if len(a.Panels) > 1 {
		a.p.out.Parts("", title)
		lead = min(max(names, len("base")), a.p.out.Style.NameLimit())
	}
	shown := a.sample(a.p.out.Style.Columns() - lead - 2 - terminal.Width("  0.0012×"))
	wide := min(maxBar, max(1, curveCells/len(shown)))
	for wide > 1 && lead+2+wide*len(shown)+terminal.Width("  0.0012×") > a.p.out.Style.Columns() {
		wide--
	}
	top := topOf(curves)
	for _, c := range curves {
		name := title
		if len(a.Panels) > 1 {
			name = a.p.out.Style.Middle(c.Name, lead)
		}
		line := terminal.Pad(a.p.out.Style.Text(name), lead, false) + "  " + a.p.out.Style.Text(bars(c.values, shown, top, wide)) + "  " + a.p.out.Style.Text(factor(c.values))
		a.p.out.Line(line)
	}
	a.p.out.Line(a.ruler(shown, lead, wide))
	a.p.out.Parts("   ", slices.Concat(a.PhaseNames(), a.beside(curves, shown, top), a.Over())...)
}

// sample chooses the steps that have a bar, 0 being the base: all, or where there is no
// room each k-th, counted from the last.
func (a *arc) sample(room int) (out []int) {
	every := 1
	for (len(a.Steps)+every-1)/every+1 > max(room, 2) {
		every++
	}
	for i := len(a.Steps); i > 0; i -= every {
		out = append(out, i)
	}
	slices.Reverse(out)
	return append([]int{0}, out...)
}

// topOf is the value of a full bar: the largest, except spikes where they are at most
// half of the values.
func topOf(curves []curve) float64 {
	var known []float64
	for _, c := range curves {
		known = append(known, slices.DeleteFunc(slices.Clone(c.values), math.IsNaN)...)
	}
	calm := slices.DeleteFunc(slices.Clone(known), func(v float64) bool { return v > maxSpike })
	if 2*len(calm) >= len(known) {
		known = calm
	}
	return slices.Max(append(known, 1))
}

func bars(values []float64, shown []int, top float64, wide int) string {
	var b strings.Builder
	for _, i := range shown {
		b.WriteString(strings.Repeat(sheet.Bar(max(values[i]/top, 1e-9)), wide))
	}
	return b.String()
}

// factor is the last value that is known, "0.38×".
func factor(values []float64) string {
	for _, v := range slices.Backward(values) {
		if !math.IsNaN(v) {
			return strconv.FormatFloat(v, 'f', min(max(0, 1-sheet.Decade(v), 2-max(0, sheet.Decade(v))), 9), 64) + "×"
		}
	}
	return ""
}

// ruler names the base, the beginnings of phases below their bars, and the last step.
func (a *arc) ruler(shown []int, lead, wide int) string {
	line := terminal.Pad("base", lead+1+wide, true)
	for i, n := range shown {
		at := lead + 2 + i*wide
		if n == 0 {
			continue
		}
		// A phase that begins at a step without a bar is named at the next one.
		var star strings.Builder
		for k := shown[i-1]; k < n; k++ {
			star.WriteString(a.Star(k))
		}
		if star.Len() > 0 && terminal.Width(line) < at {
			line = terminal.Pad(line, at, false) + a.p.out.Style.Text(star.String())
		}
	}
	last := printable.Int(len(a.Steps))
	end := lead + 2 + wide*len(shown)
	return line + strings.Repeat(" ", max(1, end-terminal.Width(line)-terminal.Width(last))) + last
}

// beside says what the bars do not show: the steps off the scale, gaps, and the number of
// steps of a bar.
func (a *arc) beside(curves []curve, shown []int, top float64) (out []string) {
	var off sheet.Notes
	for _, c := range curves {
		var over, gaps []int
		for i, v := range c.values[1:] {
			s, known := c.Step(a.Steps[i].Variant)
			switch {
			case v > top*(1+1e-9):
				over = append(over, i+1)
			case math.IsNaN(v) && known && s.Gap != nil:
				gaps = append(gaps, i+1)
			}
		}
		if len(over) > 0 {
			off.Add(chain.StepsText(over)+" off the scale", c.Name)
		}
		if len(gaps) > 0 {
			off.Add("no bar: "+chain.StepsText(gaps)+", not built", c.Name)
		}
	}
	for _, t := range off.Texts {
		if len(off.Where[t]) < len(curves) {
			t = strings.Join(off.Where[t], ", ") + ": " + t
		}
		out = append(out, t)
	}
	if len(shown) > 2 && len(shown) < len(a.Steps)+1 {
		out = append(out, "each bar is the last of "+printable.Count(shown[2]-shown[1], "step"))
	}
	return out
}

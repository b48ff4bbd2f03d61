package report

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/sheet"
	"github.com/seed-1318a441/assay/internal/terminal"
)

// tradeoff prints the variants that are best for some price of one metric in the other,
// as a table and as a picture.
func (p *printer) tradeoff() {
	if p.sheet.Result.Tradeoff == nil || len(p.sheet.Result.Tradeoff.Points) == 0 {
		return
	}
	p.out.FirstFit(2, 1, func(i int) *sheet.Table {
		t := p.sheet.TradeTable(i == 0)
		t.Columns[len(t.Columns)-1].Limit = p.out.Style.Columns() / 3
		return t
	})
	trade{p, p.sheet.Result.Tradeoff, sheet.TradePlaces(p.sheet.Result.Tradeoff)}.picture()
}

// A trade is a trade-off with the places of its points.
type trade struct {
	p *printer
	*assay.Tradeoff
	places []sheet.TradePlace
}

// The picture of a trade-off, axes included.
const (
	pictureWidth = 60
	pictureLines = 8 // of the plot; axis, values and titles take four more
)

// picture draws the points: the first metric to the right, the second upwards.
func (t trade) picture() {
	points := t.drawable()
	if len(points) < 2 {
		return
	}
	least := 2 * max(float64(t.p.sheet.Result.Noise.Floor), t.Metrics[0].MinEffect, t.Metrics[1].MinEffect)
	var axes [2]axis
	for j := range axes {
		axes[j] = newAxis(points, j, t.Metrics[j].Name, least)
	}
	labels := []string{axes[1].label(axes[1].hi), axes[1].label(axes[1].lo)}
	margin := max(t.p.out.Style.WidthOf(labels[0]), t.p.out.Style.WidthOf(labels[1]))
	width := min(pictureWidth, t.p.out.Style.Columns()) - margin - 2
	if width < pictureWidth/3 {
		return // figures that nobody expects
	}
	field := plot(points, axes, width)

	lines := []string{terminal.Pad("", margin, true) + " " + axes[1].title()}
	for i, row := range field {
		side, tick := "", " │"
		switch i {
		case 0:
			side, tick = labels[0], " ┤"
		case len(field) - 1:
			side, tick = labels[1], " ┤"
		}
		side = t.p.out.Style.Text(side)
		lines = append(lines, terminal.Pad(side, margin, true)+tick+strings.TrimRight(string(row), " "))
	}
	lines = append(lines, terminal.Pad("", margin, true)+" └"+strings.Repeat("─", width))
	lo, hi := t.p.out.Style.Text(axes[0].label(axes[0].lo)), t.p.out.Style.Text(axes[0].label(axes[0].hi))
	between := max(1, width-terminal.Width(lo)-terminal.Width(hi))
	lines = append(lines, terminal.Pad("", margin+2, true)+lo+strings.Repeat(" ", between)+hi,
		terminal.Pad("", margin+2, true)+terminal.Pad(t.p.out.Style.Middle(axes[0].title(), width), width, true))
	t.p.out.Blank()
	for _, l := range lines {
		t.p.out.Line(t.p.out.Style.Text(l))
	}
}

// A dot is a point of the picture.
type dot struct {
	at    [2]float64
	mark  rune
	front bool
}

// drawable are the points whose both values are known.
func (t trade) drawable() []dot {
	var out []dot
	marks := sheet.PointMarks(t.places)
	for i, x := range t.Points {
		if !sheet.NotFinite(x.Values[0]) && !sheet.NotFinite(x.Values[1]) {
			out = append(out, dot{x.Values, marks[i], t.places[i].Front})
		}
	}
	return out
}

// An axis maps the values of a metric to a share of a length.
type axis struct {
	metric string
	lo, hi float64
	log    bool // the points span so much that most would fall together otherwise
}

// logSpan is the ratio of the ends from which an axis is logarithmic.
const logSpan = 5

// newAxis spans all points, and at least the relative width least to both sides of their
// middle: a picture must not zoom into the noise.
func newAxis(points []dot, j int, metric string, least float64) axis {
	a := axis{metric: metric, lo: points[0].at[j], hi: points[0].at[j]}
	for _, x := range points {
		a.lo, a.hi = min(a.lo, x.at[j]), max(a.hi, x.at[j])
	}
	mid := a.lo/2 + a.hi/2
	if a.lo >= 0 { // then nothing lies below 0, however wide the noise
		least = min(least, 1)
	}
	a.lo, a.hi = min(a.lo, mid*(1-least)), max(a.hi, mid*(1+least))
	a.log = a.lo > 0 && a.hi/a.lo >= logSpan
	return a
}

func (a axis) title() string {
	if a.log {
		return a.metric + ", log scale"
	}
	return a.metric
}

// label prints a value of the axis.
func (a axis) label(v float64) string {
	return sheet.Value(assay.Metric{Name: a.metric}, v, sheet.UnknownRel)
}

// place is the cell of n that a value falls into.
func (a axis) place(v float64, n int) int {
	if a.hi <= a.lo {
		return n / 2
	}
	share := (v - a.lo) / (a.hi - a.lo)
	if a.log {
		share = math.Log(v/a.lo) / math.Log(a.hi/a.lo)
	}
	return min(max(int(share*float64(n)), 0), n-1)
}

// plot puts the marks into a field of pictureLines by width cells. Marks that fall
// together stand side by side, those of the front in their own place.
func plot(points []dot, axes [2]axis, width int) [][]rune {
	field := make([][]rune, pictureLines)
	for i := range field {
		field[i] = []rune(strings.Repeat(" ", width))
	}
	points = slices.Clone(points)
	slices.SortStableFunc(points, func(a, b dot) int { return strings.Compare(strconv.FormatBool(b.front), strconv.FormatBool(a.front)) })
	for _, x := range points {
		row := field[pictureLines-1-axes[1].place(x.at[1], pictureLines)]
		if i := free(row, axes[0].place(x.at[0], width), x.mark); i >= 0 {
			row[i] = x.mark
		}
	}
	return field
}

// free is the free cell of a row that is nearest to at, -1 where there is none, or where
// at has the same mark already.
func free(row []rune, at int, mark rune) int {
	for d := range len(row) {
		for _, i := range [...]int{at + d, at - d} {
			if i >= 0 && i < len(row) && row[i] == ' ' {
				return i
			}
		}
		if row[at] == mark {
			return -1
		}
	}
	return -1
}

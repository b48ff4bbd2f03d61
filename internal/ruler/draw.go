package ruler

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/seed-1318a441/assay/internal/sheet"
)

// A shape is where the parts of a ruler lie, in pixels.
type shape struct {
	width int
	// narrow puts the words of a row above its line.
	narrow             bool
	left, right, pitch int
	ticks              int
}

// Shapes of the figure: words beside its lines, and above them on a telephone.
var (
	wide   = shape{width: 760, left: 150, right: 222, pitch: 31, ticks: 6}
	narrow = shape{width: 350, narrow: true, left: 8, right: 8, pitch: 47, ticks: 4}
)

const (
	top    = 34 // for the ticks
	bottom = 24 // for the legend
)

// A paper is what a figure is drawn on: an axis, where things lie, and elements.
type paper struct {
	axis axis
	shape
	canvas
}

// A drawing is a ruler being drawn.
type drawing struct {
	*Ruler
	paper
}

func (u *Ruler) drawing(s shape) drawing {
	return drawing{u, paper{axis: u.newAxis(), shape: u.roomy(s)}}
}

// SVG returns the figure of a page: class says which of the two widths it is, and CSS
// which is shown. A script finds each row by its variant, the place of no change in data-x0,
// pixels per unit of the logarithm in data-unit, the ends of the axis in data-from and
// data-to, and the height of a row's line in data-y.
func (u *Ruler) SVG(telephone bool) string {
	d := u.drawing(shapeOf(telephone))
	d.open("ruler", u.Description(), d.height())
	d.figure()
	d.WriteString("</svg>")
	return d.String()
}

// mostLeft is the most room that names get beside the axis.
const mostLeft = 250

// roomy is a shape with the room beside the axis that the longest name needs, up to a limit:
// names differ in any place, and a name with a hole is none.
func (u *Ruler) roomy(s shape) shape {
	if s.narrow {
		return s
	}
	for i, r := range u.Rows {
		class := "name"
		if i == u.Lead {
			class = "name bold"
		}
		s.left = max(s.left, min(int(widthOf(class, r.Name))+10, mostLeft))
	}
	return s
}

// widthOf estimates the width of a text in pixels, on the wide side: the letters are those of
// the reader's browser.
func widthOf(class, text string) float64 {
	const size = 13 // of names, changes and what is said of them, in web/src/static.css
	width := size * 0.6 * float64(utf8.RuneCountInString(text))
	if class == "change" || strings.HasSuffix(class, " bold") {
		width *= 1.06
	}
	return width
}

func shapeOf(telephone bool) shape {
	if telephone {
		return narrow
	}
	return wide
}

// open begins the SVG of a figure.
func (p *paper) open(class, description string, height int) {
	if p.narrow {
		class += " narrow"
	} else {
		class += " wide"
	}
	fmt.Fprintf(p, `<svg class="%s" viewBox="0 0 %d %d" role="img" aria-label="%s" data-x0="%s" data-unit="%s" data-from="%s" data-to="%s">`, class, p.width, height,
		escaped(description), px(p.x(0)), px(p.x(1)-p.x(0)), px(p.x(p.axis.lo)), px(p.x(p.axis.hi)))
}

// Description is the finding in a sentence, for readers who do not see the figure.
func (u *Ruler) Description() string {
	parts := []string{u.What}
	if u.Noise != "" {
		parts = append(parts, u.Noise)
	}
	for _, r := range u.Rows {
		parts = append(parts, r.Name+" "+sheet.JoinWords(" ", r.Change, r.Interval, r.Verdict))
	}
	return strings.Join(parts, "; ")
}

func (d *drawing) height() int { return top + d.lines()*d.pitch + bottom }

// lines are the rows, that of the same code, and the strip.
func (d *drawing) lines() int {
	n := len(d.Rows)
	if d.same() {
		n++
	}
	if d.Heat != nil {
		n++
	}
	return n
}

func (d *drawing) same() bool { return len(d.Same.LN) > 0 }

func (p *paper) x(ln float64) float64 {
	room := float64(p.width - p.left - p.right)
	return float64(p.left) + room*(ln-p.axis.lo)/(p.axis.hi-p.axis.lo)
}

// clamp is x within the axis.
func (p *paper) clamp(ln float64) float64 { return p.x(min(max(ln, p.axis.lo), p.axis.hi)) }

// grid draws the ticks of the axis and a line at each, from above the first row.
func (p *paper) grid(top int, foot float64) {
	for _, t := range p.axis.ticks(p.ticks) {
		x := p.x(t.at)
		class := "grid"
		if t.at == 0 {
			class = "zero"
		}
		p.path(class, fmt.Sprintf("M%s %dV%s", px(x), top-6, px(foot)))
		p.text("tick", min(max(x, 18), float64(p.width-18)), float64(top-12), middle, t.text)
	}
}

func (d *drawing) figure() {
	all := float64(top + d.lines()*d.pitch)
	foot := all // of the axis
	if d.Heat != nil {
		foot -= float64(d.pitch)
		d.heat(foot)
	}
	d.around("zone", d.Margin, foot)
	if d.Floor > 0 {
		d.around("noise", d.Floor, foot)
	}
	d.grid(top, foot)
	d.sides()
	y := float64(top)
	if d.same() {
		d.sameCode(y)
		y += float64(d.pitch)
	}
	for i := range d.Rows {
		d.row(i, y)
		y += float64(d.pitch)
	}
	d.legend(all)
}

// around draws a zone that is as wide as a share on both sides of no change.
func (d *drawing) around(class string, share, foot float64) {
	lo := d.clamp(math.Log1p(-min(share, 0.99)))
	d.rect(class, lo, top-6, d.clamp(math.Log1p(share))-lo, foot-top+6)
}

// sides says at the ends of the axis which side is better.
func (d *drawing) sides() {
	if d.Left != "" {
		d.text("side", float64(d.left), 9, start, d.Left)
		d.text("side", float64(d.width-d.right), 9, end, d.Right)
	}
}

// sameCode draws how the same code scatters against itself.
func (d *drawing) sameCode(y float64) {
	d.group("row same")
	line := d.lineOf(y)
	const n = 60
	var p strings.Builder
	var heights []string
	for _, v := range d.axis.density(d.Same.LN, n) {
		heights = append(heights, px(line+6-18*v))
	}
	for i, y := range heights {
		at := d.axis.lo + (d.axis.hi-d.axis.lo)*float64(i)/(n-1)
		letter := "L"
		switch {
		case i == 0:
			letter = "M"
		case i < len(heights)-1 && heights[i-1] == y && heights[i+1] == y:
			continue // on a level line
		}
		fmt.Fprintf(&p, "%s%s %s", letter, px(d.x(at)), y)
	}
	d.path("density", p.String()+fmt.Sprintf("V%sH%sZ", px(line+6), px(d.x(d.axis.lo))))
	d.path("dots", d.dots(d.Same, line))
	d.words(y, "name", sheet.SameCodeRow, "", d.Noise, "muted")
	d.end()
}

// lineOf is the height of the line of the row that begins at y.
func (p *paper) lineOf(y float64) float64 {
	if p.narrow {
		return y + 33
	}
	return y + float64(p.pitch)/2
}

// dots are subpaths of no length, in the order of blocks: a script that shows fewer
// blocks cuts the path. Dots beyond the axis are arrows at its end.
func (d *drawing) dots(list Dots, line float64) string {
	var p strings.Builder
	for i, v := range list.LN {
		y, mark := line+float64(i*7%5-2)*2, "h0"
		switch {
		case v < d.axis.lo:
			mark = "m4 -4l-4 4l4 4"
		case v > d.axis.hi:
			mark = "m-4 -4l4 4l-4 4"
		}
		fmt.Fprintf(&p, "M%s %s%s", px(d.clamp(v)), px(y), mark)
	}
	return p.String()
}

func (d *drawing) row(i int, y float64) {
	r := d.Rows[i]
	line := d.lineOf(y)
	data := []attribute{{"variant", r.Variant}, {"y", px(line)}}
	if r.Benchmark != "" {
		data = append(data, attribute{"benchmark", r.Benchmark})
	}
	if blocks := r.Dots.Blocks; len(blocks) > 0 && blocks[len(blocks)-1] != len(blocks) {
		data = append(data, attribute{"blocks", blockNumbers(blocks)})
	}
	d.group("row", data...)
	tone := classOf(r.Tone)
	d.path("dots "+tone, d.dots(r.Dots, line))
	if !math.IsNaN(r.Lo) {
		d.path("interval "+tone, fmt.Sprintf("M%s %sH%s", px(d.clamp(r.Lo)), px(line), px(d.clamp(r.Hi))))
	}
	d.path("point "+tone, mark(r.Mark, d.clamp(r.Point), line))
	name := "name"
	if i == d.Lead {
		name = "name bold"
	}
	d.words(y, name, r.Name, r.Change, sheet.JoinWords(" ", r.Interval, r.Verdict), tone)
	d.end()
}

// blockNumbers names the block of each dot, where they are not simply 1, 2, 3.
func blockNumbers(blocks []int) string {
	words := make([]string, len(blocks))
	for i, b := range blocks {
		words[i] = strconv.Itoa(b)
	}
	return strings.Join(words, " ")
}

// words prints what a row is of, its change, and what is said of it.
func (p *paper) words(y float64, class, name, change, said, tone string) {
	if p.narrow {
		y += 14
		said = strings.TrimSpace(said)
		room := float64(p.width-p.left-p.right) - widthOf("change", change) - widthOf("said", " "+said) - 12
		p.text(class, float64(p.left), y, start, p.cut(class, name, room))
		p.said(float64(p.width-p.right), y, end, change, said, tone)
		return
	}
	y = p.lineOf(y) + 4.5
	p.text(class, 0, y, start, p.cut(class, name, float64(p.left)-8))
	p.said(float64(p.width-p.right+12), y, start, change, said, tone)
}

func (p *paper) said(x, y float64, anchor, change, said, tone string) {
	if change == "" {
		p.text("said "+tone, x, y, anchor, said)
		return
	}
	p.spans(x, y, anchor, span{"change " + tone, change}, span{"said", said})
}

// legend says what the marks mean. A script that shows another minimum effect writes it in
// the element of class "least".
func (d *drawing) legend(foot float64) {
	l := sheet.RulerLegend{Dots: len(d.Rows[0].Dots.LN) > 0, Noise: d.Floor > 0, Confidence: d.Confidence, MinEffect: d.Margin, More: d.More}
	words, zone := l.Wide()
	if d.narrow {
		words, zone = l.Narrow()
	}
	parts := slices.DeleteFunc([]span{{"tick", words}, {"tick least", zone}}, func(s span) bool { return s.text == "" })
	if len(parts) > 0 {
		d.spans(float64(d.width)/2, foot+17, middle, parts...)
	}
}

// mark draws ▼, ▲ or ● around a point.
func mark(word string, x, y float64) string {
	switch word {
	case "▲":
		return fmt.Sprintf("M%s %sl5.5 9h-11z", px(x), px(y-5.5))
	case "▼":
		return fmt.Sprintf("M%s %sl5.5 -9h-11z", px(x), px(y+5.5))
	}
	return fmt.Sprintf("M%s %sa4.5 4.5 0 1 0 9 0a4.5 4.5 0 1 0 -9 0z", px(x-4.5), px(y))
}

// classOf is the class of a tone: "better", "worse" or "open".
func classOf(t sheet.Tone) string { return cmp.Or(t.Class(), "open") }

// cut shortens a text in its middle until it fits.
func (c *canvas) cut(class, text string, width float64) string {
	runes := []rune(text)
	for most := len(runes) - 1; widthOf(class, text) > width && most > 2; most-- {
		tail := (most - 1) / 2
		text = string(runes[:most-1-tail]) + "…" + string(runes[len(runes)-tail:])
	}
	return text
}

// px prints pixels with one decimal at most.
func px(v float64) string { return strconv.FormatFloat(math.Round(10*v)/10, 'f', -1, 64) }

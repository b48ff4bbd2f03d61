package ruler

import (
	"fmt"
	"strings"
	"sync"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"

	"github.com/seed-1318a441/assay/internal/printable"
)

// A look is the style of a card, where a page has a style sheet: the light colours of
// web/src/style.css, and letters of the Go fonts as outlines.
type look struct{}

const (
	white  = "#ffffff"
	ink    = "#1c2126"
	muted  = "#5f6670"
	grid   = "#e8ebee"
	accent = "#0072b2"
	better = "#00664f"
	worse  = "#a8320a"
	open   = "#666d78"
)

// tones are the colours of tone classes.
var tones = map[string]string{"better": better, "worse": worse, "open": open, "muted": muted}

// heats are the colours of cells of a strip.
var heats = map[string]string{"b1": "#e3f0f7", "b2": "#b5d7ea", "b3": "#82bcdb", "w1": "#fdeee0", "w2": "#f8d0a8", "w3": "#efaa6c", "plain": grid}

// toneOf is the colour of a list of classes, "" if none is a tone.
func toneOf(class string) string {
	for word := range strings.FieldsSeq(class) {
		if c := tones[word]; c != "" {
			return c
		}
	}
	return ""
}

// style returns the attributes of a shape.
func (l *look) style(class string) string {
	first, _, _ := strings.Cut(class, " ")
	tone := toneOf(class)
	if tone == "" {
		tone = muted
	}
	if fill := heats[first]; fill != "" {
		return ` fill="` + fill + `"`
	}
	switch first {
	case "paper":
		return ` fill="` + white + `"`
	case "zone":
		return ` fill="` + accent + `" fill-opacity="0.1"`
	case "noise":
		return ` fill="` + muted + `" fill-opacity="0.13"`
	case "grid":
		return ` fill="none" stroke="` + grid + `" stroke-width="1"`
	case "zero":
		return ` fill="none" stroke="` + muted + `" stroke-width="1"`
	case "density":
		return ` fill="` + muted + `" fill-opacity="0.35"`
	case "dots":
		return ` fill="none" stroke="` + tone + `" stroke-opacity="0.4" stroke-width="4" stroke-linecap="round"`
	case "interval":
		return ` fill="none" stroke="` + tone + `" stroke-width="2.5"`
	case "fall":
		return ` fill="` + tone + `" fill-opacity="0.75"`
	case "hatch":
		return ` fill="none" stroke="` + tone + `" stroke-width="1"`
	case "joint":
		return ` fill="none" stroke="` + muted + `" stroke-width="1"`
	case "point":
		return ` fill="` + tone + `"`
	}
	return ` fill="none"`
}

// A letter style is a size in pixels, a weight and a colour.
type letters struct {
	size   float64
	bold   bool
	colour string
}

var classes = map[string]letters{
	"study": {26, true, ink}, "brand": {22, true, accent}, "question": {23, false, muted}, "large": {76, true, ink},
	"answer": {26, false, ink}, "foot": {16, false, muted}, "of": {19, false, muted},
	"name": {13, false, ink}, "change": {13, true, ink}, "said": {13, false, ink}, "tick": {11, false, muted}, "side": {11, true, muted},
}

func lettersOf(class string) letters {
	first, _, _ := strings.Cut(class, " ")
	l := classes[first]
	l.bold = l.bold || strings.HasSuffix(class, " bold")
	if c := toneOf(class); c != "" {
		l.colour = c
	}
	return l
}

// fonts are parsed once.
var fonts = sync.OnceValues(func() (regular, bold *sfnt.Font) { return mustFont(goregular.TTF), mustFont(gobold.TTF) })

func mustFont(data []byte) *sfnt.Font {
	f, err := sfnt.Parse(data)
	if err != nil {
		panic("ruler: parse a font of golang.org/x/image: " + err.Error())
	}
	return f
}

func (l letters) font() *sfnt.Font {
	regular, bold := fonts()
	if l.bold {
		return bold
	}
	return regular
}

// spans writes the outlines of texts one after the other.
func (l *look) spans(c *canvas, x, y float64, anchor string, spans []span) {
	width := 0.0
	for i := range spans {
		spans[i].text = printable.Clean(spans[i].text)
		if i > 0 {
			spans[i].text = " " + spans[i].text
		}
		width += widthOf(spans[i].class, spans[i].text)
	}
	switch anchor {
	case middle:
		x -= width / 2
	case end:
		x -= width
	}
	for _, s := range spans {
		style := lettersOf(s.class)
		if d := style.outline(x, y, s.text); d != "" {
			fmt.Fprintf(c, `<path fill="%s" d="%s"/>`, style.colour, d)
		}
		x += widthOf(s.class, s.text)
	}
}

// widthOf is the width of a text in pixels.
func widthOf(class, text string) float64 {
	l := lettersOf(class)
	width := 0.0
	var b sfnt.Buffer
	for _, r := range text {
		width += l.advance(&b, r)
	}
	return width
}

// unit is one pixel of a font's outline, which is loaded at this many pixels an em.
const unit = 1000

func (l letters) advance(b *sfnt.Buffer, r rune) float64 {
	glyph, err := l.font().GlyphIndex(b, r)
	if err != nil {
		return 0
	}
	wide, err := l.font().GlyphAdvance(b, glyph, fixed.I(unit), font.HintingNone)
	if err != nil {
		return 0
	}
	return float64(wide) / 64 * l.size / unit
}

// outline is the path of a text. Letters that the font lacks are empty boxes.
func (l letters) outline(x, y float64, text string) string {
	var p strings.Builder
	var b sfnt.Buffer
	scale := l.size / unit / 64
	at := func(v fixed.Point26_6) string {
		return fmt.Sprintf("%.2f %.2f", x+float64(v.X)*scale, y+float64(v.Y)*scale)
	}
	for _, r := range text {
		glyph, err := l.font().GlyphIndex(&b, r)
		if err != nil {
			continue
		}
		segments, err := l.font().LoadGlyph(&b, glyph, fixed.I(unit), nil)
		if err != nil {
			continue
		}
		for i, s := range segments {
			switch s.Op {
			case sfnt.SegmentOpMoveTo:
				if i > 0 {
					p.WriteString("Z")
				}
				p.WriteString("M" + at(s.Args[0]))
			case sfnt.SegmentOpLineTo:
				p.WriteString("L" + at(s.Args[0]))
			case sfnt.SegmentOpQuadTo:
				p.WriteString("Q" + at(s.Args[0]) + " " + at(s.Args[1]))
			case sfnt.SegmentOpCubeTo:
				p.WriteString("C" + at(s.Args[0]) + " " + at(s.Args[1]) + " " + at(s.Args[2]))
			}
		}
		if len(segments) > 0 {
			p.WriteString("Z")
		}
		x += l.advance(&b, r)
	}
	return p.String()
}

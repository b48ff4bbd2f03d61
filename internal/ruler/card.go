package ruler

import (
	"bytes"
	"cmp"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"maps"
	"slices"
	"strings"

	"github.com/fyne-io/oksvg"
	"github.com/srwiley/rasterx"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/analysis/sample"
	"github.com/seed-1318a441/assay/internal/printable"
	"github.com/seed-1318a441/assay/internal/sheet"
)

// The size of a card in pixels, that of previews of links.
const (
	cardWidth  = 1200
	cardHeight = 630
)

// How many rows of the ruler a card has room for, alone and above a waterfall.
const (
	cardRows    = 5
	cardRowsWhy = 2
)

// A Card is a picture of an answer: its words around the ruler.
type Card struct {
	Study, Question string
	// Answer is the answer in a sentence or two, Sure how sure it is, and Where on what machine
	// and when.
	Answer, Sure, Where string
	Ruler               *Ruler     // may be nil
	Why                 *Waterfall // below the ruler; may be nil
}

// CardOf returns the card of a result; series as for [Of].
func CardOf(r *assay.Result, series []sample.Series) *Card {
	s := sheet.New(r, false, false)
	where := append(sheet.Platform(r.Platform), sheet.Toolchains(r)...)
	if all := sheet.Toolchains(r); len(all) > 1 {
		where = sheet.Platform(r.Platform)
	}
	if !r.Created.IsZero() {
		where = append(where, sheet.Day(r.Created))
	}
	u := Of(r, series)
	return &Card{Study: sheet.Title(r), Question: r.Question, Answer: strings.Join(r.Answer.Text, "; "),
		Sure: sheet.JoinWords(" · ", r.Answer.Basis, s.Noise()), Where: sheet.JoinWords(" · ", where...), Ruler: u, Why: WaterfallOf(r, u)}
}

// PNG returns the card as a picture.
func (c *Card) PNG() ([]byte, error) {
	icon, err := oksvg.ReadIconStream(strings.NewReader(c.SVG()), oksvg.StrictErrorMode)
	if err != nil {
		return nil, fmt.Errorf("draw card: %w", err)
	}
	icon.SetTarget(0, 0, cardWidth, cardHeight)
	picture := image.NewRGBA(image.Rect(0, 0, cardWidth, cardHeight))
	icon.Draw(rasterx.NewDasher(cardWidth, cardHeight, rasterx.NewScannerGV(cardWidth, cardHeight, picture, picture.Bounds())), 1)
	var b bytes.Buffer
	e := png.Encoder{CompressionLevel: png.BestCompression}
	if err := e.Encode(&b, paletted(picture)); err != nil {
		return nil, fmt.Errorf("write card: %w", err)
	}
	return b.Bytes(), nil
}

// paletted returns a picture in its 256 most frequent colours, a third of the bytes: the
// others are shades at the edges of letters.
func paletted(p *image.RGBA) *image.Paletted {
	counts := map[color.RGBA]int{}
	for i := 0; i < len(p.Pix); i += 4 {
		counts[color.RGBA{p.Pix[i], p.Pix[i+1], p.Pix[i+2], p.Pix[i+3]}]++
	}
	all := slices.SortedFunc(maps.Keys(counts), func(a, b color.RGBA) int {
		return cmp.Or(counts[b]-counts[a], int(a.R)-int(b.R), int(a.G)-int(b.G), int(a.B)-int(b.B), int(a.A)-int(b.A))
	})
	few := image.NewPaletted(p.Bounds(), nil)
	for _, c := range all[:min(256, len(all))] {
		few.Palette = append(few.Palette, c)
	}
	index := map[color.RGBA]uint8{}
	for _, c := range all {
		index[c] = uint8(few.Palette.Index(c))
	}
	for i := range few.Pix {
		few.Pix[i] = index[color.RGBA{p.Pix[4*i], p.Pix[4*i+1], p.Pix[4*i+2], p.Pix[4*i+3]}]
	}
	return few
}

// SVG returns the card as a picture that needs no font: letters are outlines.
func (c *Card) SVG() string {
	d := canvas{look: &look{}}
	fmt.Fprintf(&d, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%[1]d" height="%d">`, cardWidth, cardHeight)
	d.rect("paper", 0, 0, cardWidth, cardHeight)
	d.text("study", 36, 52, start, printable.Clean(c.Study))
	d.text("brand", cardWidth-36, 52, end, "assay")
	d.lines("question", 36, 88, 30, wrap("question", printable.Clean(c.Question), cardWidth-72, 1))
	left := 36.0
	if c.Ruler != nil {
		text, of, tone := Large(c.Ruler, c.Why)
		class := "large " + classOf(tone)
		d.text(class, left, 178, start, text)
		d.text("of", left, 208, start, d.cut("of", of, widthOf(class, text)))
		left += widthOf(class, text) + 36
	}
	room := cardWidth - 36 - left
	if room < 400 {
		left, room = 36, cardWidth-72
	}
	d.lines("answer", left, 138, 34, wrap("answer", printable.Clean(c.Answer), room, 3))
	if c.Ruler != nil {
		c.figure(&d)
	}
	d.text("foot", 36, cardHeight-36, start, parts("foot", printable.Clean(c.Sure), cardWidth-72))
	d.text("foot", 36, cardHeight-14, start, parts("foot", printable.Clean(c.Where), cardWidth-72))
	d.WriteString("</svg>")
	return d.String()
}

// figure draws the ruler, larger, between the answer and the foot, and the waterfall below
// it.
func (c *Card) figure(d *canvas) {
	const (
		room    = 350 // in height
		caption = 20
	)
	rows := cardRows
	if c.Why != nil {
		rows = cardRowsWhy
	}
	u := *c.Ruler
	u.shorten(rows)
	r := u.drawing(wide, d.look)
	r.figure()
	height := r.height()
	var below paper
	if c.Why != nil {
		below = paper{axis: c.Why.axis, shape: c.Why.shape(false), canvas: canvas{look: d.look}}
		below.text("tick", 0, 14, start, c.Why.What)
		c.Why.draw(&below, caption)
		height += caption + c.Why.height(below.shape)
	}
	zoom := min((cardWidth-72.0)/float64(wide.width), room/float64(height))
	x := (cardWidth - zoom*float64(wide.width)) / 2
	y := 220 + max(0, (room-zoom*float64(height))/2)
	fmt.Fprintf(d, `<g transform="matrix(%[1]f 0 0 %[1]f %[2]s %[3]s)">%[4]s</g>`, zoom, px(x), px(y), r.String())
	if c.Why != nil {
		fmt.Fprintf(d, `<g transform="matrix(%[1]f 0 0 %[1]f %[2]s %[3]s)">%[4]s</g>`, zoom, px(x), px(y+zoom*float64(r.height())), below.String())
	}
}

// shorten keeps the first n rows, and the one that the answer is about.
func (u *Ruler) shorten(n int) {
	if len(u.Rows) <= n {
		return
	}
	u.More += len(u.Rows) - n
	rows := append([]Row{}, u.Rows[:n]...)
	if u.Lead >= n {
		rows[n-1], u.Lead = u.Rows[u.Lead], n-1
	}
	u.Rows = rows
}

// lines writes lines of text below each other.
func (c *canvas) lines(class string, x, y, pitch float64, lines []string) {
	for i, l := range lines {
		c.text(class, x, y+float64(i)*pitch, start, l)
	}
}

// parts are as many of the facts between " · " as a width has room for, each whole.
func parts(class, text string, width float64) string {
	for widthOf(class, text) > width && strings.Contains(text, " · ") {
		text = text[:strings.LastIndex(text, " · ")]
	}
	return text
}

// wrap breaks a text into at most so many lines of a width.
func wrap(class, text string, width float64, most int) []string {
	lines := []string{""}
	words := strings.Fields(text)
	for i := len(words) - 1; i > 0; i-- { // a number and its percent sign stay together
		if strings.HasPrefix(words[i], "%") {
			words[i-1] += " " + words[i]
			words = slices.Delete(words, i, i+1)
		}
	}
	for _, w := range words {
		last := &lines[len(lines)-1]
		switch longer := strings.TrimSpace(*last + " " + w); {
		case widthOf(class, longer) <= width || *last == "":
			*last = longer
		case len(lines) == most:
			before := strings.TrimSpace(strings.Join(lines[:most-1], " "))
			rest := strings.TrimSpace(strings.TrimPrefix(strings.Join(strings.Fields(text), " "), before))
			*last = printable.Clip(rest, func(s string) bool { return widthOf(class, s) <= width })
			return lines
		default:
			lines = append(lines, w)
		}
	}
	return lines
}

package ruler

import (
	"image"
	"image/color"
	"math"
	"strings"
	"testing"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/record"
)

// Text is broken between its words into lines that fit. What has no room is cut, which is
// seen.
func TestWrap(t *testing.T) {
	const text = "use the new collector:  it takes 26 % less time on the whole suite of 21 programs"
	for _, width := range []float64{150, 300, 500, 5000} {
		for _, most := range []int{1, 2, 3, 20} {
			lines := wrap("answer", text, width, most)
			if len(lines) > most {
				t.Errorf("%g, %d: got %d lines", width, most, len(lines))
			}
			for _, l := range lines {
				if w := widthOf("answer", l); w > width {
					t.Errorf("%g, %d: %q is %g wide", width, most, l, w)
				}
			}
			got, cut := strings.CutSuffix(strings.Join(lines, " "), " …")
			want := strings.Join(strings.Fields(text), " ")
			if cut && (!strings.HasPrefix(want, got+" ") || len(lines) < most) || !cut && got != want {
				t.Errorf("%g, %d: got %q", width, most, lines)
			}
		}
	}
	if got := wrap("answer", "", 100, 3); len(got) != 1 || got[0] != "" {
		t.Errorf("got %q of no text, want one empty line", got)
	}
}

// A name that has no room loses its middle: what tells names apart is at their ends.
func TestCut(t *testing.T) {
	const name = "BenchmarkParse/large/strings"
	c := &canvas{look: &look{}}
	if got := c.cut("name", name, widthOf("name", name)); got != name {
		t.Errorf("got %q where there is room", got)
	}
	for _, width := range []float64{50, 80, 120} {
		got := c.cut("name", name, width)
		before, after, ok := strings.Cut(got, "…")
		if !ok || before == "" || after == "" || !strings.HasPrefix(name, before) || !strings.HasSuffix(name, after) || widthOf("name", got) > width {
			t.Errorf("%g pixels: got %q, %g wide", width, got, widthOf("name", got))
		}
		// The letters of a browser are wider.
		if page := (&canvas{}).cut("name", name, width); len(page) > len(got) {
			t.Errorf("%g pixels: got %q on a page, more than on a card, %q", width, page, got)
		}
	}
}

// Letters are as wide as they are drawn: bold ones wider, and twice the text twice.
func TestWidthOf(t *testing.T) {
	one := widthOf("said", "abc")
	if two := widthOf("said", "abcabc"); math.Abs(two-2*one) > 1e-9 || one <= 0 {
		t.Errorf("got %g for abc and %g for abcabc", one, two)
	}
	if bold := widthOf("name bold", "abc"); bold <= widthOf("name", "abc") {
		t.Errorf("bold is %g wide, regular %g", bold, widthOf("name", "abc"))
	}
	if large := widthOf("large", "1"); large < 2*widthOf("study", "1") {
		t.Errorf("large print is %g wide", large)
	}
}

// A card has few rows: the first ones, and always the one that the answer is about. The
// others are counted, and the ruler itself keeps them.
func TestShorten(t *testing.T) {
	for _, c := range []struct {
		lead, n, more int
		want, leads   string
	}{{0, 3, 2, "a b c", "a"}, {2, 3, 2, "a b c", "c"}, {4, 3, 2, "a b e", "e"}, {4, 5, 0, "a b c d e", "e"}, {1, 9, 0, "a b c d e", "b"}, {3, 1, 4, "d", "d"}} {
		whole := &Ruler{Lead: c.lead}
		for _, name := range []string{"a", "b", "c", "d", "e"} {
			whole.Rows = append(whole.Rows, Row{Name: name})
		}
		u := *whole
		u.shorten(c.n)
		if got := namesOf(&u); got != c.want || u.Rows[u.Lead].Name != c.leads || u.More != c.more {
			t.Errorf("%d rows, led by %d: got %s, %d more, led by %s, want %s, %d more, led by %s", c.n, c.lead, got, u.More, u.Rows[u.Lead].Name, c.want, c.more, c.leads)
		}
		if got := namesOf(whole); got != "a b c d e" || whole.More != 0 {
			t.Errorf("%d rows: the ruler itself has %s", c.n, got)
		}
	}
}

// Of more than 256 colours the most frequent one stays as it is; fewer all do.
func TestPaletted(t *testing.T) {
	cream := color.RGBA{R: 255, G: 255, B: 200, A: 255}
	for _, step := range []int{1, 4} { // 1024 places, with 625 and with 157 colours
		p := image.NewRGBA(image.Rect(0, 0, 32, 32))
		for i := range 1024 {
			n := i / step * step
			c := color.RGBA{R: uint8(n % 32 * 8), G: uint8(n / 32 * 8), A: 255}
			if i < 400 {
				c = cream
			}
			p.SetRGBA(i%32, i/32, c)
		}
		few := paletted(p)
		if n, want := len(few.Palette), map[int]int{1: 256, 4: 157}[step]; n != want {
			t.Errorf("got %d colours, want %d", n, want)
		}
		for i := range 1024 {
			was := p.RGBAAt(i%32, i/32)
			if got := few.At(i%32, i/32); got != was && (step > 1 || was == cream) {
				t.Errorf("the colour of point %d was %v, and is %v", i, was, got)
			}
		}
	}
}

// Dots beyond the axis are arrows at its ends, and there are as many as blocks.
func TestDotsBeyond(t *testing.T) {
	u := &Ruler{Margin: 0.02, Rows: []Row{{Point: 0, Lo: math.NaN(), Hi: math.NaN()}}}
	d := u.drawing(wide, nil)
	got := d.dots(Dots{LN: []float64{-5, 0, 0.01, 5, -0.01}}, 100)
	if strings.Count(got, "M") != 5 || strings.Count(got, "h0") != 3 || strings.Count(got, "m4 -4l-4 4l4 4") != 1 || strings.Count(got, "m-4 -4l4 4l-4 4") != 1 {
		t.Errorf("got %s, want five, one of them beyond either end", got)
	}
	if first := "M" + px(float64(wide.left)) + " "; !strings.HasPrefix(got, first) {
		t.Errorf("got %s, want the first at the left end, %s", got, first)
	}
}

// Only where blocks are missing a row names them.
func TestBlocksOfDots(t *testing.T) {
	r, series := made(map[string]assay.Change{"a": 0.1, "b": 0.2})
	if svg := Of(r, series).SVG(false); strings.Contains(svg, "data-blocks") {
		t.Error("blocks are named that are 1, 2, 3")
	}
	series[1].Block = []int{1, 2, 3, 5, 6, 7, 8, 9, 10}
	if svg := Of(r, series).SVG(false); strings.Count(svg, `data-blocks="1 2 3 5 6 7 8 9 10"`) != 1 {
		t.Error("the blocks of the variant that lacks one are not named")
	}
}

// The figures of stored results show what these claim: an interval holds its point and
// lies on the axis, and the drawing has a place for everything.
func TestFiguresOfStudies(t *testing.T) {
	for _, dir := range []string{"dolt-greentea/record/main", "interpreters/record/main", "interpreters/record/factorial", "go-toml/record/main", "causes/record",
		"small-malloc/record", "queue-path/record", "sql-server/record/main", "web-server/record/main"} {
		r, err := record.ReadResult(record.Folder("../../studies/" + dir))
		if err != nil {
			t.Fatal(err)
		}
		u := Of(r, nil)
		if u == nil {
			t.Errorf("%s: got no figure", dir)
			continue
		}
		a := u.newAxis()
		for _, x := range u.Rows {
			if !math.IsNaN(x.Lo) && (x.Lo > x.Point || x.Hi < x.Point || x.Lo < a.lo || x.Hi > a.hi) || x.Point < a.lo || x.Point > a.hi || x.Name == "" || x.Change == "" {
				t.Errorf("%s: got the row %+v on the axis %v", dir, x, a)
			}
		}
		if lead := u.Rows[u.Lead]; lead.verdict.Differs() && lead.rare.Typical() {
			if text, _, _ := Large(u, nil); text != lead.Change {
				t.Errorf("%s: %q is in large print, want %q", dir, text, lead.Change)
			}
		}
		for name, svg := range map[string]string{"page": u.SVG(false), "telephone": u.SVG(true), "card": CardOf(r, nil).SVG()} {
			if strings.Contains(svg, "NaN") || strings.Contains(svg, "Inf") || strings.Contains(svg, "%!") {
				t.Errorf("%s: something has no place on the %s", dir, name)
			}
		}
	}
}

// The grey band is as wide as the noise that stands beside it, and there is none where the
// noise is of another metric.
func TestNoiseBand(t *testing.T) {
	u := &Ruler{Margin: 0.02, Floor: 0.05, Noise: "noise ±5.0 % (A/A)", Same: Dots{LN: []float64{-0.4, 0, 0.3}}, Rows: []Row{{Point: 0, Lo: math.NaN(), Hi: math.NaN()}}}
	d := u.drawing(wide, nil)
	lo, hi := d.x(math.Log1p(-0.05)), d.x(math.Log1p(0.05))
	if want := `<rect class="noise" x="` + px(lo) + `" y="28" width="` + px(hi-lo) + `"`; !strings.Contains(u.SVG(false), want) || !strings.Contains(u.SVG(false), "grey: noise") {
		t.Errorf("no %s in %s", want, u.SVG(false))
	}
	u.Floor, u.Noise = 0, ""
	if svg := u.SVG(false); strings.Contains(svg, `class="noise"`) || strings.Contains(svg, "grey") {
		t.Errorf("a band in %s", svg)
	}
}

// A name gets the room that it needs beside the axis, up to a limit.
func TestRoomForNames(t *testing.T) {
	of := func(name string) string {
		return (&Ruler{Margin: 0.02, Rows: []Row{{Name: name, Point: 0, Lo: math.NaN(), Hi: math.NaN()}}}).SVG(false)
	}
	if name := "go1.26.8/nogreenteagc/x"; !strings.Contains(of(name), ">"+name+"<") {
		t.Errorf("%s is cut", name)
	}
	if name := strings.Repeat("long", 30); strings.Contains(of(name), ">"+name+"<") || !strings.Contains(of(name), "…") {
		t.Errorf("%s is whole", name)
	}
}

package ruler

import (
	"math"
	"strings"
	"testing"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/record"
)

// A name that has no room loses its middle: what tells names apart is at their ends.
func TestCut(t *testing.T) {
	const name = "BenchmarkParse/large/strings"
	c := &canvas{}
	if got := c.cut("name", name, widthOf("name", name)); got != name {
		t.Errorf("got %q where there is room", got)
	}
	for _, width := range []float64{50, 80, 120} {
		got := c.cut("name", name, width)
		before, after, ok := strings.Cut(got, "…")
		if !ok || before == "" || after == "" || !strings.HasPrefix(name, before) || !strings.HasSuffix(name, after) || widthOf("name", got) > width {
			t.Errorf("%g pixels: got %q, %g wide", width, got, widthOf("name", got))
		}
	}
}

// Bold letters are wider, and twice the text is twice as wide.
func TestWidthOf(t *testing.T) {
	one := widthOf("said", "abc")
	if two := widthOf("said", "abcabc"); math.Abs(two-2*one) > 1e-9 || one <= 0 {
		t.Errorf("got %g for abc and %g for abcabc", one, two)
	}
	if bold := widthOf("name bold", "abc"); bold <= widthOf("name", "abc") {
		t.Errorf("bold is %g wide, regular %g", bold, widthOf("name", "abc"))
	}
}

// Dots beyond the axis are arrows at its ends, and there are as many as blocks.
func TestDotsBeyond(t *testing.T) {
	u := &Ruler{Margin: 0.02, Rows: []Row{{Point: 0, Lo: math.NaN(), Hi: math.NaN()}}}
	d := u.drawing(wide)
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
		for name, svg := range map[string]string{"page": u.SVG(false), "telephone": u.SVG(true)} {
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
	d := u.drawing(wide)
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

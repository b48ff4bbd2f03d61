package report

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/analysis/answer"
	"github.com/seed-1318a441/assay/internal/page"
	"github.com/seed-1318a441/assay/internal/sheet"
	"github.com/seed-1318a441/assay/internal/terminal"
)

// A long suite fits a screen, and nothing is missing from the tail's count.
func TestCapPrints(t *testing.T) {
	r := fixture(t, "hundred")
	text := textOf(t, r, terminal.Style{Width: 100})
	if got := strings.Count(text, "\nOp"); got != 20 {
		t.Errorf("%d rows are printed, want %d", got, 20)
	}
	if want := "… 25 slower, 5 faster, 49 same, 1 within ±2.9 % (assay show 7k2m --all)"; !strings.Contains(text, want) {
		t.Errorf("want %q in\n%s", want, text)
	}
	if got := strings.Count(textOf(t, r, terminal.Style{Width: 100, All: true}), "\nOp"); got != 100 {
		t.Errorf("--all prints %d rows, want 100", got)
	}
}

// Of a list of which nothing is known yet a few rows are printed, and of metrics that
// decide nothing none, whatever stands in them; all with --all.
func TestUnknownRowsAreSummarised(t *testing.T) {
	r := fixture(t, "two")
	r.Rule.MinBlocks, r.Spent.Blocks = 10, 1
	for i := range r.Tables {
		tab := &r.Tables[i]
		tab.Rows = rows(24, assay.Unclear, 0)
		tab.Geomean = nil
		for j := range tab.Rows {
			c := &tab.Rows[j].Cells[0]
			tab.Rows[j].Base, c.Variant, c.Value, c.Interval, c.N, c.Reason, c.Exact = 1, r.Variants[1].Name, 1.1, nil, 1, "1 of 10 blocks", false
		}
	}
	text := textOf(t, r, terminal.Style{Width: 100})
	if n := strings.Count(text, " 1 of 10 blocks"); n != 8 {
		t.Errorf("%d rows are printed, want 8 in\n%s", n, text)
	}
	for _, want := range []string{"… 16 more without an interval yet", "B/op, allocs/op", "no interval yet in all 24"} {
		if !strings.Contains(strings.Join(strings.Fields(text), " "), want) {
			t.Errorf("want %q in\n%s", want, text)
		}
	}
	if n := strings.Count(textOf(t, r, terminal.Style{Width: 100, All: true}), " 1 of 10 blocks"); n != 24*len(r.Tables) {
		t.Errorf("--all prints %d rows, want %d", n, 24*len(r.Tables))
	}
}

// A geomean says over how many benchmarks it is, and over how many blocks where these
// are not all of the run.
func TestGeomeanSaysWhatItIsOver(t *testing.T) {
	r := fixture(t, "two")
	if text := textOf(t, r, terminal.Style{Width: 100}); !strings.Contains(text, "\ngeomean of 3  ") {
		t.Errorf("no geomean of 3 in\n%s", text)
	}
	r.Tables[0].Geomean[0].N = 10
	if text := textOf(t, r, terminal.Style{Width: 100}); !strings.Contains(text, "\ngeomean of 3 (n=10) ") {
		t.Errorf("no geomean of 3 over 10 blocks in\n%s", text)
	}
}

// Everything about an effect is printed with --all: each benchmark, and the
// interactions that nothing is known of.
func TestAllEffects(t *testing.T) {
	r := fixture(t, "factorial")
	some, all := textOf(t, r, terminal.Style{Width: 120}), textOf(t, r, terminal.Style{Width: 120, All: true})
	if n := strings.Count(some, " × slices heap"); n != 1 || strings.Contains(some, "gc classic × malloc plain") {
		t.Errorf("an interaction that is unclear has a line of its own:\n%s", some)
	}
	_, effects, _ := strings.Cut(all, "switch, mean over the others")
	if n := strings.Count(effects, "\n  eratosthenes-sieve "); n != 6 || !strings.Contains(effects, "gc classic × malloc plain") {
		t.Errorf("--all prints %d of 6 effects on a benchmark:\n%s", n, effects)
	}
}

// Of many points of a trade-off those behind its front are counted.
func TestManyPoints(t *testing.T) {
	var many []assay.TradeoffPoint
	for i := range 60 {
		many = append(many, assay.TradeoffPoint{Variant: fmt.Sprint(i), Beaten: []string{"", "x"}[i%2]})
	}
	table := sheet.New(&assay.Result{Tradeoff: &assay.Tradeoff{Points: many}}, false, false).TradeTable(false)
	if last := table.Rows[len(table.Rows)-1].Text; len(table.Rows) != sheet.MaxRows+2 || !strings.HasPrefix(last, "… 20 more ") {
		t.Errorf("%d rows, the last of which is %q, want a heading, %d points and 20 left out", len(table.Rows), last, sheet.MaxRows)
	}
}

func TestRaceUnsure(t *testing.T) {
	r := fixture(t, "race")
	r.Race.Sure, r.Race.Saved = false, 0
	text := textOf(t, r, terminal.Style{Width: 200})
	for _, want := range []string{"greentea/GOGC=225 leads 24 variants on sec/op, but is not sure to be within 2 % of the best: 2 others still in the race\n",
		"classic/GOGC=225    at the end"} {
		if !strings.Contains(text, want) {
			t.Errorf("want %q in\n%s", want, text)
		}
	}
}

// Figures that no analysis makes, but a file may hold, break no layout.
func TestOddFigures(t *testing.T) {
	for i, v := range []float64{0, -5, 1e-300, 1e300, -1e308, 1 / zero, zero / zero} {
		r := fixture(t, "sweep")
		r.Tradeoff.Points[i].Values = [2]float64{v, -v}
		r.Tradeoff.Points[i].Changes = [2]assay.Change{assay.Change(v), assay.Change(-v)}
		r.Tradeoff.Points[0].Variant = strings.Repeat("long name ", 20)
		r.Race = fixture(t, "race").Race
		r.Race.Saved, r.Race.Margin = v, v
		r.Race.Runners[0] = assay.Runner{Variant: strings.Repeat("x", 200), Left: math.MaxInt, Behind: assay.Change(v), Interval: &assay.Interval{Lo: assay.Change(-v), Hi: assay.Change(v)}}
		r.Tables[0].Effects = []assay.Effect{{}, {Held: strings.Repeat("held ", 40), Switches: []assay.Switch{{To: strings.Repeat("y", 200)}},
			Whole: assay.Comparison{Verdict: assay.Slower, Change: assay.Change(v), Interval: &assay.Interval{Hi: assay.Change(v)}, N: 3}}}
		for width := 58; width < 120; width += 7 {
			s := terminal.Style{Width: width, ASCII: width%2 == 0, All: width%3 == 0}
			checkLines(t, fmt.Sprint(v, " at ", width), textOf(t, r, s), s)
		}
	}
}

// A count that is zero at times has no geomean; without a verdict it is not told
// of one by one.
func TestUnaskedWithoutGeomean(t *testing.T) {
	r := fixture(t, "command")
	faults := assay.Table{Metric: assay.Metric{Name: assay.MetricMajorFaults, Better: assay.BetterLower}}
	for _, b := range mereBenches {
		c := assay.Comparison{Variant: "go1.26.0", Verdict: assay.Unclear, N: 12, Value: 1, Difference: 1}
		faults.Rows = append(faults.Rows, assay.Row{Benchmark: assay.Benchmark{Name: b}, Cells: []assay.Comparison{c}})
	}
	r.Tables = append(r.Tables, faults)
	text := textOf(t, r, terminal.Style{Width: 200})
	if want := "cache-misses/op, major-faults/op: no change shown (assay show 7k2m --all)"; !strings.Contains(text, want) {
		t.Errorf("want %q in\n%s", want, text)
	}
	if text := textOf(t, r, terminal.Style{Width: 200, All: true}); strings.Contains(text, "no change shown") {
		t.Errorf("--all leaves something out:\n%s", text)
	}
}

// rows makes n rows of a verdict, each a bit smaller than the one before.
func rows(n int, v assay.Verdict, change assay.Change) []assay.Row {
	var out []assay.Row
	for i := range n {
		b := assay.Benchmark{Name: fmt.Sprintf("%s%02d", v, i)}
		c := assay.Comparison{Variant: "b", Benchmark: b, Verdict: v, N: 10, Change: change * assay.Change(1-float64(i)/1000)}
		out = append(out, assay.Row{Benchmark: b, Base: 1, Cells: []assay.Comparison{c}})
	}
	return out
}

// The header of a run says how many of the benchmarks that were asked for have been measured,
// on a terminal as on a page.
func TestCoverageInTheHeader(t *testing.T) {
	r := fixture(t, "two")
	r.Wanted = 95
	text := textOf(t, r, terminal.Style{Width: 120})
	header, _, _ := strings.Cut(text, "\n")
	if want := fmt.Sprintf("  ·  %d of 95 benchmarks measured  ·  2 variants  ·  ", answer.Measured(r)); !strings.Contains(header, want) {
		t.Errorf("got %q, want %q", header, want)
	}
	if html := htmlOf(t, pageOf(r), page.EmbedFive); !strings.Contains(html, answer.Coverage(r)) {
		t.Error("the page does not say it")
	}
}

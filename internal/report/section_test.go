package report

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/seed-1318a441/assay"
)

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

func TestCap(t *testing.T) {
	for _, c := range []struct {
		name string
		rows []assay.Row
		// kept counts worse, better and others; first and tail as printed.
		worse, better, others int
		first, tail           string
	}{
		{"all changed fit", slices.Concat(rows(50, assay.Same, 0), rows(3, assay.Faster, -.2), rows(4, assay.Slower, .1), rows(2, assay.Unclear, .02)),
			4, 3, 0, "slower00", "… 2 unclear, 50 same (assay show r1 --all)"},
		{"room for the better", slices.Concat(rows(60, assay.Slower, .1), rows(30, assay.Faster, -.2)),
			30, 10, 0, "slower00", "… 30 slower, 20 faster (assay show r1 --all)"},
		{"few better", slices.Concat(rows(60, assay.Slower, .1), rows(3, assay.Faster, -.2)),
			37, 3, 0, "slower00", "… 23 slower (assay show r1 --all)"},
		{"none worse", rows(60, assay.Faster, -.2), 0, 40, 0, "faster00", "… 20 faster (assay show r1 --all)"},
		{"without verdicts", rows(60, assay.Withheld, .2), 0, 0, 40, "00", "… 20 without verdict (assay show r1 --all)"},
	} {
		p := newPrinter(&assay.Result{Run: "r1"}, Style{})
		kept, tail := p.cap(c.rows)
		n := map[class]int{}
		for _, r := range kept {
			n[classOf(r)]++
		}
		if others := len(kept) - n[isWorse] - n[isBetter]; n[isWorse] != c.worse || n[isBetter] != c.better || others != c.others {
			t.Errorf("%s: kept %d worse, %d better, %d others, want %d, %d, %d", c.name, n[isWorse], n[isBetter], others, c.worse, c.better, c.others)
		}
		if kept[0].Benchmark.Name != c.first || tail != c.tail {
			t.Errorf("%s: first %q, tail %q, want %q, %q", c.name, kept[0].Benchmark.Name, tail, c.first, c.tail)
		}
	}
}

// The cap holds on paper too, and nothing is missing from the tail's count.
func TestCapPrints(t *testing.T) {
	r := fixture(t, "hundred")
	text := textOf(t, r, Style{Width: 100})
	if got := strings.Count(text, "\nOp"); got != maxRows {
		t.Errorf("%d rows are printed, want %d", got, maxRows)
	}
	if want := "… 10 slower, 1 unclear, 49 same (assay show 7k2m --all)"; !strings.Contains(text, want) {
		t.Errorf("want %q in\n%s", want, text)
	}
	if got := strings.Count(textOf(t, r, Style{Width: 100, All: true}), "\nOp"); got != 100 {
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
	text := textOf(t, r, Style{Width: 100})
	if n := strings.Count(text, " 1 of 10 blocks"); n != maxUnknown {
		t.Errorf("%d rows are printed, want %d in\n%s", n, maxUnknown, text)
	}
	for _, want := range []string{"… 16 more of which nothing is known yet", "B/op, allocs/op", "nothing known yet in all 24"} {
		if !strings.Contains(strings.Join(strings.Fields(text), " "), want) {
			t.Errorf("want %q in\n%s", want, text)
		}
	}
	if n := strings.Count(textOf(t, r, Style{Width: 100, All: true}), " 1 of 10 blocks"); n != 24*len(r.Tables) {
		t.Errorf("--all prints %d rows, want %d", n, 24*len(r.Tables))
	}
}

// A geomean says over how many benchmarks it is, and over how many blocks where these
// are not all of the run.
func TestGeomeanSaysWhatItIsOver(t *testing.T) {
	r := fixture(t, "two")
	if text := textOf(t, r, Style{Width: 100}); !strings.Contains(text, "\ngeomean of 3  ") {
		t.Errorf("no geomean of 3 in\n%s", text)
	}
	r.Tables[0].Geomean[0].N = 10
	if text := textOf(t, r, Style{Width: 100}); !strings.Contains(text, "\ngeomean of 3 (n=10) ") {
		t.Errorf("no geomean of 3 over 10 blocks in\n%s", text)
	}
}

// What the geomean's changes are of is the record's figure, over complete blocks: the
// rows may have others, and their mean is none of it.
func TestGeomeanOfBase(t *testing.T) {
	tab := assay.Table{Rows: rows(2, assay.Same, 0), Common: 2, GeomeanBase: 5}
	tab.Rows[0].Base, tab.Rows[1].Base = 2, 8
	if got := geomeanBase(tab); got != 5 {
		t.Errorf("got %g, want 5", got)
	}
	tab.GeomeanBase, tab.Geomean = 0, []assay.Comparison{{N: 3, Value: 6, Change: 0.2}}
	if got := geomeanBase(tab); math.Abs(got-5) > 1e-9 {
		t.Errorf("got %g of an older record, want 5", got)
	}
	tab.Geomean = nil
	if got := geomeanBase(tab); got == got {
		t.Errorf("got %g where the record does not say, want NaN", got)
	}
}

func TestUnchanged(t *testing.T) {
	exact := assay.Comparison{Verdict: assay.Same, Exact: true}
	same := assay.Comparison{Verdict: assay.Same}
	row := func(c assay.Comparison) assay.Row { return assay.Row{Cells: []assay.Comparison{c}} }
	for _, c := range []struct {
		rows []assay.Row
		want string
	}{
		{[]assay.Row{row(exact), row(exact)}, "unchanged in all 2 (exact)"},
		{[]assay.Row{row(exact), row(same)}, "unchanged in all 2 (1 exact)"},
		{[]assay.Row{row(same), row(same)}, "unchanged in all 2"},
	} {
		if got := unchangedText(c.rows); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
	for v, want := range map[assay.Verdict]bool{assay.Same: true, assay.SameCoded: true, assay.Unclear: false,
		assay.More: false, assay.Invalid: false, assay.Withheld: false} {
		if got := isUnchanged(row(assay.Comparison{Verdict: v})); got != want {
			t.Errorf("verdict %q is unchanged: got %t, want %t", v, got, want)
		}
	}
}

func TestNotes(t *testing.T) {
	p := newPrinter(&assay.Result{Rule: assay.Rule{MinBlocks: 10, Confidence: .99}}, Style{})
	e := entry{metric: assay.Metric{Name: "sec/op", MinEffect: .005}, base: 1}
	covers, beyond := &assay.Interval{Lo: -.01, Hi: .02}, &assay.Interval{Lo: .002, Hi: .02}
	for _, c := range []struct {
		c    assay.Comparison
		want string
	}{
		{assay.Comparison{Verdict: assay.Unclear, Interval: covers, Reason: "the interval covers 0", MoreBlocks: 9, MoreTime: 40e9}, "no change beyond ±2.0 %; needs ~9 blocks, 40 s"},
		{assay.Comparison{Verdict: assay.Unclear, Interval: beyond, Reason: "expected by chance among 40", MoreBlocks: 1}, "no change beyond ±2.0 %; expected by chance among 40; needs ~1 block"},
		{assay.Comparison{Verdict: assay.Unclear, N: 4}, "10 blocks needed, 4 so far"},
		{assay.Comparison{Verdict: assay.Slower, Interval: beyond, MayBeSmall: true}, "may be below 0.5 %"},
		{assay.Comparison{Verdict: assay.Slower, Interval: beyond}, ""},
		{assay.Comparison{Verdict: assay.Invalid, Reason: "drift"}, "drift"},
		{assay.Comparison{Verdict: assay.Withheld, N: 3, Reason: "not measured together"}, "8 results needed for an interval, 3 here"},
		{assay.Comparison{Verdict: assay.Same, Interval: covers}, ""},
	} {
		if got := p.noteOf(e, c.c); got != c.want {
			t.Errorf("note of %+v: got %q, want %q", c.c, got, c.want)
		}
	}
}

func TestFootnotesGroup(t *testing.T) {
	var n notes
	n.add("may be below 1 %", "a")
	n.add("needs ~9 blocks", "b")
	for i := range 7 {
		n.add("may be below 1 %", fmt.Sprint(i))
	}
	want := []string{"may be below 1 %: a, 0, 1, 2, 3, 4, … 2 more", "b: needs ~9 blocks"}
	if got := n.lines(); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// A base that was not measured prints no zero, a base that is zero does.
func TestBaseCell(t *testing.T) {
	failed := []assay.Comparison{{Verdict: assay.Invalid, Reason: "trial failed"}}
	fine := []assay.Comparison{{Verdict: assay.Unclear, N: 12, Value: 20e-9, Difference: 20e-9}}
	for _, c := range []struct {
		metric string
		cells  []assay.Comparison
		want   string
	}{
		{"sec/op", fine, "–"}, {"B/s", fine, "–"}, {"sys-sec/op", fine, "0 ns"}, {"B/op", fine, "0 B"},
		{"sys-sec/op", failed, "–"}, {"allocs/op", failed, "–"},
	} {
		e := entry{metric: assay.Metric{Name: c.metric}, cells: c.cells}
		if got := e.baseCell().joined(); got != c.want {
			t.Errorf("%s: got %q, want %q", c.metric, got, c.want)
		}
	}
}

func TestConditions(t *testing.T) {
	for _, c := range []struct {
		p    assay.Platform
		want []string
	}{
		{assay.Platform{GOOS: "linux", GOARCH: "386", CPU: "X", CPUs: 2, Procs: 2}, []string{"linux/386 X, 2 CPUs"}},
		{assay.Platform{GOOS: "linux", GOARCH: "amd64", CPUs: 2, Procs: 1, Power: "battery", Profile: "balanced"},
			[]string{"linux/amd64 , 2 CPUs", "GOMAXPROCS=1", "balanced profile", "on battery"}},
		{assay.Platform{}, nil},
	} {
		got := slices.DeleteFunc(platformParts(c.p), func(s string) bool { return s == "" })
		if !slices.Equal(got, c.want) {
			t.Errorf("got %q, want %q", got, c.want)
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
	text := textOf(t, r, Style{Width: 200})
	if want := "cache-misses/op, major-faults/op: no change shown (assay show 7k2m --all)"; !strings.Contains(text, want) {
		t.Errorf("want %q in\n%s", want, text)
	}
	if text := textOf(t, r, Style{Width: 200, All: true}); strings.Contains(text, "no change shown") {
		t.Errorf("--all leaves something out:\n%s", text)
	}
}

func TestEffectLabels(t *testing.T) {
	gc, slices := assay.Switch{Factor: "gc", From: "greentea", To: "classic"}, assay.Switch{To: "stack slices off"}
	for _, c := range []struct {
		switches []assay.Switch
		want     string
	}{
		{[]assay.Switch{gc}, "gc: greentea to classic"},
		{[]assay.Switch{slices}, "stack slices off"},
		{[]assay.Switch{gc, slices}, "gc classic × stack slices off"},
		{nil, ""},
	} {
		if got := switchLabel(assay.Effect{Switches: c.switches}); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}

// Everything about an effect is printed with --all: each benchmark, and the
// interactions that nothing is known of.
func TestAllEffects(t *testing.T) {
	r := fixture(t, "factorial")
	some, all := textOf(t, r, Style{Width: 120}), textOf(t, r, Style{Width: 120, All: true})
	if n := strings.Count(some, " × slices heap"); n != 1 || strings.Contains(some, "gc classic × malloc plain") {
		t.Errorf("an interaction that is unclear has a line of its own:\n%s", some)
	}
	_, effects, _ := strings.Cut(all, "switch, mean over the others")
	if n := strings.Count(effects, "\n  eratosthenes-sieve "); n != 6 || !strings.Contains(effects, "gc classic × malloc plain") {
		t.Errorf("--all prints %d of 6 effects on a benchmark:\n%s", n, effects)
	}
}

// The letters of a trade-off's picture are those of its table.
func TestPictureMarks(t *testing.T) {
	r := fixture(t, "sweep")
	p := newPrinter(r, Style{})
	p.picture(*r.Tradeoff, pointMarks(r.Tradeoff.Points))
	text := p.out.String()
	if n := strings.Count(text, "\n"); n != pictureLines+5 {
		t.Errorf("%d lines, want %d:\n%s", n, pictureLines+5, text)
	}
	var field strings.Builder
	for line := range strings.Lines(text) {
		if i := strings.IndexAny(line, "┤│"); i >= 0 {
			field.WriteString(line[i:])
		}
	}
	plot := field.String()
	for _, m := range "ABCDEFGh" {
		if strings.Count(plot, string(m)) != 1 {
			t.Errorf("mark %c stands %d times, want once:\n%s", m, strings.Count(plot, string(m)), text)
		}
	}
	var many []assay.TradeoffPoint
	for i := range 60 {
		many = append(many, assay.TradeoffPoint{Variant: fmt.Sprint(i), Beaten: []string{"", "x"}[i%2]})
	}
	if got, want := string(pointMarks(many)[:4])+string(pointMarks(many)[56:]), "A.B.*.*."; got != want {
		t.Errorf("got marks %q, want %q", got, want)
	}
	rows, left := tradeRows(many, false)
	if len(rows) != maxRows || left != 20 {
		t.Errorf("%d rows, %d left out, want %d and 20", len(rows), left, maxRows)
	}
}

// Two points in one place are both to be seen.
func TestPlotSideBySide(t *testing.T) {
	points := []dot{{at: [2]float64{1, 1}, mark: 'b'}, {at: [2]float64{1, 1}, mark: 'A', front: true}, {at: [2]float64{2, 2}, mark: 'C', front: true}}
	axes := [2]axis{newAxis(points, 0, "sec/op", 0.02), newAxis(points, 1, "B/op", 0.02)}
	field := plot(points, axes, 30)
	if got, want := strings.TrimSpace(string(field[pictureLines-1])), "Ab"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := strings.IndexByte(string(field[0]), 'C'); got != 29 {
		t.Errorf("the largest point is at %d, want 29", got)
	}
}

// Noise is not drawn as if it were a front.
func TestAxisSpansTheNoise(t *testing.T) {
	points := []dot{{at: [2]float64{100, 1}}, {at: [2]float64{100.2, 1}}}
	a := newAxis(points, 0, "sec/op", 0.02)
	if a.lo > 98.2 || a.hi < 102 {
		t.Errorf("the axis goes from %g to %g, want 2 %% to both sides", a.lo, a.hi)
	}
}

func TestRaceUnsure(t *testing.T) {
	r := fixture(t, "race")
	r.Race.Sure, r.Race.Saved = false, 0
	text := textOf(t, r, Style{Width: 200})
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
		r.Race.Runners[0] = assay.Runner{Variant: strings.Repeat("x", 200), Left: 1 << 40, Behind: assay.Change(v), Interval: &assay.Interval{Lo: assay.Change(-v), Hi: assay.Change(v)}}
		r.Tables[0].Effects = []assay.Effect{{}, {Held: strings.Repeat("held ", 40), Switches: []assay.Switch{{To: strings.Repeat("y", 200)}},
			Whole: assay.Comparison{Verdict: assay.Slower, Change: assay.Change(v), Interval: &assay.Interval{Hi: assay.Change(v)}, N: 3}}}
		for width := 58; width < 120; width += 7 {
			s := Style{Width: width, ASCII: width%2 == 0, All: width%3 == 0}
			checkLines(t, fmt.Sprint(v, " at ", width), textOf(t, r, s), s)
		}
	}
}

func TestNoiseInWords(t *testing.T) {
	for _, c := range []struct {
		n    assay.Noise
		want string
	}{
		{assay.Noise{}, ""},
		{assay.Noise{Control: "control"}, "noise not known yet (A/A)"},
		{assay.Noise{Control: "control", Change: -.0012}, "noise −0.1 % so far (A/A)"},
		{assay.Noise{Control: "control", Change: -.0012, Floor: .004}, "noise ±0.4 % (A/A)"},
	} {
		if got := newPrinter(&assay.Result{Noise: c.n}, Style{}).noise(); got != c.want {
			t.Errorf("noise of %+v: got %q, want %q", c.n, got, c.want)
		}
	}
}

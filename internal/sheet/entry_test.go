package sheet

import (
	"math"
	"slices"
	"testing"

	"github.com/seed-1318a441/assay"
)

// A change has its interval beside it where one is known, is a difference where the base
// is 0, and is missing where nothing was measured or there is no ratio.
func TestChangeCells(t *testing.T) {
	bytes, errors := assay.Metric{Name: assay.MetricBytes}, assay.Metric{Name: assay.MetricErrors}
	foreign := assay.Comparison{N: 9, Value: 1.1, Change: 0.1, Spread: &assay.Spread{Lo: 1.09, Hi: 1.12}}
	early := assay.Comparison{N: 2, Verdict: assay.Unclear, Value: 1.1, Change: 0.1}
	wide := changeOf("b", assay.Unclear, 2.65, 0)
	wide.Interval = &assay.Interval{Lo: -1, Hi: 996.18}
	few := foreign
	few.Spread = nil
	skew := changeOf("b", assay.Unclear, -0.024, 0)
	skew.Interval = &assay.Interval{Lo: -0.045, Hi: 0.005}
	noRatio := changeOf("b", assay.Invalid, 0.1, 0.01)
	zeros := assay.Comparison{N: 12, Verdict: assay.More, Value: 3, Difference: 3}
	for _, c := range []struct {
		name                   string
		metric                 assay.Metric
		base                   float64
		c                      assay.Comparison
		change, interval, half string
	}{
		{"symmetric", timeMetric, 1, changeOf("b", assay.Slower, 0.1, 0.01), "+10.0 %", "[+9.0, +11.0]", "±1.0"},
		{"not symmetric", timeMetric, 1, skew, "−2.4 %", "[−4.5, +0.5]", "[−4.5, +0.5]"},
		{"too early", timeMetric, 1, early, None, "", ""},
		{"says nothing", timeMetric, 1, wide, None, assay.NoInformation, assay.NoInformation},
		{"too early, equal", timeMetric, 1, assay.Comparison{N: 2, Verdict: assay.Unclear, Value: 1}, "–", "", ""},
		{"exact", bytes, 48, exactly("b", 48, 32), "−33.3 %", "(exact)", "exact"},
		{"exact so far", bytes, 48, exactSoFar("b", 48, 32), "−33.3 %", "(exact so far)", "so far"},
		{"from 0, exact so far", bytes, 0, exactSoFar("b", 0, 48), "+48 B", "(exact so far)", "so far"},
		{"from 0, exact", bytes, 0, exactly("b", 0, 48), "+48 B", "(exact)", "exact"},
		{"from 0, a share", errors, 0, exactly("b", 0, 0.02), "+2 points", "(exact)", "exact"},
		{"sometimes 0", bytes, 1, zeros, "+3.00 B", "", ""},
		{"a time is never 0", timeMetric, 0, changeOf("b", assay.Slower, 0.1, 0.01), "–", "", ""},
		{"not measured together", timeMetric, 1, foreign, "+10.0 %", "", ""},
		{"not measured together, too few", timeMetric, 1, few, None, "", ""},
		{"the same code", timeMetric, 1, assay.Comparison{N: 12, Verdict: assay.SameCoded, Change: 0.1}, "–", "", ""},
		{"no constant difference", timeMetric, 1, noRatio, "–", "", ""},
		{"no number", timeMetric, 1, changeOf("b", assay.Unclear, assay.Change(math.NaN()), 0.01), "–", "", ""},
		{"no block", timeMetric, 1, assay.Comparison{Verdict: assay.Unclear, Change: 0.1}, "–", "", ""},
	} {
		change, interval, half := ChangeCells(Entry{Metric: c.metric, Base: c.base, Cells: []assay.Comparison{c.c}}, c.c)
		if change.Joined() != c.change || interval.Joined() != c.interval || half.Joined() != c.half {
			t.Errorf("%s: got %q %q %q, want %q %q %q", c.name, change.Joined(), interval.Joined(), half.Joined(), c.change, c.interval, c.half)
		}
	}
}

// The values of a row and their difference have one unit and as many decimals, and a
// difference of shares is in points.
func TestRowAddsUp(t *testing.T) {
	scaled := func(c assay.Comparison, by float64) assay.Comparison {
		c.Value *= by
		return c
	}
	for _, c := range []struct {
		metric            string
		base              float64
		c                 assay.Comparison
		first, then, diff string
	}{
		{assay.MetricTime, 1.5e-6, scaled(changeOf("b", assay.Faster, -0.2, 0.008), 1.5e-6), "1.50 µs", "1.20 µs", "−0.30 µs"},
		{assay.MetricTime, 990e-9, scaled(changeOf("b", assay.Slower, 0.2, 0.012), 990e-9), "990 ns", "1,188 ns", "+198 ns"},
		{assay.MetricTime, 95e-9, scaled(changeOf("b", assay.Slower, 1, 0.02), 95e-9), "95.0 ns", "190 ns", "+95 ns"},
		{assay.MetricAllocs, 12, exactly("b", 12, 14), "12", "14", "+2"},
		{assay.MetricBytes, 48, exactly("b", 48, 48), "48 B", "48 B", "0 B"},
		{assay.MetricErrors, 0.25, exactly("b", 0.25, 0.5), "25 %", "50 %", "+25 points"},
	} {
		e := Entry{Metric: assay.Metric{Name: c.metric}, Base: c.base, Cells: []assay.Comparison{c.c}}
		got := []string{e.BaseCell().Joined(), e.Number(c.c.Value).Joined(), e.Minus(c.c).Joined()}
		if want := []string{c.first, c.then, c.diff}; !slices.Equal(got, want) {
			t.Errorf("%s: got %q, want %q", c.metric, got, want)
		}
	}
	e := Entry{Metric: timeMetric, Base: math.NaN()}
	if got := e.Minus(changeOf("b", assay.Slower, 0.1, 0.01)).Text; got != None {
		t.Errorf("of an unknown base: got %q, want %q", got, None)
	}
}

// The interval of a median of imported results is relative to it, with a side below and
// one above.
func TestSpreadCell(t *testing.T) {
	for _, c := range []struct {
		v    float64
		s    *assay.Spread
		want string
	}{
		{100, &assay.Spread{Lo: 99, Hi: 102}, "−1.0/+2.0 %"},
		{5, &assay.Spread{Lo: 5, Hi: 5}, "±0 %"},
		{100, nil, ""},
		{0, &assay.Spread{Lo: 0, Hi: 1}, ""},
	} {
		if got := SpreadCell(c.v, c.s).Joined(); got != c.want {
			t.Errorf("%v in %v: got %q, want %q", c.v, c.s, got, c.want)
		}
	}
}

// A variant that was not measured has no figure, and says so; one whose comparison is
// invalid has no value.
func TestFieldsOfNothing(t *testing.T) {
	s := New(&assay.Result{}, false, false)
	bad := changeOf("b", assay.Invalid, 0.1, 0.01)
	bad.Reason = "trial failed"
	e := Entry{Metric: timeMetric, Base: 1, Cells: []assay.Comparison{bad}}
	if f := s.Fields(e, "c"); f.Change.Text != None || f.Verdict.Text != None || f.Note != "not measured" {
		t.Errorf("a variant without a comparison: got %+v", f)
	}
	if f := s.Fields(e, "b"); f.Value.Text != None || f.Diff.Text != None || f.Change.Text != None || f.Verdict.Text != "invalid" || f.Note != "trial failed" {
		t.Errorf("an invalid comparison: got %+v", f)
	}
}

// A proved change has the tone of its verdict and its ratio in words; how much of the noise
// is placement stands beside it only where everything is wanted.
func TestFieldsOfAChange(t *testing.T) {
	c := changeOf("b", assay.Faster, -0.6, 0.01)
	c.LayoutShare = 0.25
	e := Entry{Metric: timeMetric, Base: 1, Cells: []assay.Comparison{c}}
	f := New(&assay.Result{}, false, false).Fields(e, "b")
	if f.Aside != "2.5× as fast" || f.Change.Tone != Good || f.Verdict.Tone != Good || f.Note != "" || f.Blocks.Text != "12" {
		t.Errorf("got %+v", f)
	}
	if f.Extent(true).Text != "±1.0" || f.Extent(false).Text != "[−61.0, −59.0]" {
		t.Errorf("got %q and %q of the interval", f.Extent(true).Text, f.Extent(false).Text)
	}
	if got, want := New(&assay.Result{}, true, false).Fields(e, "b").Note, "placement explains about 25 % of the noise"; got != want {
		t.Errorf("with all: got %q, want %q", got, want)
	}
}

// A comparison on one line says from where to where an exact value went, and why a verdict
// is no clearer.
func TestCompared(t *testing.T) {
	small := changeOf("b", assay.Slower, 0.081, 0.012)
	small.MayBeSmall = true
	for _, c := range []struct {
		metric assay.Metric
		base   float64
		c      assay.Comparison
		want   string
	}{
		{assay.Metric{Name: assay.MetricAllocs}, 12, exactly("b", 12, 14), "12 to 14, +16.7 % (exact), more"},
		{timeMetric, 1, changeOf("b", assay.Slower, 0.081, 0.012), "+8.1 % [+6.9, +9.3], slower"},
		{timeMetric, 1, small, "+8.1 % [+6.9, +9.3], slower; the change may be below 1 %"},
		{timeMetric, 1, changeOf("b", assay.Unclear, 0, 0.02), "0.0 % [−2.0, +2.0], within ±2.0 %"},
	} {
		if got := Compared(c.metric, c.base, c.c); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}

// The mark of a verdict is the direction of the value, whether or not that is good, and
// its tone is whether it is good.
func TestMarks(t *testing.T) {
	for _, c := range []struct {
		c    assay.Comparison
		mark string
		tone Tone
		word string
	}{
		{assay.Comparison{Verdict: assay.Faster}, "▼", Good, "faster"},
		{assay.Comparison{Verdict: assay.Less}, "▼", Good, "less"},
		{assay.Comparison{Verdict: assay.Lower}, "▼", Bad, "lower, worse"},
		{assay.Comparison{Verdict: assay.Slower}, "▲", Bad, "slower"},
		{assay.Comparison{Verdict: assay.More}, "▲", Bad, "more"},
		{assay.Comparison{Verdict: assay.Higher}, "▲", Good, "higher, better"},
		{assay.Comparison{Verdict: assay.Changed, Change: 0.1}, "▲", Changed, "changed"},
		{assay.Comparison{Verdict: assay.Changed, Change: -0.1}, "▼", Changed, "changed"},
		{assay.Comparison{Verdict: assay.Changed, Difference: -3}, "▼", Changed, "changed"},
		{assay.Comparison{Verdict: assay.Same}, "=", Plain, "same"},
		{assay.Comparison{Verdict: assay.SameCoded}, "≡", Plain, "same code"},
		{assay.Comparison{Verdict: assay.Unclear}, "?", Plain, "unclear"},
		{assay.Comparison{Verdict: assay.Invalid}, "?", Plain, "invalid"},
		{assay.Comparison{Verdict: assay.Withheld}, "", Plain, None},
	} {
		mark, tone, word := Mark(c.c), ToneOf(c.c.Verdict), VerdictWords(c.c)
		if mark != c.mark || tone != c.tone || word != c.word {
			t.Errorf("%+v: got %q, %v, %q, want %q, %v, %q", c.c, mark, tone, word, c.mark, c.tone, c.word)
		}
	}
	for v, want := range map[assay.Verdict]string{assay.Faster: "better", assay.More: "worse", assay.Changed: "", assay.Mixed: ""} {
		if got := AnswerTone(assay.Answer{Verdict: v}).Class(); got != want || ToneOf(v).Class() != want {
			t.Errorf("%s: got the classes %q and %q, want %q", v, got, ToneOf(v).Class(), want)
		}
	}
}

// A legend has each word of a mark once, in the order in which they come, and counts what
// is not decided as unclear.
func TestLegend(t *testing.T) {
	var l Legend
	for _, v := range []assay.Verdict{assay.Less, assay.Withheld, assay.Faster, assay.Less, assay.Invalid, assay.Unclear} {
		l.Add(assay.Comparison{Verdict: v})
	}
	if len(l) != 2 || !slices.Equal(l["▼"], []string{"less", "faster"}) || !slices.Equal(l["?"], []string{"unclear"}) {
		t.Errorf("got %v", l)
	}
}

// A cell of a matrix has the change with its mark, or the word where there is no change.
func TestMatrixCell(t *testing.T) {
	e := Entry{Metric: timeMetric, Base: 1, Cells: []assay.Comparison{changeOf("b", assay.Slower, 0.1, 0.01), {Variant: "c", Verdict: assay.Invalid},
		{Variant: "d", Verdict: assay.Saturated, N: 3}, {Variant: "e", Verdict: assay.SameCoded}}}
	for variant, want := range map[string]Cell{"b": Toned("+10.0 % ▲", Bad), "c": Word("invalid"), "d": Word("saturated"), "e": Word("– ≡"), "f": Word(None)} {
		if got := MatrixCell(e, variant); got != want {
			t.Errorf("%s: got %+v, want %+v", variant, got, want)
		}
	}
}

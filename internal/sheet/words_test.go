package sheet

import (
	"math"
	"slices"
	"testing"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/shell"
)

// A share above 0 is never drawn as nothing, and none is higher than the full bar.
func TestBar(t *testing.T) {
	for _, c := range []struct {
		share float64
		want  string
	}{{0, " "}, {-1, " "}, {math.NaN(), " "}, {0.001, "▁"}, {0.5, "▄"}, {1, "█"}, {7, "█"}} {
		if got := Bar(c.share); got != c.want {
			t.Errorf("Bar(%v) = %q, want %q", c.share, got, c.want)
		}
	}
	for _, c := range []struct {
		values []float64
		want   string
	}{{[]float64{1, 2, 4}, "▂▄█"}, {[]float64{0, 0}, "  "}, {nil, ""}} {
		if got := Bars(c.values); got != c.want {
			t.Errorf("Bars(%v) = %q, want %q", c.values, got, c.want)
		}
	}
}

// A shell reads the words of a printed command again, whatever they hold.
func TestShellLine(t *testing.T) {
	for _, words := range [][]string{
		{"assay", "run", "my study"}, {"a", "", "b"}, {`a\b`, `"c"`, "$HOME", "*.go", "a;b", "x#y", "~"}, {"tab\there", "line\nbreak"}, {"{bin}", "A=b", "--set"},
	} {
		got, err := shell.Split(ShellLine(words))
		if err != nil || !slices.Equal(got, words) {
			t.Errorf("%q: a shell reads %q (%v) from %s", words, got, err, ShellLine(words))
		}
	}
	if got, want := ShellLine([]string{"{bin}", "-n=3", "it's"}), `{bin} -n=3 'it'\''s'`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// A result is named by its run and its study, and on a command line by its path where it
// has one; one that comes from no run has no name.
func TestIDs(t *testing.T) {
	for _, c := range []struct {
		r        assay.Result
		ids, arg string
	}{
		{assay.Result{}, "", ""},
		{assay.Result{Run: "7k2m", StudyHash: "0123456789abcdef"}, "run 7k2m · study 01234567", "7k2m"},
		{assay.Result{StudyHash: "0123"}, "study 0123", ""},
		{assay.Result{Run: "7k2m", Ref: "my runs/7k2m"}, "run 7k2m", "'my runs/7k2m'"},
	} {
		if got := IDs(&c.r); got != c.ids {
			t.Errorf("%+v: got %q, want %q", c.r, got, c.ids)
		}
		if got := RunArg(&c.r); got != c.arg {
			t.Errorf("%+v: got the argument %q, want %q", c.r, got, c.arg)
		}
	}
}

// The blocks of a geomean are named where they are others than those of the run.
func TestBlocksInWords(t *testing.T) {
	for blocks, want := range map[int]string{0: "", 1: "1 block, interleaved", 1200: "1,200 blocks, interleaved"} {
		if got := Interleaved(blocks); got != want {
			t.Errorf("%d blocks: got %q, want %q", blocks, got, want)
		}
	}
	over := func(ns ...int) *assay.Result {
		r := resultOf([]string{"a", "b"}, assay.Table{Metric: timeMetric, Common: 4})
		for _, n := range ns {
			r.Tables[0].Geomean = append(r.Tables[0].Geomean, assay.Comparison{N: n})
		}
		return r
	}
	for _, c := range []struct {
		r             *assay.Result
		blocks, whole string
	}{
		{over(12, 12), "12 blocks, interleaved", "geomean of 4"},
		{over(10, 10), "12 blocks, geomean over 10, interleaved", "geomean of 4 (n=10)"},
		{over(8, 10), "12 blocks, geomean over 8–10, interleaved", "geomean of 4 (n=8–10)"},
		{over(0, 10), "12 blocks, geomean over 10, interleaved", "geomean of 4 (n=10)"},
		{over(), "12 blocks, interleaved", "geomean of 4"},
	} {
		if got := RunBlocks(c.r); got != c.blocks {
			t.Errorf("got %q, want %q", got, c.blocks)
		}
		if got := GeomeanWords(c.r, c.r.Tables[0], c.r.Tables[0].Geomean); got != c.whole {
			t.Errorf("got %q, want %q", got, c.whole)
		}
	}
	if got := RunBlocks(&assay.Result{}); got != "" {
		t.Errorf("of nothing: got %q", got)
	}
}

// Ticks and the ends of an axis say in which direction a value went.
func TestAxis(t *testing.T) {
	for percent, want := range map[float64]string{-1.5: "−1.5 %", 0: "0", 20: "+20 %"} {
		if got := TickPercent(percent); got != want {
			t.Errorf("%v percent: got %q, want %q", percent, got, want)
		}
	}
	for exponent, want := range map[int]string{-2: "÷4", 0: "0", 1: "×2", 10: "×1024"} {
		if got := TickPower(exponent); got != want {
			t.Errorf("2 to the %d: got %q, want %q", exponent, got, want)
		}
	}
	for better, want := range map[assay.Better][2]string{assay.BetterLower: {"← better", "worse →"}, assay.BetterHigher: {"← worse",
		"better →"}, assay.BetterUnknown: {}} {
		if left, right := Sides(assay.Metric{Better: better}); [2]string{left, right} != want {
			t.Errorf("%q is better: got %q and %q, want %q", better, left, right, want)
		}
	}
}

// Figures name the metric as headings do.
func TestFigureTitles(t *testing.T) {
	e := &assay.Explanation{Benchmark: assay.Benchmark{Package: "p", Name: "Get"}, Variant: "new", Base: "old", Metric: "latency.p99"}
	for got, want := range map[string]string{
		MetricOf(assay.MetricTime, "new"):        "sec/op of new",
		MetricOf(assay.MetricGCMarkCPU, "new"):   "GC mark, CPU of new",
		EffectOf(assay.MetricRequests, "gc=off"): "tx/s, effect of gc=off",
		WhyTitle(e):                              "why: Get in new, latency p99 against old",
	} {
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

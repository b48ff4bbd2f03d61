package answer

import (
	"slices"
	"strings"
	"testing"

	"github.com/seed-1318a441/assay"
)

// many is a table of times of one variant, over benchmarks that are called A, B and so on.
func many(whole assay.Comparison, cells ...assay.Comparison) assay.Table {
	tab := made(assay.MetricTime, true)
	tab.Geomean, tab.Common, tab.Rows = one(whole), len(cells), nil
	for i, c := range cells {
		c.Benchmark = assay.Benchmark{Name: string(rune('A' + i))}
		tab.Rows = append(tab.Rows, assay.Row{Benchmark: c.Benchmark, Base: 1, Cells: one(c)})
	}
	return tab
}

// A change on the whole is a headline only if most benchmarks change by at least half as much.
func TestTypical(t *testing.T) {
	fall := func(change float64) assay.Comparison { return claimed("b", assay.Faster, change, change-1, change+1) }
	rise := func(change float64) assay.Comparison { return claimed("b", assay.Slower, change, change-1, change+1) }
	open := claimed("b", assay.Unclear, 0.5, -3, 3)
	lost := assay.Comparison{Variant: "b", Verdict: assay.Invalid, Change: -0.3}
	times := func(n int, c assay.Comparison) []assay.Comparison { return slices.Repeat(one(c), n) }
	for _, test := range []struct {
		name  string
		whole assay.Comparison
		cells []assay.Comparison
		want  bool
	}{
		{"one of 14, by far", fall(-29), append(times(13, open), fall(-99)), false},
		{"two of 14 alike", fall(-29), append(times(12, open), fall(-91), fall(-91)), false},
		{"all, one by far", fall(-29), append(times(13, fall(-2)), fall(-99)), false},
		{"one of two", rise(20.9), []assay.Comparison{rise(46), open}, false},
		{"seven of 14", fall(-15), append(times(7, open), times(7, fall(-28))...), false},
		{"eight of 14", fall(-17), append(times(6, open), times(8, fall(-28))...), true},
		{"all alike", fall(-5), times(3, fall(-5)), true},
		{"all by a little, none proved", fall(-5), times(14, claimed("b", assay.Unclear, -5, -11, 1)), true},
		{"most the other way", fall(-5), append(times(3, rise(2)), fall(-40)), false},
		{"one of two has figures", fall(-5), []assay.Comparison{fall(-5), lost}, true},
		{"not claimed", open, []assay.Comparison{fall(-90), open}, true},
	} {
		if got := Typical(test.whole, slices.Values(test.cells)); got != test.want {
			t.Errorf("%s: got %t, want %t", test.name, got, test.want)
		}
	}
	if c := fall(-5); !RarityOf(made(assay.MetricTime, true, c), c).Typical() {
		t.Error("the change of a single benchmark is not a headline")
	}
}

// Where a change is not typical the answer counts the benchmarks, and recommends nothing if
// some differ the other way.
func TestAnswerOfFewBenchmarks(t *testing.T) {
	fall, rise := claimed("b", assay.Faster, -29, -40, -12), claimed("b", assay.Slower, 20.9, 15, 27)
	escapes, slower, open, same := claimed("b", assay.Faster, -99, -99.1, -98.9), claimed("b", assay.Slower, 46, 44, 48), claimed("b", assay.Unclear, 0.5, -3, 3), claimed("b", assay.Same, 0, -1, 1)
	for _, test := range []struct {
		name  string
		table assay.Table
		want  answered
	}{
		{"one faster", many(fall, append(slices.Repeat(one(open), 13), escapes)...), answered{assay.Faster, "b",
			"use b: 1 of 14 benchmarks faster (N −99.0 % [−99.1, −98.9]), 13 within ±3.0 %; geomean −29 % [−40, −12]", "13 of 14 comparisons by benchmark; needs about 5 h more"}},
		{"one slower", many(rise, slower, same), answered{assay.Slower, "a",
			"use a: b has 1 of 2 benchmarks slower (A +46.0 % [+44.0, +48.0]), 1 the same; geomean +20.9 % [+15.0, +27.0]", ""}},
		{"one faster, one slower", many(fall, escapes, slower, same, same), answered{assay.Mixed, "",
			"it depends on the benchmark: b has 1 of 4 benchmarks faster (A −99.0 % [−99.1, −98.9]), 1 slower, 2 the same; geomean −29 % [−40, −12] / except 1: B +46.0 % [+44.0, +48.0]", ""}},
		{"none proved", many(fall, claimed("b", assay.Unclear, -70, -95, 5), same, same), answered{assay.Faster, "b",
			"use b: 0 of 3 benchmarks faster, 2 the same, 1 within ±95 %; geomean −29 % [−40, −12]", "1 of 3 comparisons by benchmark; needs about 20 min more"}},
	} {
		test.want.check(t, test.name, answerTo(assay.Study{Variants: variants("a", "b")}, assay.Result{Tables: []assay.Table{test.table}}))
	}
}

// What else a variant gains, and what it costs, is counted too where it is of few benchmarks.
func TestGainsAndCostsOfFewBenchmarks(t *testing.T) {
	faster := claimed("b", assay.Faster, -5, -6, -4)
	less, more, same := claimed("b", assay.Less, -20, -21, -19), claimed("b", assay.More, 20, 19, 21), claimed("b", assay.Same, 0, -1, 1)
	bytes, memory := many(less, claimed("b", assay.Less, -50, -51, -49), same, same), many(more, same, claimed("b", assay.More, 73, 72, 74), same)
	bytes.Metric, memory.Metric = assay.Metric{Name: assay.MetricBytes, Better: assay.BetterLower}, assay.Metric{Name: assay.MetricRSS, Better: assay.BetterLower}
	a := answerTo(assay.Study{Variants: variants("a", "b")}, assay.Result{Tables: []assay.Table{many(faster, faster, faster, faster), bytes, memory}})
	want := "use b: 5.0 % less time [−6.0, −4.0] than a, less B/op in 1 of 3 benchmarks, −50.0 %, but more peak memory in 1 of 3 benchmarks, +73.0 %"
	if a.Text[0] != want || !slices.Equal(a.Cost, []string{"more peak memory in 1 of 3 benchmarks, +73.0 %"}) {
		t.Errorf("got %q, costs %q, want %q", a.Text, a.Cost, want)
	}
}

// Of several variants the best one is counted, and so are those that are worse.
func TestBestOfFewBenchmarks(t *testing.T) {
	tab := many(claimed("b", assay.Faster, -29, -40, -12), claimed("b", assay.Faster, -90, -91, -89), claimed("b", assay.Same, 0, -1, 1), claimed("b", assay.Same, 0, -1, 1))
	tab.Geomean = append(tab.Geomean, claimed("c", assay.Slower, 14, 10, 18))
	for i := range tab.Rows {
		c := claimed("c", assay.Same, 0, -1, 1)
		if i == 0 {
			c = claimed("c", assay.Slower, 46, 44, 48)
		}
		c.Benchmark = tab.Rows[i].Benchmark
		tab.Rows[i].Cells = append(tab.Rows[i].Cells, c)
	}
	a := answerTo(assay.Study{Variants: variants("a", "b", "c")}, assay.Result{Tables: []assay.Table{tab}})
	if want := "use b: 1 of 3 benchmarks faster (A −90.0 % [−91.0, −89.0]), 2 the same; geomean −29 % [−40, −12]"; a.Text[0] != want || a.Use != "b" {
		t.Errorf("got %q, want %q", a.Text, want)
	}
	tab.Geomean[0] = claimed("b", assay.Unclear, -1, -4, 3)
	a = answerTo(assay.Study{Variants: variants("a", "b", "c")}, assay.Result{Tables: []assay.Table{tab}})
	if want := "slower: c +14.0 % (1 of 3 benchmarks)"; !strings.Contains(strings.Join(a.Text, "\n"), want) {
		t.Errorf("got %q, want %q", a.Text, want)
	}
}

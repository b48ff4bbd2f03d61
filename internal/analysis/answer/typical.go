package answer

import (
	"fmt"
	"iter"
	"math"
	"slices"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/printable"
)

// Typical reports whether a change claimed of a whole suite says what its benchmarks do: more
// than half of them change by at least half as much, in ln units, in its direction. Only
// then is a geomean a headline. One benchmark that takes a hundredth of the time makes the
// geomean of 14 fall by 28 %, and no reader gets 28 %.
func Typical(whole assay.Comparison, cells iter.Seq[assay.Comparison]) bool {
	if !whole.Verdict.Differs() {
		return true
	}
	moved, all := 0, 0
	for c := range figured(cells) {
		all++
		moved += btoi(c.Change.Log()*math.Copysign(1, whole.Change.Log()) >= math.Abs(whole.Change.Log())/2)
	}
	return all < 2 || 2*moved > all
}

// A Rarity says in place of a change that is not typical how the benchmarks came out. The zero
// Rarity is that of a typical one.
type Rarity struct {
	// Moved is the number of the Of benchmarks with the verdict of the whole suite.
	// Opposite is the number of those that differ in the other direction.
	Moved, Of, Opposite int
	// Rest is "faster (Escapes −99.0 % [−99.1, −98.9]), 13 within ±15 %", Geomean the change of the
	// whole suite.
	Rest, Geomean string
}

// Typical reports whether it is that of a typical change.
func (x Rarity) Typical() bool { return x.Of == 0 }

// Divided reports whether it depends on the benchmark what the change is: nothing recommends
// then what the geomean does.
func (x Rarity) Divided() bool { return x.Opposite > 0 }

// String is "1 of 14 benchmarks faster (Escapes −99.0 % [−99.1, −98.9]), 13 within ±15 %; geomean
// −29 % [−40, −12]".
func (x Rarity) String() string { return x.Counts() + "; geomean " + x.Geomean }

// Counts is that without the geomean.
func (x Rarity) Counts() string {
	return fmt.Sprintf("%d of %s %s", x.Moved, printable.Count(x.Of, "benchmark"), x.Rest)
}

// few is " (1 of 14 benchmarks)" where a change stands in a list, "" for one that is typical.
func (x Rarity) few() string {
	if x.Typical() {
		return ""
	}
	return fmt.Sprintf(" (%d of %s)", x.Moved, printable.Count(x.Of, "benchmark"))
}

// RarityOf is that of a change on the whole suite of a table.
func RarityOf(tab assay.Table, c assay.Comparison) Rarity {
	if len(tab.Geomean) == 0 {
		return Rarity{}
	}
	return rarity(tab, c, Column(tab, c.Variant))
}

// RarityOfEffect is that of what a switch does to the whole suite.
func RarityOfEffect(tab assay.Table, e assay.Effect) Rarity {
	return rarity(tab, e.Whole, slices.Values(e.Cells))
}

// maxCounted is the number of benchmarks that a Rarity names.
const maxCounted = 2

func rarity(tab assay.Table, whole assay.Comparison, cells iter.Seq[assay.Comparison]) Rarity {
	if Typical(whole, cells) {
		return Rarity{}
	}
	x := Rarity{Geomean: Interval(whole)}
	var moved, open []assay.Comparison
	var others assay.VariantResult
	for c := range figured(cells) {
		x.Of++
		switch c.Verdict {
		case whole.Verdict:
			moved = append(moved, c)
		case assay.Unclear:
			open = append(open, c)
		default:
			others.Count(c)
		}
	}
	slices.SortStableFunc(moved, bySize)
	var names []string
	for _, c := range moved {
		names = append(names, tab.NameOf(c.Benchmark)+" "+Interval(c))
	}
	x.Moved, x.Rest = len(moved), claim(tab.Metric, whole.Verdict)
	if len(names) > 0 {
		x.Rest += " (" + printable.Few(names, maxCounted) + ")"
	}
	x.Opposite = others.Better + others.Worse
	opposite := string(assay.Differing(tab.Metric, -whole.Change.Log()))
	for _, n := range []struct {
		n    int
		word string
	}{{x.Opposite, opposite}, {others.Same, "the same"}} {
		if n.n > 0 {
			x.Rest += fmt.Sprintf(", %d %s", n.n, n.word)
		}
	}
	if len(open) > 0 {
		x.Rest += ", " + Counts(open)
	}
	return x
}

// claim is "faster", or "with less peak memory".
func claim(m assay.Metric, v assay.Verdict) string {
	return pick(m.IsTime(), string(v), "with "+string(v)+" "+noun(m))
}

// figured yields the comparisons that have figures.
func figured(cells iter.Seq[assay.Comparison]) iter.Seq[assay.Comparison] {
	return func(yield func(assay.Comparison) bool) {
		for c := range cells {
			if c.N > 0 && !NoFigure(c.Verdict) && !yield(c) {
				return
			}
		}
	}
}

// WholeAmount is Amount for a change on the whole suite, or the Rarity of one that is not
// typical.
func WholeAmount(tab assay.Table, c assay.Comparison, base string) string {
	return viewOf(tab, c).against(base)
}

// Takes is WholeAmount with the verb before it: "takes 28.3 % less time [−29.8, −26.1] than
// BASE".
func Takes(tab assay.Table, c assay.Comparison, base string) string {
	v := viewOf(tab, c)
	return v.takes() + " " + v.against(base)
}

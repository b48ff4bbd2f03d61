package doctor

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/analysis"
)

// Lines returns the check as text, wrapped at a width.
func (aa *AA) Lines(width int) []string {
	c := &text{width: width}
	wrong := len(aa.False)
	c.print("")
	c.print(fmt.Sprintf("A/A  %d of %d cells of identical code were called different (%.2g %%); %d same, %d unclear",
		wrong, aa.Cells, 100*float64(wrong)/float64(max(aa.Cells, 1)), aa.Cells-wrong-aa.Unclear, aa.Unclear))
	for _, x := range aa.False {
		half, interval := assay.Change(0), ""
		if x.Interval != nil {
			half, interval = x.Interval.Half(), x.Interval.String()
		}
		c.print(fmt.Sprintf("     %s %s %s %s", x.Benchmark.Name, x.Verdict, x.Change.Format(half), interval))
	}
	floor := "is unknown: too few blocks"
	if aa.Floor > 0 {
		floor = "±" + strings.TrimPrefix(aa.Floor.Format(aa.Floor), "+") + " on the whole suite"
	}
	c.print("     noise floor " + floor)
	c.reach(aa)
	return c.lines
}

// reachNamed is the maximum number of benchmarks to list one by one.
const reachNamed = 3

// reach adds the table of the smallest visible changes: of the whole suite, and of the
// benchmarks, or of the median one and the noisiest.
func (c *text) reach(aa *AA) {
	c.print("")
	if len(aa.Benchmarks) == 0 {
		c.print("too little was measured to say what changes this machine can show; try: --budget 5m")
		return
	}
	c.print(fmt.Sprintf("%-36s %7s %9s %10s %11s", "the smallest change shown in", "", "1 minute", "5 minutes", "20 minutes"))
	if aa.Suite != nil && len(aa.Benchmarks) > 1 {
		c.reachRow("the whole suite of "+strconv.Itoa(len(aa.Benchmarks)), *aa.Suite)
	}
	byScatter := slices.SortedFunc(slices.Values(aa.Benchmarks), func(a, b analysis.Reach) int { return cmp.Compare(a.Scatter, b.Scatter) })
	if n := len(byScatter); n > reachNamed {
		c.reachRow("middle: "+byScatter[n/2].Benchmark.Name, byScatter[n/2])
		c.reachRow("noisiest: "+byScatter[n-1].Benchmark.Name, byScatter[n-1])
	} else {
		for _, r := range byScatter {
			c.reachRow(r.Benchmark.Name, r)
		}
	}
	c.wrapped("", "± is the scatter of a block. Of runs of two variants, of the suite or of that benchmark alone, with --min-effect below it, 4 in 5 show a true change of that size.")
}

func (c *text) reachRow(name string, r analysis.Reach) {
	const room = 36
	if n := []rune(name); len(n) > room {
		name = string(n[:room-3]) + "..."
	}
	texts := []any{room, name, "±" + percentOf(r.Scatter)}
	for _, x := range r.Smallest {
		text := "-" // too few blocks decide nothing
		if x > 0 {
			text = percentOf(x)
		}
		texts = append(texts, text)
	}
	c.print(fmt.Sprintf("%-*s %7s %9s %10s %11s", texts...))
}

// percentOf returns a change without its sign, in two digits.
func percentOf(x assay.Change) string {
	if x >= 10 {
		return "> 1000 %"
	}
	return strconv.FormatFloat(100*float64(x), 'f', decimals(100*float64(x)), 64) + " %"
}

// decimals returns how many decimals show two digits of a number.
func decimals(x float64) int {
	switch {
	case x >= 9.95:
		return 0
	case x >= 0.995:
		return 1
	}
	return 2
}

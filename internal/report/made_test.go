package report

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/analysis"
	"github.com/seed-1318a441/assay/internal/analysis/answer"
)

// made are the results that are made here rather than read from testdata: the
// figures of case 000, with intervals made up, and what follows from them.
var made = map[string]func() *assay.Result{
	"mere": mereIntel, "factorial": factorial, "sweep": sweep, "race": raced, "command": mereTwo,
}

var timeMetric = assay.Metric{Name: assay.MetricTime, Better: assay.BetterLower, MinEffect: 0.01}

// compared makes a comparison with a half-width, whose verdict follows from the
// interval as the analysis has it.
func compared(m assay.Metric, variant, bench string, base, value, half float64) assay.Comparison {
	c := assay.Comparison{Variant: variant, Benchmark: assay.Benchmark{Name: bench}, Value: value, N: 12,
		Change: assay.Change(value/base - 1), Difference: value - base}
	c.Interval = &assay.Interval{Lo: c.Change - assay.Change(half), Hi: c.Change + assay.Change(half)}
	switch {
	case c.Interval.Within(m.MinEffect):
		c.Verdict = assay.Same
	case c.Interval.Covers(0):
		c.Verdict, c.Reason, c.MoreBlocks = assay.Unclear, "the interval covers 0", 9
	default:
		c.Verdict = assay.Differing(m, float64(c.Change))
		c.MayBeSmall = math.Min(math.Abs(float64(c.Interval.Lo)), math.Abs(float64(c.Interval.Hi))) < m.MinEffect
	}
	return c
}

// tableOf makes a table of values[benchmark][variant], the base first, and its
// geomean.
func tableOf(m assay.Metric, variants, benches []string, values [][]float64, half float64) assay.Table {
	t := assay.Table{Metric: m, Decides: m.IsTime(), Common: len(benches)}
	logs := make([]float64, len(variants))
	for i, b := range benches {
		row := assay.Row{Benchmark: assay.Benchmark{Name: b}, Base: values[i][0]}
		for j, v := range variants {
			logs[j] += math.Log(values[i][j]) / float64(len(benches))
			if j > 0 {
				row.Cells = append(row.Cells, compared(m, v, b, values[i][0], values[i][j], half))
			}
		}
		t.Rows = append(t.Rows, row)
	}
	for j, v := range variants[1:] {
		t.Geomean = append(t.Geomean, compared(m, v, "", math.Exp(logs[0]), math.Exp(logs[j+1]), half))
	}
	return t
}

// resultOf puts tables into a result that is otherwise the same for all.
func resultOf(study string, variants []string, tables ...assay.Table) *assay.Result {
	r := &assay.Result{
		Schema: assay.ResultSchema, Run: "7k2m", Study: study, StudyHash: "9c41f00d5a3b", Command: "assay run " + study,
		Base: variants[0], Tables: tables,
		Platform: assay.Platform{GOOS: "linux", GOARCH: "amd64", CPU: "Intel(R) Core(TM) i9-12900T", CPUs: 8, Procs: 8, Governor: "performance"},
		Rule:     assay.Rule{Metrics: []string{assay.MetricTime}, MinEffect: 0.01, Confidence: 0.99, MinBlocks: 10, Claims: 16},
		Spent:    assay.Spent{Blocks: 12, Trials: 336, Time: 252 * time.Second, Stop: "decided"},
		Noise:    assay.Noise{Control: assay.ControlName, Floor: 0.007, Change: 0.001},
		Answer:   assay.Answer{Decided: true, Verdict: assay.Slower, Basis: "decided · 12 blocks, 4m12s · 99 % intervals, 5 % false claims at most over all 16 · smallest effect that counts: 1 %"},
	}
	for _, v := range variants {
		x := assay.VariantResult{Name: v}
		for _, row := range tables[0].Rows {
			for _, c := range row.Cells {
				if c.Variant == v {
					x.Count(c)
				}
			}
		}
		r.Variants = append(r.Variants, x)
	}
	return r
}

var mereBenches = []string{"loop-counter", "indexed-counter", "counter", "eratosthenes-sieve"}

// mereTimes are the seconds of case 000 by machine and variant.
var mereTimes = map[string]map[string][]float64{
	"intel": {
		"go1.25.7":        {10.26, 36.39, 10.30, 10.75},
		"go1.26.0":        {12.17, 51.87, 11.73, 11.20},
		"no-greentea":     {11.51, 47.84, 11.05, 10.92},
		"no-stack-slices": {10.62, 49.64, 10.76, 10.17},
		"no-sizespec":     {12.11, 48.48, 11.71, 11.07},
		"all-off":         {10.38, 48.55, 10.79, 10.15},
	},
	"m4": {
		"go1.25.7":        {8.59, 21.58, 8.70, 8.95},
		"go1.26.0":        {8.02, 20.83, 8.51, 9.92},
		"no-greentea":     {8.20, 21.27, 8.41, 8.98},
		"no-stack-slices": {6.73, 19.65, 8.30, 8.52},
	},
	"m4-save": {"go1.25.7": {16.63, 42.55, 17.16, 19.10}},
}

// mereTable is the time table of a machine for some variants.
func mereTable(machine string, variants []string, half float64) assay.Table {
	var values [][]float64
	for i := range mereBenches {
		var row []float64
		for _, v := range variants {
			row = append(row, mereTimes[machine][v][i])
		}
		values = append(values, row)
	}
	return tableOf(timeMetric, variants, mereBenches, values, half)
}

func mereTwo() *assay.Result {
	r := mereOn("intel", []string{"go1.25.7", "go1.26.0"}, 0.008)
	var counts [][]float64
	for range mereBenches {
		counts = append(counts, []float64{1200, 1212})
	}
	named := func(name string) assay.Metric {
		return assay.Metric{Name: name, Better: assay.KnownBetter(name), MinEffect: 0.01}
	}
	rss := named(assay.MetricRSS)
	for _, m := range []assay.Metric{rss, named(assay.MetricUser), named(assay.MetricSys), named(assay.MetricMinorFaults),
		named(assay.MetricVoluntary), named(assay.MetricInvoluntary), named(assay.MetricInstructions), named(assay.MetricCacheMisses)} {
		values, half := counts, 0.06
		if m.Name == assay.MetricRSS {
			values, half = [][]float64{{28e6, 33e6}, {64e6, 71e6}, {28e6, 33e6}, {31e6, 37e6}}, 0.02
		}
		if m.Name == assay.MetricUser {
			values, half = [][]float64{{10.9, 12.8}, {38.1, 53.9}, {10.9, 12.4}, {11.4, 11.8}}, 0.01
		}
		t := tableOf(m, []string{"go1.25.7", "go1.26.0"}, mereBenches, values, half)
		r.Tables = append(r.Tables, t)
	}
	r.Answer.Text = []string{"use go1.25.7: go1.26.0 takes 18.9 % more time [+18.1, +19.7] over 4 benchmarks"}
	return r
}

func mereOn(machine string, variants []string, half float64) *assay.Result {
	r := resultOf("go126-mere", variants, mereTable(machine, variants, half))
	r.Question = "Should I use 1.25.7, stock 1.26.0, or 1.26.0 with options off?"
	return r
}

// mereIntel is the whole case on the desktop: listed variants, of which one is
// the same code as another, and the effects of the switches on go1.26.0.
func mereIntel() *assay.Result {
	variants := []string{"go1.25.7", "go1.26.0", "no-greentea", "no-stack-slices", "all-off"}
	r := mereOn("intel", variants, 0.008)
	same := assay.SameCode{Variant: "no-sizespec", As: "go1.26.0", Functions: 3876, Control: true}
	r.Variants = slices.Insert(r.Variants, 4, assay.VariantResult{Name: "no-sizespec", SameAs: &same})
	r.Noise.Control = "no-sizespec"
	t := &r.Tables[0]
	t.Effects = []assay.Effect{
		listedEffect("green tea GC off", "no-greentea"),
		listedEffect("stack slices off", "no-stack-slices"),
		{Switches: []assay.Switch{{Factor: "variant", To: "size-specialised malloc off"}}, Held: "go1.26.0",
			Whole: assay.Comparison{Variant: "no-sizespec", Verdict: assay.SameCoded, Reason: "already off in go1.26.0"}},
	}
	r.Answer.Use = "go1.25.7"
	r.Answer.Text = []string{"use go1.25.7: every other variant is worse"}
	return r
}

// listedEffect is what a variant does against go1.26.0, by benchmark and whole.
func listedEffect(name, variant string) assay.Effect {
	e := assay.Effect{Switches: []assay.Switch{{Factor: "variant", To: name}}, Held: "go1.26.0"}
	t := mereTable("intel", []string{"go1.26.0", variant}, 0.007)
	for _, row := range t.Rows {
		e.Cells = append(e.Cells, row.Cells...)
	}
	e.Whole = t.Geomean[0]
	return e
}

// factorial is three factors of two levels, with their effects.
func factorial() *assay.Result {
	levels := [][]string{{"greentea", "classic"}, {"stack", "heap"}, {"special", "plain"}}
	logs := []float64{-0.054, -0.087, 0.004}
	var variants []string
	for i := range 8 {
		variants = append(variants, levels[0][i>>2]+"/"+levels[1][i>>1&1]+"/"+levels[2][i&1])
	}
	var values [][]float64
	for b := range mereBenches {
		var row []float64
		for i := range 8 {
			ln := logs[0]*float64(i>>2) + logs[1]*float64(i>>1&1) + logs[2]*float64(i&1)
			row = append(row, mereTimes["intel"]["go1.26.0"][b]*math.Exp(ln*(1+0.1*float64(b))))
		}
		values = append(values, row)
	}
	r := resultOf("gc-factors", variants, tableOf(timeMetric, variants, mereBenches, values, 0.008))
	t := &r.Tables[0]
	sw := []assay.Switch{{Factor: "gc", From: "greentea", To: "classic"}, {Factor: "slices", From: "stack", To: "heap"},
		{Factor: "malloc", From: "special", To: "plain"}}
	effect := func(ln, half float64, s ...assay.Switch) {
		t.Effects = append(t.Effects, assay.Effect{Switches: s, Whole: compared(timeMetric, "", "", 1, math.Exp(ln), half)})
		e := &t.Effects[len(t.Effects)-1]
		for i, b := range mereBenches {
			e.Cells = append(e.Cells, compared(timeMetric, "", b, 1, math.Exp(ln*(1+0.1*float64(i))), half))
		}
	}
	for i, s := range sw {
		effect(logs[i], 0.008, s)
	}
	effect(-0.021, 0.012, sw[0], sw[1])
	effect(0.003, 0.012, sw[0], sw[2])
	effect(-0.004, 0.012, sw[1], sw[2])
	r.Answer.Verdict, r.Answer.Use = assay.Faster, variants[6]
	r.Answer.Text = []string{"use classic/heap/special: 13.2 % less time than greentea/stack/special [-14.0, -12.4]"}
	return r
}

// sweep is a study of GOGC, in which time pays for memory.
func sweep() *assay.Result {
	variants := []string{"100", "25", "50", "200", "400", "800", "off", "limit-64MiB"}
	times := []float64{11.40, 14.90, 12.60, 10.85, 10.62, 10.53, 10.50, 12.90}
	memory := []float64{58 << 20, 34 << 20, 41 << 20, 92 << 20, 160 << 20, 290 << 20, 1400 << 20, 63 << 20}
	rss := assay.Metric{Name: assay.MetricRSS, Better: assay.BetterLower, MinEffect: 0.01}
	t := tableOf(timeMetric, variants, []string{"sieve"}, [][]float64{times}, 0.008)
	m := tableOf(rss, variants, []string{"sieve"}, [][]float64{memory}, 0.015)
	t.Geomean, m.Geomean = nil, nil
	m.Decides = true
	r := resultOf("gogc", variants, t, m)
	trade := &assay.Tradeoff{Metrics: [2]assay.Metric{timeMetric, rss}}
	beaten := map[string]string{"limit-64MiB": "100"}
	for i, v := range variants {
		trade.Points = append(trade.Points, assay.TradeoffPoint{Variant: v, Values: [2]float64{times[i], memory[i]}, Beaten: beaten[v],
			Changes: [2]assay.Change{assay.Change(times[i]/times[0] - 1), assay.Change(memory[i]/memory[0] - 1)}})
	}
	r.Tradeoff = trade
	r.Answer.Verdict, r.Answer.Use = assay.Faster, "off"
	r.Answer.Text = []string{"use off: 7.9 % less time than 100 [-8.7, -7.1]"}
	return r
}

// raced is what assay tune leaves of 24 variants.
func raced() *assay.Result {
	var variants []string
	values := make([][]float64, len(mereBenches))
	for i := range 24 {
		variants = append(variants, fmt.Sprintf("%s/GOGC=%d", []string{"greentea", "classic", "nopgo"}[i%3], 50+25*(i/3)))
		for b := range values {
			values[b] = append(values[b], mereTimes["intel"]["go1.26.0"][b]*(1-0.004*float64(i/3)+0.05*float64(i%3)))
		}
	}
	r := resultOf("tune", variants, tableOf(timeMetric, variants, mereBenches, values, 0.008))
	race := &assay.Race{Metric: assay.MetricTime, Margin: 0.02, Winner: variants[21], Sure: true, Saved: 3.1}
	for i := range 23 {
		x := assay.Runner{Variant: variants[(22+len(variants)-i)%24], Left: 40 - i, Behind: assay.Change(0.002 + 0.005*float64(i))}
		if strings.HasPrefix(x.Variant, "nopgo") {
			x.Left = 10
		}
		if i < 2 {
			x.Left = 0
		}
		x.Interval = &assay.Interval{Lo: x.Behind - 0.009, Hi: x.Behind + 0.009}
		race.Runners = append(race.Runners, x)
	}
	r.Race = race
	r.Answer.Verdict, r.Answer.Use = assay.Faster, race.Winner
	r.Answer.Text = []string{"use " + race.Winner + ": 2.8 % less time than " + variants[0] + " [-3.6, -2.0]"}
	return r
}

// mereMerged is the case as it opens: three machines, or two in three modes.
func mereMerged() *assay.Merged {
	intel, m4, save := mereIntel(), mereOn("m4", []string{"go1.25.7", "go1.26.0", "no-greentea", "no-stack-slices"}, 0.019), mereOn("m4-save", []string{"go1.25.7"}, 0.02)
	m4.Run, save.Run = "q3fz", "w8ab"
	m4.Platform = assay.Platform{GOOS: "darwin", GOARCH: "arm64", CPU: "Apple M4", CPUs: 10, Procs: 1, Power: "mains"}
	m4.Noise.Floor = 0.019
	m4.Answer.Verdict, m4.Answer.Use, m4.Answer.Decided = assay.Faster, "no-stack-slices", false
	m4.Answer.Text = []string{"use no-stack-slices: 10.3 % less time than go1.25.7 [-12.2, -8.4]", "as good, as far as can be told: go1.26.0"}
	m4.Answer.Basis = "not decided in 5 of 12 comparisons · 99 % intervals"
	save.Variants = append(save.Variants, assay.VariantResult{Name: "go1.26.0"})
	save.Platform = m4.Platform
	save.Platform.Power, save.Platform.Profile = "battery", "low-power"
	save.Tables = nil
	save.Answer = assay.Answer{Verdict: assay.Invalid, Text: []string{"nothing could be measured: see the warnings"}}
	m := &assay.Merged{Schema: 1, Study: intel.Study, StudyHash: intel.StudyHash, Question: intel.Question,
		Machines: []assay.Machine{{Name: "intel", Result: *intel}, {Name: "m4", Result: *m4}, {Name: "m4-save", Result: *save}},
		Warnings: []assay.Warning{{Code: "merged-twice", Text: "run 7k2m was named twice and is counted once"}}}
	for i, b := range mereBenches {
		a := assay.Across{Benchmark: assay.Benchmark{Name: b}, Metric: assay.MetricTime}
		first := mereTimes["intel"]["go1.25.7"][i]
		for _, machine := range []string{"intel", "m4", "m4-save"} {
			v := mereTimes[machine]["go1.25.7"][i]
			a.Values = append(a.Values, assay.Value{X: v, OK: machine != "m4-save" || i > 0})
			a.Changes = append(a.Changes, assay.Value{X: v/first - 1, OK: machine != "m4-save" || i > 0})
		}
		m.Across = append(m.Across, a)
	}
	var parts []analysis.Part
	for _, x := range m.Machines {
		x.Result.Platform.ID = x.Name
		parts = append(parts, analysis.Part{Name: x.Name, Result: x.Result})
	}
	over, err := analysis.Merge(parts)
	if err != nil {
		panic(err)
	}
	m.Heads, m.Claims = over.Heads, over.Claims
	between := assay.Interaction{Variant: "no-stack-slices", Metric: assay.MetricTime, Machines: [2]int{0, 1}, E: 1e6, Verdict: assay.Changed, Change: -0.175, Interval: &assay.Interval{Lo: -0.193, Hi: -0.155}}
	m.Interactions = []assay.Interaction{between, {Variant: "go1.26.0", Metric: assay.MetricTime, Machines: [2]int{0, 1}, Change: -0.165, Verdict: assay.Unclear}}
	a := answer.Over(m)
	m.Answer = &a
	return m
}

package report

import (
	"maps"
	"math"
	"slices"
	"time"

	"github.com/seed-1318a441/assay"
)

func init() {
	maps.Copy(made, map[string]func() *assay.Result{
		"service": dolt, "service-four": doltFour, "saturated": saturated, "percentiles": percentilesOnly,
		"gc-bench": gcBench, "gc-command": gcCommand, "mixed": mixed, "service-six": sqlServer, "gc-bench-four": gcBenchFour, "service-hostile": hostileService,
	})
}

// served are the figures of a service by metric, the base first.
type served struct {
	metric string
	half   float64
	values []float64
}

var (
	classic = []served{
		{"latency.p50", 0.01, []float64{0.0186, 0.0187, 0.0183, 0.0181}},
		{"latency.p90", 0.012, []float64{0.0321, 0.0323, 0.0320, 0.0316}},
		{"latency.p99", 0.023, []float64{0.0521, 0.0528, 0.0519, 0.0507}},
		{"tx/s", 0.006, []float64{1068, 1067, 1081, 1109}},
		{"errors/tx", 0, []float64{0, 0, 0, 0}},
		{"cpu-sec/ktx", 0.013, []float64{3.41, 3.46, 3.35, 3.28}},
		{"mean-RSS-bytes", 0.017, []float64{412 << 20, 410 << 20, 404 << 20, 398 << 20}},
		{"peak-RSS-bytes", 0.021, []float64{588 << 20, 579 << 20, 570 << 20, 566 << 20}},
		{"gc.cycles/min", 0.014, []float64{31.2, 28.4, 30.7, 27.9}},
		{"gc.cycles/ktx", 0.014, []float64{0.487, 0.444, 0.473, 0.419}},
		{"gc.mark", 0.024, []float64{0.118, 0.131, 0.116, 0.127}},
		{"gc.mark-cpu", 0.023, []float64{0.402, 0.455, 0.399, 0.431}},
		{"gc.assist-cpu", 0.09, []float64{0.0021, 0.0019, 0.0022, 0.0020}},
		{"gc.background-cpu", 0.02, []float64{0.33, 0.38, 0.32, 0.36}},
		{"gc.idle-cpu", 0.08, []float64{0.07, 0.073, 0.072, 0.069}},
		{"gc.pause-sweep", 0.041, []float64{48e-6, 49e-6, 47e-6, 48e-6}},
		{"gc.pause-mark", 0.042, []float64{61e-6, 62e-6, 60e-6, 63e-6}},
		{"gc.pause.p50", 0.03, []float64{109e-6, 111e-6, 107e-6, 111e-6}},
		{"gc.pause.p99", 0.11, []float64{310e-6, 322e-6, 301e-6, 290e-6}},
		{"gc.pause/min", 0.032, []float64{3.4e-3, 3.15e-3, 3.3e-3, 3.1e-3}},
		{"gc.cpu-share", 0.05, []float64{0.052, 0.054, 0.051, 0.049}},
		{"gc.alloc-B/s", 0.008, []float64{912e6, 910e6, 921e6, 938e6}},
		{"gc.live-bytes", 0.003, []float64{143 << 20, 143 << 20, 142 << 20, 142 << 20}},
	}
	deciding = []string{"latency.p50", "latency.p99", "tx/s"}
)

// serviceResult makes a result of services; the figures of the second are the
// first's times two.
func serviceResult(study string, variants, benches []string, figures []served) *assay.Result {
	var tables []assay.Table
	for _, f := range figures {
		m := assay.Metric{Name: f.metric, Better: assay.KnownBetter(f.metric), MinEffect: 0.02}
		var values [][]float64
		for i := range benches {
			var row []float64
			for _, v := range f.values[:len(variants)] {
				row = append(row, v*float64(1+i))
			}
			values = append(values, row)
		}
		t := tableOf(m, variants, benches, values, f.half)
		if f.values[0] == 0 || len(benches) == 1 {
			t.Geomean = nil
		}
		t.Decides = false
		for _, d := range deciding {
			t.Decides = t.Decides || d == f.metric
		}
		for _, row := range t.Rows {
			for i := range row.Cells {
				if c := &row.Cells[i]; f.half == 0 {
					c.Exact, c.Interval, c.Change, c.Verdict = true, nil, 0, assay.Same
				}
			}
		}
		tables = append(tables, t)
	}
	r := resultOf(study, variants, tables...)
	r.Question = "Should Dolt's release build turn the Green Tea collector on?"
	r.Rule = assay.Rule{Metrics: deciding, MinEffect: 0.02, Confidence: 0.95, MinBlocks: 6, Claims: 3}
	r.Spent = assay.Spent{Blocks: 12, Trials: 12 * len(variants), Time: 4 * time.Hour, Stop: "budget"}
	r.Answer = assay.Answer{Verdict: assay.Same, Text: []string{"no reason to change: latency to p90 and throughput are the same"},
		Basis: "not decided in 1 of 3 comparisons · 95 % intervals · smallest effect that counts: 2 %"}
	for i, b := range benches {
		r.Latencies = append(r.Latencies, latencies(b, variants, float64(1+i)))
		r.GCs = append(r.GCs, assay.GC{Benchmark: assay.Benchmark{Name: b}, Inside: true})
	}
	return r
}

// latencies are log-normal with a bump of transactions that were tried again, as
// sysbench counts them.
func latencies(bench string, variants []string, times float64) assay.Latency {
	l := assay.Latency{Benchmark: assay.Benchmark{Name: bench},
		Refused: []assay.Refused{{Metric: "latency.p99.99", Seen: 4}, {Metric: "latency.p99.9", Seen: 7}}}
	for i, v := range variants {
		var h assay.Histogram
		for k := range 300 {
			x := math.Log(0.005*times) + float64(k)*0.0183
			z, y := (x-math.Log(0.0186*times))/0.28, (x-math.Log(0.036*times))/0.12
			if n := int(1e4*math.Exp(-z*z/2)*(1+0.02*float64(i)) + 2.5e3*math.Exp(-y*y/2)); n > 0 {
				h.Values, h.Counts = append(h.Values, math.Exp(x)), append(h.Counts, n)
			}
		}
		l.Variants = append(l.Variants, assay.Distribution{Variant: v, Runs: 12, Total: h.Total(), Histogram: h})
		if i > 0 {
			l.Shifts = append(l.Shifts, assay.Shift{Variant: v, N: 12, Confidence: 0.95, Text: "no shift beyond ±2 % from p1 to p98 (95 %)"})
		}
	}
	return l
}

// dolt is case 003.
func dolt() *assay.Result {
	return serviceResult("dolt-greentea", []string{"classic", "greentea"}, []string{"oltp_read_write"}, classic)
}

// doltFour has a factor more and a benchmark more.
func doltFour() *assay.Result {
	variants := []string{"go1.25.7/classic", "go1.25.7/greentea", "go1.26.8/classic", "go1.26.8/greentea"}
	r := serviceResult("dolt-four", variants, []string{"oltp-1-thread", "oltp-4-threads"}, classic)
	for i := range r.Tables {
		t := &r.Tables[i]
		if !t.Decides {
			continue
		}
		for _, s := range []assay.Switch{{Factor: "go", From: "go1.25.7", To: "go1.26.8"}, {Factor: "gc", From: "classic", To: "greentea"}} {
			t.Effects = append(t.Effects, assay.Effect{Switches: []assay.Switch{s}, Whole: compared(t.Metric, "", "", 1, 0.97, 0.012)})
		}
	}
	return r
}

// saturated is a server that does not keep up, with errors.
func saturated() *assay.Result {
	figures := append([]served(nil), classic[:8]...)
	figures[4] = served{"errors/tx", 0.2, []float64{0.0012, 0.0131}}
	r := serviceResult("file-server", []string{"GOGC=100", "GOGC=50"}, []string{"GET-index"}, figures)
	r.Question = ""
	for i := range r.Tables[:4] {
		c := &r.Tables[i].Rows[0].Cells[0]
		c.Verdict, c.Reason = assay.Saturated, "the server attained 412 of 500 requests a second that were intended"
	}
	return r
}

// percentilesOnly is a load generator without histogram; errors begin with the
// variant.
func percentilesOnly() *assay.Result {
	figures := append([]served(nil), classic[:8]...)
	r := serviceResult("redis", []string{"go1.26.8", "go1.27.2"}, []string{"GET"}, figures)
	r.Latencies, r.GCs = nil, nil
	c := &r.Tables[4].Rows[0].Cells[0]
	*c = assay.Comparison{Variant: c.Variant, Benchmark: c.Benchmark, Value: 0.0041, Difference: 0.0041, N: 12, Verdict: assay.Unclear,
		Reason: "the base is zero"}
	r.Warnings = []assay.Warning{{Code: "no-histogram", Text: "redis-benchmark prints percentiles only: no picture, no shift"}}
	return r
}

// gcFigures are those of trials that are not services.
func gcFigures(op string) []served {
	out := []served{{op, 0.02, []float64{3.1, 2.9}}}
	for _, f := range classic[8:] {
		if f.metric != "gc.cycles/ktx" {
			out = append(out, f)
		}
	}
	return out
}

// gcBench are Go benchmarks with collect = ["gc"], one of which never collects.
func gcBench() *assay.Result {
	variants := []string{"go1.25.7", "go1.26.8"}
	r := resultOf("small-malloc", variants, tableOf(timeMetric, variants, mereBenches, [][]float64{{12e-9, 11e-9}, {37e-9, 35e-9}, {51e-9, 51e-9}, {1e-6, 0.9e-6}}, 0.008))
	for _, f := range gcFigures("gc.cycles/op") {
		m := assay.Metric{Name: f.metric, Better: assay.KnownBetter(f.metric), MinEffect: 0.01}
		var values [][]float64
		for i := range mereBenches {
			values = append(values, []float64{f.values[0] * float64(1+i), f.values[1] * float64(1+i)})
		}
		t := tableOf(m, variants, mereBenches, values, f.half)
		if f.metric == "gc.pause-sweep" {
			t.Geomean, t.Common = nil, 0
		}
		r.Tables = append(r.Tables, t)
	}
	r.GCs = []assay.GC{{Benchmark: assay.Benchmark{Name: "counter"}}}
	return r
}

// gcCommand is one command with collect = ["gc"].
func gcCommand() *assay.Result {
	variants := []string{"go1.25.7", "go1.26.8"}
	var tables []assay.Table
	for _, f := range append([]served{{"sec/op", 0.01, []float64{2.31, 2.19}}, {"voluntary-switches/op", 0.1, []float64{310, 312}}}, gcFigures("gc.cycles/op")...) {
		m := assay.Metric{Name: f.metric, Better: assay.KnownBetter(f.metric), MinEffect: 0.01}
		t := tableOf(m, variants, []string{"sieve"}, [][]float64{f.values}, f.half)
		t.Geomean = nil
		tables = append(tables, t)
	}
	r := resultOf("sieve", variants, tables...)
	r.GCs = []assay.GC{{Benchmark: assay.Benchmark{Name: "sieve"}}}
	return r
}

// mixed has a service beside Go benchmarks.
func mixed() *assay.Result {
	r := dolt()
	t := tableOf(timeMetric, []string{"classic", "greentea"}, []string{"Parse", "Plan"}, [][]float64{{1.2e-6, 1.3e-6}, {4.1e-6, 4.1e-6}}, 0.01)
	r.Tables = append(r.Tables, t)
	return r
}

// hostileService has names and figures that no one should have.
func hostileService() *assay.Result {
	r := serviceResult("evil\x1b[2J", []string{"a\u202eb\x07", "\x1b]0;title\x07c"}, []string{"b\nench\x1b[31m"}, classic)
	l := &r.Latencies[0]
	l.Shifts[0].Text = "no\x1b[1m shift\r\nat all"
	h := &l.Variants[1].Histogram
	h.Values = append([]float64{-1, 0, 1e-300, math.SmallestNonzeroFloat64}, h.Values...)
	h.Counts = h.Counts[:len(h.Counts)-3]
	h.Counts[5] = -7
	l.Variants = append(l.Variants, assay.Distribution{Variant: "nobody"})
	l.Refused = append(l.Refused, assay.Refused{Metric: "latency.p\x1b[1m"})
	return r
}

// sqlServer has six variants of one service, of which one is the same code as
// another and one does not keep up.
func sqlServer() *assay.Result {
	variants := []string{"go1.25.7/classic", "go1.25.7/greentea", "go1.26.8/classic", "go1.26.8/greentea", "go1.27.2/classic"}
	figures := make([]served, len(classic))
	for i, f := range classic {
		figures[i] = f
		figures[i].values = append(slices.Clone(f.values), f.values[2]*0.93)
	}
	r := serviceResult("sql-server", variants, []string{"oltp_read_only"}, figures)
	r.Variants = append(r.Variants, assay.VariantResult{Name: "go1.27.2/greentea", SameAs: &assay.SameCode{As: "go1.27.2/classic"}})
	for i := range r.Tables[:4] {
		c := &r.Tables[i].Rows[0].Cells[2]
		c.Verdict, c.Reason = assay.Saturated, "412 of 500 tx/s that were intended"
	}
	r.Latencies[0].Refused = append(r.Latencies[0].Refused, assay.Refused{Metric: "latency.p90", Seen: 3})
	r.Tables = slices.Delete(r.Tables, 1, 2)
	return r
}

// gcBenchFour are Go benchmarks of four variants with their collector.
func gcBenchFour() *assay.Result {
	variants := []string{"go1.25.7", "go1.26.8", "go1.26.8-nogreenteagc", "go1.27.2"}
	scaled := func(m assay.Metric, base, half float64) assay.Table {
		var values [][]float64
		for i := range mereBenches {
			x := base * float64(1+i)
			values = append(values, []float64{x, 0.96 * x, 1.01 * x, 0.9 * x})
		}
		return tableOf(m, variants, mereBenches, values, half)
	}
	r := resultOf("small-malloc", variants, scaled(timeMetric, 12e-9, 0.008))
	for _, f := range gcFigures("gc.cycles/op") {
		r.Tables = append(r.Tables, scaled(assay.Metric{Name: f.metric, Better: assay.KnownBetter(f.metric), MinEffect: 0.01}, f.values[0], f.half))
	}
	return r
}

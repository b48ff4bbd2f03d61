package report

import (
	"fmt"

	"github.com/seed-1318a441/assay"
)

// manyBenches is a result of 95 benchmarks with three metrics, and of 2 variants or more.
func manyBenches(variants ...string) *assay.Result {
	var names []string
	values := make([][][]float64, 3)
	for i := range 95 {
		names = append(names, fmt.Sprintf("Decode/format=%s/size=%d", []string{"toml", "json", "yaml", "xml", "csv"}[i%5], 1<<(i/5)))
		base := []float64{1e-9 * float64(1+i*i*i), 1024, 12}
		change := []float64{0.002 * float64(i-47), 0.01 * float64(i%3), float64(i%4) / 12}
		for m := range values {
			row := []float64{base[m]}
			for v := range variants[1:] {
				row = append(row, base[m]*(1+change[m]/float64(1+v)))
			}
			values[m] = append(values[m], row)
		}
	}
	var tables []assay.Table
	for m, metric := range []assay.Metric{timeMetric, countMetric(assay.MetricBytes), countMetric(assay.MetricAllocs)} {
		tables = append(tables, tableOf(metric, variants, names, values[m], 0.02))
	}
	r := resultOf("codec", variants, tables...)
	r.Command = "assay compare --budget=30m --min-effect=0.5% HEAD~1 . -- -bench='^Benchmark(Decode|Encode)$' ./codec"
	r.Answer.Text = []string{"keep HEAD~1: . takes more time in 38 of 95 benchmarks, up to +9.4 %",
		"19 of 95 need more data to resolve ±1 % (assay compare --more 20m HEAD~1 .)"}
	for _, code := range []assay.Code{assay.CodeNoisy, assay.CodePlacement} {
		r.Warnings = append(r.Warnings, assay.Warning{Code: code, Text: "the same code against itself differs by ±2.5 %, above the 1 % you asked for",
			Facts: []string{"other programs used 12 % of the CPUs"}, Try: "assay doctor"})
	}
	return r
}

func countMetric(name string) assay.Metric {
	return assay.Metric{Name: name, Better: assay.BetterLower, MinEffect: 0.01}
}

// extremes is a result with the smallest and the largest figures of benchmarks.
func extremes(variants ...string) *assay.Result {
	row := func(base float64, factors ...float64) []float64 {
		out := []float64{base}
		for i := range variants[1:] {
			out = append(out, base*factors[i%len(factors)])
		}
		return out
	}
	return resultOf("extremes", variants, tableOf(timeMetric, variants, []string{"Empty", "Slow"},
		[][]float64{row(0.3e-12, 1.1, 8136.61), row(3e-3, 8136.61, 0.00001)}, 0.02))
}

package page

import (
	"fmt"
	"math"
	"math/rand/v2"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/analysis/sample"
)

// madePage is a page of a made-up study of steps: benchmarks x steps on time, bytes and
// allocations, with what is awkward among them. The same numbers give the same page.
func madePage(benchmarks, steps int) *Page {
	m := &pageMaker{rand: rand.New(rand.NewPCG(7, 7)), benchmarks: benchmarks, variants: []string{"base"}}
	for i := range steps {
		m.variants = append(m.variants, fmt.Sprintf("step-%02d", i+1))
	}
	r := resultOf("made", m.variants, m.table(timeMetric), m.table(assay.Metric{Name: "B/op", Better: assay.BetterLower, MinEffect: 0.01}),
		m.table(assay.Metric{Name: "allocs/op", Better: assay.BetterLower, MinEffect: 0.01}))
	r.Command, r.Question = "assay run made.toml", "What did twenty steps bring?"
	r.Answer = assay.Answer{Verdict: assay.Mixed, Decided: true, Use: m.variants[steps], Text: []string{"use " + m.variants[steps] + ": made up"}, Basis: "made up"}
	for _, row := range r.Tables[0].Rows {
		c := row.Cells[0]
		c.Variant, c.Verdict, c.Change, c.Interval = assay.ControlName, assay.Same, 0.001, &assay.Interval{Lo: -0.004, Hi: 0.006}
		c.Value, c.Exact, c.Difference = coarseValue(row.Base*1.001), false, 0
		r.Noise.Cells = append(r.Noise.Cells, c)
	}
	r.Arc = &assay.Arc{}
	for i, v := range m.variants[1:] {
		r.Arc.Steps = append(r.Arc.Steps, assay.StepResult{Step: assay.Step{Variant: v}, Number: i + 1, Previous: m.variants[i], Text: "made up"})
	}
	p := New(&assay.Merged{Study: "made", Machines: []assay.Machine{{Name: "a machine", Result: *r}}}, "assay devel")
	p.Series = m.series()
	p.Files = []File{{Name: "study.toml", Text: "name = \"made\"\n"}}
	p.Commands = []Command{{"measure it again", r.Command}}
	return p
}

var timeMetric = assay.Metric{Name: assay.MetricTime, Better: assay.BetterLower, MinEffect: 0.01}

// compared makes a comparison with a half-width, whose verdict follows from the interval
// as the analysis has it.
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

type pageMaker struct {
	rand       *rand.Rand
	benchmarks int
	variants   []string
}

func coarseValue(x float64) float64 { return coarse(x) }

func (m *pageMaker) benchmark(i int) assay.Benchmark {
	return assay.Benchmark{Package: fmt.Sprintf("example.com/made/pkg%d", i/250), Name: fmt.Sprintf("Decode%d/size=%d-%x", i, 1<<(i%12), m.rand.Uint32())}
}

func (m *pageMaker) table(metric assay.Metric) assay.Table {
	m.rand = rand.New(rand.NewPCG(7, uint64(len(metric.Name)))) // the same names in every table
	t := assay.Table{Metric: metric, Decides: metric.IsTime(), Common: m.benchmarks}
	names := rand.New(rand.NewPCG(1, 1))
	for i := range m.benchmarks {
		b := (&pageMaker{rand: names}).benchmark(i)
		base := math.Exp(m.rand.NormFloat64()*3 - 12)
		if !metric.IsTime() {
			base = math.Round(m.rand.ExpFloat64() * 300)
		}
		t.Rows = append(t.Rows, m.row(metric, b, coarseValue(base)))
	}
	for _, v := range m.variants[1:] {
		t.Geomean = append(t.Geomean, m.cell(metric, v, assay.Benchmark{}, 1e-6))
	}
	t.Steps = m.steps(t)
	return t
}

func (m *pageMaker) row(metric assay.Metric, b assay.Benchmark, base float64) assay.Row {
	r := assay.Row{Benchmark: b, Base: base}
	for _, v := range m.variants[1:] {
		r.Cells = append(r.Cells, m.cell(metric, v, b, base))
	}
	return r
}

// cell makes a comparison: noise and a step now and then on time; on other metrics exact,
// and mostly equal.
func (m *pageMaker) cell(metric assay.Metric, v string, b assay.Benchmark, base float64) assay.Comparison {
	if !metric.IsTime() {
		value := base
		if m.rand.IntN(5) == 0 {
			value = max(0, base+float64(m.rand.IntN(21)-10))
		}
		c := assay.Comparison{Variant: v, Benchmark: b, Value: value, Difference: value - base, N: 12, Exact: true, Verdict: assay.Same}
		if value != base {
			c.Verdict = assay.Differing(metric, value-base)
		}
		if base != 0 {
			c.Change = assay.Change(value/base - 1)
		}
		return c
	}
	ln := m.rand.NormFloat64() * 0.01
	if m.rand.IntN(3) == 0 {
		ln += m.rand.NormFloat64() * 0.3
	}
	c := compared(metric, v, b.Name, base, coarseValue(base*math.Exp(ln)), 0.002+m.rand.ExpFloat64()*0.01)
	c.Benchmark, c.E = b, math.Exp(m.rand.ExpFloat64()*20)
	switch m.rand.IntN(400) {
	case 0:
		c.Interval, c.Verdict, c.N, c.Change = nil, assay.Unclear, 3, 0
	case 1:
		c.Change, c.Interval = assay.Change(math.Expm1(5)), &assay.Interval{Lo: assay.Change(math.Expm1(4.9)), Hi: assay.Change(math.Expm1(5.1))}
	}
	if c.MoreBlocks > 0 {
		c.MoreTime = time.Duration(coarse(float64(c.MoreBlocks) * 3.5e9))
	}
	return c
}

func (m *pageMaker) steps(t assay.Table) (out []assay.StepChange) {
	for k, v := range m.variants[1:] {
		s := assay.StepChange{Variant: v, Previous: m.variants[k]}
		for _, r := range t.Rows {
			c := r.Cells[k]
			value := c.Value
			c = m.cell(t.Metric, v, r.Benchmark, max(r.Base, 1e-9))
			c.Value, c.Difference = value, 0
			if r.Base == 0 {
				c.Change = 0
			}
			s.Cells = append(s.Cells, c)
		}
		out = append(out, s)
	}
	return out
}

func (m *pageMaker) series() (out []sample.Series) {
	for _, v := range m.variants[1:] {
		s := sample.Series{Metric: assay.MetricTime, Variant: v}
		for b := range 12 {
			s.Block, s.LN, s.Start = append(s.Block, b+1), append(s.LN, math.Round(m.rand.NormFloat64()*1e3)/1e5), append(s.Start, float64(20*b))
		}
		out = append(out, s)
	}
	return out
}

package report

import (
	"fmt"
	"math"
	"math/rand/v2"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/analysis/sample"
)

// madePage is a page of a made-up study of steps: benchmarks x steps on time,
// bytes and allocations, with what is awkward among them. The same numbers give
// the same page.
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
	p := NewPage(&assay.Merged{Study: "made", Machines: []assay.Machine{{Name: "a machine", Result: *r}}}, "assay devel")
	p.Series = m.series()
	p.Files = []PageFile{{"study.toml", "name = \"made\"\n"}}
	p.Commands = []PageCommand{{"measure it again", r.Command}}
	return p
}

type pageMaker struct {
	rand       *rand.Rand
	benchmarks int
	variants   []string
}

func coarseValue(x float64) float64 { return float64(coarse(x)) }

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

// cell makes a comparison: noise and a step now and then on time; on other metrics
// exact, and mostly equal.
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

package schedule

import (
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/design"
)

// Costs are the times of a run's trials and links: as the plan expects, and as measured
// after the first block. They are not safe for concurrent use.
type Costs struct {
	plan  *assay.Plan
	of    map[assay.Benchmark]*benchmarkCost
	spent time.Duration

	links  time.Duration // of all blocks
	linked int           // number of links in links
	perAll int           // links of a block that holds every variant
}

// A benchmarkCost adds up the trials of one benchmark; traced ones are separate.
type benchmarkCost struct {
	planned      time.Duration
	service      bool
	trials       int
	wall         time.Duration
	traced       int
	tracedWall   time.Duration
	variantTurns int // a variant's part in a block
}

// NewCosts returns the costs that the plan expects.
func NewCosts(p *assay.Plan) *Costs {
	c := &Costs{plan: p, of: map[assay.Benchmark]*benchmarkCost{}, perAll: design.Links(p)}
	for _, b := range p.Benchmarks {
		c.of[b.Benchmark] = &benchmarkCost{planned: b.Trial, service: design.Serves(p, b)}
	}
	return c
}

// Add adds a complete block.
func (c *Costs) Add(block []assay.Trial) {
	c.spent += Spent(block)
	var links time.Duration
	owners := map[string]bool{}
	for _, t := range block {
		links += t.Link
		owners[design.LinkOf(c.plan, t.Variant)] = true
		if b := c.of[t.Benchmark]; b != nil {
			b.add(t)
		}
	}
	if links > 0 || c.plan.Relink > 1 {
		c.links += links
		c.linked += len(owners)
	}
}

func (b *benchmarkCost) add(t assay.Trial) {
	if t.Traced {
		b.traced++
		b.tracedWall += t.Duration
		return
	}
	b.trials++
	b.wall += t.Duration
	if t.Round <= 1 {
		b.variantTurns++
	}
}

// Spent returns the time of a block's trials and links, unless an earlier run measured
// them.
func Spent(block []assay.Trial) (sum time.Duration) {
	for _, t := range block {
		if t.Run == "" {
			sum += t.Duration + t.Link
		}
	}
	return sum
}

// Spent returns the measuring time of all blocks so far.
func (c *Costs) Spent() time.Duration { return c.spent }

// Trial returns the expected wall time of one trial of a benchmark.
func (c *Costs) Trial(b assay.Benchmark) time.Duration {
	x := c.of[b]
	switch {
	case x == nil:
		return 0
	case x.trials > 0:
		return x.wall / time.Duration(x.trials)
	}
	return x.planned
}

// tracing returns the expected wall time of one variant's traced trials in a block,
// beside the rounds. It is 0 for a service, whose rounds are traced.
func (c *Costs) tracing(b assay.Benchmark) time.Duration {
	x := c.of[b]
	switch {
	case x == nil:
		return 0
	case x.traced > 0:
		return x.tracedWall / time.Duration(max(x.variantTurns, 1))
	case x.trials > 0 || x.service || !c.plan.Study.Measure.Collects(assay.CollectGC):
		return 0
	}
	return x.planned
}

// Links returns the expected linking time of a block with so many variants in all.
func (c *Costs) Links(variants float64) time.Duration {
	part := variants / float64(max(len(c.plan.Variants), 1))
	if c.linked > 0 {
		return time.Duration(float64(c.links) / float64(c.linked) * max(float64(c.perAll)*part, 1))
	}
	return time.Duration(float64(c.plan.Link) * part)
}

// Block returns the expected time of a block of these turns and so many variants,
// including the base and the control.
func (c *Costs) Block(turns []assay.Turn, variants float64) time.Duration {
	sum := c.Links(variants)
	for _, turn := range turns {
		sum += time.Duration(variants * float64(time.Duration(turn.Inner)*c.Trial(turn.Benchmark)+c.tracing(turn.Benchmark)))
	}
	return sum
}

package record

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/seed-1318a441/assay"
)

// A checker checks what must hold for the trials of every record, since package analysis
// relies on it: variants and benchmarks are the plan's, and blocks and positions follow
// each other without gaps. It does not check what today's rules would draw (orders,
// layouts): the rules change.
type checker struct {
	planned  map[assay.Benchmark]assay.PlannedBenchmark
	variants map[string]bool
	binaries map[string][]string // digests by variant
	last     assay.Trial
	done     int // the last complete block
	attempt  int // of the block after it
}

func newChecker(p *assay.Plan) *checker {
	c := &checker{planned: map[assay.Benchmark]assay.PlannedBenchmark{}, variants: map[string]bool{}, binaries: map[string][]string{}}
	for _, b := range p.Benchmarks {
		c.planned[b.Benchmark] = b
	}
	for _, v := range p.Variants {
		c.variants[v.Name] = true
		c.binaries[v.Name] = binariesOf(p, v)
	}
	return c
}

// binariesOf returns the digests of what was built for a planned variant, in the linker's
// own layout. The control and variants with the same build share binaries.
func binariesOf(p *assay.Plan, v assay.Variant) (sums []string) {
	for _, a := range p.Artifacts {
		if a.Variant == v.Name || v.Control && a.Variant == p.Study.Base || p.Study.By != nil {
			for _, sum := range a.SHA256 {
				sums = append(sums, sum[:min(len(sum), chainLen)])
			}
		}
	}
	return sums
}

// add checks the next trial.
func (c *checker) add(t assay.Trial) error {
	planned, known := c.planned[t.Benchmark]
	starts := c.last.ID == 0 || c.last.Block != t.Block || c.last.Attempt != t.Attempt
	if starts && c.last.Block != t.Block {
		c.attempt = 0
	}
	switch {
	case t.ID != c.last.ID+1:
		return fmt.Errorf("trial is numbered %d, want %d", t.ID, c.last.ID+1)
	case !c.variants[t.Variant]:
		return fmt.Errorf("variant %q is not in the plan", t.Variant)
	case !known || !planned.Allows(t.N):
		return fmt.Errorf("benchmark %q with %d iterations is not in the plan", t.Benchmark, t.N)
	case starts && t.Block != c.done+1:
		return fmt.Errorf("block %d begins, block %d was expected", t.Block, c.done+1)
	case starts && t.Attempt <= c.attempt: // a machine that is lost before the first trial leaves a gap
		return fmt.Errorf("attempt %d of block %d begins after attempt %d", t.Attempt, t.Block, c.attempt)
	case starts && t.Position != 1, !starts && t.Position != c.last.Position+1:
		return fmt.Errorf("position %d is out of order", t.Position)
	case t.Position > t.Of, !starts && (t.Of != c.last.Of || t.Pilot != c.last.Pilot || t.Run != c.last.Run):
		return fmt.Errorf("trial is not like the others of block %d", t.Block)
	case t.Looks < c.last.Looks:
		return fmt.Errorf("%d looks came before the trial, and %d before an earlier one", t.Looks, c.last.Looks)
	case t.Round < 1:
		return fmt.Errorf("round %d is none", t.Round)
	case t.Layout == 0 && t.Binary != "" && !slices.Contains(c.binaries[t.Variant], t.Binary):
		return fmt.Errorf("binary %s is not one that the plan has of %q", t.Binary, t.Variant)
	}
	if t.Position == t.Of {
		c.done = t.Block
	}
	c.last, c.attempt = t, t.Attempt
	return nil
}

// checkCopies finds a trial that counts twice, by its start and duration in nanoseconds.
func checkCopies(trials []assay.Trial) error {
	ran := make([]int, 0, len(trials))
	for _, block := range assay.Complete(trials) {
		for _, t := range block {
			if !t.Start.IsZero() && t.Duration > 0 {
				ran = append(ran, t.ID-1)
			}
		}
	}
	begun := func(a, b int) int {
		return cmp.Or(trials[a].Start.Compare(trials[b].Start), cmp.Compare(trials[a].Duration, trials[b].Duration))
	}
	if !slices.IsSortedFunc(ran, begun) { // clocks can be set back
		slices.SortStableFunc(ran, begun)
	}
	for i := 1; i < len(ran); i++ {
		a, b := trials[ran[i-1]], trials[ran[i]]
		if a.Start.Equal(b.Start) && a.Duration == b.Duration {
			return &Fault{File: TrialsFile, Line: b.ID, Text: fmt.Sprintf("trial %d is a copy of trial %d: both began at the same moment", b.ID, a.ID)}
		}
	}
	return nil
}

// checkPlan checks what package analysis relies on.
func checkPlan(p *assay.Plan) error {
	bad := func(format string, args ...any) error {
		return &Fault{File: PlanFile, Text: fmt.Sprintf(format, args...)}
	}
	if err := p.Study.Validate(); err != nil {
		return bad("%v", err)
	}
	seen := map[string]bool{}
	for _, v := range p.Variants {
		if seen[v.Name] {
			return bad("variant %q is planned twice", v.Name)
		}
		seen[v.Name] = true
	}
	if len(p.Benchmarks) > 0 && !seen[p.Study.Base] {
		return bad("base %q is not planned", p.Study.Base)
	}
	planned := map[assay.Benchmark]bool{}
	for _, b := range p.Benchmarks {
		switch {
		case b.Workload < 0 || b.Workload >= len(p.Study.Workloads):
			return bad("benchmark %q is of workload %d, and there are %d", b.Benchmark, b.Workload, len(p.Study.Workloads))
		case b.N < 1:
			return bad("benchmark %q has %d iterations", b.Benchmark, b.N)
		case b.BenchTime < 0:
			return bad("benchmark %q has trials of %v", b.Benchmark, b.BenchTime)
		case planned[b.Benchmark]:
			return bad("benchmark %q is planned twice", b.Benchmark)
		}
		planned[b.Benchmark] = true
	}
	return nil
}

package survey

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/calibration"
	"github.com/seed-1318a441/assay/internal/printable"
)

// How calibration chooses the gear of a benchmark (docs/methodology.md).
// referenceTrials are the lengths of the plain run that a gear is compared with, as
// multiples of a trial. With the default trial the first is the second of go test -bench.
var referenceTrials = []int{10, 5, 2, 1}

// calibrationShare is the share of the budget that calibration may take.
const calibrationShare = 0.1

// A gearNote is what to report about the gear of a benchmark.
type gearNote struct {
	// refused says why it runs as processes; "" if there is nothing to report.
	refused string
	// few are the variants in which a trial spans too few collections.
	few []string
	// doubts are about the benchmark itself.
	doubts []assay.Warning
}

// settle calibrates a benchmark and sets its gear. The error may be a brokenError.
func (s *surveyor) settle(ctx context.Context, p *assay.Plan, b *assay.PlannedBenchmark, base assay.Variant, until time.Time) (out calibrated, note gearNote, err error) {
	one, err := s.subject(*b, base)
	if err != nil {
		return out, note, err
	}
	if e, ok := s.before(*b); ok {
		out, err = one.sizeOnce(ctx)
		b.N, b.Trial, b.Gear, b.Slices = out.N, out.Trial, e.Gear, e.Slices
		b.Warm, b.OneCPU, b.Placement, b.BenchTime = e.Warm, e.OneCPU, e.Placement, e.BenchTime
		return out, note, err
	}
	c := s.chooser(p, b)
	c.until = until
	if note.refused, err = reason(c.sideBySide()); err != nil {
		return out, note, err
	}
	if c.overdue() && c.sizesItself(one) {
		b.BenchTime, b.N, b.Trial = c.target(), 1, c.target()*3/2
		return out, note, nil
	}
	aside := c.machine != nil && note.refused == ""
	if out, err = one.size(ctx); err != nil {
		return out, note, err
	}
	c.base, b.N, b.Trial = out, out.N, out.Trial
	switch test := c.workload().Kind == assay.KindGoTest; {
	case out.Timeless:
		return out, gearNote{}, nil
	case !test:
		return out, note, nil
	case aside && !out.Allocates:
		if note.refused, err = reason(c.slices(ctx)); err != nil || b.Gear.SideBySide() {
			return out, note, err
		}
		c.holdLumps()
	}
	if note.doubts, err = c.doubt(ctx, one, out); err != nil {
		return out, note, err
	}
	if b.BenchTime == 0 {
		err = c.handsOut(ctx, out.PerOp)
	}
	if err == nil {
		note.few, err = c.holdCollections(ctx)
	}
	return out, note, err
}

// sizesItself reports whether package testing may choose the number of operations of every
// trial, as go test -bench does: there is no time to find one, and no number is known. Such
// trials have no CPU time.
func (c *chooser) sizesItself(one subject) bool {
	return c.workload().Kind == assay.KindGoTest && c.workload().BenchIters == 0 && c.notSliced() == nil &&
		!one.Memo.load(one.artifact, one.sizeName(), new(calibrated))
}

// doubt warns if the time of an iteration grows with their number, or else if its timer
// stands still. base is the calibrated base.
func (c *chooser) doubt(ctx context.Context, one subject, base calibrated) ([]assay.Warning, error) {
	if !base.Still && !base.Grows {
		return nil, nil
	}
	times, err := calibration.Growth(one.prober(ctx), base.N)
	switch label := c.surveyor.label(*c.bench); {
	case err != nil:
		return nil, err
	case times >= calibration.MinGrowth:
		w := assay.Warning{Code: assay.CodeTimeGrows,
			Text: fmt.Sprintf("the time of an iteration of %s grows with their number: it takes %.0f times as long at b.N = %d as at %d",
				label, times, base.N, base.N/calibration.GrowthSpan),
			Facts:  []string{"its ns/op depends on b.N, and so on -benchtime; variants are compared at one b.N"},
			Advice: "begin every iteration with the same state, or choose the b.N that matters: -benchtime=1000x"}
		return []assay.Warning{w}, nil
	case base.Still:
		return []assay.Warning{{Code: assay.CodeSetupInLoop, Text: label + " takes far longer than its operations",
			Facts:  []string{"b.StopTimer and b.StartTimer in its loop halt all goroutines, and cost more than what they leave out; or it prepares for long"},
			Advice: "prepare the inputs of many turns before the loop, or measure the preparation as well"}}, nil
	}
	return nil, nil
}

// chooser returns what finds the gear of a benchmark.
func (s *surveyor) chooser(p *assay.Plan, b *assay.PlannedBenchmark) *chooser {
	c := &chooser{surveyor: s, plan: p, bench: b}
	for _, v := range p.Variants {
		if v.Name != assay.ControlName && !slices.Contains(b.Missing, v.Name) {
			c.variants = append(c.variants, v)
		}
	}
	return c
}

// pairWarnings lists the benchmarks that are measured as processes, and why.
func pairWarnings(bs []assay.PlannedBenchmark, notes map[assay.Benchmark]gearNote) (out []assay.Warning) {
	names := map[string][]string{}
	var order []string
	beside := func(yield func(assay.Benchmark) bool) {
		for _, b := range bs {
			if !yield(b.Benchmark) {
				return
			}
		}
	}
	for _, b := range bs {
		why := notes[b.Benchmark].refused
		if b.Gear.SideBySide() || why == "" {
			continue
		}
		if names[why] == nil {
			order = append(order, why)
		}
		names[why] = append(names[why], b.NameBeside(beside))
	}
	for _, why := range order {
		out = append(out, assay.Warning{Code: assay.CodePair, Text: "measured as processes, one after the other: " + printable.Few(names[why], someNames), Facts: []string{why}})
	}
	return out
}

package survey

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/printable"
)

// How calibration chooses the gear of a benchmark (docs/methodology.md).
// referenceTrials are the lengths of the plain run that a gear is compared with, as
// multiples of a trial. With the default trial the first is the second of go test -bench.
var referenceTrials = []time.Duration{20, 10, 4, 2}

// calibrationShare is the share of the budget that finding the gears may take.
const calibrationShare = 0.2

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
		b.N, b.Trial, b.Gear, b.Slices, b.Long, b.Plain = out.N, out.Trial, e.Gear, e.Slices, e.Long, e.Plain
		b.Warm, b.OneCPU, b.Placement, b.BenchTime = e.Warm, e.OneCPU, e.Placement, e.BenchTime
		return out, note, err
	}
	c := s.chooser(p, b)
	c.until = until
	if note.refused, err = reason(c.sideBySide()); err != nil {
		return out, note, err
	}
	aside := c.machine != nil && note.refused == ""
	test := c.workload().Kind == assay.KindGoTest
	if aside && test {
		if note.refused, err = reason(c.slices(ctx)); err != nil || b.Gear.SideBySide() {
			c.keepPlain()
			note.few = c.few
			return out, note, err
		}
	}
	if n := len(c.refs); n > 0 && c.refs[n-1].Still {
		note.doubts = []assay.Warning{{Code: assay.CodeSetupInLoop, Text: s.label(*b) + " takes far longer than its operations: " + c.refs[n-1].Broken,
			Facts:  []string{"b.StopTimer and b.StartTimer in its loop halt all goroutines, and cost more than what they leave out; or it prepares for long"},
			Advice: "prepare the inputs of many turns before the loop, or measure the preparation as well"}}
	}
	if out, err = one.size(ctx); err != nil {
		return out, note, err
	}
	if c.base = out; out.Timeless {
		b.N, b.Trial = out.N, out.Trial
		return out, gearNote{}, nil
	}
	if b.BenchTime == 0 {
		b.N, b.Trial = out.N, out.Trial
		err = c.handsOut(ctx, out.Trial.Seconds()/float64(out.N))
	}
	if err == nil && aside && !test {
		note.refused, err = reason(c.ofProgram(ctx))
	}
	c.keepPlain()
	if err == nil && b.Gear == "" && b.BenchTime == 0 {
		note.few, err = c.longEnough(ctx)
	}
	return out, note, err
}

// ofProgram gives a command or a service turns if that is right. The error is a misfit if
// not.
func (c *chooser) ofProgram(ctx context.Context) error {
	if c.workload().Kind == assay.KindService {
		return loads{c}.loadTurns(ctx)
	}
	return c.turns(ctx)
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

// keepPlain notes the values of the plain runs, for the reader.
func (c *chooser) keepPlain() {
	for i, r := range c.refs {
		if r.PerOp > 0 {
			if c.bench.Plain == nil {
				c.bench.Plain = map[string]float64{}
			}
			c.bench.Plain[c.variants[i].Name] = r.PerOp
		}
	}
}

// pairWarnings lists the benchmarks that are measured as processes, and why.
func pairWarnings(forced assay.Gear, bs []assay.PlannedBenchmark, notes map[assay.Benchmark]gearNote) (out []assay.Warning) {
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
		w := assay.Warning{Code: assay.CodePair, Text: "measured as processes, one after the other: " + printable.Few(names[why], someNames), Facts: []string{why}}
		if forced != "" {
			w = assay.Warning{Code: assay.CodeNoPair, Text: fmt.Sprintf("%s cannot be measured in %s, and run as processes", printable.Few(names[why], someNames), forced),
				Facts: w.Facts, Advice: "--pair=auto"}
		}
		out = append(out, w)
	}
	return out
}

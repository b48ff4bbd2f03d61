package survey

import (
	"context"
	"fmt"
	"slices"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/printable"
)

// How calibration chooses the gear of a benchmark (docs/methodology.md).
const (
	// reference is the length of the run that all shorter ones are compared with, as a
	// multiple of a trial: with the default trial it is the second of go test -bench.
	referenceTrials = 20
	// shortReference is its length if it would take more than referenceShare of the time
	// left.
	shortReference = 2
	referenceShare = 0.2

	// A benchmark whose CPU time is between these shares of its wall time keeps one CPU
	// busy. One below waits, or the machine had no time for it.
	minBusy, maxBusy = 0.7, 1.25
)

// A gearNote is what to report about the gear of a benchmark.
type gearNote struct {
	// alone says why it runs as processes; "" if there is nothing to report.
	alone string
	// few are the variants in which a trial spans too few collections.
	few []string
}

// chooseGear sets the gear of a benchmark that is calibrated on the base as a process.
func (s *surveyor) chooseGear(ctx context.Context, p *assay.Plan, b *assay.PlannedBenchmark, base calibrated) (note gearNote, err error) {
	c := &chooser{surveyor: s, plan: p, bench: b, base: base}
	for _, v := range p.Variants {
		if v.Name != assay.ControlName && !slices.Contains(b.Missing, v.Name) {
			c.variants = append(c.variants, v)
		}
	}
	err = c.sideBySide()
	if err == nil && c.machine != nil {
		switch c.workload().Kind {
		case assay.KindGoTest:
			return c.ofTest(ctx)
		case assay.KindCommand:
			err = c.turns(ctx)
		case assay.KindService:
			err = c.loadTurns(ctx)
		}
	}
	if note.alone, err = reason(err); err == nil && b.Gear == "" {
		note.few, err = c.longEnough(ctx)
	}
	return note, err
}

// ofTest chooses the gear of a Go benchmark: slices, else processes.
func (c *chooser) ofTest(ctx context.Context) (note gearNote, err error) {
	if note.alone, err = reason(c.slices(ctx)); err != nil || c.bench.Gear != "" {
		return note, err
	}
	note.few, err = c.longEnough(ctx)
	return note, err
}

// pairWarnings lists the benchmarks that are measured as processes, and why.
func pairWarnings(forced assay.Gear, bs []assay.PlannedBenchmark, notes map[assay.Benchmark]gearNote) (out []assay.Warning) {
	names := map[string][]string{} // by reason
	var order []string
	for _, b := range bs {
		why := notes[b.Benchmark].alone
		if why == "" {
			continue
		}
		if names[why] == nil {
			order = append(order, why)
		}
		names[why] = append(names[why], b.Name)
	}
	for _, why := range order {
		one := assay.Warning{Code: assay.CodePair, Text: "measured as processes, one after the other: " + printable.Few(names[why], someNames), Facts: []string{why}}
		if forced != "" {
			one = assay.Warning{Code: assay.CodeNoPair, Text: fmt.Sprintf("%s cannot be measured in %s, and run as processes", printable.Few(names[why], someNames), forced),
				Facts: []string{why}, Try: "--pair=auto"}
		}
		out = append(out, one)
	}
	return out
}

package remote

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/design"
	"github.com/seed-1318a441/assay/internal/lab"
	"github.com/seed-1318a441/assay/internal/printable"
	"github.com/seed-1318a441/assay/internal/trial"
)

// Limits of what a trial may report. An agent that reports more lies.
const (
	maxOutput  = 1 << 20 // as a trial here keeps of each output
	maxMetrics = 1000
	maxSlices  = 1 << 20
	maxName    = 200
	// maxBenchmark is of the names of sub-benchmarks, which may be whole inputs.
	maxBenchmark = 4096
	maxReason    = 1000
)

// lie returns the error of an agent whose reports cannot be true.
func (m *Machine) lie(format string, args ...any) error {
	return assay.NewError(assay.ExitRefused, assay.CodeAgentReport, fmt.Sprintf("%s: the agent there reports what cannot be true", m.opt.Name),
		[]string{printable.Line(fmt.Sprintf(format, args...), maxReason)}, "")
}

// An expectation is a block that is being run: the trials that the design has drawn, in
// their order.
type expectation struct {
	machine *Machine
	request lab.BlockRequest
	drawn   *design.Block
	got     int
}

func (m *Machine) expect(r lab.BlockRequest) *expectation {
	return &expectation{machine: m, request: r, drawn: design.BlockOf(r.Plan, r.Next, r.Index, r.Attempt)}
}

// repeat expects a later attempt than was asked for, where the link may have had the block
// run again. An attempt has its own orders.
func (e *expectation) repeat(attempt int) {
	r := &e.request
	if later := attempt - r.Attempt; e.got == 0 && later > 0 && later < e.machine.opt.Repeats {
		r.Attempt = attempt
		e.drawn = design.BlockOf(r.Plan, r.Next, r.Index, attempt)
	}
}

// next checks the next trial, and makes its texts fit to print. Whatever is not drawn but
// measured may have any finite value.
func (e *expectation) next(t *assay.Trial) error {
	e.repeat(t.Attempt)
	if e.got == len(e.drawn.Slots) {
		return e.machine.lie("block %d: a trial more than the %d of the design", e.request.Index, len(e.drawn.Slots))
	}
	slot := e.drawn.Slots[e.got]
	e.got++
	bench, _ := e.request.Plan.Planned(slot.Benchmark)
	want := e.drawn.Trial(slot)
	if bench.Allows(t.N) {
		want.N = t.N
	}
	is := assay.Trial{Block: t.Block, Attempt: t.Attempt, Pilot: t.Pilot, Of: t.Of, Position: t.Position, Round: t.Round, Variant: t.Variant,
		Benchmark: t.Benchmark, Traced: t.Traced, Layout: t.Layout, N: t.N}
	if fmt.Sprintf("%+v", is) != fmt.Sprintf("%+v", want) {
		return e.machine.lie("block %d, trial %d: %+v, and the design drew %+v", e.request.Index, e.got, is, want)
	}
	t.ID, t.Run, t.Printed, t.Collected = 0, "", nil, ""
	if err := e.machine.checkTrial(t); err != nil {
		return err
	}
	return e.started(t)
}

// A began is when a trial began and how long it took, in nanoseconds.
type began struct{ start, took int64 }

// started refuses a trial that counts twice, as a reader of the record would. A block may be
// sent again where the link broke.
func (e *expectation) started(t *assay.Trial) error {
	m := e.machine
	if t.Start.IsZero() || t.Duration == 0 {
		return nil
	}
	at, slot := began{t.Start.UnixNano(), int64(t.Duration)}, [2]int{t.Block, t.Position}
	if first, ok := m.starts[at]; ok && first != slot {
		return m.lie("trial %d of block %d began when trial %d of block %d did", t.Position, t.Block, first[1], first[0])
	}
	if m.starts == nil {
		m.starts = map[began][2]int{}
	}
	m.starts[at] = slot
	return nil
}

// end checks that no trial is missing.
func (e *expectation) end() error {
	if e.got < len(e.drawn.Slots) {
		return e.machine.lie("block %d ended after %d of %d trials", e.request.Index, e.got, len(e.drawn.Slots))
	}
	return nil
}

// statuses are those that a trial may have.
var statuses = []assay.Status{assay.StatusOK, assay.StatusFailed, assay.StatusTimeout, assay.StatusNoResult, assay.StatusSkipped, assay.StatusWrong}

// checkTrial checks what a trial measured.
func (m *Machine) checkTrial(t *assay.Trial) error {
	name := fmt.Sprintf("trial %d of block %d", t.Position, t.Block)
	switch {
	case !slices.Contains(statuses, t.Status):
		return m.lie("%s: the status %q", name, t.Status)
	case t.RuntimeFault != "" && t.Status != assay.StatusFailed:
		return m.lie("%s: a fault of the runtime and the status %q", name, t.Status)
	case t.Duration < 0 || t.Link < 0 || !finite(t.Intended):
		return m.lie("%s: a duration below 0, or a rate that is no number", name)
	case !isHex(t.Binary) || !isHex(t.Output):
		return m.lie("%s: a digest that is none", name)
	case len(t.Slices) > 0 && slices.Min(t.Slices) < 0:
		return m.lie("%s: a slice below 0", name)
	case len(t.Slices) > maxSlices || !finite(t.Slices...):
		return m.lie("%s: %d slices, or one that is no number", name, len(t.Slices))
	case t.Gear != "" && !t.Gear.SideBySide():
		return m.lie("%s: the gear %q", name, t.Gear)
	}
	t.Reason, t.RuntimeFault = printable.Line(t.Reason, maxReason), printable.Line(t.RuntimeFault, maxReason)
	return m.checkValues(name, t.Observations)
}

// checkValues checks values by metric.
func (m *Machine) checkValues(name string, values map[string]float64) error {
	if len(values) > maxMetrics {
		return m.lie("%s: %d metrics", name, len(values))
	}
	for metric, x := range values {
		if metric != printable.Line(metric, maxName) || metric == "" {
			return m.lie("%s: a metric whose name cannot be printed", name)
		}
		if least, most := bounds(metric); !finite(x) || x < least || x > most {
			return m.lie("%s: %s is %v", name, metric, x)
		}
	}
	return nil
}

// bounds returns the least and the largest value that a metric of assay's own can have. An
// operation takes some time, and less than a year; nothing else is negative. A benchmark's
// own metric may have any value.
func bounds(metric string) (least, most float64) {
	switch {
	case metric == assay.MetricTime:
		return math.SmallestNonzeroFloat64, 365 * 24 * 3600
	case assay.KnownBetter(metric) != assay.BetterUnknown:
		return 0, 1e18
	}
	return -math.MaxFloat64, math.MaxFloat64
}

// checkOutcome checks a run outside of blocks, and makes its texts fit to print.
func (m *Machine) checkOutcome(out *trial.Outcome) error {
	if !slices.Contains(statuses, out.Status) {
		return m.lie("the status %q", out.Status)
	}
	if out.Wall < 0 || out.GCCycles < 0 || out.Runs < 0 || !finite(out.Intended) || !isHex(out.Output) {
		return m.lie("a run with a number below 0")
	}
	out.Reason, out.RuntimeFault = printable.Line(out.Reason, maxReason), printable.Line(out.RuntimeFault, maxReason)
	for _, texts := range []map[string]string{out.Broken, out.Skipped} {
		for name, why := range texts {
			if !isName(name) {
				return m.lie("a benchmark whose name cannot be printed")
			}
			texts[name] = printable.Line(why, maxReason)
		}
	}
	for metric, better := range out.Better {
		if !isName(metric) || !slices.Contains([]assay.Better{"", assay.BetterHigher, assay.BetterLower}, better) {
			return m.lie("a direction of a metric that is none")
		}
	}
	for _, r := range out.Readings {
		if !isName(r.Name) || r.N < 0 {
			return m.lie("a benchmark whose name cannot be printed, or a number of runs below 0")
		}
		if err := m.checkValues(printable.Line(r.Name, maxName), r.Values); err != nil {
			return err
		}
	}
	for metric, values := range out.Slices {
		if !isName(metric) || len(values) > maxSlices || !finite(values...) {
			return m.lie("%d slices, or one that is no number", len(values))
		}
	}
	return m.checkValues("counters", out.Counters)
}

// isName reports whether a text can be the name of a benchmark or a metric.
func isName(s string) bool {
	return len(s) <= maxBenchmark && utf8.ValidString(s) && !strings.ContainsFunc(s, func(r rune) bool { return !unicode.IsPrint(r) })
}

func finite(xs ...float64) bool {
	return !slices.ContainsFunc(xs, func(x float64) bool { return math.IsNaN(x) || math.IsInf(x, 0) })
}

func isHex(s string) bool {
	for _, c := range s {
		if (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return false
		}
	}
	return len(s) <= 64
}

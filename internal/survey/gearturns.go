package survey

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/calibration"
	"github.com/seed-1318a441/assay/internal/lab"
	"github.com/seed-1318a441/assay/internal/trial"
)

// leastTurns is the minimum number of turns for a command.
const leastTurns = 3

// costlyTurns says why turns are not tried.
const costlyTurns = misfit("to try turns would take too much of the time")

// turns makes a command run in turns if that is right: it computes, and several of it can
// run at once. The error is a misfit if not.
func (c *chooser) turns(ctx context.Context) error {
	w := c.workload()
	switch {
	case len(w.Prepare)+len(w.Cleanup) > 0:
		return misfit("it has a preparation or a clean-up, which may not be for several at once")
	case c.costly(time.Duration(2*len(c.variants)) * c.bench.Trial): // a reference of each, and then all at once
		return costlyTurns
	}
	unfit := func(r calibration.Plain) string {
		why := notForTurns(r)
		if why == "" && r.Busy > calibration.MaxBusyTurns {
			why = "it uses several threads at a time, which stops would change,"
		}
		if least := leastTurns * assay.TurnLength; why == "" && r.PerOp < least.Seconds() {
			why = fmt.Sprintf("it takes less than %v, too little for turns,", least)
		}
		return why
	}
	if err := c.references(ctx, unfit); err != nil {
		return err
	}
	b := *c.bench
	b.Gear, b.Turn, b.OneCPU = assay.GearTurns, assay.TurnLength, c.refs.OneCPU(calibration.MaxBusyTurns)
	run := func() (measured, error) {
		outs, err := c.tryTurns(ctx, &b)
		return measured{level: c.levels(outs, b.N)}, err
	}
	m, err := run()
	if err == nil {
		err = c.admit(ctx, "turns disagree with whole runs", m, run, notForTurns)
	}
	if err == nil {
		*c.bench = b
	}
	return err
}

// tryTurns runs all variants in turns once, and sets the time that a trial takes.
func (c *chooser) tryTurns(ctx context.Context, b *assay.PlannedBenchmark) ([]trial.Outcome, error) {
	r := lab.TogetherRequest{Gear: b.Gear, Warm: b.Warm, Rounds: b.Slices, Turn: b.Turn, CPUs: c.drawCPUs(*b), Memory: c.memory()}
	outs, err := c.together(ctx, &r, b.N)
	if err != nil {
		return nil, err
	}
	b.Trial = 0
	for i, out := range outs {
		if out.Status != assay.StatusOK {
			return nil, failsTogether(c.variants[i], out)
		}
		b.Trial = max(b.Trial, out.Wall/time.Duration(len(outs)))
	}
	return outs, nil
}

func failsTogether(v assay.Variant, out trial.Outcome) error {
	return misfit(fmt.Sprintf("it fails in %s where several run at once: %s", assay.Quoted(v.Name), out.Reason))
}

// levels returns the logarithms of the times of an operation.
func (c *chooser) levels(outs []trial.Outcome, n int) (out []float64) {
	for i, o := range outs {
		name := c.bench.NameFor(c.variants[i], c.plan.Study.Base)
		out = append(out, math.Log(o.Observations(name, n)[assay.MetricTime]))
	}
	return out
}

// notForTurns says why a benchmark or command cannot run in turns, from its reference.
func notForTurns(r calibration.Plain) string {
	switch {
	case r.Broken != "":
		return "the reference run failed: " + r.Broken
	case r.PerOp <= 0:
		return "it reports no time per operation"
	case r.Busy < calibration.MinBusy:
		return fmt.Sprintf("it waits (or the machine had no time for it) for more than %.0f %% of its time", 100*(1-calibration.MinBusy))
	}
	return ""
}

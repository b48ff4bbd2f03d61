package lab

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/design"
)

const (
	// turn is the length of a turn of a command: short beside the seconds in which a CPU
	// changes its speed, long beside the signals that end it.
	turn = 2 * time.Millisecond
	// leastTurns is the time of a command that has turns enough.
	leastTurns = 20 * turn
	// maxBusyCommand is maxBusy for commands, whose garbage collector runs beside them.
	maxBusyCommand = 1.1
)

// turns has a command run in turns where that is right: where it computes, and several
// of it can run at once.
func (c *chooser) turns(ctx context.Context, m SideBySide, cpus []int) (why string, err error) {
	w := c.study.Workloads[c.bench.Workload]
	forced := c.study.Measure.Pair == assay.GearTurns
	if len(w.Prepare)+len(w.Cleanup) > 0 && !forced {
		return "it has a preparation or a clean-up, which may not be for several at once", nil
	}
	// A reference of each, and then all at once.
	if all := time.Duration(2*len(c.variants)) * c.bench.Trial; c.left != nil && float64(all) > referenceShare*float64(2*c.half) && !forced {
		return "to try turns would take too much of the time", nil
	}
	b := *c.bench
	b.Gear, b.OneCPU = assay.GearTurns, true
	r := TogetherRequest{Gear: b.Gear}
	for _, v := range c.variants {
		ref, err := c.reference(ctx, v)
		if err != nil {
			return "", err
		}
		if why := notForTurns(ref); why != "" && (!forced || ref.Broken != "") {
			return fmt.Sprintf("%s in %s", why, assay.Quoted(v.Name)), nil
		}
		a, err := find(c.builds.of(v.Name), b.Workload, b.Package)
		if err != nil {
			return "", err
		}
		c.refs, r.Arms = append(c.refs, ref), append(r.Arms, c.request(v, a, b.N))
		b.OneCPU = b.OneCPU && ref.Busy >= minBusy && ref.Busy <= maxBusyCommand
	}
	r.CPUs = design.CPUs(c.plan.Seed, b, 0, 0, cpus)
	r.Order = design.Turns(c.plan.Seed, b.Benchmark, len(r.Arms), 0, 0)
	outs, err := m.Together(ctx, r)
	if err != nil {
		return "", err
	}
	var level []float64
	for i, out := range outs {
		if out.Status != assay.StatusOK {
			return fmt.Sprintf("it fails in %s where several run at once: %s", assay.Quoted(c.variants[i].Name), out.Reason), nil
		}
		level = append(level, math.Log(out.Observations(r.Arms[i].Names[0], b.N)[assay.MetricTime]))
		b.Trial = max(b.Trial, out.Wall/time.Duration(len(outs)))
	}
	if why := c.apart("turns disagree with whole runs", level); why != "" && !forced {
		return why, nil
	}
	*c.bench = b
	return "", nil
}

// notForTurns says why a command cannot be measured in turns, by its reference.
func notForTurns(r reading) string {
	switch {
	case r.Broken != "":
		return "the reference run failed: " + r.Broken
	case r.PerOp < leastTurns.Seconds():
		return fmt.Sprintf("it takes less than %v, too little for turns,", leastTurns)
	case r.Busy < minBusy:
		return fmt.Sprintf("it waits (or the machine had no time for it) for more than %.0f %% of its time", 100*(1-minBusy))
	}
	return ""
}

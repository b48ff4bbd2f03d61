package answer

import (
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/printable"
	"github.com/seed-1318a441/assay/internal/schedule"
)

// NeedsDays stands in place of a price that nobody should pay.
const NeedsDays = "needs more than a day of measuring"

// remaining returns the time after which everything is decided, and the number of blocks of
// the comparison that needs most, each 0 if unknown. Estimates from few blocks are wrong by
// a factor of 3 either way, so the time is a round one (schedule.Round). steps is true if
// the changes from step to step must be decided.
func remaining(r *assay.Result, steps bool) (d time.Duration, blocks int) {
	dearest := map[assay.Benchmark]time.Duration{} // variants and metrics share the blocks of a benchmark
	for _, c := range deciding(r, steps) {
		if c.Verdict == assay.Unclear {
			dearest[c.Benchmark] = max(dearest[c.Benchmark], c.MoreTime)
			blocks = max(blocks, c.MoreBlocks)
		}
	}
	for _, x := range dearest {
		d += x
	}
	for _, tab := range r.Tables {
		if !tab.Decides {
			continue
		}
		whole := tab.Geomean
		for _, e := range tab.Effects {
			whole = append(whole[:len(whole):len(whole)], e.Whole)
		}
		for _, c := range whole {
			if c.Verdict == assay.Unclear {
				d, blocks = max(d, c.MoreTime), max(blocks, c.MoreBlocks)
			}
		}
	}
	return schedule.Round(d), blocks
}

// price is "; needs about 5 min more", the only price in an output; "" if it is unknown.
func price(r *assay.Result, steps bool) string {
	switch d, blocks := remaining(r, steps); {
	case d > schedule.OutOfReach:
		return "; " + NeedsDays
	case d > 0:
		return "; needs about " + printable.Duration(d) + " more"
	case blocks > 0:
		return "; needs about " + printable.Count(schedule.RoundBlocks(blocks), "more block")
	}
	return ""
}

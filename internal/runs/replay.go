package runs

import (
	"slices"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/analysis/replay"
	"github.com/seed-1318a441/assay/internal/record"
)

// Replay returns the way of a run to its answer on a metric, and what its blocks say under
// other conditions. Its last frame is the result that Derive returns. It is nil for a run of so
// many comparisons that it would take long.
func Replay(run *record.Run, metric string) *replay.Replay {
	var end assay.End
	if run.End != nil {
		end = *run.End
	}
	blocks := slices.DeleteFunc(slices.Clone(run.Blocks()), func(b []assay.Trial) bool { return len(b) == 0 || b[0].Pilot })
	rec := replay.NewRecorder(run.Plan, metric, len(blocks), end.Stop)
	if !rec.Affordable() {
		return nil
	}
	tracker, race := follow(run, end, rec.See)
	if race == nil { // the answer of a race rests on other comparisons
		rec.Ask(tracker)
	}
	return &rec.Replay
}

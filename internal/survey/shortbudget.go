package survey

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/printable"
	"github.com/seed-1318a441/assay/internal/schedule"
	"github.com/seed-1318a441/assay/internal/shell"
)

// Messages about a budget that is too small, before it is spent.

// ErrNoTime is the cause of a context that the budget ended; a machine's Run returns it.
var ErrNoTime = errors.New("the budget is over")

// leastSurvey is the minimum time for finding and calibrating the benchmarks.
const leastSurvey = time.Minute

// tooShort returns the error for a budget that ended before the first block.
func tooShort(ctx context.Context, err error, p *assay.Plan) error {
	if !errors.Is(err, ErrNoTime) && !errors.Is(context.Cause(ctx), ErrNoTime) {
		return err
	}
	return &assay.Error{Exit: assay.ExitRefused, Warning: assay.Warning{Code: assay.CodeShortBudget,
		Text:  fmt.Sprintf("the budget of %v was over before every benchmark had run once: nothing was measured", p.Study.Decide.Budget),
		Facts: []string{"fewer benchmarks (-bench=PATTERN) take less time"},
		Try:   shell.With(p.Command, "budget", schedule.Duration(10*p.Study.Decide.Budget))}}
}

// leftOut reports that the benchmarks from index from on are not measured, since
// calibrating the others took half of the time.
func leftOut(p *assay.Plan, from int) assay.Warning {
	var names []string
	for _, b := range p.Benchmarks[from:] {
		names = append(names, b.Name)
	}
	all := time.Duration(float64(p.Study.Decide.Budget) * float64(len(p.Benchmarks)) / float64(from))
	return assay.Warning{Code: assay.CodeLeftOut,
		Text:  fmt.Sprintf("%d of %d benchmarks are not measured: half of the time was over when the others were calibrated", len(names), len(p.Benchmarks)),
		Facts: []string{printable.Few(names, someNames)},
		Try:   shell.With(p.Command, "budget", schedule.Duration(all))}
}

// shortBudget warns about a budget that cannot decide anything.
func shortBudget(p *assay.Plan) (assay.Warning, bool) {
	f := schedule.Foresee(p)
	if len(p.Benchmarks) == 0 || f.Decides() {
		return assay.Warning{}, false
	}
	enough := f.Enough(f.First, p.Study.Decide.Budget-f.Time)
	w := assay.Warning{Code: assay.CodeShortBudget,
		Text:  fmt.Sprintf("nothing can be decided: a verdict takes %d blocks, and %d fit into %v", f.First, f.Blocks, p.Study.Decide.Budget),
		Facts: []string{"the values so far are printed, without a verdict"},
		Try:   shell.With(p.Command, "budget", schedule.Duration(enough))}
	switch {
	case !f.ByTime:
		first, most := f.First, f.Blocks
		if f.Share.Window > 0 { // a study asks for blocks of each step
			first, most = first/f.Share.Cycle, most/f.Share.Cycle
		}
		w.Text = fmt.Sprintf("nothing can be decided: a verdict takes %d blocks, and the study asks for %d at most", first, most)
		w.Try = shell.With(p.Command, "blocks", fmt.Sprintf("%d-", first))
	case enough > schedule.OutOfReach:
		w.Facts, w.Try = append(w.Facts, "the blocks would take days: measure fewer benchmarks or variants"), ""
	}
	return w, true
}

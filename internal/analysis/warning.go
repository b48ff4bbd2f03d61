package analysis

import (
	"fmt"
	"math"
	"slices"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/analysis/answer"
	"github.com/seed-1318a441/assay/internal/analysis/sample"
	"github.com/seed-1318a441/assay/internal/schedule"
	"github.com/seed-1318a441/assay/internal/stats"
)

// closingWarnings returns the warnings that need the whole result.
func (t *Tracker) closingWarnings(r *assay.Result) []assay.Warning {
	return slices.Concat(answer.Emulated(r.Platform), t.set.FailedStarts(), answer.StepWarnings(r), uneven(t.set, r), answer.PrecisionWarnings(r, t.plan.Study.ComparesSteps()))
}

// uneven warns about variants whose slices are slower or faster only now and then. The
// fastest slices, which the table may use, do not show that.
func uneven(set *sample.Set, r *assay.Result) []assay.Warning {
	margin := set.Plan.Study.Decide.Margin(assay.MetricTime)
	var moved []string
	for _, tab := range r.Tables {
		if tab.Metric.Name != assay.MetricTime || !tab.Decides {
			continue
		}
		for _, row := range tab.Rows {
			for _, c := range row.Cells {
				s := set.Sample(c.Benchmark, assay.MetricTime, c.Variant)
				if s == nil {
					continue
				}
				if by, ok := s.SliceGap(margin); ok {
					d, half := stats.Median(s.D), assay.Change(math.Abs(by))
					moved = append(moved, fmt.Sprintf("%s in %s %s and %s", c.Benchmark.Name, c.Variant,
						assay.ChangeOfLog(d+by).Format(half), assay.ChangeOfLog(d).Format(half)))
				}
			}
		}
	}
	if moved == nil {
		return nil
	}
	return []assay.Warning{{Code: assay.CodeUneven,
		Text: "the medians of all slices show another change than the fastest slices, which the table uses: " + answer.Few(moved),
		Facts: []string{"some slices cost more in one variant, or something disturbs one more than the other",
			"processes take the mean of all operations"},
		Try: schedule.With(r.Command, "pair", string(assay.GearProcesses))}}
}

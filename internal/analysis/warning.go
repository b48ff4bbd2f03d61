package analysis

import (
	"fmt"
	"math"
	"slices"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/analysis/answer"
	"github.com/seed-1318a441/assay/internal/analysis/sample"
	"github.com/seed-1318a441/assay/internal/stats"
)

// closingWarnings returns the warnings that need the whole result.
func (t *Tracker) closingWarnings(r *assay.Result) []assay.Warning {
	return slices.Concat(answer.Emulated(r.Platform), answer.ShortLoads(r), t.set.LostBlocks(), answer.StepWarnings(r), uneven(t.set, r), follow(t.set, r), answer.PrecisionWarnings(r, t.plan.Study.ComparesSteps(), !t.plan.Outdated()))
}

// follow warns about verdicts on values that resemble those of the block before, such as
// starts of a server that keeps its state. The engine takes blocks for independent.
func follow(set *sample.Set, r *assay.Result) []assay.Warning {
	var cells []assay.Comparison
	var metrics []string
	for _, tab := range r.Tables {
		for _, row := range tab.Rows {
			for _, c := range row.Cells {
				if tab.Decides && (c.Verdict.Differs() || c.Verdict == assay.Same) && !c.Exact {
					cells, metrics = append(cells, c), append(metrics, tab.Metric.Name)
				}
			}
		}
	}
	var names []string
	for i, c := range cells {
		if s := set.Sample(c.Benchmark, metrics[i], c.Variant); s != nil {
			if by, ok := stats.Follow(s.D, followAlpha/float64(len(cells))); ok {
				names = append(names, fmt.Sprintf("%s %s in %s (autocorrelation %.1f)", c.Benchmark.Name, metrics[i], c.Variant, by))
			}
		}
	}
	if names == nil {
		return nil
	}
	return []assay.Warning{{Code: assay.CodeFollow,
		Text: "values resemble those of the block before: " + answer.Few(names),
		Facts: []string{"an interval takes blocks for independent; of such values it is too narrow, and its verdict false more often than the confidence says",
			"a server that keeps state from start to start does that; a prepare command can restore the state"}}}
}

// followAlpha is the share of results that follow warns about though all values are
// independent.
const followAlpha = 0.01

// uneven warns about variants whose slices are slower or faster only now and then. The
// quantile or the median, which the table uses, does not show that.
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
		Text: "the medians or means of all slices show another change than the one that counts: " + answer.Few(moved),
		Facts: []string{"some slices cost more in one variant, or something disturbs one more than the other",
			"processes take the mean of all operations"},
		Advice: "a benchmark with a fixed number of operations, such as -benchtime=10000x, runs as processes"}}
}

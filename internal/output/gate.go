package output

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/analysis"
	"github.com/seed-1318a441/assay/internal/printable"
	"github.com/seed-1318a441/assay/internal/sheet"
	"github.com/seed-1318a441/assay/internal/spec"
)

// A GateQuestion is what a user asks of a result.
type GateQuestion struct {
	// Run is what the run is called on the command line.
	Run string
	// Max is the limit, such as "3%", of the metrics that decide; "" is the gate of the
	// study, or nothing if there are Metrics. Metrics have limits of their own:
	// "allocs/op=0%".
	Max     string
	Metrics []string
}

// A GateOutcome is what the limits say of a result.
type GateOutcome struct {
	// Lines list what is worse than allowed and what is undecided, and sum up.
	Lines []string
	// Failed and Undecided are numbers of comparisons.
	Failed, Undecided int
	// broken means that a benchmark failed outright. It is in no comparison, and must not
	// pass for one that held.
	broken bool
}

// JudgeGate holds a result against limits. Package analysis decides whether a limit holds,
// from the intervals of the result.
func JudgeGate(r *assay.Result, q GateQuestion) (*GateOutcome, error) {
	limits, err := q.limits(r)
	if err != nil {
		return nil, err
	}
	cells, err := analysis.Limits(r, limits)
	if err != nil {
		return nil, assay.UsageError(assay.CodeGateMetric, err.Error(), "assay gate "+q.Run+" --metric "+knownMetrics(r)[0]+"=0%")
	}
	if len(cells) == 0 {
		return nil, assay.NewError(assay.ExitBuild, assay.CodeGateNothing, "nothing was measured that the gate could hold against a limit", nil, "assay show "+q.Run)
	}
	o := &GateOutcome{broken: slices.ContainsFunc(r.Warnings, func(w assay.Warning) bool { return w.Code == assay.CodeBenchFailed || w.Code == assay.CodeWrongOutput })}
	for _, c := range cells {
		o.add(c, len(r.Variants) > 2)
	}
	word := analysis.LimitHeld
	switch {
	case o.Failed > 0:
		word = analysis.LimitFailed
	case o.Undecided > 0:
		word = analysis.LimitUndecided
	}
	if n := o.Undecided - maxUndecided; n > 0 {
		o.Lines = append(o.Lines, fmt.Sprintf("… %d more undecided (assay show %s --all)", n, q.Run))
	}
	var parts []string
	for _, l := range limits {
		parts = append(parts, l.Metric+" "+printable.Percent(l.Most))
	}
	o.Lines = append(o.Lines, fmt.Sprintf("gate %s: of %s %d failed, %d undecided, %d held (%s)", word, printable.Count(len(cells), "comparison"), o.Failed, o.Undecided, len(cells)-o.Failed-o.Undecided, strings.Join(parts, ", ")))
	return o, nil
}

// limits are those of the question, or the gate of the study.
func (q GateQuestion) limits(r *assay.Result) (out []analysis.Limit, err error) {
	seen := map[string]bool{}
	for _, m := range q.Metrics {
		i := strings.LastIndex(m, "=")
		if i < 1 {
			return nil, assay.UsageError(assay.CodeFlags, fmt.Sprintf("--metric %s: it takes a metric and its limit", m), "assay gate --metric allocs/op=0%")
		}
		p, err := percentFlag("metric "+m[:i], m[i+1:])
		if err != nil {
			return nil, err
		}
		if !slices.Contains(knownMetrics(r), m[:i]) {
			return nil, unknownMetric(r, m[:i])
		}
		if !seen[m[:i]] {
			out = append(out, analysis.Limit{Metric: m[:i], Most: p})
		}
		seen[m[:i]] = true
	}
	most := r.Rule.Gate
	switch {
	case q.Max != "":
		if most, err = percentFlag("max", q.Max); err != nil {
			return nil, err
		}
	case len(out) > 0:
		return out, nil // only what was named
	case most == 0:
		return nil, assay.UsageError(assay.CodeFlags, "no limit is given, and the study has no gate", "assay gate "+q.Run+" --max 3%")
	}
	for _, t := range r.Tables {
		if t.Decides && !seen[t.Metric.Name] {
			out = append(out, analysis.Limit{Metric: t.Metric.Name, Most: most})
		}
	}
	return out, nil
}

func percentFlag(flag, text string) (float64, error) {
	p, err := spec.Flag(text, spec.Percent)
	if err != nil {
		return 0, assay.UsageError(assay.CodeFlags, fmt.Sprintf("--%s: %v", flag, err), "assay gate --max 3%")
	}
	return p, nil
}

func unknownMetric(r *assay.Result, name string) error {
	known := knownMetrics(r)
	e := assay.UsageError(assay.CodeGateMetric, fmt.Sprintf("there is no metric %q in this result", name), "assay gate --metric "+known[0]+"=0%")
	e.Facts = []string{"there are: " + strings.Join(known, ", ")}
	return e
}

func knownMetrics(r *assay.Result) []string {
	out := []string{}
	for _, t := range r.Tables {
		if len(t.Rows) > 0 {
			out = append(out, t.Metric.Name)
		}
	}
	if len(out) == 0 {
		return []string{assay.MetricTime}
	}
	return out
}

// maxUndecided is the number of undecided comparisons that an outcome lists.
const maxUndecided = 8

// add counts a comparison, and lists it unless it holds. several says that more than one
// variant is compared with the base.
func (o *GateOutcome) add(c analysis.LimitCell, several bool) {
	switch c.Status {
	case analysis.LimitFailed:
		o.Failed++
	case analysis.LimitUndecided:
		if o.Undecided++; o.Undecided > maxUndecided {
			return
		}
	default:
		return
	}
	what := c.Cell.Benchmark.Name
	if several {
		what += " in " + c.Cell.Variant
	}
	o.Lines = append(o.Lines, fmt.Sprintf("%-9s  %s %s: %s; limit %s", c.Status, what, c.Metric.Name, sheet.Compared(c.Metric, c.Base, c.Cell), printable.Percent(c.Limit.Most)))
}

// Exit returns the exit status. undecided says what an undecided limit means: "pass",
// "fail" or "3".
func (o *GateOutcome) Exit(undecided string) int {
	switch {
	case o.Failed > 0, o.Undecided > 0 && undecided == "fail":
		return assay.ExitGate
	case o.broken:
		return assay.ExitBuild
	case o.Undecided > 0 && undecided == "3":
		return assay.ExitUndecided
	}
	return assay.ExitOK
}

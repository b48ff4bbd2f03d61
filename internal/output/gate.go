package output

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/analysis"
	"github.com/seed-1318a441/assay/internal/printable"
	"github.com/seed-1318a441/assay/internal/runs"
	"github.com/seed-1318a441/assay/internal/sheet"
	"github.com/seed-1318a441/assay/internal/shell"
)

// A GateQuestion is what a user asks of a run, or of the runs of a group.
type GateQuestion struct {
	// Run is what the run is called on the command line.
	Run string
	// Max is the limit, such as "3%", of the metrics that decide; "" is the gate of the
	// study, or nothing if there are Metrics. Metrics have limits of their own:
	// "allocs/op=0%".
	Max     string
	Metrics []string
	// Undecided says what an undecided limit means: "pass", "fail" or "3", an exit status.
	Undecided string
	// Flags are the other flags on the command line. Commands to try keep them.
	Flags []string
}

// JudgeGate compares the results of runs with limits. Package analysis decides whether a
// limit holds, from the intervals of the result.
func JudgeGate(sources []runs.Source, q GateQuestion) (*assay.LimitReport, error) {
	out := &assay.LimitReport{Schema: assay.ResultSchema, Status: assay.LimitHeld}
	worst := len(exitsByGravity) - 1
	for _, s := range sources {
		r, err := q.judge(s.Result)
		if err != nil {
			return nil, err
		}
		r.Machine = s.Machine
		out.Runs = append(out.Runs, *r)
		out.Status = worse(out.Status, r.Status)
		worst = min(worst, slices.Index(exitsByGravity, gateExit(r, q.Undecided)))
	}
	out.Exit = exitsByGravity[worst]
	return out, nil
}

// judge compares one result with the limits.
func (q GateQuestion) judge(r *assay.Result) (*assay.LimitRun, error) {
	limits, err := q.limits(r)
	if err != nil {
		return nil, err
	}
	cells, err := analysis.Limits(r, limits)
	if err != nil {
		return nil, err
	}
	if len(cells) == 0 {
		return nil, assay.NewError(assay.ExitBuild, assay.CodeGateNothing, "nothing was measured that the gate could hold against a limit", nil, "assay show "+shell.Quote(q.Run))
	}
	out := &assay.LimitRun{Run: r.Run, Status: assay.LimitHeld, Limits: limits, Cells: cells}
	for _, w := range r.Warnings {
		if w.Broken() {
			out.Missing = append(out.Missing, w.Text)
			out.Status = assay.LimitIncomplete
		}
	}
	for _, c := range cells {
		out.Status = worse(out.Status, c.Status)
	}
	return out, nil
}

// worse returns the worse of two statuses.
func worse(a, b assay.LimitStatus) assay.LimitStatus {
	return assay.LimitStatuses[min(slices.Index(assay.LimitStatuses, a), slices.Index(assay.LimitStatuses, b))]
}

// exitsByGravity are the exit statuses of a gate: of several runs the first one counts.
var exitsByGravity = []int{assay.ExitGate, assay.ExitBuild, assay.ExitUndecided, assay.ExitOK}

// gateExit returns the exit status for a run.
func gateExit(r *assay.LimitRun, undecided string) int {
	open := r.Count(assay.LimitUndecided) > 0
	switch {
	case r.Status == assay.LimitFailed, open && undecided == "fail":
		return assay.ExitGate
	case r.Status == assay.LimitIncomplete:
		return assay.ExitBuild
	case open && undecided == "3":
		return assay.ExitUndecided
	}
	return assay.ExitOK
}

// EncodeGate returns what limits say as JSON, with a newline at its end.
func EncodeGate(g *assay.LimitReport) ([]byte, error) {
	b, err := json.MarshalIndent(g, "", "  ")
	return append(printable.JSON(b), '\n'), err
}

// maxUndecided is the number of undecided comparisons that the text lists.
const maxUndecided = 8

// GateLines say what is worse than allowed, what is undecided and what is missing, and sum
// up. run is what the run is called on the command line.
func GateLines(g *assay.LimitReport, run string) (out []string) {
	for _, r := range g.Runs {
		for _, line := range gateLines(&r, run) {
			if len(g.Runs) > 1 {
				line = r.Machine + ": " + line
			}
			out = append(out, line)
		}
	}
	return out
}

func gateLines(r *assay.LimitRun, run string) (out []string) {
	variants := map[string]bool{}
	for _, c := range r.Cells {
		variants[c.Variant] = true
	}
	open := 0
	for _, c := range r.Cells {
		if c.Status == assay.LimitUndecided {
			open++
		}
		if c.Status == assay.LimitHeld || open > maxUndecided {
			break // the worst come first
		}
		out = append(out, fmt.Sprintf("%-9s  %s", c.Status, cellLine(c, len(variants) > 1)))
	}
	undecided := r.Count(assay.LimitUndecided)
	if n := undecided - maxUndecided; n > 0 {
		out = append(out, fmt.Sprintf("… %d more undecided (assay show %s --all)", n, shell.Quote(run)))
	}
	for _, text := range r.Missing {
		out = append(out, "missing    "+text)
	}
	var limits []string
	for _, l := range r.Limits {
		limits = append(limits, l.Metric+" "+printable.Percent(l.Limit))
	}
	counts := fmt.Sprintf("of %s %d failed, %d undecided, %d held", printable.Count(len(r.Cells), "comparison"), r.Count(assay.LimitFailed), undecided, r.Count(assay.LimitHeld))
	if r.Cells[0].Benchmark.Name == "" {
		counts = "the same code, so nothing was measured"
	}
	return append(out, fmt.Sprintf("gate %s: %s (%s)", r.Status, counts, strings.Join(limits, ", ")))
}

// cellLine is a comparison with its limit in words. several says that more than one variant
// is compared with the base.
func cellLine(c assay.LimitCell, several bool) string {
	what := c.Benchmark.Name
	if several {
		what += " in " + c.Variant
	}
	return fmt.Sprintf("%s %s: %s; limit %s", what, c.Metric.Name, sheet.Compared(c.Metric, c.Base, c.Comparison), printable.Percent(c.Limit))
}

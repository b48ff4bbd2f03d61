package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/analysis"
	"github.com/seed-1318a441/assay/internal/printable"
	"github.com/seed-1318a441/assay/internal/runs"
	"github.com/seed-1318a441/assay/internal/sheet"
	"github.com/seed-1318a441/assay/internal/spec"
	"github.com/seed-1318a441/assay/internal/usage"
)

// A gater is one use of assay gate.
type gater struct {
	c                *console
	store            string
	most             string
	metrics          []string
	undecided        string
	name             string // of the run, as it was typed
	failed, open, of int
}

func newGate(c *console) *cobra.Command {
	g := &gater{c: c, undecided: "3"}
	cmd := &cobra.Command{
		Use:   "gate [flags] [RUN]",
		Short: "Exit 1 when a stored result is proved slower than allowed",
		Long: "Check a stored result against limits: exit 1 when a benchmark is proved to be worse by\n" +
			"more than the limit, 3 when that is undecided, 0 when every limit holds. gate measures\n" +
			"nothing; it reads the intervals of the record.\n" + runHelp +
			"\nHere it may also be a result.json.",
		Example: "  assay gate --max 3%\n" +
			"  assay gate --metric allocs/op=0% result.json       counts are exact: safe on shared runners\n" +
			"  assay gate --max 5% --metric B/op=0% --undecided=pass",
		Args: atMost(1),
	}
	storeFlag(cmd, &g.store)
	cmd.Flags().StringVar(&g.most, "max", "", "the metrics that decide may be worse by `P` (default: the gate of the study, if it has one)")
	cmd.Flags().StringArrayVar(&g.metrics, "metric", nil, "`NAME=P`: this metric may be worse by P; may be repeated")
	usage.ChoiceVar(cmd.Flags(), &g.undecided, []string{"pass", "fail", "3"}, "undecided", "what an undecided limit means: `pass` is exit 0, fail exit 1")
	cmd.RunE = func(_ *cobra.Command, args []string) error {
		g.name = cmp.Or(arg(args, 0), "last")
		s, err := runs.Open(g.store, g.name)
		if err != nil {
			return err
		}
		return g.hold(s.Result)
	}
	return cmd
}

// hold prints what the limits say of a result, and ends with the status of it.
func (g *gater) hold(r *assay.Result) error {
	limits, err := g.limits(r)
	if err != nil {
		return err
	}
	cells, err := analysis.Limits(r, limits)
	if err != nil {
		return assay.UsageError(assay.CodeGateMetric, err.Error(), "assay gate "+g.name+" --metric "+knownMetrics(r)[0]+"=0%")
	}
	if len(cells) == 0 {
		return &assay.Error{Warning: assay.Warning{Code: assay.CodeGateNothing, Text: "nothing was measured that the gate could hold against a limit",
			Try: "assay show " + g.name}, Exit: assay.ExitBuild}
	}
	slices.SortStableFunc(cells, func(a, b analysis.LimitCell) int { return cmp.Compare(rank(a.Status), rank(b.Status)) })
	for _, c := range cells {
		g.cell(r, c)
	}
	g.summary(limits)
	if code := g.status(r); code != assay.ExitOK {
		return exitError(code)
	}
	return nil
}

func rank(status string) int {
	return slices.Index([]string{analysis.LimitFailed, analysis.LimitUndecided, analysis.LimitHeld}, status)
}

// limits are those of the flags, or the gate of the study.
func (g *gater) limits(r *assay.Result) (out []analysis.Limit, err error) {
	seen := map[string]bool{}
	for _, m := range g.metrics {
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
	case g.most != "":
		if most, err = percentFlag("max", g.most); err != nil {
			return nil, err
		}
	case len(out) > 0:
		return out, nil // only what was named
	case most == 0:
		return nil, assay.UsageError(assay.CodeFlags, "no limit is given, and the study has no gate", "assay gate "+g.name+" --max 3%")
	}
	for _, t := range r.Tables {
		if t.Decides && !seen[t.Metric.Name] {
			out = append(out, analysis.Limit{Metric: t.Metric.Name, Most: most})
		}
	}
	return out, nil
}

func percentFlag(flag, text string) (float64, error) {
	p, err := spec.Percent(text)
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

// cell counts a cell, and prints it unless it holds.
func (g *gater) cell(r *assay.Result, c analysis.LimitCell) {
	g.of++
	switch c.Status {
	case analysis.LimitFailed:
		g.failed++
	case analysis.LimitUndecided:
		if g.open++; g.open > maxOpen {
			return
		}
	default:
		return
	}
	what := c.Cell.Benchmark.Name
	if len(r.Variants) > 2 {
		what += " in " + c.Cell.Variant
	}
	g.c.print(fmt.Sprintf("%-9s  %s %s: %s; limit %s", c.Status, what, c.Metric.Name, sheet.Compared(c.Metric, c.Base, c.Cell), sheet.Percent(c.Limit.Most)))
}

// maxOpen is the number of undecided comparisons that a gate lists.
const maxOpen = 8

// summary is the last line.
func (g *gater) summary(limits []analysis.Limit) {
	word := analysis.LimitHeld
	switch {
	case g.failed > 0:
		word = analysis.LimitFailed
	case g.open > 0:
		word = analysis.LimitUndecided
	}
	if n := g.open - maxOpen; n > 0 {
		g.c.print(fmt.Sprintf("… %d more undecided (assay show %s --all)", n, g.name))
	}
	var parts []string
	for _, l := range limits {
		parts = append(parts, l.Metric+" "+sheet.Percent(l.Most))
	}
	g.c.print(fmt.Sprintf("gate %s: of %s %d failed, %d undecided, %d held (%s)", word, printable.Count(g.of, "comparison"), g.failed, g.open, g.of-g.failed-g.open, strings.Join(parts, ", ")))
}

// status is the exit status: a benchmark that failed outright is in no cell, and must
// not pass for one that held.
func (g *gater) status(r *assay.Result) int {
	broken := slices.ContainsFunc(r.Warnings, func(w assay.Warning) bool { return w.Code == assay.CodeBenchFailed || w.Code == assay.CodeWrongOutput })
	switch {
	case g.failed > 0, g.open > 0 && g.undecided == "fail":
		return assay.ExitGate
	case broken:
		return assay.ExitBuild
	case g.open > 0 && g.undecided == "3":
		return assay.ExitUndecided
	}
	return assay.ExitOK
}

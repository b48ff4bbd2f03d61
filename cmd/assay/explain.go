package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/near"
	"github.com/seed-1318a441/assay/internal/record"
	"github.com/seed-1318a441/assay/internal/report"
	"github.com/seed-1318a441/assay/internal/runs"
	"github.com/seed-1318a441/assay/internal/shell"
	"github.com/seed-1318a441/assay/internal/spec"
)

// explainFlags say what evidence to collect.
type explainFlags struct {
	run     runFlags
	variant string
	collect string
	dir     string
	blocks  int
	trial   time.Duration
	check   bool
	layouts int
	budget  time.Duration
	// functions to compare whether they are hot or not, and what they compile to.
	functions []string
	named     []*regexp.Regexp
}

// allEvidence is every kind that an explanation may rest on.
const allEvidence = "code,cpu,mem,gc"

// mostExplained is the number of benchmarks that are explained when none is named.
const mostExplained = 5

func newExplain(c *console) *cobra.Command {
	var f explainFlags
	cmd := &cobra.Command{
		Use:   "explain [flags] [RUN] [BENCHMARK] | OLD NEW",
		Short: "Say why a variant is faster or slower: code, allocations, time, collector",
		Long: "Say why variants differ on a benchmark of a stored run: the causes, ranked, with\n" +
			"how much of the difference each accounts for, and what that rests on. The variants\n" +
			"are built again (or come from the cache), and run with instruments in them, apart\n" +
			"from the trials that were measured, which no verdict reads. BENCHMARK is a name or a\n" +
			"part of one; without it the benchmarks that changed most are explained.\n\n" +
			"Of two files, OLD and NEW, the code is compared: any Go binaries for one platform.\n" + runHelp,
		Example: "  assay explain last Decode/large\n  assay explain 7k2m Decode/large --collect code,mem\n  assay explain last Sum --check-layout\n  assay explain bin/old bin/new --func 'Decode$'",
		Args:    atMost(2),
	}
	fs := cmd.Flags()
	fs.StringVar(&f.run.Store, "store", record.StoreDir, "`DIR` that runs are kept in")
	f.run.registerTrust(fs)
	fs.StringVar(&f.variant, "variant", "", "explain only `NAME` (default: all that changed)")
	fs.StringVar(&f.collect, "collect", allEvidence, "evidence: `LIST` of code, cpu, mem, gc")
	fs.StringArrayVar(&f.functions, "func", nil, "compare functions whose name matches `REGEXP` too; may be repeated")
	fs.StringVar(&f.dir, "dir", "", "`DIR` of the study or package, where the run does not tell (default: as when it was measured)")
	fs.IntVar(&f.blocks, "blocks", 0, "pairs of CPU profiles (default: 10, fewer where trials are long, more where they are short)")
	timeFlag(fs, &f.trial, "trial", time.Second, "time of a trial with a profile")
	fs.BoolVar(&f.check, "check-layout", false, "measure whether the difference survives linking anew")
	fs.IntVar(&f.layouts, "layouts", 12, "`K` links of each variant for --check-layout")
	timeFlag(fs, &f.budget, "budget", assay.DefaultBudget, "time limit of --check-layout")
	fs.BoolVar(&f.run.json, "json", false, "print the result as JSON")
	fs.BoolVar(&c.all, "all", false, "print every part, and the code side by side")
	f.run.progress = "auto"
	cmd.RunE = func(cmd *cobra.Command, args []string) error { return explainRun(cmd.Context(), c, &f, args) }
	return cmd
}

// explainRun explains differences of a stored run.
func explainRun(ctx context.Context, c *console, f *explainFlags, args []string) error {
	collect, err := spec.CollectList(f.collect)
	if err == nil {
		err = errors.Join(notNegative(f.blocks), positive(f.trial), positive(f.budget))
	}
	if err != nil {
		return assay.UsageError("flags", fmt.Sprintf("--collect, --blocks, --trial or --budget: %v", err), "assay explain --help")
	}
	if f.layouts < FewestLayouts {
		return assay.UsageError("flags", fmt.Sprintf("--layouts %d: a verdict across layouts takes %d links of each variant at least", f.layouts, FewestLayouts), "assay explain --check-layout")
	}
	if err := f.readNamed(); err != nil {
		return err
	}
	if areBinaries(args) {
		return explainFiles(c, f, args)
	}
	runName, name := explainArgs(f.run.Store, args)
	run, err := runs.Find(f.run.Store, runName)
	if err != nil {
		return err
	}
	cfg := c.config(&f.run, nil, nil, "")
	i := &interruption{stop: cfg.Stop}
	ctx, stop := i.watch(ctx, cfg.Progress.Say)
	defer stop()
	r, made, err := Explain(ctx, cfg, run, Inquest{Benchmark: name, Variant: f.variant, Dir: f.dir, Collect: collect,
		Blocks: f.blocks, Trial: f.trial, CheckLayout: f.check, Layouts: f.layouts, Budget: f.budget, Named: f.named})
	if err != nil {
		return err
	}
	return printExplanations(c, f, r, made)
}

func notNegative(n int) error {
	if n < 0 {
		return fmt.Errorf("%d is below 0", n)
	}
	return nil
}

// explainArgs tells a run from a benchmark where there is one argument.
func explainArgs(store string, args []string) (run, benchmark string) {
	switch len(args) {
	case 0:
		return "", ""
	case 2:
		return args[0], args[1]
	}
	if _, err := record.Find(store, args[0]); err == nil {
		return args[0], ""
	}
	return "", args[0]
}

// A target is what is to be explained of one benchmark.
type target struct {
	metric assay.Metric
	row    assay.Row
	cells  []assay.Comparison
}

// targetsOf finds what to explain: the benchmarks that are called so, else those
// that changed most; of each the variants that changed, or those that are asked
// for whatever their verdict.
func targetsOf(r *assay.Result, p *assay.Plan, name, variant string) ([]target, error) {
	table := explained(r)
	if table == nil {
		return nil, assay.UsageError("nothing-to-explain", fmt.Sprintf("run %s has no measured comparison", r.Run), "assay show "+r.Run)
	}
	if variant != "" && !slices.ContainsFunc(r.Variants, func(v assay.VariantResult) bool { return v.Name == variant && v.Name != r.Base }) {
		return nil, assay.UsageError("nothing-to-explain", fmt.Sprintf("run %s has no variant %q beside the base", r.Run, variant), "assay show "+r.Run)
	}
	var out []target
	for _, row := range table.Rows {
		if name != "" && !strings.Contains(row.Benchmark.String(), name) {
			continue
		}
		t := target{metric: table.Metric, row: row, cells: changedCells(r, row, variant)}
		if len(t.cells) == 0 && name != "" {
			t.cells = measuredCells(row, variant)
		}
		if len(t.cells) > 0 {
			out = append(out, t)
		}
	}
	if exact := slices.IndexFunc(out, func(t target) bool { return t.row.Benchmark.Name == name }); exact >= 0 {
		out = out[exact : exact+1]
	}
	if len(out) == 0 {
		return nil, noTarget(r, p, table, name)
	}
	slices.SortStableFunc(out, func(a, b target) int { return cmp.Compare(b.largest(), a.largest()) })
	return out[:min(len(out), mostExplained)], nil
}

// explained is the table whose differences are explained: that of time, else the
// first that decides.
func explained(r *assay.Result) *assay.Table {
	for i := range r.Tables {
		if r.Tables[i].Metric.Name == assay.MetricTime {
			return &r.Tables[i]
		}
	}
	for i := range r.Tables {
		if r.Tables[i].Decides {
			return &r.Tables[i]
		}
	}
	return nil
}

// changedCells are the row's cells of variants that changed, in time or in what they
// allocate.
func changedCells(r *assay.Result, row assay.Row, variant string) []assay.Comparison {
	return slices.DeleteFunc(measuredCells(row, variant), func(c assay.Comparison) bool {
		return !different(c) && !slices.ContainsFunc(r.Tables, func(t assay.Table) bool {
			return (t.Metric.Name == assay.MetricAllocs || t.Metric.Name == assay.MetricBytes) && differsIn(t, c)
		})
	})
}

func different(c assay.Comparison) bool { return c.Verdict.Good() || c.Verdict.Bad() }

// differsIn reports whether a table has a difference for the benchmark and variant of
// a cell of another table.
func differsIn(t assay.Table, c assay.Comparison) bool {
	return slices.ContainsFunc(t.Rows, func(row assay.Row) bool {
		return row.Benchmark == c.Benchmark && slices.ContainsFunc(row.Cells, func(o assay.Comparison) bool { return o.Variant == c.Variant && different(o) })
	})
}

func measuredCells(row assay.Row, variant string) (out []assay.Comparison) {
	for _, c := range row.Cells {
		if c.N > 0 && (variant == "" || c.Variant == variant) {
			out = append(out, c)
		}
	}
	return out
}

// keepLargest keeps the variants that changed most.
func (t *target) keepLargest(most int) {
	slices.SortStableFunc(t.cells, func(a, b assay.Comparison) int {
		return cmp.Compare(math.Abs(b.Change.Log()), math.Abs(a.Change.Log()))
	})
	t.cells = t.cells[:min(len(t.cells), most)]
}

func (t target) largest() (size float64) {
	for _, c := range t.cells {
		size = max(size, math.Abs(c.Change.Log()))
	}
	return size
}

// noTarget says why there is nothing to explain.
func noTarget(r *assay.Result, p *assay.Plan, t *assay.Table, name string) error {
	if name == "" {
		e := assay.UsageError("nothing-to-explain", fmt.Sprintf("no benchmark of run %s has changed", r.Run), "assay show "+r.Run)
		if len(t.Rows) > 0 {
			e.Facts = []string{"one that is named is explained all the same"}
			e.Try = shell.Join([]string{"assay", "explain", r.Run, t.Rows[0].Benchmark.Name})
		}
		return e
	}
	e := notCalled(r.Run, name, t.Rows, "explain")
	for _, b := range p.Benchmarks {
		if strings.Contains(b.String(), name) && len(b.Missing) > 0 {
			e.Facts = append(e.Facts, fmt.Sprintf("%s is not in %s: renamed there?", b.Name, strings.Join(b.Missing, ", ")))
		}
	}
	if len(e.Facts) == 0 {
		var names []string
		for _, row := range t.Rows[:min(len(t.Rows), 8)] {
			names = append(names, row.Benchmark.Name)
		}
		e.Facts = append(e.Facts, "it has "+strings.Join(names, ", "))
	}
	return e
}

// notCalled is the error for a benchmark that a run does not have, with a near one.
func notCalled(run, name string, rows []assay.Row, command string) *assay.Error {
	e := assay.UsageError("no-benchmarks", fmt.Sprintf("no benchmark of run %s is called like %q", run, name), "assay show "+run)
	var known []string
	for _, row := range rows {
		known = append(known, row.Benchmark.Name)
	}
	if right := near.Name(name, known); right != "" {
		e.Try = shell.Join([]string{"assay", command, run, right})
	}
	return e
}

// keep puts explanations into the end of the run and its result.
func (x *explainer) keep(r *assay.Result, end assay.End, made []assay.Explanation) error {
	end.Explanations = replaced(end.Explanations, made)
	if err := x.rec.WriteEnd(end); err != nil {
		return err
	}
	r.Record, r.Explanations = x.rec.Run().Head(), end.Explanations
	if err := x.rec.WriteResult(r); err != nil {
		return err
	}
	runs.Remember(r.Record, r)
	return nil
}

// replaced puts explanations in front of earlier ones, less those of the same.
func replaced(earlier, made []assay.Explanation) []assay.Explanation {
	out := slices.Clone(made)
	for _, e := range earlier {
		again := func(o assay.Explanation) bool { return o.Benchmark == e.Benchmark && o.Variant == e.Variant }
		if !slices.ContainsFunc(made, again) {
			out = append(out, e)
		}
	}
	return out
}

func printExplanations(c *console, f *explainFlags, r *assay.Result, made []assay.Explanation) error {
	if f.run.json {
		r.Explanations = made
		return report.JSON(c.stdout, r)
	}
	for i := range made {
		if i > 0 {
			c.print("")
		}
		if err := report.Explanation(c.stdout, r, &made[i], c.out()); err != nil {
			return err
		}
	}
	return nil
}

// studyDir is the folder that the paths of a run's study start from: that of the
// study's file, as the command named it, else where assay was started.
func studyDir(p *assay.Plan, given string) (string, error) {
	dir := given
	if words, _ := shell.Split(p.Command); dir == "" && len(words) > 2 && slices.Contains([]string{"run", "tune"}, words[1]) {
		dir = words[len(words)-1]
		if info, err := os.Stat(dir); err != nil || !info.IsDir() {
			dir = filepath.Dir(dir)
		}
	}
	dir, err := filepath.Abs(cmp.Or(dir, "."))
	if err != nil {
		return "", err
	}
	if _, err := os.Stat(dir); err != nil {
		return "", assay.UsageError("no-study", fmt.Sprintf("run %s was measured with %q, whose folder is not here", p.Run, p.Command), "assay explain --dir DIR, with the folder of the study")
	}
	return dir, nil
}

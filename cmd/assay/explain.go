package main

import (
	"context"
	"errors"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/inquiry"
	"github.com/seed-1318a441/assay/internal/report"
	"github.com/seed-1318a441/assay/internal/runs"
	"github.com/seed-1318a441/assay/internal/session"
	"github.com/seed-1318a441/assay/internal/sheet"
	"github.com/seed-1318a441/assay/internal/usage"
)

// explainFlags say what to explain and what evidence to collect.
type explainFlags struct {
	inquiry.Request
	run     runFlags
	collect string
	// functions are patterns of functions to compare, hot or not.
	functions []string
}

func newExplain(c *console) *cobra.Command {
	var f explainFlags
	cmd := &cobra.Command{
		Use:   "explain [flags] [RUN] [BENCHMARK] | OLD NEW",
		Short: "Say why a variant is faster or slower",
		Long: "Say why variants differ on a benchmark of a stored run: the causes, ranked, with\n" +
			"how much of the difference each accounts for, and the evidence. assay builds the\n" +
			"variants again, or takes them from the cache, and runs them with instruments. No\n" +
			"verdict uses these trials. BENCHMARK is a name or a part of one; without it assay\n" +
			"explains the benchmarks that changed most.\n\n" +
			"With two files, OLD and NEW, it compares their code: any Go binaries for one platform.\n" + runHelp,
		Example: "  assay explain last Decode/large\n  assay explain 7k2m Decode/large --collect code,mem\n  assay explain last Sum --check-layout\n  assay explain bin/old bin/new --func 'Decode$'",
		Args:    atMost(2),
	}
	fs := cmd.Flags()
	fs.StringVar(&f.run.Store, "store", session.StoreDir, "`DIR` that runs are kept in")
	f.run.registerTrust(fs)
	fs.StringVar(&f.Variant, "variant", "", "explain only `NAME` (default: all that changed)")
	fs.StringVar(&f.collect, "collect", "code,cpu,mem,gc", "evidence: `LIST` of code, cpu, mem, gc")
	fs.StringArrayVar(&f.functions, "func", nil, "compare functions whose name matches `REGEXP` too; may be repeated")
	fs.StringVar(&f.Dir, "dir", "", "`DIR` of the study or package, if the run does not name it (default: as when it was measured)")
	fs.IntVar(&f.Blocks, "blocks", 0, "pairs of CPU profiles (default: 10, fewer where trials are long, more until there are 300 samples)")
	usage.DurationVar(fs, &f.Trial, "trial", time.Second, "time of a trial with a profile")
	fs.BoolVar(&f.CheckLayout, "check-layout", false, "measure whether the difference holds across relinked builds")
	fs.IntVar(&f.Layouts, "layouts", 12, "`K` blocks for --check-layout, each with new links")
	usage.DurationVar(fs, &f.Budget, "budget", assay.DefaultBudget, "time limit of --check-layout")
	fs.BoolVar(&f.run.json, "json", false, "print the result as JSON")
	fs.BoolVar(&c.all, "all", false, "print every part, and the code side by side")
	registerOn(fs)
	registerHub(fs, &f.run.Options)
	f.run.registerNoWait(fs)
	f.run.progress = "auto"
	cmd.RunE = func(cmd *cobra.Command, args []string) (err error) {
		if f.Hosts, err = hostsOn(cmd); err != nil {
			return err
		}
		f.Command = usage.Line("explain", flagsBut(cmd), args, nil)
		return explainRun(cmd.Context(), c, &f, args)
	}
	return cmd
}

// explainRun explains differences of a stored run.
func explainRun(ctx context.Context, c *console, f *explainFlags, args []string) error {
	if err := f.Read(f.collect, f.functions); err != nil {
		return err
	}
	if areBinaries(args) {
		r, err := inquiry.Files(args[0], args[1], f.Named)
		if err != nil {
			return err
		}
		return printExplanations(c, f, r, r.Explanations)
	}
	var name string
	name, f.Benchmark = explainArgs(f.run.Store, args)
	run, err := runs.Find(f.run.Store, name)
	if err != nil {
		return err
	}
	cfg := c.config(&f.run, nil, nil, "")
	ctx, stop := stoppable(ctx, &cfg)
	defer stop()
	r, made, err := inquiry.Explain(ctx, cfg, run, f.Request)
	if err != nil {
		return err
	}
	return printExplanations(c, f, r, made)
}

// areBinaries reports whether the arguments are two files, not a run and a benchmark.
func areBinaries(args []string) bool {
	isFile := func(name string) bool {
		info, err := os.Stat(name)
		return err == nil && info.Mode().IsRegular()
	}
	return len(args) == 2 && isFile(args[0]) && isFile(args[1])
}

// explainArgs returns what the arguments name: a single one is a run if there is one of
// that name, else a benchmark.
func explainArgs(store string, args []string) (run, benchmark string) {
	switch len(args) {
	case 0:
		return "", ""
	case 2:
		return args[0], args[1]
	}
	_, err := runs.FindEntry(store, args[0])
	if _, several := errors.AsType[*runs.Choice](err); several || err == nil {
		return args[0], ""
	}
	return "", args[0]
}

func printExplanations(c *console, f *explainFlags, r *assay.Result, made []assay.Explanation) error {
	if f.run.json {
		r.Explanations = made
		return sheet.WriteJSON(c.stdout, r)
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

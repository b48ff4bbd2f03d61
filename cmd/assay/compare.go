package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/output"
	"github.com/seed-1318a441/assay/internal/report"
	"github.com/seed-1318a441/assay/internal/runs"
	"github.com/seed-1318a441/assay/internal/sheet"
	"github.com/seed-1318a441/assay/internal/usage"
)

const variantHelp = `
A variant is one word for the shell: quote it if it has several parts, such as
'go1.26.8 GOGC=200'. Each part is one of these:

  go1.26.8  path:/a/goroot            toolchain, fetched when needed
  HEAD~1  v2.2.4  3f2c9aa  .          git revision; "." is the tree as it is now
  example.com/mod@v1.2.3              module version
  GOEXPERIMENT=...  GOAMD64=v3        build variable
  GOGC=200  GODEBUG=...  X=Y          run variable
  -gcflags=...  -ldflags=...  -tags=...  -pgo=FILE|auto|off
  -modfile=FILE.mod
  NAME: in front                      a name of your own

The first variant is the base. What follows "--" goes to go test.

With --cmd whole runs of a program are measured instead of benchmarks, and the
main package to build follows "--". A command is split at blanks, with quotes; no
shell reads it. {bin} in it is the program, {tmp} a folder of the trial's own.
With --metric a number that it prints is compared, instead of its time.`

func newCompare(c *console) *cobra.Command {
	var sf studyFlags
	var rf runFlags
	cmd := &cobra.Command{
		Use: "compare [flags] VARIANT VARIANT... [-- GO-TEST-ARGS]\n  assay compare [flags] --by KEY [VARIANT] [-- GO-TEST-ARGS]\n" +
			"  assay compare [flags] --cmd COMMAND VARIANT VARIANT... [-- BUILD-ARGS]\n  assay compare [flags] --cmd-a COMMAND --cmd-b COMMAND\n" +
			"  assay compare [flags] OLD.txt NEW.txt...",
		Short: "Measure variants now, or compare files of benchmark output",
		Long:  "Measure variants against each other, or compare files of Go benchmark output.\n" + variantHelp,
		Example: `  assay compare go1.25.7 go1.26.8 -- -bench=. ./...
  assay compare HEAD~1 . -- -bench=Decode ./codec
  assay compare --overlay . HEAD~1 . -- -bench=New   a benchmark new in "."
  assay compare go1.26.8 'go1.26.8 GOEXPERIMENT=nogreenteagc'
  assay compare --by '/func_(.+)' -- -bench=MakeQueuePath
  assay compare go1.25.7 go1.26.8 --cmd '{bin} script.lua' -- ./cmd/glua
  assay compare --cmd-a './old x' --cmd-b './new x'
  assay compare --cmd-a ./old --cmd-b ./new --metric 'ops/s=/([0-9.]+) ops/'
  assay compare old.txt new.txt`,
		DisableFlagsInUseLine: true,
		Annotations: map[string]string{usage.BeforeDashes: "variants", usage.WithoutVerb: "yes",
			usage.InsteadOf + "col":    "for benchstat's -col: --by KEY, or one label for several files: old=a.txt old=b.txt new=c.txt",
			usage.InsteadOf + "row":    "rows are benchmarks; --filter chooses some of them",
			usage.InsteadOf + "table":  "each metric has its table; --filter .unit:sec/op chooses one",
			usage.InsteadOf + "alpha":  "for -alpha 0.05: --confidence 95%",
			usage.InsteadOf + "format": "-o FILE.csv writes CSV, -o FILE.md Markdown; --json prints JSON",
		},
		SuggestFor: []string{"bench", "benchmark", "benchstat", "benchcmp", "test", "measure", "diff", "cmp", "perf", "time"},
	}
	sf.registerLine(cmd.Flags())
	cmd.Flags().StringVar(&sf.line.Filter, "filter", "", "when reading files: benchstat's filter `EXPR`")
	rf.register(cmd.Flags(), c)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		variants, dashed := splitDash(cmd, args)
		if !sf.hasCommands() && areFiles(variants, dashed) {
			if !areRevisions(cmd.Context(), variants) {
				return compareFiles(c, cmd, &sf, &rf, variants)
			}
			fmt.Fprintf(c.stderr, "assay: %s are revisions as well as files here: the revisions are measured; with ./ in front they are files\n", c.err().Text(strings.Join(variants, ", ")))
		}
		s, text, err := sf.read(cmd, variants, dashed)
		if err != nil {
			return err
		}
		return measure(cmd.Context(), c, &rf, s, text, usage.Line("compare", changedFlags(cmd), variants, dashed))
	}
	return cmd
}

// compareFiles compares results of other tools, or of assay export.
func compareFiles(c *console, cmd *cobra.Command, sf *studyFlags, rf *runFlags, names []string) error {
	if cmd.Flag("on").Changed {
		return assay.UsageError(assay.CodeFlags, "--on says where to measure, and files were measured before", usage.Line("compare", nil, names, nil))
	}
	if pattern, expanded := runs.Unexpanded(names); pattern != "" {
		return assay.UsageError(assay.CodeResults, pattern+" is a pattern, which the shell did not expand", usage.Line("compare", changedFlags(cmd), expanded, nil))
	}
	samples, s, err := runs.ReadFiles(names, sf.line.Filter, sf.line.By)
	if err != nil {
		return programsError(names, err)
	}
	if err := override(cmd, s); err != nil {
		return err
	}
	r, err := runs.CompareFiles(samples, s)
	if err != nil {
		return err
	}
	r.Command = usage.Line("compare", changedFlags(cmd), names, nil)
	if err := errors.Join(output.WriteAll(rf.outputs, r, nil), appendSummary(rf, r)); err != nil {
		return err
	}
	annotate(c, rf, r.Warnings)
	if err := printResult(c, rf, r); err != nil {
		return err
	}
	if exit := status(r, rf); exit != assay.ExitOK {
		return exitError(exit)
	}
	return nil
}

// printResult prints a result as text or JSON.
func printResult(c *console, f *runFlags, r *assay.Result) error {
	if f.json {
		return sheet.WriteJSON(c.stdout, r)
	}
	return report.Text(c.stdout, r, c.out())
}

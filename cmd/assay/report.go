package main

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/output"
	"github.com/seed-1318a441/assay/internal/page"
	"github.com/seed-1318a441/assay/internal/runs"
	"github.com/seed-1318a441/assay/internal/shell"
	"github.com/seed-1318a441/assay/internal/terminal"
	"github.com/seed-1318a441/assay/internal/usage"
)

// A reporter is one use of assay report.
type reporter struct {
	c             *console
	store         string
	output        string
	format, embed string
}

func newReport(c *console) *cobra.Command {
	r := &reporter{c: c, embed: string(page.EmbedFive)}
	cmd := &cobra.Command{
		Use:   "report [flags] [[NAME=]RUN...]",
		Short: "Write a run as a page to open, or as Markdown, CSV, JSON",
		Long: "Write a run as one HTML file that needs no other, or as Markdown, CSV, JSON or the\n" +
			"Go benchmark format. Runs of one study on several machines are one page; runs of\n" +
			"several studies are a gallery, an index and a page each, in a folder.\n" + runHelp +
			"\nHere it may also be a result.json, or a folder of run folders.",
		Example: "  assay report                             the last run, as STUDY-RUN.html\n" +
			"  assay report -o pr.md\n" +
			"  assay report desktop=last laptop=laptop.json -o machines.html\n" +
			"  assay report studies/*/record -o site/",
	}
	storeFlag(cmd, &r.store)
	cmd.Flags().StringVarP(&r.output, "output", "o", "", "write `FILE`; its suffix says what: .html, .md, .csv, .json, .txt; \"-\" is stdout, a folder takes a gallery")
	usage.ChoiceVar(cmd.Flags(), &r.format, output.Formats, "format", "`FORMAT` where the suffix does not say: html, md, csv, json, benchfmt")
	usage.ChoiceVar(cmd.Flags(), &r.embed, []string{"five", "all", "none"}, "embed", "flame graphs and listings in a page: of the `five` largest changes, all, or none, which also leaves out series and files")
	cmd.RunE = func(_ *cobra.Command, args []string) error { return r.run(args) }
	return cmd
}

func (r *reporter) run(args []string) error {
	if len(args) == 0 {
		args = []string{"last"}
	}
	sources, err := r.sources(args)
	if err != nil {
		return err
	}
	groups := grouped(sources)
	if isFolder(r.output) {
		if r.format != "" && r.format != output.HTML {
			return assay.UsageError(assay.CodeReportStudies, fmt.Sprintf("--format %s: a gallery is of pages", r.format), "assay report RUN --format "+r.format)
		}
		return r.gallery(groups)
	}
	if len(groups) > 1 && severalStudies(groups) {
		return assay.UsageError(assay.CodeReportStudies, fmt.Sprintf("these are runs of %d studies: a page is of one, a gallery needs a folder", len(groups)),
			"assay report "+shell.Join(args)+" -o site/")
	}
	m, err := output.Merge(sources)
	if err != nil {
		return err
	}
	return r.write(&output.Report{Merged: m, Sources: sources, Embed: page.Embed(r.embed)})
}

// isFolder reports whether -o names a folder, which need not be there.
func isFolder(name string) bool {
	if strings.HasSuffix(name, "/") || strings.HasSuffix(name, string(filepath.Separator)) {
		return true
	}
	info, err := os.Stat(name)
	return name != "" && err == nil && info.IsDir()
}

// write writes one file: to the name that was given, to stdout, or to a name that
// is told on stderr.
func (r *reporter) write(o *output.Report) error {
	format := r.format
	if format == "" && r.output != "" && r.output != "-" {
		if format = output.FormatOf(r.output); format == "" {
			return output.SuffixError(r.output)
		}
	}
	format = cmp.Or(format, output.HTML)
	name := r.output
	if name == "" && format == output.HTML {
		name = output.PageName(o.Merged, "") + ".html"
	}
	text, err := o.Encode(format)
	if err != nil {
		return err
	}
	if name == "" || name == "-" {
		_, err := r.c.stdout.Write(text)
		return err
	}
	if err := output.Write(name, text); err != nil {
		return err
	}
	r.say(name, len(text))
	return nil
}

// say tells of a file that was written.
func (r *reporter) say(name string, size int) {
	if !r.c.quiet {
		fmt.Fprintf(r.c.stderr, "assay: wrote %s, %d kB\n", r.c.err().Text(name), (size+999)/1000)
	}
}

// sources reads the runs and results that the arguments name. It skips a folder without
// runs, with a warning, unless nothing else is named.
func (r *reporter) sources(args []string) (out []runs.Source, err error) {
	var empty []string
	for _, a := range args {
		machine, name := runs.SplitName(a)
		list, err := runs.OpenAll(r.store, name)
		if err != nil {
			return nil, err
		}
		if len(list) == 0 {
			empty = append(empty, name)
		}
		for _, s := range list {
			s.Machine = machine
			out = append(out, s)
		}
	}
	if len(out) == 0 {
		return nil, assay.UsageError(assay.CodeNoRun, empty[0]+" contains no run", "assay list")
	}
	for _, name := range empty {
		r.c.skipped(name)
	}
	return out, nil
}

// skipped warns of a folder without runs.
func (c *console) skipped(name string) {
	terminal.WarningText(c.stderr, []assay.Warning{{Code: assay.CodeReportSkipped, Text: name + " contains no run; skipped"}}, c.err())
}

// grouped puts runs of one study on different platforms together.
func grouped(sources []runs.Source) (groups [][]runs.Source) {
	for _, s := range sources {
		i := slices.IndexFunc(groups, func(g []runs.Source) bool {
			return g[0].Result.StudyHash == s.Result.StudyHash && !slices.ContainsFunc(g, func(o runs.Source) bool {
				return o.Result.Platform.ID == s.Result.Platform.ID && o.Result.Run != s.Result.Run
			})
		})
		if i < 0 {
			i, groups = len(groups), append(groups, nil)
		}
		groups[i] = append(groups[i], s)
	}
	return groups
}

// severalStudies reports whether groups are of different studies, not of one study
// twice on one platform, of which the merge has its own words.
func severalStudies(groups [][]runs.Source) bool {
	return slices.ContainsFunc(groups, func(g []runs.Source) bool { return g[0].Result.StudyHash != groups[0][0].Result.StudyHash })
}

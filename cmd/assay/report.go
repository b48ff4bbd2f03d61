package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/output"
	"github.com/seed-1318a441/assay/internal/page"
	"github.com/seed-1318a441/assay/internal/runs"
	"github.com/seed-1318a441/assay/internal/terminal"
	"github.com/seed-1318a441/assay/internal/usage"
)

// A reporter is one use of assay report.
type reporter struct {
	c             *console
	store         string
	outputs       []string
	format, embed string
}

func newReport(c *console) *cobra.Command {
	r := &reporter{c: c, embed: string(page.EmbedFive)}
	cmd := &cobra.Command{
		Use:   "report [flags] [[NAME=]RUN...]",
		Short: "Write a run as a page to open, or as Markdown, CSV, JSON",
		Long: "Write a run as one HTML file that needs no other, or as Markdown, CSV, JSON or the\n" +
			"Go benchmark format. Runs of one study on several machines are one page; runs of\n" +
			"several studies are a gallery, an index and a page each, in a folder.\n" + groupHelp +
			"\nHere it may also be a result.json, or a folder of run folders.",
		Example: "  assay report                             the last run, as STUDY-RUN.html\n" +
			"  assay report -o pr.md -o page.html -o cells.csv\n" +
			"  assay report desktop=last laptop=laptop.json -o machines.html\n" +
			"  assay report studies/*/record -o site/",
	}
	storeFlag(cmd, &r.store)
	cmd.Flags().StringArrayVarP(&r.outputs, "output", "o", nil, "write `FILE`; its suffix says what: .html, .md, .csv, .json, .txt; \"-\" is stdout, a folder takes a gallery; may be repeated")
	usage.ChoiceVar(cmd.Flags(), &r.format, output.Formats, "format", "`FORMAT` where the suffix does not say: html, md, csv, json, benchfmt")
	usage.ChoiceVar(cmd.Flags(), &r.embed, []string{"five", "all", "none"}, "embed", "flame graphs and listings in a page: of the `five` largest changes, all, which also adds the samples, or none, which also leaves out series, replays and files")
	cmd.RunE = func(_ *cobra.Command, args []string) error { return r.run(args) }
	return cmd
}

func (r *reporter) run(args []string) error {
	if len(args) == 0 {
		args = []string{"last"}
	}
	sources, empty, err := runs.Sources(r.store, args)
	if err != nil {
		return err
	}
	for _, name := range empty {
		r.c.skipped(name)
	}
	groups := output.Groups(sources)
	var folders, files []string
	for _, name := range r.outputs {
		if isFolder(name) {
			folders = append(folders, name)
		} else {
			files = append(files, name)
		}
	}
	if len(folders) > 0 && r.format != "" && r.format != output.HTML {
		return assay.UsageError(assay.CodeReportStudies, fmt.Sprintf("--format %s: a gallery is of pages", r.format), "")
	}
	if len(files) > 0 || len(folders) == 0 {
		if err := r.report(groups, sources, files, args); err != nil {
			return err
		}
	}
	for _, folder := range folders {
		if err := r.gallery(folder, groups); err != nil {
			return err
		}
	}
	return nil
}

// report writes the files of -o, of runs of one study.
func (r *reporter) report(groups [][]runs.Source, sources []runs.Source, names, args []string) error {
	if err := output.OneStudy(groups, usage.Line("report", nil, args, nil)+" -o site/"); err != nil {
		return err
	}
	m, err := output.Merge(sources)
	if err != nil {
		return err
	}
	o := &output.Report{Merged: m, Sources: sources, Embed: page.Embed(r.embed)}
	if len(names) == 0 && (r.format == "" || r.format == output.HTML) {
		names = []string{output.PageName(m, "") + ".html"}
	}
	return r.c.emit(o, names, r.format)
}

// isFolder reports whether -o names a folder, which may be missing yet.
func isFolder(name string) bool {
	if strings.HasSuffix(name, "/") || strings.HasSuffix(name, string(filepath.Separator)) {
		return true
	}
	info, err := os.Stat(name)
	return name != "" && err == nil && info.IsDir()
}

// emit writes a report to files, which it reports on stderr, or to stdout if there are
// none. format is that of names without a suffix. It writes nothing if one of the formats is
// impossible.
func (c *console) emit(o *output.Report, names []string, format string) error {
	if len(names) == 0 {
		names = []string{output.Stdout}
	}
	files, err := o.Files(names, format)
	if err != nil {
		return err
	}
	for _, f := range files {
		switch {
		case f.Name != output.Stdout:
			if err = output.Write(f.Name, f.Text); err == nil {
				c.wrote(f.Name, len(f.Text))
			}
		default:
			_, err = c.stdout.Write(f.Text)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// wrote reports a file that was written.
func (c *console) wrote(name string, size int) {
	if !c.quiet {
		fmt.Fprintf(c.stderr, "assay: wrote %s, %d kB\n", c.err().Text(name), (size+999)/1000)
	}
}

// skipped warns about a folder without runs.
func (c *console) skipped(name string) {
	terminal.WarningText(c.stderr, []assay.Warning{{Code: assay.CodeReportSkipped, Text: name + " contains no run; skipped"}}, c.err())
}

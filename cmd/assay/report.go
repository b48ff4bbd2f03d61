package main

import (
	"cmp"
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
	output, card  string
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
			"  assay report -o pr.md\n" +
			"  assay report --card answer.png\n" +
			"  assay report desktop=last laptop=laptop.json -o machines.html\n" +
			"  assay report studies/*/record -o site/",
	}
	storeFlag(cmd, &r.store)
	cmd.Flags().StringVarP(&r.output, "output", "o", "", "write `FILE`; its suffix says what: .html, .md, .csv, .json, .txt, .png; \"-\" is stdout, a folder takes a gallery")
	cmd.Flags().StringVar(&r.card, "card", "", "write the answer as a picture of 1200 × 630 pixels to `FILE.png`, with no other file unless -o names one")
	usage.ChoiceVar(cmd.Flags(), &r.format, output.Formats, "format", "`FORMAT` where the suffix does not say: html, md, csv, json, benchfmt, png")
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
	if isFolder(r.output) {
		if r.format != "" && r.format != output.HTML {
			return assay.UsageError(assay.CodeReportStudies, fmt.Sprintf("--format %s: a gallery is of pages", r.format), "assay report RUN --format "+r.format)
		}
		return r.gallery(groups)
	}
	if err := output.OneStudy(groups, usage.Line("report", nil, args, nil)+" -o site/"); err != nil {
		return err
	}
	m, err := output.Merge(sources)
	if err != nil {
		return err
	}
	o := &output.Report{Merged: m, Sources: sources, Embed: page.Embed(r.embed)}
	if r.card != "" {
		if output.FormatOf(r.card) != output.PNG {
			return assay.UsageError(assay.CodeOutput, fmt.Sprintf("--card %s: a card is a PNG picture", r.card), "--card answer.png")
		}
		card := *r
		card.output, card.format = r.card, output.PNG
		if err := card.write(o); err != nil || r.output == "" && r.format == "" {
			return err
		}
	}
	return r.write(o)
}

// isFolder reports whether -o names a folder, which may be missing yet.
func isFolder(name string) bool {
	if strings.HasSuffix(name, "/") || strings.HasSuffix(name, string(filepath.Separator)) {
		return true
	}
	info, err := os.Stat(name)
	return name != "" && err == nil && info.IsDir()
}

// write writes one file: to the given name, to stdout, or to a name that it reports on
// stderr.
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
		if format == output.PNG {
			_, err := r.c.raw.Write(text)
			return err
		}
		_, err := r.c.stdout.Write(text)
		return err
	}
	if err := output.Write(name, text); err != nil {
		return err
	}
	r.say(name, len(text))
	return nil
}

// say reports a file that was written.
func (r *reporter) say(name string, size int) {
	if !r.c.quiet {
		fmt.Fprintf(r.c.stderr, "assay: wrote %s, %d kB\n", r.c.err().Text(name), (size+999)/1000)
	}
}

// skipped warns about a folder without runs.
func (c *console) skipped(name string) {
	terminal.WarningText(c.stderr, []assay.Warning{{Code: assay.CodeReportSkipped, Text: name + " contains no run; skipped"}}, c.err())
}

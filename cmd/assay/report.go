package main

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/analysis"
	"github.com/seed-1318a441/assay/internal/record"
	"github.com/seed-1318a441/assay/internal/report"
	"github.com/seed-1318a441/assay/internal/shell"
)

// A reporter is one use of assay report.
type reporter struct {
	c             *console
	store         string
	output        string
	format, embed string
}

func newReport(c *console) *cobra.Command {
	r := &reporter{c: c, embed: string(report.EmbedFive)}
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
	cmd.Flags().Var(&choice{&r.format, formats}, "format", "`FORMAT` where the suffix does not say: html, md, csv, json, benchfmt")
	cmd.Flags().Var(&choice{&r.embed, []string{"five", "all", "none"}}, "embed", "flame graphs and listings in a page: of the `five` largest changes, all, or none, which also leaves out series and files")
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
		if r.format != "" && r.format != formatHTML {
			return assay.UsageError("report-studies", fmt.Sprintf("--format %s: a gallery is of pages", r.format), "assay report RUN --format "+r.format)
		}
		return r.gallery(groups)
	}
	if len(groups) > 1 && severalStudies(groups) {
		return assay.UsageError("report-studies", fmt.Sprintf("these are runs of %d studies: a page is of one, a gallery needs a folder", len(groups)),
			"assay report "+shell.Join(args)+" -o site/")
	}
	m, err := mergeSources(sources)
	if err != nil {
		return err
	}
	return r.write(&output{merged: m, sources: sources, embed: report.Embed(r.embed)})
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
func (r *reporter) write(o *output) error {
	format := r.format
	if format == "" && r.output != "" && r.output != "-" {
		if format = formatOf(r.output); format == "" {
			return suffixError(r.output)
		}
	}
	format = cmp.Or(format, formatHTML)
	name := r.output
	if name == "" && format == formatHTML {
		name = pageName(o.merged, "") + ".html"
	}
	text, err := o.encode(format)
	if err != nil {
		return err
	}
	if name == "" || name == "-" {
		_, err := r.c.stdout.Write(text)
		return err
	}
	if err := writeOutput(name, text); err != nil {
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

// A source is a result to report, with the run that it is of.
type source struct {
	// machine is the name that the user gave the machine, "" for none.
	machine string
	// sub is the name of a run folder inside a folder of several.
	sub string
	// ref is what one types for the run.
	ref    string
	result *assay.Result
	// run is nil where there is nothing but the result.
	run *record.Run
}

// sources reads what the arguments name. What is no run is told of and left out
// where something else is left.
func (r *reporter) sources(args []string) (out []source, err error) {
	var skipped []assay.Warning
	for _, a := range args {
		machine, name := splitName(a)
		list, err := r.sourcesOf(name)
		if err != nil {
			return nil, err
		}
		if len(list) == 0 {
			skipped = append(skipped, assay.Warning{Code: "report-skipped", Text: name + " holds no run and is left out"})
		}
		for _, s := range list {
			s.machine = machine
			out = append(out, s)
		}
	}
	if len(out) == 0 {
		return nil, assay.UsageError("no-run", skipped[0].Text[:len(skipped[0].Text)-len(" and is left out")], "assay list")
	}
	report.WarningText(r.c.stderr, skipped, r.c.err())
	return out, nil
}

// sourcesOf reads what sourceOf reads, or a folder of run folders. A folder without any
// run gives none.
func (r *reporter) sourcesOf(name string) ([]source, error) {
	if info, err := os.Stat(name); err == nil && info.IsDir() && !isRun(name) && strings.ContainsAny(name, `/\.`) {
		return sourcesBelow(name)
	}
	s, err := sourceOf(r.store, name)
	return []source{s}, err
}

// sourcesBelow reads the runs in the folders of a folder. Links are not followed.
func sourcesBelow(dir string) (out []source, err error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, assay.UsageError("no-run", err.Error(), "")
	}
	for _, e := range entries {
		if sub := filepath.Join(dir, e.Name()); e.IsDir() && isRun(sub) {
			s, err := sourceOfFolder(sub, e.Name())
			if err != nil {
				return nil, err
			}
			out = append(out, s)
		}
	}
	return out, nil
}

// grouped puts runs of one study on different platforms together.
func grouped(sources []source) (groups [][]source) {
	for _, s := range sources {
		i := slices.IndexFunc(groups, func(g []source) bool {
			return g[0].result.StudyHash == s.result.StudyHash && !slices.ContainsFunc(g, func(o source) bool {
				return o.result.Platform.ID == s.result.Platform.ID && o.result.Run != s.result.Run
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
func severalStudies(groups [][]source) bool {
	return slices.ContainsFunc(groups, func(g []source) bool { return g[0].result.StudyHash != groups[0][0].result.StudyHash })
}

// mergeSources sets the machines of a page side by side; one machine is a merge
// of one, called by its CPU.
func mergeSources(sources []source) (*assay.Merged, error) {
	var results []assay.Result
	var names []string
	for _, s := range sources {
		results, names = append(results, *s.result), append(names, s.machine)
	}
	if len(sources) == 1 && names[0] == "" {
		r := sources[0].result
		names[0] = cmp.Or(r.Platform.CPU, r.Platform.GOOS, "run "+r.Run)
	}
	return analysis.Merge(results, names)
}

var notInNames = regexp.MustCompile(`[^A-Za-z0-9._+-]+`)

// pageName is a file name without suffix: STUDY-SUB, or STUDY-RUN.
func pageName(m *assay.Merged, sub string) string {
	name := m.Study
	if last := cmp.Or(sub, m.Machines[0].Result.Run); last != "" && !strings.HasSuffix(name, "-"+last) {
		name += "-" + last
	}
	name = strings.Trim(notInNames.ReplaceAllString(name, "-"), "-.")
	return cmp.Or(name[:min(len(name), 100)], "report")
}

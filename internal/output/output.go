// Package output is what becomes of a finished result: files (the page, Markdown, CSV,
// JSON and the Go benchmark format) and the outcome of a gate. The packages of the formats
// decide what each looks like.
package output

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/analysis/answer"
	"github.com/seed-1318a441/assay/internal/analysis/sample"
	"github.com/seed-1318a441/assay/internal/markdown"
	"github.com/seed-1318a441/assay/internal/page"
	"github.com/seed-1318a441/assay/internal/record"
	"github.com/seed-1318a441/assay/internal/runs"
	"github.com/seed-1318a441/assay/internal/sheet"
	"github.com/seed-1318a441/assay/internal/shell"
)

// A Report is the material of every format: the results of one study, one per machine,
// and their runs.
type Report struct {
	// Merged is not needed for the Go benchmark format alone.
	Merged  *assay.Merged
	Sources []runs.Source
	Embed   page.Embed
	// Comment says what a comment on a pull request has beside the result.
	Comment markdown.Options
}

// A File is a report in one format.
type File struct {
	// Name is Stdout for standard output.
	Name   string
	Format string
	Text   []byte
}

// Files encodes the report for each name of -o. format is that of names without a suffix.
func (o *Report) Files(names []string, format string) (out []File, err error) {
	for _, name := range names {
		f := File{Name: name}
		if f.Format, err = formatFor(name, format); err != nil {
			return nil, err
		}
		out = append(out, f)
	}
	for i := range out {
		if out[i].Text, err = o.Encode(out[i].Format); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// WriteAll writes the files of -o. run is nil for results read from files.
func WriteAll(names []string, r *assay.Result, run *record.Run) error {
	if len(names) == 0 {
		return nil
	}
	sources := []runs.Source{{Ref: r.Run, Result: r, Run: run}}
	m, err := Merge(sources)
	if err != nil {
		return err
	}
	return (&Report{Merged: m, Sources: sources, Embed: page.EmbedFive}).WriteAll(names)
}

// WriteAll writes the files of -o.
func (o *Report) WriteAll(names []string) error {
	files, err := o.Files(names, "")
	if err != nil {
		return err
	}
	for _, f := range files {
		if err := Write(f.Name, f.Text); err != nil {
			return err
		}
	}
	return nil
}

// Encode returns the report in a format.
func (o *Report) Encode(format string) ([]byte, error) {
	if format == Benchfmt && len(o.Sources) == 1 {
		return o.samples()
	}
	var b bytes.Buffer
	var err error
	only := &o.Merged.Machines[0].Result
	switch several := len(o.Merged.Machines) > 1; {
	case format == HTML:
		var p *page.Page
		if p, err = o.Page(); err == nil {
			err = page.HTML(&b, p, o.Embed)
		}
	case format == JSON && several:
		err = sheet.WriteJSON(&b, o.Merged)
	case format == JSON:
		err = sheet.WriteJSON(&b, only)
	case format == Markdown && several:
		err = markdown.WriteMerged(&b, o.Merged, o.Comment)
	case format == Markdown:
		err = markdown.Write(&b, only, o.Comment)
	case several:
		return nil, assay.UsageError(assay.CodeOutput, fmt.Sprintf("%s is written of one run; these are %d", format, len(o.Merged.Machines)), "-o report.html, or -o merged.json")
	default:
		err = sheet.WriteCSV(&b, only)
	}
	return b.Bytes(), err
}

// samples returns the complete blocks of the only run in the Go benchmark format.
func (o *Report) samples() ([]byte, error) {
	run := o.Sources[0].Run
	if run == nil {
		return nil, assay.UsageError(assay.CodeOutput, "the Go benchmark format is written of a measured run only", "-o result.json")
	}
	var b bytes.Buffer
	err := run.Export(&b)
	return b.Bytes(), err
}

// Page returns the report's page: the results and what belongs to the runs.
func (o *Report) Page() (*page.Page, error) {
	p := page.New(o.Merged, "assay "+assay.Version())
	for i, m := range o.Merged.Machines {
		s := o.sourceOf(m)
		if i == 0 {
			p.Commands = commandsOf(s)
		}
		if s.Run == nil {
			continue
		}
		series, left := sample.BlockSeries(s.Run.Plan, s.Run.Blocks())
		for j := range series {
			series[j].Machine = i
		}
		p.Series = append(p.Series, series...)
		if o.Embed != page.EmbedNone && len(m.Result.Tables) > 0 {
			if x := runs.Replay(s.Run, answer.LeadOf(&m.Result).Table.Metric.Name); x != nil {
				p.Replays = append(p.Replays, page.NewReplay(i, &m.Result, x))
			}
		}
		if len(p.Method) == 0 {
			p.Method = page.Method(s.Run.Plan)
		}
		if left > 0 {
			p.Method = append(p.Method, fmt.Sprintf("run charts are of the first %d benchmarks and of the geomean; the record has all %d", len(s.Run.Plan.Benchmarks)-left, len(s.Run.Plan.Benchmarks)))
		}
		files, err := filesOf(s, i == 0, o.Embed == page.EmbedAll)
		if err != nil {
			return nil, err
		}
		p.Files = append(p.Files, files...)
	}
	return p, nil
}

// sourceOf returns the source of a machine's result.
func (o *Report) sourceOf(m assay.Machine) runs.Source {
	i := slices.IndexFunc(o.Sources, func(s runs.Source) bool {
		return s.Result.Run == m.Result.Run && s.Result.Created.Equal(m.Result.Created) && s.Result.Platform.ID == m.Result.Platform.ID
	})
	return o.Sources[max(i, 0)]
}

// commandsOf returns the commands that repeat, print and explain a run. They work for
// whoever reads the page: its author's paths are not in them.
func commandsOf(s runs.Source) []page.Command {
	out := []page.Command{}
	add := func(what, line string) {
		if line != "" {
			out = append(out, page.Command{What: what, Line: line})
		}
	}
	again, there := page.Portable(s.Result.Command)
	if there {
		add("measure it again, in the folder of the study", again)
	} else {
		add("measure it again", again)
	}
	if s.Run != nil {
		run := shell.Quote(s.Run.Plan.Run)
		add("print it, from the download", "assay show "+run+"-result.json")
		add("ask why, where the run is kept", "assay explain "+run)
	}
	return out
}

// filesOf returns a run's files for its page: the study, the platform, and if wanted the
// samples in the Go benchmark format, for which the page has a command otherwise.
func filesOf(s runs.Source, study, samples bool) (out []page.File, err error) {
	if study && len(s.Run.Study) > 0 {
		out = append(out, page.File{Name: "study.toml", Text: string(s.Run.Study)})
	}
	id := s.Run.Plan.Run
	if samples {
		text, err := (&Report{Sources: []runs.Source{s}}).samples()
		if err != nil {
			return nil, err
		}
		out = append(out, page.File{Name: id + "-results.txt", Text: string(text)})
	}
	platform, err := json.MarshalIndent(s.Run.Platform, "", "  ")
	if err != nil {
		return nil, err
	}
	return append(out, page.File{Name: id + "-environment.json", Text: string(platform) + "\n"}), nil
}

// Merge puts the results of machines side by side. A single machine is named by its CPU.
func Merge(sources []runs.Source) (*assay.Merged, error) {
	if r := sources[0].Result; len(sources) == 1 && sources[0].Machine == "" {
		sources = []runs.Source{sources[0]}
		sources[0].Machine = cmp.Or(r.Machine, r.Platform.CPU, r.Platform.GOOS, "run "+r.Run)
	}
	return runs.MergeSources(sources)
}

// OneStudy returns an error for groups of several studies; try is a command that makes a
// gallery of them. For groups of one study, measured twice on one platform, the merge has
// its own error.
func OneStudy(groups [][]runs.Source, try string) error {
	if !slices.ContainsFunc(groups, func(g []runs.Source) bool { return g[0].Result.StudyHash != groups[0][0].Result.StudyHash }) {
		return nil
	}
	return assay.UsageError(assay.CodeReportStudies, fmt.Sprintf("these are runs of %d studies: a page is of one, a gallery needs a folder", len(groups)), try)
}

// Groups puts runs of one study on different platforms into one group.
func Groups(sources []runs.Source) (groups [][]runs.Source) {
	for _, s := range sources {
		i := slices.IndexFunc(groups, func(g []runs.Source) bool {
			return g[0].Result.StudyHash == s.Result.StudyHash && !slices.ContainsFunc(g, func(o runs.Source) bool {
				return o.Result.Platform.Is(s.Result.Platform) && o.Result.Run != s.Result.Run
			})
		})
		if i < 0 {
			i, groups = len(groups), append(groups, nil)
		}
		groups[i] = append(groups[i], s)
	}
	return groups
}

// PageName returns a file name without suffix: STUDY-SUB, or STUDY-RUN.
func PageName(m *assay.Merged, sub string) string {
	name := m.Study
	if last := cmp.Or(sub, m.Machines[0].Result.Run); last != "" && !strings.HasSuffix(name, "-"+last) {
		name += "-" + last
	}
	name = strings.Trim(notInNames.ReplaceAllString(name, "-"), "-.")
	return cmp.Or(name[:min(len(name), 100)], "report")
}

var notInNames = regexp.MustCompile(`[^A-Za-z0-9._+-]+`)

package main

import (
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/analysis"
	"github.com/seed-1318a441/assay/internal/collect"
	"github.com/seed-1318a441/assay/internal/collect/gctrace"
	"github.com/seed-1318a441/assay/internal/report"
	"github.com/seed-1318a441/assay/internal/sheet"
	"github.com/seed-1318a441/assay/internal/shell"
	"github.com/seed-1318a441/assay/internal/terminal"
)

func newGC(c *console) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "gc [flags] [NAME=]FILE...",
		Short: "Read logs of the garbage collector (GODEBUG=gctrace=1), and compare them",
		Long: "Read what a Go program printed under GODEBUG=gctrace=1, whatever else is in the\n" +
			"log, and print what its garbage collector did. Of several logs the first is the\n" +
			"base; those that have one NAME are runs of one variant. FILE \"-\" is the standard\n" +
			"input. There are no verdicts: nothing pairs the logs.",
		Example: "  GODEBUG=gctrace=1 ./server 2>gc.txt\n  assay gc gc.txt\n  assay gc old=a1.txt old=a2.txt new=b1.txt new=b2.txt",
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the result as JSON")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		logs, err := readGCLogs(cmd.InOrStdin(), args)
		if err != nil {
			return err
		}
		r := gcResult(logs)
		r.Command = shell.Join(append([]string{"assay", "gc"}, args...))
		if asJSON {
			return report.JSON(c.stdout, r)
		}
		return printGC(c, logs, r)
	}
	return cmd
}

// A gcLog is one log that was read.
type gcLog struct {
	name, variant string
	gctrace.Summary
	notes []string
	// Sums and extremes of the cycles that were not forced.
	pause, assist, worker, idle float64
	heapMin, heapMax            uint64
}

func (l *gcLog) add(c assay.GCCycle) {
	l.Add(c)
	if c.Forced {
		return
	}
	l.pause += c.SweepPause + c.MarkPause
	l.assist += c.AssistCPU
	l.worker += c.BackgroundCPU
	l.idle += c.IdleCPU
	l.heapMax = max(l.heapMax, c.HeapStart, c.HeapEnd)
	if n, _ := l.Cycles(); n == 1 {
		l.heapMin = c.HeapStart
	}
	l.heapMin = min(l.heapMin, c.HeapStart, c.Live)
}

// What a log says as a whole.
const (
	gcCycles = assay.GCPrefix + "cycles"
	gcForced = assay.GCPrefix + "forced-cycles"
	gcSpan   = assay.GCPrefix + "span-sec"
	gcPaused = assay.GCPrefix + "pause-total-sec"
	gcMin    = assay.GCPrefix + "heap-min-bytes"
	gcMax    = assay.GCPrefix + "heap-max-bytes"
)

// gcMetrics are in the order of the table.
var gcMetrics = []string{
	gcCycles, gcForced, gcSpan, assay.MetricGCCyclesMin,
	assay.MetricGCSweepPause, assay.MetricGCMark, assay.MetricGCMarkPause,
	assay.MetricGCPauseP50, assay.MetricGCPauseP99, gcPaused, assay.MetricGCPauseMin,
	assay.MetricGCMarkCPU, assay.MetricGCAssistCPU, assay.MetricGCWorkerCPU, assay.MetricGCIdleCPU,
	assay.MetricGCAlloc, assay.MetricGCLive, gcMin, gcMax,
}

// values are the metrics of a log. It has no CPU time of the process.
func (l *gcLog) values() map[string]float64 {
	v := l.Values(gctrace.Over{Seconds: l.Span()})
	free, forced := l.Cycles()
	v[gcCycles], v[gcForced], v[gcSpan] = float64(free), float64(forced), l.Span()
	if free == 0 {
		return v
	}
	v[gcPaused] = l.pause
	v[gcMin], v[gcMax] = float64(l.heapMin), float64(l.heapMax)
	return v
}

// readGCLogs reads the logs that the arguments name.
func readGCLogs(stdin io.Reader, args []string) ([]*gcLog, error) {
	if len(args) == 0 {
		return nil, gcLogError("name the logs to be read")
	}
	var logs []*gcLog
	for _, a := range args {
		variant, name := splitName(a)
		l := &gcLog{name: name, variant: variant}
		if variant == "" {
			l.variant = name
		}
		if err := l.readFrom(stdin); err != nil {
			return nil, err
		}
		logs = append(logs, l)
	}
	return logs, nil
}

func (l *gcLog) readFrom(r io.Reader) error {
	if l.name != "-" {
		f, err := os.Open(l.name)
		if err != nil {
			return gcLogError(err.Error())
		}
		defer f.Close()
		r = f
	}
	var err error
	if l.notes, err = gctrace.Read(r, l.add); err != nil {
		return gcLogError(err.Error())
	}
	if free, forced := l.Cycles(); free+forced == 0 {
		return gcLogError("read " + l.name + ": no line of a gctrace in it")
	}
	return nil
}

func gcLogError(text string) error {
	return assay.UsageError("gc-log", text, "GODEBUG=gctrace=1 ./program 2>gc.txt; assay gc gc.txt")
}

// gcResult compares the logs as package analysis does what was not measured
// together.
func gcResult(logs []*gcLog) *assay.Result {
	s := &assay.Samples{Mixed: []string{"nothing pairs one log with another"}}
	for _, l := range logs {
		s.Names = append(s.Names, l.name)
		if !slices.Contains(s.Variants, l.variant) {
			s.Variants = append(s.Variants, l.variant)
		}
	}
	for _, m := range gcMetrics {
		samples := gcSamples(logs, s.Variants, m)
		if len(samples) > 0 {
			s.Metrics = append(s.Metrics, assay.Metric{Name: m, Better: assay.KnownBetter(m)})
			s.Samples = append(s.Samples, samples...)
		}
	}
	var study assay.Study
	study.SetDefaults()
	// Every metric decides, so that the tables keep their order.
	study.Decide.Metrics = gcMetrics
	r := analysis.FromSamples(s, study.Decide)
	if len(s.Variants) == 1 {
		r.Warnings, r.Answer = nil, assay.Answer{}
	}
	for i := range r.Warnings {
		r.Warnings[i].Try = `assay run study.toml   with collect = ["gc"] under [measure]`
	}
	r.Warnings = append(r.Warnings, gcNotes(logs)...)
	return r
}

// gcSamples are the values of a metric by variant, one a log.
func gcSamples(logs []*gcLog, variants []string, metric string) []assay.Sample {
	var out []assay.Sample
	for _, name := range variants {
		x := assay.Sample{Benchmark: assay.Benchmark{Name: "gctrace"}, Variant: name, Metric: metric}
		for _, l := range logs {
			if v, ok := l.values()[metric]; ok && l.variant == name {
				x.Values = append(x.Values, v)
			}
		}
		if len(x.Values) > 0 {
			out = append(out, x)
		}
	}
	return out
}

// gcNotes tells what was not understood.
func gcNotes(logs []*gcLog) []assay.Warning {
	var out []assay.Warning
	for _, l := range logs {
		if len(l.notes) > 0 {
			out = append(out, assay.Warning{Code: "gc-lines", Text: "not everything in " + l.name + " was understood", Facts: l.notes})
		}
	}
	return out
}

// printGC prints a table with a column a variant.
func printGC(c *console, logs []*gcLog, r *assay.Result) error {
	var text strings.Builder
	t := tabwriter.NewWriter(&text, 0, 8, 2, ' ', 0)
	line := func(cells ...string) { fmt.Fprintln(t, strings.Join(cells, "\t")) }
	head, several := []string{""}, len(logs) > len(r.Variants)
	for i, v := range r.Variants {
		head = append(head, collect.OneLine(v.Name))
		if i > 0 {
			head = append(head, "") // of the change
		}
	}
	line(head...)
	if several {
		line(eachVariant(r, "logs", func(v string) string { return fmt.Sprint(len(logsOf(logs, v))) })...)
	}
	for _, table := range r.Tables {
		line(gcRow(table, c.out())...)
		if table.Metric.Name == assay.MetricGCIdleCPU {
			line(eachVariant(r, "assists, workers, idle", func(v string) string { return markSplit(logsOf(logs, v)) })...)
		}
	}
	if err := t.Flush(); err != nil {
		return err
	}
	if several {
		fmt.Fprintf(&text, "\nmedians over the logs; from eight logs on with the %g %% interval\n", 100*r.Rule.Confidence)
	}
	for line := range strings.Lines(text.String()) {
		c.print(strings.TrimRight(line, " \n"))
	}
	terminal.WarningText(c.stderr, r.Warnings, c.err())
	return nil
}

// eachVariant is a line that has no changes.
func eachVariant(r *assay.Result, label string, text func(variant string) string) []string {
	cells := []string{label}
	for i, v := range r.Variants {
		cells = append(cells, text(v.Name))
		if i > 0 {
			cells = append(cells, "")
		}
	}
	return cells
}

func logsOf(logs []*gcLog, variant string) []*gcLog {
	return slices.DeleteFunc(slices.Clone(logs), func(l *gcLog) bool { return l.variant != variant })
}

// gcRow is the line of a metric.
func gcRow(t assay.Table, style terminal.Style) []string {
	row := t.Rows[0]
	cells := []string{t.Metric.Name, gcValue(t.Metric, row.Base, row.Spread)}
	for _, x := range row.Cells {
		if x.N == 0 {
			cells = append(cells, "", "")
			continue
		}
		change := ""
		if row.Base != 0 {
			change = style.Text(sheet.Change(x.Change, min(0.001, assay.Change(math.Abs(float64(x.Change))))))
		}
		cells = append(cells, gcValue(t.Metric, x.Value, x.Spread), change)
	}
	return cells
}

// gcValue is a value with its interval. The trace has two digits or three.
func gcValue(m assay.Metric, v float64, spread *assay.Spread) string {
	rel := 0.01
	if m.Name == gcCycles || m.Name == gcForced {
		rel = 0
	}
	text := sheet.Value(m, v, rel)
	if spread == nil {
		return text
	}
	return text + " [" + sheet.Value(m, spread.Lo, rel) + ", " + sheet.Value(m, spread.Hi, rel) + "]"
}

// markSplit is how the CPU time of the marks is split, over all logs.
func markSplit(logs []*gcLog) string {
	var assist, worker, idle float64
	for _, l := range logs {
		assist, worker, idle = assist+l.assist, worker+l.worker, idle+l.idle
	}
	all := assist + worker + idle
	if all == 0 {
		return ""
	}
	return fmt.Sprintf("%.0f, %.0f, %.0f %%", 100*assist/all, 100*worker/all, 100*idle/all)
}

package gclog

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/analysis"
	"github.com/seed-1318a441/assay/internal/collect/gctrace"
	"github.com/seed-1318a441/assay/internal/runs"
)

// A Log is a log that was read.
type Log struct {
	name, variant string
	gctrace.Summary
	notes []string
	// Sums and extremes over the cycles that were not forced.
	pause, assist, worker, idle float64
	heapMin, heapMax            uint64
}

func (l *Log) add(c assay.GCCycle) {
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

// The metrics of a whole log.
const (
	cycles       = assay.GCPrefix + "cycles"
	forcedCycles = assay.GCPrefix + "forced-cycles"
	span         = assay.GCPrefix + "span-sec"
	paused       = assay.GCPrefix + "pause-total-sec"
	heapMin      = assay.GCPrefix + "heap-min-bytes"
	heapMax      = assay.GCPrefix + "heap-max-bytes"
)

// metrics are all metrics, in the order of the table.
var metrics = []string{
	cycles, forcedCycles, span, assay.MetricGCCyclesMin,
	assay.MetricGCSweepPause, assay.MetricGCMark, assay.MetricGCMarkPause,
	assay.MetricGCPauseP50, assay.MetricGCPauseP99, paused, assay.MetricGCPauseMin,
	assay.MetricGCMarkCPU, assay.MetricGCMarkMB, assay.MetricGCAssistCPU, assay.MetricGCWorkerCPU, assay.MetricGCIdleCPU,
	assay.MetricGCAlloc, assay.MetricGCLive, heapMin, heapMax,
}

// values returns the metrics of a log. It does not know the CPU time of the process.
func (l *Log) values() map[string]float64 {
	v := l.Values(gctrace.Over{Seconds: l.Span()})
	free, forced := l.Cycles()
	v[cycles], v[forcedCycles], v[span] = float64(free), float64(forced), l.Span()
	if free == 0 {
		return v
	}
	v[paused] = l.pause
	v[heapMin], v[heapMax] = float64(l.heapMin), float64(l.heapMax)
	return v
}

// Read reads the logs that args name.
func Read(stdin io.Reader, args []string) ([]*Log, error) {
	if len(args) == 0 {
		return nil, logError("name the logs to be read")
	}
	var logs []*Log
	for _, a := range args {
		variant, name := runs.SplitName(a)
		l := &Log{name: name, variant: variant}
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

func (l *Log) readFrom(r io.Reader) error {
	if l.name != "-" {
		f, err := os.Open(l.name)
		if err != nil {
			return logError(err.Error())
		}
		defer f.Close()
		r = f
	}
	var err error
	if l.notes, err = gctrace.Read(r, l.add); errors.Is(err, gctrace.ErrBuild) {
		e := logError("read " + l.name + ": " + err.Error())
		e.Facts = []string{"GODEBUG=gctrace=1 before go test or go run is in effect for the build, too",
			"build first, with go test -c -o p.test; then GODEBUG=gctrace=1 ./p.test -test.bench=. 2>gc.txt"}
		return e
	} else if err != nil {
		return logError(err.Error())
	}
	if free, forced := l.Cycles(); free+forced == 0 {
		return logError("read " + l.name + ": no line of a gctrace in it")
	}
	return nil
}

func logError(text string) *assay.Error {
	return assay.UsageError(assay.CodeGCLog, text, "GODEBUG=gctrace=1 ./program 2>gc.txt; assay gc gc.txt")
}

// Compare compares the logs, as results that were not measured together.
func Compare(logs []*Log) *assay.Result {
	s := &assay.Samples{Mixed: []string{"nothing pairs one log with another"}}
	for _, l := range logs {
		s.Names = append(s.Names, l.name)
		if !slices.Contains(s.Variants, l.variant) {
			s.Variants = append(s.Variants, l.variant)
		}
	}
	for _, m := range metrics {
		samples := samplesOf(logs, s.Variants, m)
		if len(samples) > 0 {
			s.Metrics = append(s.Metrics, assay.Metric{Name: m, Better: assay.KnownBetter(m)})
			s.Samples = append(s.Samples, samples...)
		}
	}
	var study assay.Study
	study.SetDefaults()
	// Every metric decides, to keep the tables in order.
	study.Decide.Metrics = metrics
	r := analysis.FromSamples(s, study.Decide)
	if len(s.Variants) == 1 {
		r.Warnings, r.Answer = nil, assay.Answer{}
	}
	for i := range r.Warnings {
		r.Warnings[i].Advice = `a study with collect = ["gc"] under [measure], and assay run`
	}
	r.Warnings = append(r.Warnings, notesOf(logs)...)
	return r
}

// samplesOf returns the values of a metric by variant, one per log.
func samplesOf(logs []*Log, variants []string, metric string) []assay.Sample {
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

// notesOf returns warnings about lines that assay did not understand.
func notesOf(logs []*Log) []assay.Warning {
	var out []assay.Warning
	for _, l := range logs {
		if len(l.notes) > 0 {
			out = append(out, assay.Warning{Code: assay.CodeGCLines, Text: "not everything in " + l.name + " was understood", Facts: l.notes})
		}
	}
	return out
}

// ofVariant returns the logs of a variant.
func ofVariant(logs []*Log, variant string) []*Log {
	return slices.DeleteFunc(slices.Clone(logs), func(l *Log) bool { return l.variant != variant })
}

// markSplit returns how the CPU time of marking is split, over all logs.
func markSplit(logs []*Log) string {
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

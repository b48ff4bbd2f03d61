package record

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/seed-1318a441/assay"
)

// Export writes the run's complete blocks, without the pilot, in the Go benchmark format,
// with each trial's variant as configuration. Traced trials are among the others: nothing
// else has their observations, so the samples read back are the same.
//
// The block and the trial are written as "# block: 3", which Import understands and other
// readers skip. As configuration lines they would make benchstat print a table per trial,
// since it splits tables by every unknown key.
func (r *Run) Export(w io.Writer) error {
	e := exporter{w: bufio.NewWriter(w), last: map[string]string{}}
	e.header(r)
	for _, block := range r.Blocks() {
		for _, t := range baseFirst(r.Plan, block) {
			// A line needs values; a traced trial may have seen no cycle.
			if !t.Pilot && t.Status == assay.StatusOK && len(t.Observations) > 0 {
				e.trial(r, t)
			}
		}
	}
	return e.w.Flush()
}

// baseFirst orders a block's trials as in the plan, but the base first, as benchstat
// needs.
func baseFirst(p *assay.Plan, block []assay.Trial) []assay.Trial {
	rank := map[string]int{p.Study.Base: -1}
	for i, v := range p.Variants {
		if v.Name != p.Study.Base {
			rank[v.Name] = i
		}
	}
	block = slices.Clone(block)
	slices.SortStableFunc(block, func(a, b assay.Trial) int { return rank[a.Variant] - rank[b.Variant] })
	return block
}

type exporter struct {
	w    *bufio.Writer
	last map[string]string // last written value of each key
}

// set writes a key when its value changed, as the format intends.
func (e *exporter) set(prefix, key, value string) {
	if e.last[key] == value {
		return
	}
	e.last[key] = value
	fmt.Fprintf(e.w, "%s%s: %s\n", prefix, key, oneLine(value))
}

func oneLine(s string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) { // U+2028 ends lines, too
			return ' '
		}
		return r
	}, s)
}

func (e *exporter) header(r *Run) {
	e.set("", "goos", r.Platform.GOOS)
	e.set("", "goarch", r.Platform.GOARCH)
	e.set("", "emulated", r.Platform.Emulated)
	e.set("", "cpu", r.Platform.CPU)
	e.set("# ", "run", r.Plan.Run)
	e.set("# ", "base", r.Plan.Study.Base)
	e.set("# ", "control", r.Plan.ControlVariant())
	for _, m := range r.Plan.Metrics {
		if m.Better != assay.BetterUnknown && assay.KnownBetter(m.Name) == assay.BetterUnknown {
			fmt.Fprintf(e.w, "Unit %s better=%s\n", m.Name, m.Better)
		}
	}
}

func (e *exporter) trial(r *Run, t assay.Trial) {
	e.set("", "pkg", t.Benchmark.Package)
	e.set("", "variant", t.Variant)
	e.set("# ", "block", strconv.Itoa(t.Block))
	e.set("# ", "layout", strconv.FormatUint(t.Layout, 10))
	e.set("# ", "trial", strconv.Itoa(t.ID))
	suffix := ""
	if n := procs(r, t); n > 0 {
		e.set("# ", "procs", strconv.Itoa(n))
		if n > 1 {
			suffix = "-" + strconv.Itoa(n)
		}
	}
	fmt.Fprintf(e.w, "%s%s %d", assay.BenchmarkFunction(t.Benchmark.Name), suffix, t.N)
	for _, m := range slices.SortedFunc(maps.Keys(t.Observations), timeFirst) {
		text, unit := untidy(t.Observations[m], m)
		fmt.Fprintf(e.w, " %s %s", text, unit)
	}
	fmt.Fprintln(e.w)
}

// procs is the GOMAXPROCS of a Go benchmark, which package testing adds to its name where it
// is not 1, so that benchstat joins an export with other files; 0 of other workloads.
func procs(r *Run, t assay.Trial) int {
	b, _ := r.Plan.Planned(t.Benchmark)
	w, procs := r.Plan.Study.Workloads[b.Workload], cmp.Or(r.Plan.Study.Measure.GOMAXPROCS, r.Platform.Procs, r.Platform.CPUs)
	v, _ := r.Plan.Variant(t.Variant)
	for _, env := range []map[string]string{w.Env, v.Env} {
		if n, err := strconv.Atoi(env["GOMAXPROCS"]); err == nil {
			procs = n
		}
	}
	if w.Kind != assay.KindGoTest {
		return 0
	}
	return procs
}

// timeFirst sorts metrics with sec/op first, like the testing package.
func timeFirst(a, b string) int {
	switch {
	case a == b:
		return 0
	case a == assay.MetricTime:
		return -1
	case b == assay.MetricTime:
		return 1
	}
	return strings.Compare(a, b)
}

// untidy converts sec/op back to ns/op and B/s to MB/s, digit for digit.
func untidy(v float64, metric string) (text, unit string) {
	switch metric {
	case assay.MetricTime:
		return shift(v, 9), "ns/op"
	case assay.MetricRate:
		return shift(v, -6), "MB/s"
	}
	return strconv.FormatFloat(v, 'g', -1, 64), metric
}

// shift multiplies by a power of ten in decimal: 7.12e-09 becomes 7.12, not 7.1199999999.
func shift(v float64, by int) string {
	mantissa, exp, ok := strings.Cut(strconv.FormatFloat(v, 'e', -1, 64), "e")
	e, err := strconv.Atoi(exp)
	if !ok || err != nil {
		return strconv.FormatFloat(v, 'g', -1, 64) // NaN, Inf
	}
	shifted, err := strconv.ParseFloat(fmt.Sprintf("%se%d", mantissa, e+by), 64)
	if err != nil {
		return strconv.FormatFloat(v, 'g', -1, 64)
	}
	return strconv.FormatFloat(shifted, 'f', -1, 64)
}

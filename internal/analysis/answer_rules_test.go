package analysis

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/analysis/answer"
	"github.com/seed-1318a441/assay/internal/record"
)

// family has the metrics of one resource: of these an answer names the cost that is largest.
var family = map[string]string{
	assay.MetricTime: "time", assay.MetricRate: "time", assay.MetricUser: "CPU", assay.MetricServerCPU: "CPU",
	assay.MetricRSS: "memory", assay.MetricMeanRSS: "memory", assay.MetricBytes: "bytes", assay.MetricAllocs: "allocs",
	assay.MetricRequests: "rate", assay.MetricErrors: "errors", "latency.p50": "latency", "latency.p90": "latency", "latency.p99": "latency",
}

// nounsOf are the words of a family in a sentence.
var nounsOf = map[string][]string{
	"time": {"time", "throughput", "except "}, "CPU": {"user CPU", "CPU"}, "memory": {"peak memory", "mean memory"}, "bytes": {"B/op"},
	"allocs": {"allocs/op"}, "rate": {"tx/s"}, "errors": {"errors"}, "latency": {" latency"},
}

// broken lists the rules that an answer breaks, whatever it is about:
//
//   - what is recommended is beaten by nothing;
//   - every proved cost of it that is above the minimum effect is named;
//   - no sentence denies a change of a metric of which one is proved;
//   - what is said of a count names its variant.
func broken(r *assay.Result) (out []string) {
	say := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	a, text := r.Answer, strings.Join(append(slices.Clone(r.Answer.Text), r.Answer.Cost...), "\n")
	for _, p := range pointsOf(r) {
		if p.Variant == a.Use && p.Beaten != "" {
			say("use %s, which %s beats", a.Use, p.Beaten)
		}
	}
	if a.Use != "" && a.Use != r.Base {
		for _, tab := range r.Tables {
			nouns := nounsOf[family[tab.Metric.Name]]
			named := slices.ContainsFunc(nouns, func(n string) bool { return strings.Contains(text, n) })
			if c, bad := costOf(tab, a.Use); bad && len(nouns) > 0 && !named {
				say("%s costs %s %s in %q, which nothing names", a.Use, tab.Metric.Name, c.Change.Format(0), c.Benchmark.Name)
			}
		}
	}
	for _, line := range a.Text {
		for _, tab := range r.Tables {
			if c, ok := denied(r, line, tab); ok && !strings.Contains(text, "proved on ") && !strings.Contains(text, " for the better, ") {
				say("%q, and %s of %s %s is proved on %s", line, tab.Metric.Name, c.Variant, c.Change.Format(0), c.Benchmark.Name)
			}
		}
		if what, ok := strings.CutPrefix(line, "proved: "); ok || strings.HasPrefix(line, "so far: ") {
			if !slices.ContainsFunc(r.Variants, func(v assay.VariantResult) bool {
				return strings.Contains(what+line, " of "+answer.Subject(v.Name)+" ")
			}) {
				say("%q names no variant", line)
			}
		}
	}
	return out
}

func pointsOf(r *assay.Result) []assay.TradeoffPoint {
	if r.Tradeoff == nil {
		return nil
	}
	return r.Tradeoff.Points
}

// costOf is a proved cost of a variant above the minimum effect: on the whole, or on a
// benchmark if nothing is proved on the whole.
func costOf(tab assay.Table, variant string) (c assay.Comparison, bad bool) {
	head, ok := answer.Find(answer.Headlines(tab), variant)
	if ok && head.Verdict.Differs() {
		return head, head.Verdict.Bad() && !head.MayBeSmall
	}
	for c := range answer.Column(tab, variant) {
		if c.Verdict.Bad() && !c.MayBeSmall {
			return c, true
		}
	}
	return c, false
}

// denied is a proved change above the minimum effect that a line says is none: of its
// variants, or of all where it names none.
func denied(r *assay.Result, line string, tab assay.Table) (c assay.Comparison, found bool) {
	keep := strings.HasPrefix(line, "keep ") && strings.Contains(line, " the same")
	metrics, variants := line, line
	switch {
	case keep:
		_, variants, _ = strings.Cut(line, ": ")
		if _, about, several := strings.Cut(line, " in "); several {
			metrics = about
		} else {
			metrics = strings.Join(nounsOf[family[r.Tables[0].Metric.Name]], " ")
		}
	case !strings.Contains(line, "no change") && !strings.Contains(line, "no effect"):
		return c, false
	case strings.Contains(line, " among "):
		_, variants, _ = strings.Cut(line, " among ")
	}
	if !slices.ContainsFunc(nounsOf[family[tab.Metric.Name]], func(n string) bool { return strings.Contains(metrics, strings.TrimSpace(n)) }) {
		return c, false
	}
	all := slices.Clone(tab.Geomean)
	for _, row := range tab.Rows {
		all = append(all, row.Cells...)
	}
	for _, c := range all {
		named := variants == line || strings.Contains(variants, "all variants") || slices.Contains(strings.FieldsFunc(variants, func(x rune) bool { return x == ' ' || x == ',' }), c.Variant)
		if named && c.Verdict.Differs() && !c.MayBeSmall {
			return c, true
		}
	}
	return c, false
}

// costly is a result of two or three variants on some benchmarks, which differ in time, in
// memory and in allocations, on all of them or on one, after a few blocks or many.
func costly(seed uint64) *assay.Result {
	r := rand.New(rand.NewPCG(seed, 17))
	variants, benchmarks := []string{"a", "b", "c"}[:2+r.IntN(2)], []string{"X", "Y", "Z"}[:1+r.IntN(3)]
	w := newWorld(benchmarks, append(slices.Clone(variants), assay.ControlName)...)
	w.plan.Study.Decide.MaxBlocks = []int{1, 3, 8, 12}[r.IntN(4)]
	w.plan.Metrics = []assay.Metric{{Name: assay.MetricTime, Better: assay.BetterLower, MinEffect: 0.01}, {Name: assay.MetricRSS, Better: assay.BetterLower, MinEffect: 0.01},
		{Name: assay.MetricAllocs, Better: assay.BetterLower, MinEffect: 0.01}}
	switch r.IntN(4) {
	case 0:
		w.plan.Study.Decide.Tradeoff = []string{assay.MetricTime, assay.MetricRSS}
	case 1:
		w.plan.Study.Decide.Metrics = []string{assay.MetricTime, assay.MetricAllocs}
	}
	effect := map[string]float64{} // of a metric of a variant on a benchmark
	for _, m := range []string{assay.MetricTime, assay.MetricRSS, assay.MetricAllocs} {
		for _, v := range variants[1:] {
			x := []float64{0, 0, -0.2, 0.2}[r.IntN(4)]
			only := r.IntN(3 * len(benchmarks)) // one of them, or beyond for all, or for two both ways
			for i, b := range benchmarks {
				switch {
				case only >= 2*len(benchmarks) && i < 2:
					effect[m+v+b] = []float64{x, -x}[i]
				case only == i || only >= len(benchmarks):
					effect[m+v+b] = x
				}
			}
		}
	}
	w.f = func(v, b string, _ int) map[string]float64 {
		return map[string]float64{assay.MetricTime: 1e-6 * math.Exp(effect[assay.MetricTime+v+b]+0.003*r.NormFloat64()),
			assay.MetricRSS:    1e8 * math.Exp(effect[assay.MetricRSS+v+b]+0.003*r.NormFloat64()),
			assay.MetricAllocs: math.Round(20 * math.Exp(effect[assay.MetricAllocs+v+b]))}
	}
	t := NewTracker(w.plan, time.Hour)
	return t.Result(assay.Platform{}, w.run(t))
}

// The answers of 200 made studies and of all that are stored keep the rules.
func TestAnswersKeepTheRules(t *testing.T) {
	uses, costs, soFar := 0, 0, 0
	for seed := range uint64(200) {
		r := costly(seed)
		text := strings.Join(r.Answer.Text, "\n")
		uses += btoi(r.Answer.Use != "" && r.Answer.Use != r.Base)
		costs += btoi(len(r.Answer.Cost) > 0)
		soFar += btoi(strings.Contains(text, "so far: "))
		for _, rule := range broken(r) {
			t.Errorf("study %d: %s\n%s", seed, rule, text)
		}
	}
	for seed := range uint64(12) { // what three switches do, on the whole and on one of two benchmarks
		w := factorWorld(seed, factorStudy(t), map[string]float64{}, 0, "A", "B")
		noise := w.f
		w.f = func(v, b string, block int) map[string]float64 {
			out := noise(v, b, block)
			if b == "A" && strings.Contains(v, "gc-off") {
				out[assay.MetricTime] *= 1.2
			} else if strings.Contains(v, "gc-off") && seed%2 == 0 {
				out[assay.MetricTime] /= 1.2
			}
			return out
		}
		w.plan.Study.Decide.MaxBlocks = 14
		tr := NewTracker(w.plan, time.Hour)
		r := tr.Result(assay.Platform{}, w.run(tr))
		for _, rule := range broken(r) {
			t.Errorf("factors %d: %s\n%s", seed, rule, strings.Join(r.Answer.Text, "\n"))
		}
	}
	if uses < 25 || costs < 10 || soFar < 15 {
		t.Errorf("%d of 200 recommend a variant, %d with a cost, and %d have counts so far: this tests little", uses, costs, soFar)
	}
	for name, r := range stored(t) {
		for _, rule := range broken(r) {
			t.Errorf("%s: %s\n%s", name, rule, strings.Join(r.Answer.Text, "\n"))
		}
	}
}

// stored are the results of the records in studies, by their folder.
func stored(t *testing.T) map[string]*assay.Result {
	t.Helper()
	out := map[string]*assay.Result{}
	for _, pattern := range []string{"record", "record/*"} {
		files, err := filepath.Glob(filepath.Join("../../studies/*", pattern, "plan.json"))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			dir := filepath.Dir(file)
			if out[dir], err = record.ReadResult(os.DirFS(dir)); err != nil {
				t.Fatalf("%s: %v", dir, err)
			}
		}
	}
	if len(out) < 10 {
		t.Fatalf("%d records: is the pattern still right?", len(out))
	}
	return out
}

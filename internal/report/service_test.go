package report

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/sheet"
	"github.com/seed-1318a441/assay/internal/terminal"
)

func mustHave(t *testing.T, text string, want ...string) {
	t.Helper()
	for _, w := range want {
		if !strings.Contains(text, w) {
			t.Errorf("want %q in\n%s", w, text)
		}
	}
}

func mustNotHave(t *testing.T, text string, bad ...string) {
	t.Helper()
	for _, w := range bad {
		if strings.Contains(text, w) {
			t.Errorf("want no %q in\n%s", w, text)
		}
	}
}

// What is zero, refused beyond any use, or a detail is for who asks for all.
func TestServiceDetails(t *testing.T) {
	hidden := []string{"errors", "p99.99 ", "mark CPU, assists", "both pauses, p50"}
	mustNotHave(t, textOf(t, dolt(), terminal.Style{Width: 100}), hidden...)
	mustHave(t, textOf(t, dolt(), terminal.Style{Width: 100, All: true}), hidden...)
	mustNotHave(t, textOf(t, dolt(), terminal.Style{Width: 100, All: true}), "more metric")
}

// The verdicts printed are those of the record, all of them.
func TestServiceVerdicts(t *testing.T) {
	for _, name := range []string{"service", "saturated", "percentiles", "service-four", "gc-command"} {
		r := fixture(t, name)
		for i := range r.Tables {
			r.Tables[i].Effects, r.Tables[i].Geomean = nil, nil
		}
		for i := range r.Latencies {
			for j := range r.Latencies[i].Shifts {
				r.Latencies[i].Shifts[j].Text = ""
			}
		}
		r.Question = ""
		var want []string
		for _, tab := range r.Tables {
			for _, row := range tab.Rows {
				want = append(want, words(row.Cells)...)
			}
		}
		text := textOf(t, r, terminal.Style{Width: 200, All: true})
		text = strings.ReplaceAll(text, "gctrace", "")
		if i := strings.Index(text, "oltp-1-thread · "); i > 0 {
			text = "\n\n" + text[i:] // behind the matrix
		}
		text, _, _ = strings.Cut(text, "\n▼ ") // the legend
		got := printedVerdicts(text)
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("%s: printed verdicts\n%q, want those of the record\n%q\n%s", name, got, want, text)
		}
	}
}

// The reason of saturation holds for a whole trial and is told once.
func TestSaturatedOnce(t *testing.T) {
	for _, width := range []int{60, 80, 100, 160} {
		text := strings.Join(strings.Fields(textOf(t, saturated(), terminal.Style{Width: width})), " ")
		if n := strings.Count(text, "attained 412 of 500 requests a second that were intended: p50, p99, tx/s"); n != 1 {
			t.Errorf("at %d: the reason stands %d times:\n%s", width, n, text)
		}
		text = strings.Join(strings.Fields(textOf(t, sqlServer(), terminal.Style{Width: width})), " ")
		if n := strings.Count(text, "412 of 500 tx/s that were intended: p50 in go1.26.8/greentea, p99 in"); n != 1 {
			t.Errorf("of many variants at %d: the reason stands %d times:\n%s", width, n, text)
		}
	}
}

func TestServiceValues(t *testing.T) {
	for _, c := range []struct {
		metric string
		v, rel float64
		want   string
	}{
		{"latency.p99.9", 0.0637, 0.01, "63.7 ms"},
		{"latency.p50", 183e-6, 0.01, "183 µs"},
		{"tx/s", 1068, 0.006, "1,068"},
		{"errors/tx", 0.0131, 0.2, "1.3 %"},
		{"errors/tx", 0, 0, "0 %"},
		{"cpu-sec/ktx", 3.41, 0.01, "3.41 s"},
		{"gc.cycles/min", 31.2, 0.01, "31.2"},
		{"gc.cpu-share", 0.052, 0.05, "5.2 %"},
		{"gc.alloc-B/s", 912e6, 0.01, "912 MB/s"},
		{"gc.live-bytes", 143 << 20, 0.01, "143 MiB"},
		{"gc.pause/min", 3.4e-3, 0.01, "3.40 ms"},
	} {
		if got := sheet.Value(assay.Metric{Name: c.metric}, c.v, c.rel); got != c.want {
			t.Errorf("Value(%s, %g, %g) = %q, want %q", c.metric, c.v, c.rel, got, c.want)
		}
	}
}

// Many variants and services: what decides comes first as a matrix, with --all.
func TestLineup(t *testing.T) {
	all := terminal.Style{Width: 100, All: true}
	text := textOf(t, doltFour(), all)
	mustHave(t, text, "oltp-1-thread, vs base       p50       p99", "oltp-4-threads · latency p99\n", "effect on latency p99")
	one := serviceResult("s", []string{"a", "b", "c", "d"}, []string{"oltp"}, classic)
	one.Rule.Metrics = []string{"latency.p99.9"}
	text = textOf(t, one, all)
	if strings.Contains(text, "oltp, vs base") {
		t.Errorf("an overview of one service:\n%s", text)
	}
	mustHave(t, text, "oltp · latency p99.9\ntoo few: 10 requests beyond it needed, 7 seen\n")
	mustHave(t, textOf(t, one, terminal.Style{Width: 100}), "p99.9 too few: 10 requests beyond it needed")
}

// Of many variants and services, what decides is a matrix for each service, and the rest a count.
// The band of the latencies, on which no verdict rests, is not there.
func TestBriefServices(t *testing.T) {
	r := doltFour()
	for i := range r.Tables {
		for j := range r.Tables[i].Effects {
			c := &r.Tables[i].Effects[j].Whole
			c.Verdict, c.Interval = assay.Unclear, &assay.Interval{Lo: -0.031, Hi: 0.012}
		}
	}
	text := textOf(t, r, terminal.Style{Width: 80})
	mustHave(t, text, "oltp-1-thread, vs base ", "oltp-4-threads, vs base ", "−1.6 % ▼", "go, gc on 3 metrics: 6 within ±3.1 %",
		"p99.9 too few: 10 requests beyond it needed, 7 seen", "more metrics", "the change may be below 2 %: oltp-1-thread p50 in")
	mustNotHave(t, text, "▁", "effect on", "needs ~", "no change beyond", "band")
}

// The study with the most comparisons fits a screen: 60 lines of 80 columns.
func TestScreenful(t *testing.T) {
	r := studyResults(t)["dolt-greentea/record/main"]
	text := textOf(t, r, terminal.Style{Width: 80})
	if n := strings.Count(text, "\n"); n > 60 {
		t.Errorf("%d lines, want at most 60:\n%s", n, text)
	}
}

// Two machines under the same load, and three variants in pairs.
func TestServiceMerged(t *testing.T) {
	a, b := dolt(), dolt()
	b.Run, b.Platform.CPU = "q3fz", "AMD EPYC"
	m := &assay.Merged{Schema: 1, Study: a.Study, StudyHash: a.StudyHash, Question: a.Question,
		Machines: []assay.Machine{{Name: "intel", Result: *a}, {Name: "epyc", Result: *b}},
		Across: []assay.Across{
			{Benchmark: a.Tables[0].Rows[0].Benchmark, Metric: "latency.p50", Values: []assay.Value{{X: 0.0186, OK: true}, {X: 0.0201, OK: true}},
				Changes: []assay.Value{{}, {X: 0.08, OK: true}}},
			{Benchmark: a.Tables[0].Rows[0].Benchmark, Metric: "tx/s", Values: []assay.Value{{X: 1068, OK: true}, {X: 997, OK: true}},
				Changes: []assay.Value{{}, {X: -0.066, OK: true}}}}}
	for suffix, s := range mergedStyles {
		got := mergedText(t, m, s)
		golden(t, "merged-service."+suffix, got)
		checkLines(t, "merged-service."+suffix, got, s)
	}
	golden(t, "service-four.100.pairs", textOf(t, doltFour(), terminal.Style{Width: 100, Pairs: true}))
	golden(t, "service.100.all", textOf(t, dolt(), terminal.Style{Width: 100, All: true}))
}

func servicePlan() *assay.Plan {
	p := &assay.Plan{
		Schema: 1, Run: "7k2m", StudyHash: "9c41f00d5a3b", Seed: 0x5d31, Command: "assay run dolt-greentea.toml",
		Study: assay.Study{Name: "dolt-greentea", Base: "classic", Workloads: []assay.Workload{
			{Kind: assay.KindService, Names: []string{"oltp_read_write"}, Service: &assay.Service{
				Start: []string{"{bin}", "sql-server", "--port", "{port}", "--data-dir", "{tmp}"},
				Setup: [][]string{{"sysbench", "oltp_read_write", "--mysql-port={port}", "prepare"}},
				Load:  []string{"sysbench", "oltp_read_write", "--mysql-port={port}", "--threads=20", "--time=600", "--histogram=on", "run"},
				Parse: "sysbench", Stop: assay.StopInterrupt, CPUs: "0", LoadCPUs: "1"}},
			{Kind: assay.KindService, Names: []string{"GET"}, Service: &assay.Service{
				Start: []string{"{bin}", "-listen", "127.0.0.1:{port}"}, Ready: assay.Ready{Log: "listening on .*:{port}\x1b[1m", Within: 5 * time.Second},
				HTTP:       &assay.HTTPLoad{URL: "http://127.0.0.1:{port}/", Rate: 1500, Duration: time.Minute, Warmup: 10 * time.Second},
				StopWithin: time.Minute, Cleanup: [][]string{{"rm", "-f", "a b"}}}}}},
		Variants: []assay.Variant{{Name: "classic", Go: "go1.25.7"}, {Name: "greentea", Go: "go1.25.7", Experiment: []string{"greenteagc"}}},
	}
	p.Study.SetDefaults()
	p.Study.Decide.Budget = 4 * time.Hour
	for _, w := range p.Study.Workloads {
		p.Benchmarks = append(p.Benchmarks, assay.PlannedBenchmark{N: 1, Trial: 12 * time.Minute, Benchmark: assay.Benchmark{Name: w.Names[0]}})
	}
	return p
}

func TestServicePlan(t *testing.T) {
	for name, s := range map[string]terminal.Style{"plan-service.80": {Width: 80}, "plan-service.100.ascii": {Width: 100, ASCII: true}} {
		var b strings.Builder
		if err := WritePlan(&b, servicePlan(), nil, s); err != nil {
			t.Fatal(err)
		}
		golden(t, name, b.String())
		checkLines(t, name, b.String(), s)
	}
}

package sheet

import (
	"slices"
	"testing"

	"github.com/seed-1318a441/assay"
)

var web = assay.Benchmark{Name: "web"}

// serviceTable is a table of services with a verdict each: first of web, then of api.
func serviceTable(metric string, verdicts ...assay.Verdict) assay.Table {
	t := assay.Table{Metric: assay.Metric{Name: metric, Better: assay.KnownBetter(metric), MinEffect: 0.01}}
	for i, v := range verdicts {
		change := assay.Change(0)
		switch {
		case v == assay.Faster || v == assay.Less || v == assay.Lower:
			change = -0.1
		case v.Differs():
			change = 0.1
		}
		t.Rows = append(t.Rows, benchRow([]string{"web", "api"}[i], 1, changeOf("b", v, change, 0.02)))
	}
	return t
}

// serviceResult is a result of services whose latency p50 decides.
func serviceResult(tables ...assay.Table) *assay.Result {
	r := resultOf([]string{"a", "b"}, tables...)
	r.Rule.Metrics = []string{"latency.p50"}
	for i := range r.Tables {
		r.Tables[i].Decides = r.Tables[i].Metric.Name == "latency.p50"
	}
	return r
}

// A service has what the load generator saw, its server and its collector, each in the
// order of the labels; details, errors where there were none, and what is open of the
// collector are left out unless all is wanted.
func TestServiceSections(t *testing.T) {
	errors := assay.Table{Metric: assay.Metric{Name: assay.MetricErrors}, Rows: []assay.Row{benchRow("web", 0, exactly("b", 0, 0))}}
	r := serviceResult(serviceTable(assay.MetricRSS, assay.More), serviceTable("latency.p99", assay.Same), serviceTable(assay.MetricRequests, assay.Same),
		serviceTable("latency.p50", assay.Faster), errors, serviceTable("widgets", assay.Same), serviceTable(assay.MetricGCLive, assay.More),
		serviceTable(assay.MetricGCMark, assay.More), serviceTable(assay.MetricGCIdleCPU, assay.More), serviceTable(assay.MetricGCPauseMin, assay.Unclear))
	r.Latencies = []assay.Latency{{Benchmark: web, Refused: []assay.Refused{{Metric: "latency.p99.9", Seen: 3}, {Metric: "latency.p99.99", Seen: 0}}}}
	s := New(r, false, false)
	if !s.Serves || !slices.Equal(s.Services, []assay.Benchmark{web}) {
		t.Fatalf("the services are %v", s.Services)
	}
	sections := s.ServiceSections(web)
	sameLines(t, "sections", sectionLines(sections), "# latency", "p50", "p99", "p99.9", "tx/s", "widgets", "# server", "peak RSS",
		"# garbage collector (gctrace, all cycles but forced ones)", "mark, wall", "live heap", "2 more metrics (assay show r1 --all)")
	if e := sections[0].Entries[2]; e.Refused != "too few: 10 requests beyond it needed, 3 seen" {
		t.Errorf("p99.9 is refused: %q", e.Refused)
	}
	if sections[0].Latency != s.LatencyOf(web) || sections[0].Bench != "web" {
		t.Errorf("the first section begins %q, with the picture of %+v", sections[0].Bench, sections[0].Latency)
	}
	sameLines(t, "with all", sectionLines(New(r, true, false).ServiceSections(web)), "# latency", "p50", "p99", "p99.9", "p99.99", "tx/s", "errors", "widgets",
		"# server", "peak RSS",
		"# garbage collector (gctrace, all cycles but forced ones)", "mark, wall", "mark CPU, idle", "paused per minute", "live heap")
}

// Where all of the collector is open, one line counts it.
func TestOpenCollector(t *testing.T) {
	r := serviceResult(serviceTable("latency.p50", assay.Faster), serviceTable(assay.MetricGCMark, assay.Unclear),
		serviceTable(assay.MetricGCLive, assay.Unclear), serviceTable(assay.MetricGCIdleCPU, assay.More))
	sameLines(t, "sections", sectionLines(New(r, false, false).ServiceSections(web)), "# latency", "p50",
		"# ", "garbage collector: 2 metrics unclear, 1 more (short)")
}

// A result less its services has what is left, without the geomean that had them in it.
func TestWithoutServices(t *testing.T) {
	mixed := whole(serviceTable(assay.MetricRSS, assay.More), assay.More)
	mixed.Rows = append(mixed.Rows, benchRow("A", 1, changeOf("b", assay.Same, 0, 0.01)))
	r := serviceResult(serviceTable("latency.p50", assay.Faster), whole(tableOf(assay.MetricTime, assay.Same), assay.Same), mixed)
	s := New(r, false, false)
	if s.Serves || len(s.Services) != 1 {
		t.Errorf("a result with a benchmark serves: %t, and its services are %v", s.Serves, s.Services)
	}
	out := s.WithoutServices().Result
	if len(out.Tables) != 2 || len(out.Tables[0].Geomean) != 1 ||
		len(out.Tables[1].Rows) != 1 || out.Tables[1].Rows[0].Benchmark.Name != "A" || out.Tables[1].Geomean != nil {
		t.Errorf("got %+v", out.Tables)
	}
	if len(r.Tables[2].Rows) != 2 || s.BlockNoun() != "block" || New(serviceResult(r.Tables[0]), false, false).BlockNoun() != "server start" {
		t.Error("the whole result has changed, or its blocks are called wrong")
	}
}

// The metrics that decide come in full, others together; why one has no value stands below.
func TestLineups(t *testing.T) {
	r := serviceResult(serviceTable("latency.p50", assay.Faster), serviceTable(assay.MetricRequests, assay.Same), serviceTable(assay.MetricRSS, assay.More),
		serviceTable(assay.MetricGCMark, assay.More))
	r.Latencies = []assay.Latency{{Benchmark: web, Refused: []assay.Refused{{Metric: "latency.p99", Seen: 3}}}}
	s := New(r, false, false)
	sections := s.ServiceSections(web)
	full, rest := s.Lineups(sections)
	if len(full) != 1 || full[0].Label != "p50" {
		t.Errorf("in full: %+v", full)
	}
	sameLines(t, "rest", sectionLines([]Section{RestOf(web, sections, rest)}), "# web", "latency | tx/s", "server | peak RSS",
		"garbage collector (gctrace, all cycles but forced ones) | mark, wall", "p99 too few: 10 requests beyond it needed, 3 seen")
	if all, left := New(r, true, false).Lineups(sections); len(all) != 5 || slices.ContainsFunc(left, func(l []Entry) bool { return len(l) > 0 }) {
		t.Errorf("with all: %d entries in full, and %v are left", len(all), left)
	}
	r.Rule.Metrics = []string{"latency.p90"}
	if full, rest = s.Lineups(sections); len(full) != 1 || full[0].Label != "p50" || len(rest[0]) != 2 {
		t.Errorf("nothing that decides was seen: %+v in full", full)
	}
}

// Metrics in headings say what they are of.
func TestMetricWords(t *testing.T) {
	for metric, want := range map[string]string{"latency.p99": "latency p99", assay.MetricGCMarkCPU: "GC mark, CPU", assay.MetricTime: "sec/op",
		"gc.new": "gc.new", assay.MetricRequests: "tx/s"} {
		if got := MetricWords(metric); got != want {
			t.Errorf("%s: got %q, want %q", metric, got, want)
		}
	}
	for metric, want := range map[string]string{assay.MetricTime: "s", assay.MetricBytes: "B", assay.MetricRate: "B/s", assay.MetricGCShare: "", assay.MetricAllocs: ""} {
		if got := Unit(metric); got != want {
			t.Errorf("the unit of %s: got %q, want %q", metric, got, want)
		}
	}
}

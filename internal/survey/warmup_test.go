package survey

import (
	"strings"
	"testing"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/errortest"
	"github.com/seed-1318a441/assay/internal/lab"
	"github.com/seed-1318a441/assay/internal/trial"
)

// A server falls behind an open load if it does less than 99 % of it. Requests that fail are
// another matter: they were answered in time.
func TestSlow(t *testing.T) {
	for _, c := range []struct {
		intended, rate, failed float64
		want                   string
	}{
		{0, 10, 0, ""}, // closed
		{1000, 995, 0, ""},
		{500, 450, 0, "450 of 500 requests a second"},
		{500, 250, 0.5, ""},
		{500, 200, 0.5, "400 of 500 requests a second"},
		{500, 0, 1, ""}, // an error, not a load
	} {
		o := map[string]float64{assay.MetricRequests: c.rate, assay.MetricErrors: c.failed}
		if got := slow(c.intended, o); got != c.want {
			t.Errorf("%g of %g a second, %g failed: got %q, want %q", c.rate, c.intended, c.failed, got, c.want)
		}
	}
}

// A load that the base cannot bear has a warning that says by how much.
func TestOverloaded(t *testing.T) {
	if ws := overloaded("api", assay.Variant{Name: "old"}, ""); ws != nil {
		t.Errorf("got %v for a load that it can bear", ws)
	}
	ws := overloaded("api", assay.Variant{Name: "old"}, "400 of 500 requests a second")
	if len(ws) != 1 || ws[0].Code != assay.CodeOverload || ws[0].Text != "the load of api is more than old can bear: 400 of 500 requests a second" {
		t.Errorf("got %v", ws)
	}
}

// A quantile that decides needs ten requests beyond it, and the warning says how many that
// are in all. Other metrics, and quantiles that were seen, need nothing.
func TestShortLoads(t *testing.T) {
	for metric, need := range map[string]string{"latency.p50": "20", "latency.p90": "100", "latency.p99": "1000", "latency.p99.9": "10000"} {
		s := &assay.Study{Decide: assay.Decide{Metrics: []string{assay.MetricRequests, metric}}}
		ws := shortLoads(s, "api", []string{"latency.p5"})
		if len(ws) != 1 || ws[0].Text != metric+" of api decides, and a trial does not yield it" || !strings.HasSuffix(ws[0].Facts[0], "a load of "+need+" or more") {
			t.Errorf("%s: got %v, want a load of %s", metric, ws, need)
		}
		if ws := shortLoads(s, "api", []string{metric}); len(ws) != 0 {
			t.Errorf("%s was seen: got %v", metric, ws)
		}
	}
}

// The first start of a service learns how long a trial is and what it yields. If it fails on
// the base, the study ends with the last lines of both logs.
func TestWarmUp(t *testing.T) {
	s := oldNew()
	s.Workloads[0] = assay.Workload{Kind: assay.KindService, Names: []string{"api"}, Service: &assay.Service{Load: []string{"wrk"}}}
	out := result(10, 1, "api")
	out.Intended, out.Server = 500, []byte("listening\n")
	out.Readings[0].Values = map[string]float64{"latency.p50": 0.002, assay.MetricRequests: 400}
	m := &made{run: func(lab.RunRequest) trial.Outcome { return out }}
	y := surveyed(t, s, m, shelf{})
	y.Memo = inMemory()
	one, err := y.subject(assay.PlannedBenchmark{Benchmark: assay.Benchmark{Package: "p", Name: "api"}}, y.base())
	if err != nil {
		t.Fatal(err)
	}
	for range 2 { // each time anew: it fills the caches
		c, err := one.size(t.Context())
		if err != nil || c.N != 1 || c.Trial != 10*time.Second ||
			strings.Join(c.Metrics, " ") != "latency.p50 "+assay.MetricRequests || c.Slow != "400 of 500 requests a second" {
			t.Errorf("got %+v, %v", c, err)
		}
	}
	if len(m.ran) != 2 {
		t.Errorf("%d starts, want 2", len(m.ran))
	}
	out = trial.Outcome{Status: assay.StatusFailed, Reason: "not ready in 30s", Server: []byte("1\n2\n3\n4\nport in use\n")}
	out.Stderr = []byte("connection refused\n")
	_, err = one.size(t.Context())
	text := errortest.Want(t, err, assay.CodeServiceFailed, assay.ExitBuild)
	wantText(t, "an error", text, `service "api" does not run: its first trial, on the base "old", ended as failed   [service-failed]`+
		"\n  not ready in 30s\n  server: 2\n  server: 3\n  server: 4\n  server: port in use\n  load: connection refused")
}

// The variants of the widest block are those that run together, and the control beside them.
func TestInBlock(t *testing.T) {
	for _, c := range []struct {
		variants, together int
		control            bool
		want               int
	}{{3, 0, true, 4}, {14, 6, true, 7}, {14, 6, false, 6}, {4, 6, true, 5}, {4, 6, false, 4}} {
		p := &assay.Plan{Together: c.together, Variants: make([]assay.Variant, c.variants)}
		if c.control {
			p.Variants = append(p.Variants, assay.Variant{Name: assay.ControlName, Control: true})
		}
		if got := inBlock(p); got != c.want {
			t.Errorf("%+v: got %d", c, got)
		}
	}
}

// Services have fresh links as long as these take a third of a block at most.
func TestSettleServices(t *testing.T) {
	for _, c := range []struct {
		name  string
		links time.Duration // of a block of three variants, with trials of 10 s
		fresh bool
	}{
		{"cheap", 12 * time.Second, true},
		{"almost a third", 14900 * time.Millisecond, true},
		{"dear", 16 * time.Second, false},
	} {
		p := planned(oldNew(), assay.PlannedBenchmark{Trial: 10 * time.Second})
		p.Link, p.Align = c.links, 64
		settleServices(p, 8*time.Second)
		if fresh := p.Study.Measure.Layouts != 1; fresh != c.fresh || fresh != (p.Link > 0) || fresh != (p.Align > 0) || fresh != (len(p.Warnings) == 0) {
			t.Errorf("%s: layouts %d, links of %v, warnings %v; want fresh links %t", c.name, p.Study.Measure.Layouts, p.Link, p.Warnings, c.fresh)
		}
		if want := "a link takes 8s; a block would spend 16s on linking and 30s on trials"; c.name == "dear" && p.Warnings[0].Facts[0] != want {
			t.Errorf("got %q, want %q", p.Warnings[0].Facts[0], want)
		}
	}
}

package lab_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/lab"
	"github.com/seed-1318a441/assay/internal/lab/labtest"
	"github.com/seed-1318a441/assay/internal/record"
	"github.com/seed-1318a441/assay/internal/survey"
)

// served is a simulated service with trials of ten seconds.
func served() labtest.Benchmark {
	return labtest.Benchmark{Name: "sim", Noise: labtest.Normal(0.01), Service: &labtest.Service{
		Latency: labtest.LogNormal(2*time.Millisecond, 0.5, nil), Requests: 2000, Load: 10 * time.Second}}
}

// runBlocks runs so many blocks of everything in a plan and returns the record.
func runBlocks(t *testing.T, m *labtest.Simulator, p *assay.Plan, builds *lab.Builds, blocks int) *record.Record {
	t.Helper()
	rec, err := record.Create(t.TempDir(), p, assay.Platform{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { rec.Close() })
	rule := &fixed{blocks: blocks}
	for _, b := range p.Benchmarks {
		rule.turns = append(rule.turns, assay.Turn{Benchmark: b.Benchmark, Inner: 1})
	}
	if _, err := (&lab.Job{Plan: p, Machine: m, Builds: builds, Record: rec, Rule: rule, Events: silent}).Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	return rec
}

// Go benchmarks are traced in trials of their own: what they measure comes from
// the others, what the collector does from those, also after an export.
func TestTracedTrialsTellTheCollectorOnly(t *testing.T) {
	m := sim(labtest.Benchmark{Name: "X", Time: time.Microsecond, GC: &labtest.GC{Cycles: 20, Mark: time.Millisecond, Pause: 10 * time.Microsecond, Live: 1 << 20}})
	s := labtest.Study("old", "new")
	s.Measure.Collect = []string{assay.CollectGC}
	p, builds := prepare(t, m, s)
	rec := runBlocks(t, m, p, builds, 2)
	run, err := record.Read(record.Folder(rec.Dir))
	if err != nil {
		t.Fatal(err)
	}
	if len(run.Trials) != 2*6 {
		t.Fatalf("got %d trials, want 12: three variants, measured and traced, in two blocks", len(run.Trials))
	}
	for _, tr := range run.Trials {
		_, timed := tr.Observations[assay.MetricTime]
		_, marked := tr.Observations[assay.MetricGCMark]
		c, ok, err := run.Collected(tr.ID)
		if err != nil {
			t.Fatal(err)
		}
		if timed == tr.Traced || marked != tr.Traced || ok != tr.Traced || len(c.GC) > 0 != tr.Traced {
			t.Errorf("trial %d, traced %v: observed %v, %d cycles", tr.ID, tr.Traced, tr.Observations, len(c.GC))
		}
	}
	checkImported(t, run)
}

// checkImported exports a run and compares what is imported with its trials.
func checkImported(t *testing.T, run *record.Run) {
	t.Helper()
	var buf bytes.Buffer
	if err := run.Export(&buf); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "r.txt"), buf.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	in, err := record.Import(os.DirFS(dir), record.Files("r.txt"), record.Selection{})
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, x := range in.Samples {
		var values []float64
		var blocks []int
		for _, tr := range run.Trials {
			if v, ok := tr.Observations[x.Metric]; ok && tr.Variant == x.Variant {
				values, blocks = append(values, v), append(blocks, tr.Block)
			}
		}
		if !slices.Equal(x.Values, values) || !slices.Equal(x.Blocks, blocks) {
			t.Errorf("%s of %q: imported %v in blocks %v, measured %v in %v", x.Metric, x.Variant, x.Values, x.Blocks, values, blocks)
		}
		n += len(values)
	}
	want := 0
	for _, tr := range run.Trials {
		want += len(tr.Observations)
	}
	if n != want {
		t.Errorf("imported %d values, measured %d", n, want)
	}
	for _, m := range in.Metrics {
		if m.Better != assay.KnownBetter(m.Name) {
			t.Errorf("%s is better %q, want %q", m.Name, m.Better, assay.KnownBetter(m.Name))
		}
	}
}

// A service is run once before the first block, then once a variant in a block;
// what it leaves is in the record.
func TestServiceTrials(t *testing.T) {
	b := served()
	b.Service.Intended = 200
	b.Service.Metrics = map[string]float64{assay.MetricMeanRSS: 50 << 20, assay.MetricServerCPU: 0.3}
	b.GC = &labtest.GC{Cycles: 30, Mark: time.Millisecond, Pause: 20 * time.Microsecond, Live: 4 << 20}
	m := sim(b)
	s := labtest.ServiceStudy("old", "new")
	s.Measure.Collect = []string{assay.CollectGC}
	p, builds := prepare(t, m, s)
	if got := m.Log(); len(got) != 1 || got[0] != "sim old 0 0" {
		t.Errorf("before the first block ran %q, want one warm-up of the base", got)
	}
	if got := p.Benchmarks[0].Trial; got != 10*time.Second+time.Millisecond {
		t.Errorf("a trial is planned with %v", got)
	}
	for _, name := range []string{"latency.p50", "latency.p99", assay.MetricRequests, assay.MetricErrors, assay.MetricServerCPU, assay.MetricGCMark} {
		if !slices.ContainsFunc(p.Metrics, func(m assay.Metric) bool { return m.Name == name && m.Better == assay.KnownBetter(name) }) {
			t.Errorf("the plan does not know %s: %v", name, p.Metrics)
		}
	}
	rec := runBlocks(t, m, p, builds, 3)
	if got := len(rec.Run().Trials); got != 9 {
		t.Errorf("%d trials in three blocks, want 9: no trials of their own for the trace", got)
	}
	for _, tr := range rec.Run().Trials {
		c, ok, err := rec.Run().Collected(tr.ID)
		if !ok || err != nil || c.Latency.Total() != 2000 || len(c.GC) != 30 {
			t.Errorf("trial %d left %+v, %v", tr.ID, c, err)
		}
		if raw, err := rec.Run().Printed(tr.ID); err != nil || len(raw.Server) == 0 {
			t.Errorf("trial %d: log of the server: %q, %v", tr.ID, raw.Server, err)
		}
		if p50 := tr.Observations["latency.p50"]; tr.Intended != 200 || tr.Traced || p50 < 1.8e-3 || p50 > 2.2e-3 {
			t.Errorf("trial %d: intended %g, traced %v, p50 %g; want 200, false, about 2 ms", tr.ID, tr.Intended, tr.Traced, p50)
		}
		if _, ok := tr.Observations[assay.MetricUser]; ok {
			t.Error("a service has user-sec/op, which is of its whole life")
		}
	}
	checkImported(t, rec.Run())
}

// The warm-up is one: what is remembered does not spare it.
func TestServiceIsWarmedUpEveryTime(t *testing.T) {
	known := map[string][]byte{}
	memo := survey.Memo{
		Store: func(id, name string, v any) (err error) { known[id+name], err = json.Marshal(v); return err },
		Load:  func(id, name string, v any) bool { return json.Unmarshal(known[id+name], v) == nil },
	}
	m := sim(served())
	s := labtest.ServiceStudy("old", "new")
	builds, err := lab.Build(t.Context(), m, s, silent)
	if err != nil {
		t.Fatal(err)
	}
	for n := 1; n <= 2; n++ {
		if _, err := survey.Prepare(t.Context(), survey.Setup{Study: s, Machine: m, Builds: builds, Memo: memo, Events: silent, Platform: assay.Platform{CPUs: 2}}); err != nil {
			t.Fatal(err)
		}
		if got := len(m.Log()); got != n {
			t.Errorf("after %d preparations: %d warm-ups", n, got)
		}
	}
}

// Nothing can be measured of a base that does not run; the message has what
// there is to know.
func TestServiceThatDoesNotRun(t *testing.T) {
	b := served()
	b.Fail = func(string, int) (assay.Status, string) {
		return assay.StatusFailed, "not ready within 30s"
	}
	m := sim(b)
	s := labtest.ServiceStudy("old", "new")
	builds, err := lab.Build(t.Context(), m, s, silent)
	if err != nil {
		t.Fatal(err)
	}
	_, err = survey.Prepare(t.Context(), survey.Setup{Study: s, Machine: m, Builds: builds, Events: silent, Platform: assay.Platform{CPUs: 2}})
	var e *assay.Error
	if !errors.As(err, &e) || e.Exit != assay.ExitBuild || e.Code != "service-failed" {
		t.Fatalf("got %v, want service-failed with exit 4", err)
	}
	if got, want := strings.Join(e.Facts, "|"), "not ready within 30s|server: simulated: not ready within 30s"; got != want {
		t.Errorf("facts are %q, want %q", got, want)
	}
}

// A start that fails costs its block and no more.
func TestServiceFailsInOneBlock(t *testing.T) {
	b := served()
	b.Fail = func(variant string, block int) (assay.Status, string) {
		if block == 2 {
			return assay.StatusFailed, "port taken"
		}
		return "", ""
	}
	m := sim(b)
	p, builds := prepare(t, m, labtest.ServiceStudy("old", "new"))
	rec := runBlocks(t, m, p, builds, 3)
	var got []string
	for _, tr := range rec.Run().Trials {
		got = append(got, string(tr.Status))
	}
	if want := "ok ok ok failed skipped skipped ok ok ok"; strings.Join(got, " ") != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// Links of services may be slow as long as trials are slower; else there is one
// link a variant.
func TestServiceLayouts(t *testing.T) {
	for _, tc := range []struct {
		link  time.Duration
		fresh bool
	}{
		{5 * time.Second, true}, // 7.5 s of links (two CPUs) beside 30 s of trials, if two run at once
		{100 * time.Second, false},
	} {
		m := sim(served())
		m.LinkTime = tc.link
		s := labtest.ServiceStudy("old", "new")
		p, _ := prepare(t, m, s)
		told := slices.ContainsFunc(p.Warnings, func(w assay.Warning) bool { return w.Code == "slow-links" })
		want := 0
		if !tc.fresh {
			want = 1
		}
		if p.Study.Measure.Layouts != want || told != (want == 1) || (p.Link > 0) != tc.fresh {
			t.Errorf("links of %v: layouts = %d, told %v, %v of linking in a block; want layouts = %d", tc.link, p.Study.Measure.Layouts, told, p.Link, want)
		}
	}
}

package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/slow"
)

// TestSlowSQLServer runs a real study of a real server in its short form, about two
// minutes: go-mysql-server built with and without Green Tea, under sysbench. What
// it finds is the machine's business; what is tested is that all of it is there,
// fits together, and leaves nothing behind.
func TestSlowSQLServer(t *testing.T) {
	slow.Test(t)
	if _, err := exec.LookPath("sysbench"); err != nil {
		t.Skip("sysbench is not installed: make sysbench")
	}
	r, store := runSlowly(t, filepath.Join(repository(), "studies", "sql-server", "short.toml"))
	checkSQLServer(t, r)
	if kept, _ := filepath.Glob(filepath.Join(store, r.Run, "collected", "*.json.gz")); len(kept) != r.Spent.Trials {
		t.Errorf("%d trials left %d files in collected/", r.Spent.Trials, len(kept))
	}
	if out, _ := exec.Command("pgrep", "-f", "sql-server -addr").Output(); len(out) > 0 {
		t.Errorf("servers still run: %s", out)
	}
}

// runSlowly runs a study of a server, as one types it, and returns its result and the store.
func runSlowly(t *testing.T, args ...string) (*assay.Result, string) {
	t.Helper()
	store := t.TempDir()
	// The test binary is assay when it is called so (TestMain).
	assayPath := filepath.Join(t.TempDir(), "assay")
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	// Not a symbolic link: assay runs itself for the built-in load, by its real name.
	program, err := os.ReadFile(self)
	if err == nil {
		err = os.WriteFile(assayPath, program, 0o755)
	}
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), assayPath, append([]string{"run", "--store", store, "--json", "--progress=none"}, args...)...)
	cmd.Env = append(os.Environ(), "GOFLAGS=", "XDG_CACHE_HOME="+t.TempDir(), "GOCACHE="+goSettings(t)["GOCACHE"])
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, stderr.String())
	}
	var r assay.Result
	if err := json.Unmarshal(out, &r); err != nil {
		t.Fatal(err)
	}
	return &r, store
}

// TestSlowWebServerProfile builds a Caddy with the profile of its own load, and measures it
// for a few starts. What is tested is that the profile is there, and is of this program.
func TestSlowWebServerProfile(t *testing.T) {
	slow.Test(t)
	if _, err := exec.LookPath("split"); err != nil {
		t.Skip("the study cuts a file up with split, which is not here")
	}
	r, _ := runSlowly(t, "--blocks=2", "--budget=1h", filepath.Join(repository(), "studies", "web-server", "pgo.toml"))
	for _, v := range r.Variants {
		if p := v.Profile; (p != nil) != (v.Name == "pgo") || p != nil && (p.Path != assay.PGOAuto || p.Samples < assay.EnoughSamples || p.Match < 0.8) {
			t.Errorf("%s: built with the profile %+v", v.Name, p)
		}
	}
	if r.Spent.Blocks != 2 {
		t.Errorf("measured %d blocks of 2: %+v", r.Spent.Blocks, r.Warnings)
	}
}

func checkSQLServer(t *testing.T, r *assay.Result) {
	t.Helper()
	got := map[string]assay.Comparison{}
	for _, tab := range r.Tables {
		for _, row := range tab.Rows {
			for _, c := range row.Cells {
				got[tab.Metric.Name] = c
			}
		}
	}
	// A tenth of the requests must be ten at least: on a busy machine a run, or every
	// run, has too few for this one.
	if c, ok := got["latency.p90"]; ok && (c.N > r.Spent.Blocks || c.N > 0 != (c.Value > 0)) || c.N == 0 && !fewRequests(r) {
		t.Errorf("latency.p90: %+v of %d blocks", c, r.Spent.Blocks)
	}
	for _, m := range []string{"latency.p50", assay.MetricRequests, assay.MetricMeanRSS, assay.MetricRSS, assay.MetricServerCPU,
		assay.MetricGCCyclesMin, assay.MetricGCMark, assay.MetricGCMarkCPU, assay.MetricGCShare, assay.MetricGCPauseP50} {
		if c, ok := got[m]; !ok || c.N != r.Spent.Blocks || !(c.Value > 0) {
			t.Errorf("%s: %+v of %d blocks", m, c, r.Spent.Blocks)
		}
	}
	if len(r.Latencies) != 1 || len(r.GCs) != 1 || !r.GCs[0].Inside {
		t.Fatalf("%d pictures of latencies, %d of the collector", len(r.Latencies), len(r.GCs))
	}
	for _, d := range r.Latencies[0].Variants {
		if d.Runs != r.Spent.Blocks || d.Histogram.Total() != d.Total || d.Total == 0 {
			t.Errorf("latencies of %s: %d runs, %d requests, %d in the histogram", d.Variant, d.Runs, d.Total, d.Histogram.Total())
		}
	}
	if i := slices.IndexFunc(r.Warnings, func(w assay.Warning) bool { return w.Code == "start-failed" }); i >= 0 {
		t.Errorf("a start failed: %+v", r.Warnings[i])
	}
}

// fewRequests tells whether a run had, on average, about as few requests as its 90th
// percentile needs.
func fewRequests(r *assay.Result) bool {
	return slices.ContainsFunc(r.Latencies, func(l assay.Latency) bool {
		return slices.ContainsFunc(l.Variants, func(d assay.Distribution) bool { return d.Total < 200*d.Runs })
	})
}

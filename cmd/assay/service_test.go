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
)

// TestSQLServer runs a real study of a real server in its short form, about two
// minutes: go-mysql-server built with and without Green Tea, under sysbench. What
// it finds is the machine's business; what is tested is that all of it is there,
// fits together, and leaves nothing behind.
func TestSQLServer(t *testing.T) {
	if _, err := exec.LookPath("sysbench"); err != nil {
		t.Skip("sysbench is not installed: make sysbench")
	}
	store := t.TempDir()
	// The test binary is assay when it is called so (TestMain).
	assayPath := filepath.Join(t.TempDir(), "assay")
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(self, assayPath); err != nil {
		t.Skipf("no symbolic links here: %v", err)
	}
	cmd := exec.CommandContext(t.Context(), assayPath, "run", "--store", store, "--json", "--progress=none",
		filepath.Join(repository(), "studies", "sql-server", "short.toml"))
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
	checkSQLServer(t, &r)
	if kept, _ := filepath.Glob(filepath.Join(store, r.Run, "collected", "*.json.gz")); len(kept) != r.Spent.Trials {
		t.Errorf("%d trials left %d files in collected/", r.Spent.Trials, len(kept))
	}
	if out, _ := exec.Command("pgrep", "-f", "sql-server -addr").Output(); len(out) > 0 {
		t.Errorf("servers still run: %s", out)
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
	for _, m := range []string{"latency.p50", "latency.p90", assay.MetricRequests, assay.MetricMeanRSS, assay.MetricRSS, assay.MetricServerCPU,
		assay.MetricGCCyclesMin, assay.MetricGCMark, assay.MetricGCMarkCPU, assay.MetricGCShare, assay.MetricGCPauseP50} {
		if c, ok := got[m]; !ok || c.N != r.Spent.Blocks || !(c.Value > 0) {
			t.Errorf("%s: %+v of %d blocks", m, c, r.Spent.Blocks)
		}
	}
	if cycles := got[assay.MetricGCCyclesMin].Value; cycles < 300 {
		t.Errorf("%g collections a minute; this server makes thousands", cycles)
	}
	if len(r.Latencies) != 1 || len(r.GCs) != 1 || !r.GCs[0].Inside {
		t.Fatalf("%d pictures of latencies, %d of the collector", len(r.Latencies), len(r.GCs))
	}
	for _, d := range r.Latencies[0].Variants {
		if d.Runs != r.Spent.Blocks || d.Histogram.Total() != d.Total || d.Total < 100 {
			t.Errorf("latencies of %s: %d runs, %d requests, %d in the histogram", d.Variant, d.Runs, d.Total, d.Histogram.Total())
		}
	}
	if i := slices.IndexFunc(r.Warnings, func(w assay.Warning) bool { return w.Code == "start-failed" }); i >= 0 {
		t.Errorf("a start failed: %+v", r.Warnings[i])
	}
}

//go:build unix

package trial

import (
	"os/exec"
	"testing"

	assay "github.com/seed-1318a441/assay"
)

// TestWrk: a real load generator, where it is installed.
func TestWrk(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("wrk"); err != nil {
		t.Skip("wrk is not installed")
	}
	s := newService(t, "good", "/")
	s.GCTrace = true
	s.Service.Load, s.Service.Parse = []string{"wrk", "-t1", "-c2", "-d1s", "--latency", s.url("/")}, "wrk"
	o := mustServe(t, s)
	if o.Status != assay.StatusOK {
		t.Fatalf("%s: %s\n%s", o.Status, o.Reason, o.Stdout)
	}
	got := o.Observations("requests", 1)
	for _, name := range []string{"latency.p50", "latency.p90", "tx/s", "mean-RSS-bytes", "cpu-sec/ktx", "gc.cycles/ktx"} {
		if got[name] <= 0 {
			t.Errorf("%s is %g; %v\n%s", name, got[name], got, o.Stdout)
		}
	}
}

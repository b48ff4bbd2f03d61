//go:build unix

package trial

import (
	"syscall"
	"testing"
	"time"

	assay "github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/child"
)

// BenchmarkWatch tells what it costs this process to watch a server for a second, as part
// of one core: one that prints nothing, and one that traces 100 collections a second.
func BenchmarkWatch(b *testing.B) {
	for _, rate := range []string{"0", "100"} {
		b.Run(rate+"-cycles", func(b *testing.B) {
			s := newService(b, "good", "/")
			s.Service.Start = []string{s.Service.Start[0], "role-churn", rate}
			s.GCTrace, s.Service.Ready.Log = true, "."
			r, err := newServing(s)
			if err == nil {
				r.server, err = r.start(b.Context())
			}
			if err != nil {
				b.Fatal(err)
			}
			r.trace.keepSince(0)
			sampler := child.StartSampling(r.server.PID())
			before := ownCPU(b)
			for b.Loop() {
				time.Sleep(time.Second)
			}
			cpu := ownCPU(b) - before
			b.ReportMetric(100*cpu.Seconds()/b.Elapsed().Seconds(), "%core")
			samples := sampler.End()
			r.server.Stop(assay.StopKill)
			_, _ = r.server.Wait()
			b.ReportMetric(float64(len(r.trace.end()))/b.Elapsed().Seconds(), "cycles/s")
			b.ReportMetric(float64(len(samples))/b.Elapsed().Seconds(), "samples/s")
		})
	}
}

// ownCPU is the CPU time of this process.
func ownCPU(t testing.TB) time.Duration {
	t.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		t.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

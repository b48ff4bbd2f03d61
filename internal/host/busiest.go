package host

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/shirou/gopsutil/v4/process"
)

// BusyLoad is the share of the CPUs from which their use by others is worth a word. One
// tick of a 100 Hz kernel during SampleLoad is 4 % of one CPU, so a few percent are noise.
const BusyLoad = 0.10

// Busiest names the other process that used most CPU in a quarter of a second, as
// `"chrome" uses 140 % of a CPU`; "" if none used a tenth of one.
func Busiest(ctx context.Context) string {
	before := processTimes(ctx)
	select {
	case <-ctx.Done():
		return ""
	case <-time.After(sampleTime):
	}
	who, most := busier(before, processTimes(ctx))
	if share := most / sampleTime.Seconds(); who != nil && share >= BusyLoad {
		if name, err := who.NameWithContext(ctx); err == nil {
			return fmt.Sprintf("%q uses %.0f %% of a CPU", name, 100*share)
		}
	}
	return ""
}

// busier returns the process that used most CPU time between two looks, in seconds;
// nil if none used any.
func busier(before, after map[int32]processTime) (who *process.Process, most float64) {
	for pid, now := range after {
		if used := now.cpu - before[pid].cpu; before[pid].p != nil && used > most {
			most, who = used, now.p
		}
	}
	return who, most
}

type processTime struct {
	p   *process.Process
	cpu float64 // seconds
}

// processTimes returns the CPU time of every process except this one.
func processTimes(ctx context.Context) map[int32]processTime {
	out := map[int32]processTime{}
	all, err := process.ProcessesWithContext(ctx)
	if err != nil {
		return out
	}
	for _, p := range all {
		if t, err := p.TimesWithContext(ctx); err == nil && int(p.Pid) != os.Getpid() {
			out[p.Pid] = processTime{p, t.User + t.System}
		}
	}
	return out
}

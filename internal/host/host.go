// Package host reports the facts about this machine that matter to a measurement, and lets
// one assay at a time measure here.
//
// It reads /proc, /sys and, through gopsutil, what other systems offer. Facts that it
// cannot find stay empty; it never fails.
package host

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/shirou/gopsutil/v4/cpu"
	gohost "github.com/shirou/gopsutil/v4/host"
	"github.com/shirou/gopsutil/v4/mem"
	"github.com/shirou/gopsutil/v4/process"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/host/system"
)

// sampleTime is how long Platform observes the CPUs to measure their load: 25 ticks of a
// 100 Hz kernel, so that one tick is 4 %.
const sampleTime = 250 * time.Millisecond

// Platform returns the facts about this machine. It takes a quarter of a second, to
// measure the load of others.
func Platform(ctx context.Context) assay.Platform {
	p := assay.Platform{GOOS: runtime.GOOS, GOARCH: runtime.GOARCH, CPUs: usableCPUs(), GoEnv: goEnv(ctx)}
	var flags []string
	if info, err := cpu.InfoWithContext(ctx); err == nil && len(info) > 0 {
		p.CPU, flags = strings.Join(strings.Fields(info[0].ModelName), " "), info[0].Flags
	}
	if n, err := cpu.CountsWithContext(ctx, false); err == nil {
		p.Cores = n
	}
	if m, err := mem.VirtualMemoryWithContext(ctx); err == nil {
		p.Memory = m.Total
	}
	if v, err := gohost.KernelVersionWithContext(ctx); err == nil {
		p.Kernel = v
	}
	p.Host = computer(ctx)
	p.Virtual = hypervisor(ctx, system.Here, flags)
	p.Governor, p.Profile, p.Power = governor(system.Here), profile(system.Here), power(ctx, system.Here)
	p.Load, _ = SampleLoad(ctx)
	return For(p, "", 0)
}

// For returns the platform p as seen by trials that are built for goarch and run with
// GOMAXPROCS = procs; "" and 0 mean the machine's own. Programs of two architectures, or
// with one CPU and with all, run on two platforms.
func For(p assay.Platform, goarch string, procs int) assay.Platform {
	p.GOARCH, p.Procs = cmp.Or(goarch, p.GOARCH), cmp.Or(procs, p.CPUs)
	p.ID = identity(p)
	return p
}

// identity hashes the facts that stay the same on one machine from run to run: system,
// architecture, CPU model, cores, the usable CPUs. It includes settings that deliberately
// make it another machine: the power mode and GOMAXPROCS; and the emulator. It excludes
// clock rates and bogomips, which change with every boot, and the kernel and the memory
// that it reports, which change with every update. With those an old machine would look
// new, and the difference like a regression.
func identity(p assay.Platform) string {
	facts := fmt.Sprintf("%q %q %q %d %d", p.GOOS, p.GOARCH, p.CPU, p.Cores, p.CPUs)
	// Default values add nothing, so that known platforms keep their ID.
	if p.Procs != 0 && p.Procs != p.CPUs {
		facts += fmt.Sprintf(" procs %d", p.Procs)
	}
	if p.Governor != "" || p.Profile != "" || p.Power != "" {
		facts += fmt.Sprintf(" power %q %q %q", p.Governor, p.Profile, p.Power)
	}
	if p.Emulated != "" {
		facts += fmt.Sprintf(" emulated %q", p.Emulated)
	}
	h := sha256.Sum256([]byte(facts))
	return hex.EncodeToString(h[:4])
}

// usableCPUs returns the number of CPUs that the scheduler of a Go program uses here. It
// respects affinity and, since go1.25, the cgroup's limit. GOMAXPROCS in the environment
// is a setting of the run, not of the machine.
func usableCPUs() int {
	if n := runtime.GOMAXPROCS(0); os.Getenv("GOMAXPROCS") == "" && n < runtime.NumCPU() {
		return n
	}
	return runtime.NumCPU()
}

// runVars are the environment variables of the Go runtime. buildVars are the variables of
// the go command that affect a build. Neither includes a variant's own settings.
var (
	runVars   = []string{"GOMAXPROCS", "GOGC", "GOMEMLIMIT", "GODEBUG", "GOTRACEBACK"}
	buildVars = []string{"GOVERSION", "GOTOOLCHAIN", "GOFLAGS", "GOEXPERIMENT", "GOAMD64", "GOARM64", "CGO_ENABLED"}
)

// BuildEnv returns the buildVars that are set on this computer, which builds what others
// may run.
func BuildEnv(ctx context.Context) map[string]string {
	set := map[string]string{}
	if out, err := exec.CommandContext(ctx, "go", append([]string{"env", "-json"}, buildVars...)...).Output(); err == nil {
		_ = json.Unmarshal(out, &set) // invalid output yields nothing
	}
	maps.DeleteFunc(set, func(_, v string) bool { return v == "" })
	return set
}

// goEnv returns the variables that are set.
func goEnv(ctx context.Context) map[string]string {
	set := BuildEnv(ctx)
	for _, k := range runVars {
		set[k] = os.Getenv(k)
	}
	maps.DeleteFunc(set, func(_, v string) bool { return v == "" })
	return set
}

// UnnamedHypervisor stands for a hypervisor that neither the system nor the firmware names.
const UnnamedHypervisor = "virtual machine"

// hypervisor names the hypervisor, "" for bare metal. Containers do not count: they use
// the same kernel and CPU.
func hypervisor(ctx context.Context, s system.Files, flags []string) string {
	name, role, err := gohost.VirtualizationWithContext(ctx)
	switch {
	case err != nil || role != "guest", name == "docker", name == "lxc", name == "rkt":
		name = ""
	}
	if name == "" && !slices.Contains(flags, "hypervisor") {
		return ""
	}
	// The firmware is more specific than "kvm".
	if v := s.Read("sys/class/dmi/id/sys_vendor"); v != "" {
		return v
	}
	if name == "" {
		return UnnamedHypervisor
	}
	return name
}

// SampleLoad measures, over a quarter of a second, the share of all CPUs that other processes
// used, and the share that the hypervisor took away, both from 0 to 1.
func SampleLoad(ctx context.Context) (load, steal float64) {
	before, ok1 := readTimes(ctx)
	select {
	case <-ctx.Done():
		return 0, 0
	case <-time.After(sampleTime):
	}
	after, ok2 := readTimes(ctx)
	if !ok1 || !ok2 {
		return 0, 0
	}
	return shares(before, after)
}

// times are the seconds that all CPUs together have spent since boot.
type times struct {
	total, idle, steal float64
	own                float64 // by this process
}

func readTimes(ctx context.Context) (times, bool) {
	all, err := cpu.TimesWithContext(ctx, false)
	if err != nil || len(all) == 0 {
		return times{}, false
	}
	c := all[0]
	// User time already includes guest time.
	t := times{total: c.User + c.System + c.Idle + c.Nice + c.Iowait + c.Irq + c.Softirq + c.Steal, idle: c.Idle + c.Iowait, steal: c.Steal}
	if self, err := process.NewProcessWithContext(ctx, int32(os.Getpid())); err == nil {
		if own, err := self.TimesWithContext(ctx); err == nil {
			t.own = own.User + own.System
		}
	}
	return t, true
}

func shares(a, b times) (load, steal float64) {
	total := b.total - a.total
	if total <= 0 {
		return 0, 0
	}
	used := total - (b.idle - a.idle) - (b.own - a.own)
	return clamp(used / total), clamp((b.steal - a.steal) / total)
}

func clamp(x float64) float64 { return max(0, min(1, x)) }

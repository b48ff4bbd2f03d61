// Package host tells the facts about this machine that matter to a
// measurement, and what would spoil one here.
//
// It reads /proc, /sys and, through gopsutil, what other systems offer; what it
// cannot find out it leaves empty, and it never fails. It changes no setting, but
// for a [Keeper], which puts back what was. How noisy the machine really is, the A/A control of every run
// measures (packages lab and analysis); the findings here say why.
package host

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"time"

	"github.com/shirou/gopsutil/v4/cpu"
	gohost "github.com/shirou/gopsutil/v4/host"
	"github.com/shirou/gopsutil/v4/mem"
	"github.com/shirou/gopsutil/v4/process"

	"github.com/seed-1318a441/assay"
)

// sampleTime is how long Platform watches the CPUs to learn their load: 25
// ticks of a 100 Hz kernel, so that one tick is 4 %.
const sampleTime = 250 * time.Millisecond

// Platform returns the facts about this machine; it takes a quarter of a
// second, in which the load of others is measured.
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
	p.Virtual = hypervisor(ctx, here, flags)
	p.Governor, p.Profile, p.Power = governor(here), profile(here), power(ctx, here)
	p.Load, _ = watch(ctx, sampleTime)
	return For(p, "", 0)
}

// For returns the platform p as trials see it that are built for goarch and run
// with GOMAXPROCS = procs; "" and 0 mean what the machine has. Programs of two
// architectures, or with one CPU and with all, run on two platforms.
func For(p assay.Platform, goarch string, procs int) assay.Platform {
	p.GOARCH, p.Procs = cmp.Or(goarch, p.GOARCH), cmp.Or(procs, p.CPUs)
	p.ID = identity(p)
	return p
}

// identity hashes what stays the same on one machine from run to run: system,
// architecture, CPU model, cores, the CPUs that a process may use; and what
// somebody sets who knows that it makes another machine of it: the power mode
// and GOMAXPROCS. Clock rates and bogomips change from boot to boot, the kernel
// with each update, and the memory that it reports with the kernel; a machine
// key with such facts in it makes a new machine of an old one, and a regression
// of the difference.
func identity(p assay.Platform) string {
	facts := fmt.Sprintf("%q %q %q %d %d", p.GOOS, p.GOARCH, p.CPU, p.Cores, p.CPUs)
	// What is as usual adds nothing, so that platforms known before keep their ID.
	if p.Procs != 0 && p.Procs != p.CPUs {
		facts += fmt.Sprintf(" procs %d", p.Procs)
	}
	if p.Governor != "" || p.Profile != "" || p.Power != "" {
		facts += fmt.Sprintf(" power %q %q %q", p.Governor, p.Profile, p.Power)
	}
	h := sha256.Sum256([]byte(facts))
	return hex.EncodeToString(h[:4])
}

// usableCPUs counts the CPUs that the scheduler of a Go program takes here:
// affinity, and since go1.25 the cgroup's limit, are in it. A GOMAXPROCS that
// the user has set is a setting of the run, not of the machine.
func usableCPUs() int {
	if n := runtime.GOMAXPROCS(0); os.Getenv("GOMAXPROCS") == "" && n < runtime.NumCPU() {
		return n
	}
	return runtime.NumCPU()
}

// runVars are the variables of the Go run time that the environment sets;
// buildVars are those of the go command in use that shape a build. Neither says
// what a variant sets itself.
var (
	runVars   = []string{"GOMAXPROCS", "GOGC", "GOMEMLIMIT", "GODEBUG", "GOTRACEBACK"}
	buildVars = []string{"GOVERSION", "GOTOOLCHAIN", "GOFLAGS", "GOEXPERIMENT", "GOAMD64", "GOARM64", "CGO_ENABLED"}
)

// goEnv returns those that are set to something.
func goEnv(ctx context.Context) map[string]string {
	set := map[string]string{}
	if out, err := exec.CommandContext(ctx, "go", append([]string{"env", "-json"}, buildVars...)...).Output(); err == nil {
		_ = json.Unmarshal(out, &set) // a go command that says nonsense says nothing
	}
	for _, k := range runVars {
		set[k] = os.Getenv(k)
	}
	maps.DeleteFunc(set, func(_, v string) bool { return v == "" })
	return set
}

// hypervisor names what the machine runs on, "" for bare metal. Containers do
// not count: they run on the same kernel and CPU.
func hypervisor(ctx context.Context, s system, flags []string) string {
	name, role, err := gohost.VirtualizationWithContext(ctx)
	switch {
	case err != nil || role != "guest", name == "docker", name == "lxc", name == "rkt":
		name = ""
	}
	guest := name != ""
	for _, f := range flags {
		guest = guest || f == "hypervisor"
	}
	if !guest {
		return ""
	}
	// The firmware's word is more telling than "kvm".
	if v := s.read("sys/class/dmi/id/sys_vendor"); v != "" {
		return v
	}
	if name == "" {
		return "unnamed hypervisor"
	}
	return name
}

// watch measures, over the time d, the share of all CPUs that other processes
// used, and the share that the hypervisor took away, both from 0 to 1.
func watch(ctx context.Context, d time.Duration) (load, steal float64) {
	before, ok1 := readTimes(ctx)
	select {
	case <-ctx.Done():
		return 0, 0
	case <-time.After(d):
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
	// Guest time is part of user time already.
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

func clamp(x float64) float64 { return math.Max(0, math.Min(1, x)) }

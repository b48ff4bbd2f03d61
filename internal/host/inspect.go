package host

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/shirou/gopsutil/v4/disk"
	"github.com/shirou/gopsutil/v4/process"

	"github.com/seed-1318a441/assay"
)

// A Finding is one thing about this machine that would spoil a measurement.
type Finding struct {
	// Code is stable, such as "governor".
	Code string `json:"code"`
	// Text is what is the case, Effect what it does to results, Cure the
	// command or action against it; "" where there is none.
	Text   string `json:"text"`
	Effect string `json:"effect"`
	Cure   string `json:"cure,omitempty"`
	// Severe findings make results worthless rather than less sharp.
	Severe bool `json:"severe,omitempty"`
}

// Inspect says what would spoil a measurement on the platform p, which
// Platform has just described. The folders dirs are those that a run writes
// to. Nothing is changed. It takes a second at most.
func Inspect(ctx context.Context, p assay.Platform, dirs ...string) []Finding {
	s := state{Platform: p, pressure: pressure(here), turboOff: turbo(here), battery: onBattery(here), limit: cpuLimit(here)}
	if p.Virtual != "" {
		_, s.steal = watch(ctx, sampleTime)
	}
	if p.Load >= busyLoad {
		s.busiest = busiest(ctx, sampleTime)
	}
	for _, d := range dirs {
		s.disks = append(s.disks, freeSpace(ctx, d))
	}
	return s.findings()
}

// A state is all that findings are drawn from.
type state struct {
	assay.Platform
	steal, pressure float64
	// turboOff is the command that turns turbo off, "" where it is not on.
	turboOff string
	battery  bool
	// limit is the cgroup's, in CPUs.
	limit   float64
	busiest string
	disks   []space
}

type space struct {
	dir   string
	free  uint64 // bytes
	known bool
}

// Limits above which a finding is worth a line. One tick of a 100 Hz kernel in
// the time that watch takes is 4 % of one CPU, so a few per cent are noise.
const (
	busyLoad   = 0.10
	veryBusy   = 0.50
	badSteal   = 0.02
	worstSteal = 0.10
	badWait    = 0.10
	lowDisk    = 2 << 30   // bytes: builds of a large program for a few variants
	emptyDisk  = 256 << 20 // bytes: not even a small one
)

// findings draws the findings, the severe ones first.
func (s state) findings() []Finding {
	all := slices.Concat(s.neighbours(), s.clock(), s.size(), s.diskSpace())
	slices.SortStableFunc(all, func(a, b Finding) int { return cmp.Compare(rank(a), rank(b)) })
	return all
}

func rank(f Finding) int {
	if f.Severe {
		return 0
	}
	return 1
}

// neighbours are findings about others who use the CPUs.
func (s state) neighbours() (out []Finding) {
	if s.Load >= busyLoad {
		text := fmt.Sprintf("other processes use %.0f %% of the CPUs", 100*s.Load)
		if s.busiest != "" {
			text += "; " + s.busiest
		}
		out = append(out, Finding{Code: "busy", Text: text, Severe: s.Load >= veryBusy,
			Effect: "spread of 5 to 25 %, up to 100 % where a benchmark uses every CPU", Cure: "end them, or measure later"})
	}
	if s.pressure >= badWait {
		out = append(out, Finding{Code: "pressure", Text: fmt.Sprintf("tasks waited for a CPU in %.0f %% of the last 10 s", 100*s.pressure),
			Effect: "spikes in single trials; more blocks are needed", Cure: "end what runs beside it; see /proc/pressure/cpu"})
	}
	if s.Virtual != "" {
		out = append(out, Finding{Code: "virtual", Text: "this is a virtual machine (" + s.Virtual + ")",
			Effect: "neighbours that cannot be seen from here; clock and caches are shared with them", Cure: "bare metal, where 1 % matters"})
	}
	if s.steal >= badSteal {
		out = append(out, Finding{Code: "steal", Text: fmt.Sprintf("the hypervisor took %.0f %% of the CPU time away", 100*s.steal), Severe: s.steal >= worstSteal,
			Effect: "time per operation grows by as much, in bursts", Cure: "a machine with dedicated CPUs"})
	}
	return out
}

// clock are findings about the CPUs' clock rate.
func (s state) clock() (out []Finding) {
	if g := s.Governor; g != "" && g != "performance" {
		out = append(out, Finding{Code: "governor", Text: "the frequency governor is " + g,
			Effect: "2 to 5 %: short trials begin on a slow clock", Cure: "sudo cpupower frequency-set -g performance"})
	}
	if s.turboOff != "" {
		out = append(out, Finding{Code: "turbo", Text: "turbo is on",
			Effect: "1 to 3 %: the clock falls as the machine warms up; blocks even it out", Cure: s.turboOff})
	}
	if s.battery {
		out = append(out, Finding{Code: "battery", Text: "the machine runs on battery",
			Effect: "the clock follows the charge", Cure: "plug it in"})
	}
	return out
}

// size are findings about how many CPUs there are.
func (s state) size() (out []Finding) {
	if s.limit > 0 && s.limit < float64(s.CPUs) || s.limit > 0 && s.limit != math.Trunc(s.limit) {
		out = append(out, Finding{Code: "cpu-limit", Text: fmt.Sprintf("the cgroup allows %.2g CPUs", s.limit), Severe: s.limit < 1,
			Effect: "a process that uses more is stopped for up to 100 ms at a time", Cure: fmt.Sprintf("raise the limit, or run variants with GOMAXPROCS=%.0f", math.Max(1, math.Floor(s.limit)))})
	}
	if s.CPUs <= 2 && s.GoEnv["GOMAXPROCS"] != "1" {
		text := fmt.Sprintf("there are %d CPUs for benchmark, collector and everything else", s.CPUs)
		if s.CPUs == 1 {
			text = "there is one CPU for benchmark, collector and everything else"
		}
		out = append(out, Finding{Code: "few-cpus", Text: text,
			Effect: "allocation benchmarks spread by 25 % and more, with one P by 1 to 6 %", Cure: "GOMAXPROCS=1 as a run variable of every variant"})
	}
	return out
}

func (s state) diskSpace() (out []Finding) {
	for _, d := range s.disks {
		if !d.known || d.free >= lowDisk {
			continue
		}
		out = append(out, Finding{Code: "disk", Text: fmt.Sprintf("%s has %d MB left", d.dir, d.free>>20), Severe: d.free < emptyDisk,
			Effect: "builds fail when it is full; a toolchain takes 250 MB, the standard library of a variant 165 MB", Cure: "go clean -cache"})
	}
	return out
}

// freeSpace asks the file system that holds dir, or will once dir is made.
func freeSpace(ctx context.Context, dir string) space {
	at, err := filepath.Abs(dir)
	if err != nil {
		return space{dir: dir}
	}
	for filepath.Dir(at) != at {
		if _, err := os.Stat(at); err == nil {
			break
		}
		at = filepath.Dir(at)
	}
	u, err := disk.UsageWithContext(ctx, at)
	if err != nil {
		return space{dir: dir}
	}
	return space{dir: dir, free: u.Free, known: true}
}

// busiest names the other process that used most CPU over the time d, as
// `"chrome" uses 140 % of a CPU`; "" where none used a tenth of one.
func busiest(ctx context.Context, d time.Duration) string {
	before := processTimes(ctx)
	select {
	case <-ctx.Done():
		return ""
	case <-time.After(d):
	}
	var most float64
	var who *process.Process
	for pid, after := range processTimes(ctx) {
		if used := after.cpu - before[pid].cpu; before[pid].p != nil && used > most {
			most, who = used, after.p
		}
	}
	if share := most / d.Seconds(); who != nil && share >= busyLoad {
		if name, err := who.NameWithContext(ctx); err == nil {
			return fmt.Sprintf("%q uses %.0f %% of a CPU", name, 100*share)
		}
	}
	return ""
}

type processTime struct {
	p   *process.Process
	cpu float64 // seconds
}

// processTimes returns the CPU time of every process but this one.
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

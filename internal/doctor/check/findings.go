package check

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/host"
)

// Limits above which a finding is worth a line, as is host.BusyLoad.
const (
	veryBusy   = 0.50
	badSteal   = 0.02
	worstSteal = 0.10
	badWait    = 0.10
	badStops   = 0.01
	lowDisk    = 2 << 30   // bytes: builds of a large program for a few variants
	emptyDisk  = 256 << 20 // bytes: too little even for a small program
	nearTrip   = 10        // °C below the temperature at which the kernel slows the machine down
)

// Findings returns the result of every check: the most important first, those that are
// fine last. docs/doctor.md has the sources of the effects' figures.
func (f *Facts) Findings() []Finding {
	checks := [][]Finding{f.neighbours(), f.waiting(), f.stolen()}
	switch f.GOOS {
	case "linux":
		checks = append(checks, f.swapping(), f.cgroup(), f.governor(), f.turbo(), f.thermal(), f.battery(), f.threads(), f.kinds(),
			f.isolated(), f.allowed(), f.addresses(), f.hugePages(), f.clockSource())
	case "darwin":
		checks = append(checks, f.macThermal(), f.battery(), f.kinds(), notLookedAt("swap activity, huge pages"))
	default:
		checks = append(checks, notLookedAt("power plan, clock rate, temperature, swap activity"))
	}
	all := slices.Concat(append(checks, f.cpuCount(), f.counters(), f.tools(), f.diskSpace())...)
	sortFindings(all)
	return all
}

func percent(share float64) string { return fmt.Sprintf("%.0f %%", 100*share) }

// neighbours reports who else uses the CPUs.
func (f *Facts) neighbours() []Finding {
	text := "other processes use " + percent(f.Load) + " of the CPUs"
	if f.Load < host.BusyLoad {
		return fine(assay.CodeBusy, text)
	}
	if f.Busiest != "" {
		text += "; " + f.Busiest
	}
	return []Finding{{Code: assay.CodeBusy, Text: text, Level: severeIf(f.Load >= veryBusy),
		Effect: "spread of 5 to 25 %, up to 100 % where a benchmark uses every CPU", Cure: "end them, or measure later"}}
}

func severeIf(severe bool) Level {
	if severe {
		return Severe
	}
	return Note
}

func (f *Facts) waiting() []Finding {
	if f.Wait < badWait {
		return nil // the load confirms it
	}
	return []Finding{{Code: assay.CodePressure, Level: Note, Text: "tasks waited for a CPU in " + percent(f.Wait) + " of the last 10 s",
		Effect: "spikes in single trials; more blocks are needed", Cure: "end what runs beside it; see /proc/pressure/cpu"}}
}

// stolen reports what a hypervisor takes.
func (f *Facts) stolen() (out []Finding) {
	if f.Virtual == "" {
		return fine(assay.CodeVirtual, "no virtual machine")
	}
	virtual := "this is a virtual machine"
	if f.Virtual != host.UnnamedHypervisor {
		virtual += " (" + f.Virtual + ")"
	}
	out = append(out, Finding{Code: assay.CodeVirtual, Level: Note, Text: virtual,
		Effect: "neighbours that cannot be seen from here; clock and caches are shared with them", Cure: "bare metal, where 1 % matters"})
	text := "the hypervisor took " + percent(f.Steal) + " of the CPU time away"
	if f.Steal < badSteal {
		return append(out, fine(assay.CodeSteal, text)...)
	}
	return append(out, Finding{Code: assay.CodeSteal, Text: text, Level: severeIf(f.Steal >= worstSteal),
		Effect: "time per operation grows by as much, in bursts", Cure: "a machine with dedicated CPUs"})
}

func (f *Facts) swapping() []Finding {
	switch l := f.linux; {
	case !l.swapKnown:
		return unknown(assay.CodeSwap, "swap activity")
	case l.swapped > 0:
		return []Finding{{Code: assay.CodeSwap, Level: Severe, Text: fmt.Sprintf("%d pages went to swap or came from it while looking", l.swapped),
			Effect: "a page from disk takes 10 µs to 10 ms, a page in memory 0.1 µs", Cure: "end what needs the memory, then: sudo swapoff -a && sudo swapon -a"}}
	}
	return fine(assay.CodeSwap, "nothing is swapped")
}

func (f *Facts) cgroup() []Finding {
	limit := f.linux.limit
	if limit == 0 || limit >= float64(f.CPUs) && limit == math.Trunc(limit) && f.linux.stopped < badStops {
		return fine(assay.CodeCPULimit, "no limit on CPU time")
	}
	text := fmt.Sprintf("the cgroup allows %.2g CPUs", limit)
	if f.linux.stopped >= badStops {
		text += ", and was held back in " + percent(f.linux.stopped) + " of its periods so far"
	}
	return []Finding{{Code: assay.CodeCPULimit, Text: text, Level: severeIf(limit < 1),
		Effect: "a process that uses more is stopped for up to 100 ms at a time",
		Cure:   fmt.Sprintf("raise the limit, or run variants with GOMAXPROCS=%.0f", math.Max(1, math.Floor(limit)))}}
}

// cpuCount reports the number of CPUs.
func (f *Facts) cpuCount() []Finding {
	if f.CPUs > 2 || f.GoEnv["GOMAXPROCS"] == "1" {
		return nil
	}
	text := fmt.Sprintf("there are %d CPUs for benchmark, collector and everything else", f.CPUs)
	if f.CPUs == 1 {
		text = "there is one CPU for benchmark, collector and everything else"
	}
	return []Finding{{Code: assay.CodeFewCpus, Level: Note, Text: text,
		Effect: "allocation benchmarks spread by 25 % and more, with one P by 1 to 6 %", Cure: "GOMAXPROCS=1 as a run variable of every variant"}}
}

// isolated reports CPUs that the scheduler leaves alone: good for one thread, but several
// are not balanced among them.
func (f *Facts) isolated() (out []Finding) {
	l := f.linux
	if l.tickless != "" {
		out = fine(assay.CodeIsolated, "no timer tick on CPUs "+l.tickless+" (nohz_full) while one task runs there")
	}
	if len(l.isolated) == 0 {
		return out
	}
	mine := 0
	for _, c := range l.allowed {
		if slices.Contains(l.isolated, c) {
			mine++
		}
	}
	if mine < 2 {
		return append(out, fine(assay.CodeIsolated, "CPUs "+assay.FormatCPUs(l.isolated)+" are kept free of other tasks (isolcpus)")...)
	}
	return append(out, Finding{Code: assay.CodeIsolated, Level: Severe, Text: "assay runs on isolated CPUs, " + assay.FormatCPUs(l.isolated) + ", among which the kernel moves no task",
		Effect: "all threads of a Go program stay on the CPU that they began on: it has one CPU, and believes it has " + strconv.Itoa(mine),
		Cure:   fmt.Sprintf("GOMAXPROCS=1 and taskset -c %d, or a cpuset partition instead of isolcpus", l.isolated[0])})
}

func (f *Facts) allowed() []Finding {
	l := f.linux
	if len(l.allowed) == 0 || len(l.allowed) >= len(l.online) {
		return nil
	}
	return fine("cpuset", fmt.Sprintf("assay may use %d of %d CPUs, %s (affinity or cpuset)", len(l.allowed), len(l.online), assay.FormatCPUs(l.allowed)))
}

func (f *Facts) counters() []Finding {
	switch {
	case !f.Counted:
		return nil
	case f.Counters.Why == "":
		return fine(assay.CodeCounters, "instructions, cycles, branch and cache misses can be counted")
	}
	return []Finding{{Code: assay.CodeCounters, Level: Note, Text: "instructions, cycles, branch and cache misses are not measured: " + f.Counters.Why,
		Effect: "results stay right; explanations do without them", Cure: f.Counters.Cure, Undo: f.Counters.Undo}}
}

// tools reports whether there is a Go toolchain.
func (f *Facts) tools() []Finding {
	switch {
	case !f.Tools:
		return nil
	case f.Go == "":
		return []Finding{{Code: assay.CodeNoGo, Level: Severe, Text: "there is no go command in PATH",
			Effect: "nothing can be built or measured", Cure: "install Go from https://go.dev/dl and put its bin folder into PATH"}}
	case len(f.Toolchains) == 0:
		return fine("toolchains", "go in PATH is "+f.Go)
	}
	return fine("toolchains", "toolchains that are here: "+strings.Join(f.Toolchains, ", ")+"; others are fetched")
}

func (f *Facts) diskSpace() (out []Finding) {
	for _, d := range f.Disks {
		switch {
		case !d.Known:
			out = append(out, unknown(assay.CodeDisk, "free disk of "+d.Dir)...)
		case d.Free >= lowDisk:
			out = append(out, fine(assay.CodeDisk, fmt.Sprintf("%s has %.0f GB left", d.Dir, float64(d.Free)/1e9))...)
		default:
			out = append(out, Finding{Code: assay.CodeDisk, Level: severeIf(d.Free < emptyDisk), Text: fmt.Sprintf("%s has %d MB left", d.Dir, d.Free>>20),
				Effect: "builds fail when it is full; a toolchain takes 250 MB, the standard library of a variant 165 MB", Cure: "go clean -cache"})
		}
	}
	return out
}

func notLookedAt(what string) []Finding { return unknown("not-told", what) }

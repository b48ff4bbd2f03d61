package check

import (
	"context"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-1318a441/assay/internal/host/system"
)

// linuxFacts come from /proc and /sys. Unknown fields are zero.
type linuxFacts struct {
	wait    float64
	turbo   turboSwitch
	battery bool
	// limit is the cgroup's, in CPUs. stopped is the share of periods, since the cgroup
	// was made, in which it was throttled.
	limit, stopped float64
	smt            string // "1" on, "0" off
	aslr           string // 2 full, 1 without the heap, 0 off
	hugePages      string // "always", "madvise", "never"
	clockSource    string
	clocks         []string            // the clock sources to choose from
	profiles       []string            // the platform profiles to choose from
	governors      map[string][]string // the files that hold a governor
	fast           []int               // the fast cores of a machine that has slow ones too
	isolated       []int
	tickless       string // the CPUs of nohz_full
	allowed        []int  // CPUs that this process may use
	online         []int
	heat           heat
	swapped        int // pages swapped in or out while looking
	swapKnown      bool
}

// heat is the temperature of the machine.
type heat struct {
	known bool
	// throttled is how often a CPU has been slowed down since boot, now how often while
	// looking.
	throttled, now int
	// zone is the sensor closest to its trip point, where the kernel slows the machine
	// down: at degrees of limit, in °C.
	zone           string
	degrees, limit float64
}

// readLinux reads counters twice, and the rest once.
func readLinux(ctx context.Context, s system.Files, wait func(context.Context)) linuxFacts {
	throttled, known := throttles(s)
	swapped, swapKnown := swaps(s)
	if wait != nil {
		wait(ctx)
	}
	after, _ := throttles(s)
	swappedAfter, _ := swaps(s)
	f := linuxFacts{
		wait: pressure(s), turbo: turbo(s), battery: s.OnBattery(), limit: cpuLimit(s), stopped: stopped(s),
		smt: s.Read("sys/devices/system/cpu/smt/active"), aslr: s.Read("proc/sys/kernel/randomize_va_space"),
		hugePages:   bracketed(s.Read(hugePagesFile)),
		clockSource: s.Read(clockFile), clocks: strings.Fields(s.Read(path.Join(path.Dir(clockFile), "available_clocksource"))),
		profiles: strings.Fields(s.Read(profileFile + "_choices")), governors: governors(s), fast: fastCores(s),
		isolated: cpuList(s.Read("sys/devices/system/cpu/isolated")), tickless: strings.TrimPrefix(s.Read("sys/devices/system/cpu/nohz_full"), "(null)"),
		allowed: cpuList(system.Field(s.Read("proc/self/status"), "Cpus_allowed_list")), online: cpuList(s.Read("sys/devices/system/cpu/online")),
		heat: hottest(s), swapped: swappedAfter - swapped, swapKnown: swapKnown,
	}
	f.heat.known = f.heat.known || known
	f.heat.throttled, f.heat.now = after, after-throttled
	return f
}

// A turboSwitch is the file that switches clock rates above the base rate.
type turboSwitch struct {
	file, off, now string // file is "" if unknown
}

// turbo finds the switch: Intel's is "no_turbo", others have "boost".
func turbo(s system.Files) turboSwitch {
	for _, t := range []turboSwitch{{file: noTurboFile, off: "1"}, {file: boostFile, off: "0"}} {
		if v := s.Read(t.file); v == "0" || v == "1" {
			t.now = v
			return t
		}
	}
	return turboSwitch{}
}

// fastCores returns the fast cores, nil where all are alike: Intel names the two kinds,
// others give each core a capacity.
func fastCores(s system.Files) (fast []int) {
	if s.Read("sys/devices/cpu_atom/cpus") != "" {
		return cpuList(s.Read("sys/devices/cpu_core/cpus"))
	}
	most, least := 0, 0
	for _, file := range s.Names("sys/devices/system/cpu/cpu[0-9]*/cpu_capacity") {
		n, err1 := strconv.Atoi(s.Read(file))
		cpu, err2 := strconv.Atoi(strings.TrimPrefix(path.Base(path.Dir(file)), "cpu"))
		switch {
		case err1 != nil || err2 != nil:
			continue
		case n > most:
			most, fast = n, nil
		}
		if n == most {
			fast = append(fast, cpu)
		}
		if least == 0 || n < least {
			least = n
		}
	}
	if least == most {
		return nil
	}
	slices.Sort(fast)
	return fast
}

// throttles counts how often a CPU or its package was too hot since boot. Each CPU has
// its package's count, so the largest is used (Documentation/admin-guide/thermal and
// arch/x86/kernel/cpu/mce/therm_throt.c).
func throttles(s system.Files) (count int, known bool) {
	for _, which := range []string{"core", "package"} {
		most := 0
		for _, v := range s.Distinct("sys/devices/system/cpu/cpu[0-9]*/thermal_throttle/" + which + "_throttle_count") {
			n, err := strconv.Atoi(v)
			most, known = max(most, n), known || err == nil
		}
		count += most
	}
	return count, known
}

// leastTrip is the lowest plausible trip point, in °C: some firmware has zeros, and there
// are zones of batteries and radios.
const leastTrip = 60

// hottest finds the thermal zone closest to a trip point, where the kernel slows the
// machine down (Documentation/driver-api/thermal/sysfs-api.rst).
func hottest(s system.Files) (h heat) {
	for _, dir := range s.Names("sys/class/thermal/thermal_zone[0-9]*") {
		t, err := strconv.ParseFloat(s.Read(dir+"/temp"), 64)
		if err != nil {
			continue
		}
		for _, kind := range s.Names(dir + "/trip_point_[0-9]*_type") {
			trip, err := strconv.ParseFloat(s.Read(strings.TrimSuffix(kind, "_type")+"_temp"), 64)
			slows := slices.Contains([]string{"passive", "hot", "critical"}, s.Read(kind))
			if err != nil || !slows || trip < leastTrip*1000 {
				continue
			}
			if t, trip := t/1000, trip/1000; !h.known || trip-t < h.limit-h.degrees {
				h = heat{known: true, zone: s.Read(dir + "/type"), degrees: t, limit: trip}
			}
		}
	}
	return h
}

// swaps counts the pages swapped in or out since boot.
func swaps(s system.Files) (pages int, known bool) {
	text := s.Read("proc/vmstat")
	for _, name := range []string{"pswpin", "pswpout"} {
		if n, err := strconv.Atoi(system.Field(text, name)); err == nil {
			pages, known = pages+n, true
		}
	}
	return pages, known
}

// pressure returns the share of the last 10 s, from 0 to 1, in which some task
// waited for a CPU (Documentation/accounting/psi.rst of the kernel).
func pressure(s system.Files) float64 {
	line, _, _ := strings.Cut(s.Read("proc/pressure/cpu"), "\n")
	for f := range strings.FieldsSeq(line) {
		if v, ok := strings.CutPrefix(f, "avg10="); ok {
			x, err := strconv.ParseFloat(v, 64)
			if err == nil {
				return max(0, min(1, x/100))
			}
		}
	}
	return 0
}

// cpuLimit returns the cgroup's limit in CPUs, 0 for none. The tightest of nested groups
// counts.
func cpuLimit(s system.Files) (limit float64) {
	s.EachGroup("cpu", func(dir string, v1 bool) {
		quota, period, _ := strings.Cut(s.Read(dir+"/cpu.max"), " ") // "max 100000" is no limit
		if v1 {
			quota, period = s.Read(dir+"/cpu.cfs_quota_us"), s.Read(dir+"/cpu.cfs_period_us")
		}
		if l := quotient(quota, period); l > 0 && (limit == 0 || l < limit) {
			limit = l
		}
	})
	return limit
}

// stopped returns the largest share of periods in which a cgroup, ours or one above it,
// was throttled.
func stopped(s system.Files) (share float64) {
	s.EachGroup("cpu", func(dir string, _ bool) {
		text := s.Read(path.Join(dir, "cpu.stat"))
		share = max(share, quotient(system.Field(text, "nr_throttled"), system.Field(text, "nr_periods")))
	})
	return share
}

// quotient returns a/b for positive numbers, else 0.
func quotient(a, b string) float64 {
	x, err1 := strconv.ParseFloat(a, 64)
	y, err2 := strconv.ParseFloat(b, 64)
	if err1 != nil || err2 != nil || x <= 0 || y <= 0 {
		return 0
	}
	return x / y
}

// bracketed returns the word in brackets of "always [madvise] never".
func bracketed(choices string) string {
	_, rest, _ := strings.Cut(choices, "[")
	word, _, ok := strings.Cut(rest, "]")
	if !ok {
		return ""
	}
	return word
}

// mostCPUs is the largest CPU number in a list; kernels are built for 8192 at most.
const mostCPUs = 8192

// cpuList parses "0-3,8"; nil if it is invalid.
func cpuList(list string) (cpus []int) {
	for part := range strings.SplitSeq(list, ",") {
		from, to, isRange := strings.Cut(part, "-")
		if !isRange {
			to = from
		}
		lo, err1 := strconv.Atoi(from)
		hi, err2 := strconv.Atoi(to)
		if err1 != nil || err2 != nil || lo < 0 || hi >= mostCPUs {
			return nil
		}
		for c := lo; c <= hi; c++ {
			cpus = append(cpus, c)
		}
	}
	return cpus
}

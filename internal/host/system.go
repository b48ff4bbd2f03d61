package host

import (
	"context"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"runtime"
	"slices"
	"strconv"
	"strings"
)

// A system reads Linux's files about itself. On other systems there are none, and every
// answer is empty.
type system struct{ files fs.FS }

// thisMachine is the machine that the program runs on.
var thisMachine = system{os.DirFS("/")}

// read returns a file's content without surrounding space, "" if it cannot be read.
func (s system) read(name string) string {
	if s.files == nil {
		return ""
	}
	data, err := fs.ReadFile(s.files, name)
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(data))
}

// names lists the files that match a pattern.
func (s system) names(pattern string) []string {
	if s.files == nil {
		return nil
	}
	names, _ := fs.Glob(s.files, pattern) // patterns here are well formed
	return names
}

// distinct returns the different contents of the files that match a pattern.
func (s system) distinct(pattern string) []string {
	var out []string
	for _, n := range s.names(pattern) {
		if v := s.read(n); v != "" {
			out = append(out, v)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// governor returns the frequency governor; machines with several kinds of core
// may have several.
func governor(s system) string {
	return strings.Join(s.distinct("sys/devices/system/cpu/cpu[0-9]*/cpufreq/scaling_governor"), ", ")
}

// profile returns the platform profile, such as "balanced" or "low-power"
// (Documentation/ABI/testing/sysfs-platform_profile of the kernel).
func profile(s system) string { return s.read("sys/firmware/acpi/platform_profile") }

// power returns the power source: "mains", "battery", or "" if unknown, as for machines
// without a battery. On a Mac in low power mode it says so, too.
func power(ctx context.Context, s system) string {
	if runtime.GOOS == "darwin" {
		return macPower(ctx)
	}
	switch {
	case len(s.distinct("sys/class/power_supply/BAT*/status")) == 0:
		return ""
	case onBattery(s):
		return "battery"
	}
	return "mains"
}

// macPower parses pmset's output: "Now drawing from 'AC Power'", and in the settings in
// use " lowpowermode 1".
func macPower(ctx context.Context) string {
	source, err := exec.CommandContext(ctx, "pmset", "-g", "batt").Output()
	if err != nil {
		return ""
	}
	settings, _ := exec.CommandContext(ctx, "pmset", "-g").Output() // if this fails the source is still known
	return pmset(string(source), string(settings))
}

func pmset(source, settings string) string {
	var out string
	switch {
	case strings.Contains(source, "'AC Power'"):
		out = "mains"
	case strings.Contains(source, "'Battery Power'"):
		out = "battery"
	default:
		return ""
	}
	for line := range strings.Lines(settings) {
		if f := strings.Fields(line); len(f) == 2 && f[0] == "lowpowermode" && f[1] == "1" {
			out += ", low power mode"
		}
	}
	return out
}

// pressure returns the share of the last 10 s, from 0 to 1, in which some task
// waited for a CPU (Documentation/accounting/psi.rst of the kernel).
func pressure(s system) float64 {
	line, _, _ := strings.Cut(s.read("proc/pressure/cpu"), "\n")
	for f := range strings.FieldsSeq(line) {
		if v, ok := strings.CutPrefix(f, "avg10="); ok {
			x, err := strconv.ParseFloat(v, 64)
			if err == nil {
				return clamp(x / 100)
			}
		}
	}
	return 0
}

// onBattery reports whether a battery is being emptied.
func onBattery(s system) bool {
	return slices.Contains(s.distinct("sys/class/power_supply/BAT*/status"), "Discharging")
}

// cpuLimit returns the cgroup's limit in CPUs, 0 for none. The tightest of nested groups
// counts.
func cpuLimit(s system) (limit float64) {
	eachGroup(s, "cpu", func(dir string, v1 bool) {
		quota, period, _ := strings.Cut(s.read(dir+"/cpu.max"), " ") // "max 100000" is no limit
		if v1 {
			quota, period = s.read(dir+"/cpu.cfs_quota_us"), s.read(dir+"/cpu.cfs_period_us")
		}
		if l := quotient(quota, period); l > 0 && (limit == 0 || l < limit) {
			limit = l
		}
	})
	return limit
}

// eachGroup calls do with the folder of each cgroup of this process that has a controller,
// and of those around it. Version 1 names the controllers of a group, version 2 does not.
func eachGroup(s system, controller string, do func(dir string, v1 bool)) {
	for line := range strings.Lines(s.read("proc/self/cgroup")) {
		part := strings.SplitN(strings.TrimSpace(line), ":", 3)
		v1 := len(part) == 3 && part[1] != ""
		if len(part) != 3 || v1 && !slices.Contains(strings.Split(part[1], ","), controller) {
			continue
		}
		root := "sys/fs/cgroup"
		if v1 {
			root = path.Join(root, controller)
		}
		for dir := part[2]; ; dir = path.Dir(dir) {
			do(path.Join(root, dir), v1)
			if dir == "/" || dir == "." {
				break
			}
		}
	}
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

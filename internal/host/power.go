package host

import (
	"context"
	"os/exec"
	"runtime"
	"strings"

	"github.com/seed-1318a441/assay/internal/host/system"
)

// governor returns the frequency governor; machines with several kinds of core
// may have several.
func governor(s system.Files) string {
	return strings.Join(s.Distinct("sys/devices/system/cpu/cpu[0-9]*/cpufreq/scaling_governor"), ", ")
}

// profile returns the platform profile, such as "balanced" or "low-power"
// (Documentation/ABI/testing/sysfs-platform_profile of the kernel).
func profile(s system.Files) string { return s.Read("sys/firmware/acpi/platform_profile") }

// power returns the power source: "mains", "battery", or "" if unknown, as for machines
// without a battery. On a Mac in low power mode it says so, too.
func power(ctx context.Context, s system.Files) string {
	if runtime.GOOS == "darwin" {
		return macPower(ctx)
	}
	switch {
	case len(s.Distinct("sys/class/power_supply/BAT*/status")) == 0:
		return ""
	case s.OnBattery():
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

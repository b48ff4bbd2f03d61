package check

import (
	"maps"
	"slices"
	"strings"

	"github.com/seed-1318a441/assay/internal/host/system"
	"github.com/seed-1318a441/assay/internal/shell"
)

// The files of Linux that cures write, from the root without the leading slash.
const (
	noTurboFile   = "sys/devices/system/cpu/intel_pstate/no_turbo"
	boostFile     = "sys/devices/system/cpu/cpufreq/boost"
	smtFile       = "sys/devices/system/cpu/smt/control"
	hugePagesFile = "sys/kernel/mm/transparent_hugepage/enabled"
	clockFile     = "sys/devices/system/clocksource/clocksource0/current_clocksource"
	profileFile   = "sys/firmware/acpi/platform_profile"
	// everyGovernor is a pattern.
	everyGovernor = "sys/devices/system/cpu/cpu*/cpufreq/scaling_governor"
)

// write returns the command that writes a value to kernel files as root. The value may
// come from the system, so it is quoted; the files are those above.
func write(value string, files ...string) string {
	return "echo " + shell.Quote(value) + " | sudo tee /" + strings.Join(files, " /")
}

// governors returns the files that hold each governor.
func governors(s system.Files) map[string][]string {
	files := map[string][]string{}
	for _, file := range s.Names(everyGovernor) {
		if g := s.Read(file); g != "" {
			files[g] = append(files[g], file)
		}
	}
	return files
}

// formerGovernors returns the command that gives every CPU the governor that it has now.
func (f *Facts) formerGovernors() string {
	if len(f.linux.governors) < 2 {
		return write(f.Governor, everyGovernor)
	}
	var commands []string
	for _, g := range slices.Sorted(maps.Keys(f.linux.governors)) {
		commands = append(commands, write(g, f.linux.governors[g]...))
	}
	return strings.Join(commands, " && ")
}

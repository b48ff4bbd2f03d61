package check

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/disk/disktest"
	"github.com/seed-1318a441/assay/internal/host"
	"github.com/seed-1318a441/assay/internal/host/system"
)

// A cure followed by its undo leaves every setting as it was, even if the CPUs differ or the
// kernel's words mean something to a shell.
func TestCuresAreTakenBack(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("needs a shell")
	}
	const odd = "$(touch pwned); 'x' `touch pwned` &"
	governor := func(cpu int) string {
		return fmt.Sprintf("sys/devices/system/cpu/cpu%d/cpufreq/scaling_governor", cpu)
	}
	for name, governors := range map[string][]string{"alike": {"powersave", "powersave"}, "different": {"powersave", odd, "powersave"}, "odd": {odd}} {
		before := map[string]string{noTurboFile: "0", smtFile: "on", "sys/devices/system/cpu/smt/active": "1", hugePagesFile: "always",
			clockFile: odd, filepath.Dir(clockFile) + "/available_clocksource": "tsc hpet", profileFile: "quiet", profileFile + "_choices": "quiet balanced performance"}
		for cpu, g := range governors {
			before[governor(cpu)] = g
		}
		root := t.TempDir()
		here := system.Files{FS: os.DirFS(root)}
		disktest.Write(t, root, before)
		disktest.Write(t, root, map[string]string{hugePagesFile: "[always] madvise never"})
		platform := assay.Platform{GOOS: "linux", CPUs: 4, Profile: "quiet", Governor: strings.Join(here.Distinct(everyGovernor), ", ")}
		cures := 0
		for _, f := range Look(t.Context(), platform, Source{Files: here.FS}).Findings() {
			if f.Undo == "" {
				continue
			}
			cures++
			for _, command := range []string{f.Cure, f.Undo} {
				cmd := exec.Command("sh", "-c", strings.ReplaceAll(strings.ReplaceAll(command, "sudo tee /", "tee /"), " /sys/", " sys/"))
				cmd.Dir = root
				if out, err := cmd.CombinedOutput(); err != nil {
					t.Errorf("%s: %s: %v\n%s", name, command, err, out)
				}
				if changed := here.Read(governor(0)) == "performance"; changed != (f.Code == assay.CodeGovernor && command == f.Cure) {
					t.Errorf("%s: after %s the governor is changed: %t", name, command, changed)
				}
			}
		}
		if cures != 6 {
			t.Errorf("%s: got %d cures that can be taken back, want 6", name, cures)
		}
		for file, want := range before {
			if got := here.Read(file); got != want {
				t.Errorf("%s: %s is %q at the end, want %q", name, file, got, want)
			}
		}
		if _, err := os.Stat(filepath.Join(root, "pwned")); err == nil {
			t.Errorf("%s: a word of the kernel was run", name)
		}
	}
}

// A cure never names a clock or a profile that this machine does not have.
func TestCuresThatAreNotThere(t *testing.T) {
	for _, f := range []Facts{
		{Platform: assay.Platform{GOOS: "linux", CPUs: 4}, linux: linuxFacts{clockSource: "xen", clocks: []string{"xen", "hpet"}}},
		{Platform: assay.Platform{GOOS: "linux", CPUs: 4, Profile: "quiet"}, linux: linuxFacts{profiles: []string{"quiet"}}},
		{Platform: assay.Platform{GOOS: "linux", CPUs: 4}, Counted: true, Counters: host.Refusal{Why: "no driver", Cure: "none"}},
	} {
		if got := f.Findings()[0]; !got.Spoils() || got.Cure == "" || got.Undo != "" || strings.Contains(got.Cure, "sudo") {
			t.Errorf("got %+v", got)
		}
	}
}

func TestFastCores(t *testing.T) {
	const capacity = "sys/devices/system/cpu/cpu%d/cpu_capacity"
	arm := func(capacities ...string) (out []string) {
		for cpu, c := range capacities {
			out = append(out, fmt.Sprintf(capacity, cpu), c)
		}
		return out
	}
	for _, c := range []struct {
		files []string
		want  string
	}{
		{[]string{"sys/devices/cpu_core/cpus", "0-11", "sys/devices/cpu_atom/cpus", "12-21"}, "0-11"},
		{[]string{"sys/devices/cpu_core/cpus", "0-11"}, ""},
		{arm("400", "1024", "400", "1024"), "1,3"},
		{arm("1024", "1024"), ""},
		{arm("x"), ""},
	} {
		if got := assay.FormatCPUs(fastCores(files(c.files...))); got != c.want {
			t.Errorf("%v: got %q, want %q", c.files, got, c.want)
		}
	}
}

package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/doctor"
	"github.com/seed-1318a441/assay/internal/doctor/check"
	"github.com/seed-1318a441/assay/internal/host"
)

// A madeUp machine is one that doctor is to judge.
type madeUp struct {
	platform assay.Platform
	files    map[string]string
	commands map[string]string  // of macOS: what they print
	facts    func(*check.Facts) // what is measured
}

const cpuDir = "sys/devices/system/cpu/"

var madeUps = map[string]madeUp{
	"laptop": {
		platform: assay.Platform{GOOS: "linux", GOARCH: "amd64", CPU: "Intel(R) Core(TM) Ultra 7 155H", CPUs: 22, Governor: "powersave", Profile: "low-power", Power: "battery", Load: 0.14},
		files: map[string]string{
			cpuDir + "intel_pstate/no_turbo": "0", cpuDir + "smt/active": "1", cpuDir + "online": "0-21",
			cpuDir + "cpu0/thermal_throttle/core_throttle_count": "3", cpuDir + "cpu0/thermal_throttle/package_throttle_count": "12",
			"sys/devices/cpu_core/cpus": "0-11", "sys/devices/cpu_atom/cpus": "12-21",
			"sys/class/power_supply/BAT0/status":   "Discharging",
			"sys/class/thermal/thermal_zone8/type": "x86_pkg_temp", "sys/class/thermal/thermal_zone8/temp": "61000",
			"sys/class/thermal/thermal_zone8/trip_point_0_type": "passive", "sys/class/thermal/thermal_zone8/trip_point_0_temp": "105000",
			"sys/kernel/mm/transparent_hugepage/enabled":                      "[always] madvise never",
			"sys/devices/system/clocksource/clocksource0/current_clocksource": "tsc",
			"proc/sys/kernel/randomize_va_space":                              "2", "proc/vmstat": "pswpin 0\npswpout 0\n", "proc/self/status": "Cpus_allowed_list:\t0-21\n",
		},
		facts: func(f *check.Facts) {
			f.Busiest = `"chrome" uses 140 % of a CPU`
			f.Counters = host.Refusal{Why: "kernel.perf_event_paranoid is 4", Cure: "sudo sysctl kernel.perf_event_paranoid=2", Undo: "sudo sysctl kernel.perf_event_paranoid=4"}
		},
	},
	"cloud": {
		platform: assay.Platform{GOOS: "linux", GOARCH: "amd64", CPU: "Intel(R) Xeon(R) Platinum 8175M", CPUs: 2, Virtual: "Xen", Load: 0.02},
		files: map[string]string{
			cpuDir + "smt/active": "1", cpuDir + "online": "0-1", "proc/self/status": "Cpus_allowed_list:\t0-1\n",
			"sys/kernel/mm/transparent_hugepage/enabled":                      "always [madvise] never",
			"sys/devices/system/clocksource/clocksource0/current_clocksource": "xen", "sys/devices/system/clocksource/clocksource0/available_clocksource": "xen tsc hpet acpi_pm",
			"proc/sys/kernel/randomize_va_space": "2", "proc/vmstat": "pswpin 0\npswpout 0\n", "proc/pressure/cpu": "some avg10=14.20 avg60=9.00 avg300=3.00 total=1\n",
		},
		facts: func(f *check.Facts) { f.Steal = 0.13; f.Counters.Why = "no hardware counters in this virtual machine" },
	},
	"server": {
		platform: assay.Platform{GOOS: "linux", GOARCH: "amd64", CPU: "AMD EPYC 7313P 16-Core Processor", CPUs: 12, Governor: "performance", Load: 0.001},
		files: map[string]string{
			cpuDir + "cpufreq/boost": "0", cpuDir + "smt/active": "0", cpuDir + "online": "0-15", cpuDir + "isolated": "12-15", cpuDir + "nohz_full": "12-15",
			cpuDir + "cpu0/thermal_throttle/package_throttle_count": "0",
			"proc/self/status":                                                "Cpus_allowed_list:\t0-11\n",
			"sys/kernel/mm/transparent_hugepage/enabled":                      "always [madvise] never",
			"sys/devices/system/clocksource/clocksource0/current_clocksource": "tsc",
			"proc/sys/kernel/randomize_va_space":                              "2", "proc/vmstat": "pswpin 7\npswpout 9\n",
		},
		facts: func(f *check.Facts) {},
	},
	"container": {
		platform: assay.Platform{GOOS: "linux", GOARCH: "amd64", CPU: "AMD EPYC 7313P 16-Core Processor", CPUs: 1, Load: 0.04},
		files: map[string]string{
			"proc/self/cgroup": "0::/\n", "sys/fs/cgroup/cpu.max": "50000 100000\n", "sys/fs/cgroup/cpu.stat": "usage_usec 9\nnr_periods 400\nnr_throttled 61\n",
			cpuDir + "online": "0-15", "proc/self/status": "Cpus_allowed_list:\t4-5\n", "proc/sys/kernel/randomize_va_space": "0", "proc/vmstat": "pswpin 0\npswpout 0\n",
			"sys/devices/system/clocksource/clocksource0/current_clocksource": "tsc",
		},
		facts: func(f *check.Facts) {
			f.Counters = host.Refusal{Why: "perf_event_open is not allowed here, as in most containers", Cure: "allow it in the seccomp profile"}
			f.Disks = []host.Space{{Dir: "/work", Free: 90 << 20, Known: true}, {Dir: "/root/.cache", Free: 1 << 30, Known: true}}
			f.Go, f.Toolchains = "", nil
		},
	},
	"mac": {
		platform: assay.Platform{GOOS: "darwin", GOARCH: "arm64", CPU: "Apple M4 Pro", CPUs: 14, Power: "battery, low power mode", Load: 0.03},
		commands: map[string]string{"sysctl -n hw.nperflevels": "2\n", "pmset -g therm": "Note: No thermal warning level has been recorded\n"},
		facts: func(f *check.Facts) {
			f.Counters.Why = "assay reads hardware counters on Linux only, and this is darwin"
		},
	},
	"windows": {
		platform: assay.Platform{GOOS: "windows", GOARCH: "amd64", CPU: "AMD Ryzen 9 7950X", CPUs: 32, Load: 0.02},
		facts: func(f *check.Facts) {
			f.Counters.Why = "assay reads hardware counters on Linux only, and this is windows"
		},
	},
}

// What doctor says of machines as people have them.
func TestDoctorGolden(t *testing.T) {
	for name, m := range madeUps {
		var out bytes.Buffer
		t.Setenv("LC_ALL", "C.UTF-8")
		t.Setenv("COLUMNS", "100")
		c := &console{stdout: &out, color: "never"}
		c.printAll(m.checkup(t.Context()).Lines(c.out().Width, true))
		golden := filepath.Join("testdata", "doctor", name+".golden")
		if *update {
			if err := os.WriteFile(golden, out.Bytes(), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(golden)
		if err != nil {
			t.Fatal(err)
		}
		if got := out.String(); got != string(want) {
			t.Errorf("%s: got\n%s\nwant\n%s", name, got, want)
		}
	}
}

func (m madeUp) checkup(ctx context.Context) *doctor.Checkup {
	files := fstest.MapFS{}
	for name, text := range m.files {
		files[name] = &fstest.MapFile{Data: []byte(text + "\n")}
	}
	run := func(_ context.Context, name string, args ...string) string {
		return m.commands[strings.Join(append([]string{name}, args...), " ")]
	}
	m.platform.ID = "0123abcd"
	f := check.Look(ctx, m.platform, check.Source{Files: files, Run: run})
	f.Counted, f.Tools, f.Go, f.Toolchains = true, true, "/usr/local/go/bin/go", []string{"go1.26.8", "go1.25.7"}
	f.Disks = []host.Space{{Dir: ".", Free: 40e9, Known: true}}
	m.facts(f)
	return &doctor.Checkup{Platform: m.platform, Findings: f.Findings()}
}

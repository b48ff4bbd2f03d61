package check

import (
	"context"
	"maps"
	"slices"
	"testing"
	"testing/fstest"

	"github.com/seed-1318a441/assay"
)

// lookedAt are files that a system tells about itself in, with what one says.
var lookedAt = map[string]string{
	"proc/vmstat":                        "pswpin 10\npswpout 20\n",
	"proc/self/cgroup":                   "0::/a\n",
	"proc/pressure/cpu":                  "some avg10=1.00 avg60=0.50 avg300=0.10 total=1\n",
	"proc/sys/kernel/randomize_va_space": "2\n",
	"sys/fs/cgroup/a/cpu.stat":           "nr_periods 200\nnr_throttled 50\n",
	"sys/fs/cgroup/a/cpu.max":            "50000 100000\n",
	"sys/fs/cgroup/a/memory.max":         "1000000\n",
	"sys/devices/system/cpu/isolated":    "2-3\n",
	"sys/devices/system/cpu/cpu0/thermal_throttle/package_throttle_count": "7\n",
	"sys/devices/system/cpu/cpu0/cpufreq/scaling_governor":                "powersave\n",
	"sys/devices/system/cpu/cpu0/topology/thread_siblings_list":           "0-1\n",
	"sys/class/thermal/thermal_zone0/type":                                "acpitz\n",
	"sys/class/thermal/thermal_zone0/temp":                                "30000\n",
	"sys/class/thermal/thermal_zone0/trip_point_0_temp":                   "92000\n",
	"sys/kernel/mm/transparent_hugepage/enabled":                          "always [madvise] never\n",
	"sys/devices/system/clocksource/clocksource0/current_clocksource":     "tsc\n",
}

// Whatever a system says of itself, findings are drawn from it.
func FuzzLook(f *testing.F) {
	names := slices.Sorted(maps.Keys(lookedAt))
	for i, name := range names {
		f.Add(i, []byte(lookedAt[name]))
	}
	f.Fuzz(func(t *testing.T, which int, text []byte) {
		files := fstest.MapFS{}
		for _, name := range names {
			files[name] = &fstest.MapFile{Data: []byte(lookedAt[name])}
		}
		files[names[max(0, which%len(names))]].Data = text
		facts := Look(t.Context(), assay.Platform{GOOS: "linux", CPUs: 2}, Source{Files: files, Wait: func(context.Context) {}})
		facts.Findings()
		mac := Look(t.Context(), assay.Platform{GOOS: "darwin", CPUs: 2}, Source{Run: func(context.Context, string, ...string) string { return string(text) }})
		mac.Findings()
	})
}

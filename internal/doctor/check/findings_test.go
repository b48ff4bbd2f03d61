package check

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/host"
)

// codes are those of what would spoil a measurement, severe ones with a mark.
func codes(fs []Finding) string {
	var out []string
	for _, f := range fs {
		switch f.Level {
		case Severe:
			out = append(out, string(f.Code)+"!")
		case Note:
			out = append(out, string(f.Code))
		}
	}
	return strings.Join(out, " ")
}

func TestFindings(t *testing.T) {
	calm := assay.Platform{GOOS: "linux", CPUs: 8, Governor: "performance"}
	with := func(change func(*assay.Platform)) assay.Platform { p := calm; change(&p); return p }
	linux := func(l linuxFacts) Facts { return Facts{Platform: calm, linux: l} }
	for _, c := range []struct {
		name, want string
		f          Facts
	}{
		{"calm", "", Facts{Platform: calm}},
		{"governor", "governor", Facts{Platform: with(func(p *assay.Platform) { p.Governor = "powersave" })}},
		{"turbo and battery", "turbo battery", linux(linuxFacts{turbo: turboSwitch{noTurboFile, "1", "0"}, battery: true})},
		{"a little load", "", Facts{Platform: with(func(p *assay.Platform) { p.Load = 0.09 })}},
		{"load", "busy", Facts{Platform: with(func(p *assay.Platform) { p.Load = 0.3 })}},
		{"much load comes first", "busy! governor", Facts{Platform: with(func(p *assay.Platform) { p.Load = 0.8; p.Governor = "schedutil" })}},
		{"pressure", "pressure", Facts{Platform: calm, Wait: 0.4}},
		{"steal", "steal! virtual", Facts{Platform: with(func(p *assay.Platform) { p.Virtual = "kvm" }), Steal: 0.2}},
		{"a little steal", "virtual steal", Facts{Platform: with(func(p *assay.Platform) { p.Virtual = "kvm" }), Steal: 0.03}},
		{"two CPUs", "few-cpus", Facts{Platform: with(func(p *assay.Platform) { p.CPUs = 2 })}},
		{"two CPUs, one P", "", Facts{Platform: with(func(p *assay.Platform) { p.CPUs = 2; p.GoEnv = map[string]string{"GOMAXPROCS": "1"} })}},
		{"half a CPU", "cpu-limit!", linux(linuxFacts{limit: 0.5})},
		{"odd limit", "cpu-limit", Facts{Platform: with(func(p *assay.Platform) { p.CPUs = 3 }), linux: linuxFacts{limit: 3.5}}},
		{"limit that is the machine", "", linux(linuxFacts{limit: 8})},
		{"limit that is felt", "cpu-limit", linux(linuxFacts{limit: 8, stopped: 0.2})},
		{"disk", "disk! disk", Facts{Platform: calm, Disks: []host.Space{{Dir: "a", Free: 1 << 30, Known: true}, {Dir: "b", Free: 1 << 20, Known: true}, {Dir: "c", Free: 1 << 40, Known: true}, {Dir: "d", Free: 0, Known: false}}}},
		{"SMT", "smt", linux(linuxFacts{smt: "1"})},
		{"no SMT", "", linux(linuxFacts{smt: "0"})},
		{"no ASLR", "aslr", linux(linuxFacts{aslr: "0"})},
		{"ASLR", "", linux(linuxFacts{aslr: "2"})},
		{"huge pages", "huge-pages", linux(linuxFacts{hugePages: "always"})},
		{"huge pages on request", "", linux(linuxFacts{hugePages: "madvise"})},
		{"slow clock", "clock-source", linux(linuxFacts{clockSource: "hpet"})},
		{"clock", "", linux(linuxFacts{clockSource: "tsc"})},
		{"throttled", "throttled!", linux(linuxFacts{heat: heat{known: true, throttled: 9, now: 2}})},
		{"throttled once", "throttled", linux(linuxFacts{heat: heat{known: true, throttled: 9}})},
		{"nearly", "throttled", linux(linuxFacts{heat: heat{known: true, zone: "x86_pkg_temp", degrees: 92, limit: 100}})},
		{"cool", "", linux(linuxFacts{heat: heat{known: true, zone: "x86_pkg_temp", degrees: 42, limit: 100}})},
		{"swapping", "swap!", linux(linuxFacts{swapKnown: true, swapped: 3})},
		{"not swapping", "", linux(linuxFacts{swapKnown: true})},
		{"isolated CPUs for others", "", linux(linuxFacts{isolated: []int{2, 3}, allowed: []int{0, 1}})},
		{"pinned to one isolated CPU", "", linux(linuxFacts{isolated: []int{2, 3}, allowed: []int{2}})},
		{"on isolated CPUs", "isolated!", linux(linuxFacts{isolated: []int{2, 3}, allowed: []int{2, 3}})},
		{"fast and slow cores", "core-kinds", linux(linuxFacts{fast: []int{0, 1}})},
		{"quiet profile", "battery", Facts{Platform: with(func(p *assay.Platform) { p.Profile = "low-power" })}},
		{"no Go", "no-go!", Facts{Platform: calm, Tools: true}},
		{"Go", "", Facts{Platform: calm, Tools: true, Go: "/usr/bin/go"}},
		{"no counters", "counters", Facts{Platform: calm, Counted: true, Counters: host.Refusal{Why: "kernel.perf_event_paranoid is 3", Cure: "sudo sysctl kernel.perf_event_paranoid=2"}}},
		{"a Mac in low power mode", "battery", Facts{Platform: assay.Platform{GOOS: "darwin", CPUs: 8, Power: "mains, low power mode"}}},
		{"a hot Mac", "throttled!", Facts{Platform: assay.Platform{GOOS: "darwin", CPUs: 8}, mac: macFacts{speed: 60}}},
		{"Windows", "", Facts{Platform: assay.Platform{GOOS: "windows", CPUs: 8}}},
	} {
		fs := c.f.Findings()
		if got := codes(fs); got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
		for _, f := range fs {
			if f.Text == "" || f.Spoils() && (f.Effect == "" || f.Cure == "") {
				t.Errorf("%s: %q lacks words: %+v", c.name, f.Code, f)
			}
		}
	}
}

// What a system does not report is listed as unknown.
func TestUnknown(t *testing.T) {
	for goos, want := range map[string]string{"linux": "turbo", "windows": "power plan", "darwin": "temperatures"} {
		all := (&Facts{Platform: assay.Platform{GOOS: goos, CPUs: 4}}).Findings()
		told := slices.ContainsFunc(all, func(f Finding) bool { return f.Level == Unknown && strings.Contains(f.Text, want) })
		if !told {
			t.Errorf("%s: %q is not among what is not told: %+v", goos, want, all)
		}
	}
}

// What is counted is looked at twice.
func TestLookCounts(t *testing.T) {
	m := fstest.MapFS{}
	put := func(name, text string) { m[name] = &fstest.MapFile{Data: []byte(text)} }
	const count = "sys/devices/system/cpu/cpu0/thermal_throttle/package_throttle_count"
	put("proc/vmstat", "pswpin 10\npswpout 20\n")
	put(count, "7\n")
	f := Look(t.Context(), assay.Platform{GOOS: "linux"}, Source{Files: m, Wait: func(context.Context) {
		put("proc/vmstat", "pswpin 10\npswpout 25\n")
		put(count, "9\n")
	}})
	if l := f.linux; l.swapped != 5 || !l.swapKnown || l.heat.now != 2 || l.heat.throttled != 9 || !l.heat.known {
		t.Errorf("got %+v", l)
	}
}

func TestHottest(t *testing.T) {
	const zone = "sys/class/thermal/thermal_zone"
	h := hottest(files(
		zone+"0/type", "acpitz", zone+"0/temp", "30000", zone+"0/trip_point_0_type", "passive", zone+"0/trip_point_0_temp", "0",
		zone+"1/type", "x86_pkg_temp", zone+"1/temp", "91000", zone+"1/trip_point_0_type", "active", zone+"1/trip_point_0_temp", "92000",
		zone+"1/trip_point_1_type", "passive", zone+"1/trip_point_1_temp", "100000",
		zone+"2/type", "ssd", zone+"2/temp", "40000", zone+"2/trip_point_0_type", "hot", zone+"2/trip_point_0_temp", "80000",
		zone+"3/type", "broken", zone+"3/temp", "x",
	))
	if h.zone != "x86_pkg_temp" || h.degrees != 91 || h.limit != 100 {
		t.Errorf("got %+v", h)
	}
}

func TestLists(t *testing.T) {
	for list, want := range map[string]string{"0-3,8": "0-3,8", "5": "5", "": "", "x": "", "3-1": "", "0-99999999": "", "0,1,2": "0-2"} {
		if got := assay.FormatCPUs(cpuList(list)); got != want {
			t.Errorf("%q: got %q, want %q", list, got, want)
		}
	}
	if got := bracketed("always [madvise] never"); got != "madvise" {
		t.Errorf("got %q", got)
	}
	if got := stopped(files("proc/self/cgroup", "0::/a\n", "sys/fs/cgroup/a/cpu.stat", "nr_periods 200\nnr_throttled 50\n")); got != 0.25 {
		t.Errorf("held back in %g", got)
	}
}

func TestSpeedLimit(t *testing.T) {
	for text, want := range map[string]int{
		"":                            0,
		" \tCPU_Speed_Limit \t= 80\n": 80,
		"Note: No thermal warning level has been recorded\nNote: No performance warning level has been recorded\n": 100,
	} {
		if got := speedLimit(text); got != want {
			t.Errorf("%q: got %d, want %d", text, got, want)
		}
	}
}

func TestInspectHere(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "not", "made", "yet")
	p := assay.Platform{CPUs: 1, GOOS: runtime.GOOS}
	got := codes(Inspect(t.Context(), p, dir))
	if !strings.Contains(got, "few-cpus") {
		t.Errorf("got %q, want few-cpus in it", got)
	}
	if _, err := os.Stat(dir); err == nil {
		t.Error("Inspect made the folder that it was asked about")
	}
}

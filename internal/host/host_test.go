package host

import (
	"context"
	"io"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/shirou/gopsutil/v4/process"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/host/system"
)

func TestPlatform(t *testing.T) {
	t.Setenv("GOGC", "200")
	p := Platform(t.Context())
	if p.GOOS != runtime.GOOS || p.GOARCH != runtime.GOARCH {
		t.Errorf("got %s/%s, want %s/%s", p.GOOS, p.GOARCH, runtime.GOOS, runtime.GOARCH)
	}
	if !regexp.MustCompile(`^[0-9a-f]{8}$`).MatchString(p.ID) {
		t.Errorf("ID is %q", p.ID)
	}
	if p.CPUs < 1 || p.CPUs > runtime.NumCPU() {
		t.Errorf("got %d CPUs of %d", p.CPUs, runtime.NumCPU())
	}
	if p.Load < 0 || p.Load > 1 {
		t.Errorf("load %g is no share", p.Load)
	}
	if p.GoEnv["GOGC"] != "200" {
		t.Errorf("GoEnv = %v, want GOGC in it", p.GoEnv)
	}
	if runtime.GOOS == "linux" && (p.Kernel == "" || p.Memory == 0 || p.Cores == 0) {
		t.Errorf("facts are missing: %+v", p)
	}
}

func TestPlatformCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if p := Platform(ctx); p.ID == "" || p.Load != 0 {
		t.Errorf("got %+v, want an identity and no load", p)
	}
}

func TestPmset(t *testing.T) {
	for _, test := range []struct{ source, settings, want string }{
		{"Now drawing from 'AC Power'\n -InternalBattery-0 100%; charged", " lowpowermode         0\n", "mains"},
		{"Now drawing from 'Battery Power'\n", "System-wide power settings:\n lowpowermode         1\n", "battery, low power mode"},
		{"", " lowpowermode 1\n", ""},
	} {
		if got := pmset(test.source, test.settings); got != test.want {
			t.Errorf("pmset(%q, %q) = %q, want %q", test.source, test.settings, got, test.want)
		}
	}
}

func TestForAnotherArchitecture(t *testing.T) {
	p := For(assay.Platform{GOOS: "linux", GOARCH: "amd64", CPUs: 2}, "", 0)
	if q := For(p, "386", 0); q.GOARCH != "386" || q.ID == p.ID {
		t.Errorf("386 on it is %+v", q)
	}
	if q := For(p, "amd64", 2); q.ID != p.ID {
		t.Errorf("what it has anyway makes another platform of it: %s and %s", q.ID, p.ID)
	}
}

// An unstable machine key made 16 of 17 "regressions" in one project
// (shared/anchors.md): only the listed facts may change the identity.
func TestIdentity(t *testing.T) {
	base := assay.Platform{GOOS: "linux", GOARCH: "amd64", CPU: "AMD EPYC", Cores: 2, CPUs: 2}
	id := identity(base)
	for name, change := range map[string]func(*assay.Platform){
		"kernel":   func(p *assay.Platform) { p.Kernel = "6.19.2" },
		"memory":   func(p *assay.Platform) { p.Memory = 8 << 30 },
		"all CPUs": func(p *assay.Platform) { p.Procs = 2 },
		"load":     func(p *assay.Platform) { p.Load = 0.5 },
		"host":     func(p *assay.Platform) { p.Host = "0123456789abcdef" },
		"env":      func(p *assay.Platform) { p.GoEnv = map[string]string{"GOGC": "50"} },
	} {
		p := base
		if change(&p); identity(p) != id {
			t.Errorf("%s changes the identity", name)
		}
	}
	for name, change := range map[string]func(*assay.Platform){
		"GOOS":   func(p *assay.Platform) { p.GOOS = "darwin" },
		"GOARCH": func(p *assay.Platform) { p.GOARCH = "arm64" },
		"CPU":    func(p *assay.Platform) { p.CPU = "Apple M4" },
		"cores":  func(p *assay.Platform) { p.Cores = 8 },
		"CPUs":   func(p *assay.Platform) { p.CPUs = 1 },
		// One laptop in two power modes is two platforms.
		"governor": func(p *assay.Platform) { p.Governor = "powersave" },
		"profile":  func(p *assay.Platform) { p.Profile = "low-power" },
		"power":    func(p *assay.Platform) { p.Power = "battery" },
		"emulator": func(p *assay.Platform) { p.Emulated = "qemu-aarch64" },
		"procs":    func(p *assay.Platform) { p.Procs = 1 },
	} {
		p := base
		if change(&p); identity(p) == id {
			t.Errorf("%s does not change the identity", name)
		}
	}
}

func TestShares(t *testing.T) {
	a := times{total: 100, idle: 50, steal: 1, own: 5}
	for _, c := range []struct {
		name        string
		b           times
		load, steal float64
	}{
		// 10 s of CPU: 4 idle, 1 our own, so 5 are others'; 2 of them stolen.
		{"half", times{total: 110, idle: 54, steal: 3, own: 6}, 0.5, 0.2},
		{"idle", times{total: 110, idle: 60, steal: 1, own: 5}, 0, 0},
		{"only us", times{total: 110, idle: 50, steal: 1, own: 15}, 0, 0},
		{"no time passed", a, 0, 0},
		{"clock went back", times{total: 90, idle: 40}, 0, 0},
		{"own ticks rounded up", times{total: 110, idle: 50, steal: 1, own: 15.5}, 0, 0},
	} {
		load, steal := shares(a, c.b)
		if math.Abs(load-c.load) > 1e-9 || math.Abs(steal-c.steal) > 1e-9 {
			t.Errorf("%s: got %g, %g, want %g, %g", c.name, load, steal, c.load, c.steal)
		}
	}
}

// files builds a system from path, content pairs.
func files(pairs ...string) system.Files {
	m := fstest.MapFS{}
	for i := 0; i < len(pairs); i += 2 {
		m[pairs[i]] = &fstest.MapFile{Data: []byte(pairs[i+1])}
	}
	return system.Files{FS: m}
}

func TestSystem(t *testing.T) {
	const cpus = "sys/devices/system/cpu/"
	s := files(
		cpus+"cpu0/cpufreq/scaling_governor", "powersave\n",
		cpus+"cpu1/cpufreq/scaling_governor", "powersave\n",
		cpus+"cpu12/cpufreq/scaling_governor", "performance\n",
		"sys/class/power_supply/BAT0/status", "Discharging\n",
		"sys/class/power_supply/AC/online", "0\n",
	)
	if got, want := governor(s), "performance, powersave"; got != want {
		t.Errorf("governor: got %q, want %q", got, want)
	}
	if got := power(t.Context(), s); !s.OnBattery() || runtime.GOOS != "darwin" && got != "battery" {
		t.Errorf("on battery: got %v, %q", s.OnBattery(), got)
	}
	none := files()
	if governor(none) != "" || none.OnBattery() {
		t.Error("a machine that tells nothing has facts")
	}
}

// The busiest process is the one whose CPU time grew most between two looks.
func TestBusier(t *testing.T) {
	at := func(pid int32, cpu float64) processTime { return processTime{&process.Process{Pid: pid}, cpu} }
	before := map[int32]processTime{1: at(1, 900), 2: at(2, 5), 3: at(3, 7), 4: at(4, 1)}
	after := map[int32]processTime{1: at(1, 900.1), 2: at(2, 5.75), 3: at(3, 7.5), 5: at(5, 80)} // 5 is new
	if who, most := busier(before, after); who == nil || who.Pid != 2 || most != 0.75 {
		t.Errorf("got %v with %g s, want process 2 with 0.75 s", who, most)
	}
	if who, _ := busier(before, before); who != nil {
		t.Errorf("got %v where nobody did anything", who)
	}
}

// The CPU time of other processes is seen to grow: here of a child that spins.
func TestProcessTimes(t *testing.T) {
	if os.Getenv("HOST_TEST_SPIN") != "" {
		go func() {
			io.Copy(io.Discard, os.Stdin) // until the parent closes it, or ends
			os.Exit(0)
		}()
		for spins := uint64(0); ; spins++ {
			_ = spins
		}
	}
	pid := startSpinner(t)
	for processTimes(t.Context())[pid].cpu < 0.05 {
		time.Sleep(10 * time.Millisecond)
	}
	if got := processTimes(t.Context())[int32(os.Getpid())]; got.p != nil {
		t.Error("this process is among the others")
	}
	if got := Busiest(t.Context()); got != "" && !strings.Contains(got, " % of a CPU") {
		t.Errorf("got %q", got)
	}
}

func TestFreeSpace(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "not", "made", "yet")
	if sp := FreeSpace(t.Context(), dir); !sp.Known || sp.Free == 0 {
		t.Errorf("free space of a folder to be made: %+v", sp)
	}
}

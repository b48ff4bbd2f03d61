package check

import (
	"math"
	"testing"
	"testing/fstest"

	"github.com/seed-1318a441/assay/internal/host/system"
)

// files builds a system from path, content pairs.
func files(pairs ...string) system.Files {
	m := fstest.MapFS{}
	for i := 0; i < len(pairs); i += 2 {
		m[pairs[i]] = &fstest.MapFile{Data: []byte(pairs[i+1])}
	}
	return system.Files{FS: m}
}

func TestSystem(t *testing.T) {
	s := files(
		noTurboFile, "0\n",
		"proc/pressure/cpu", "some avg10=39.36 avg60=18.47 avg300=5.97 total=46262212\nfull avg10=0.00 avg60=0.00 avg300=0.00 total=0\n",
	)
	if got := turbo(s); got != (turboSwitch{noTurboFile, "1", "0"}) {
		t.Errorf("turbo: got %+v", got)
	}
	if got, want := pressure(s), 0.3936; math.Abs(got-want) > 1e-9 {
		t.Errorf("pressure: got %g, want %g", got, want)
	}
	if none := files(); turbo(none).file != "" || pressure(none) != 0 || cpuLimit(none) != 0 {
		t.Error("a machine that tells nothing has findings")
	}
}

func TestTurboOff(t *testing.T) {
	for _, s := range []system.Files{files(noTurboFile, "1"), files(boostFile, "0")} {
		if got := turbo(s); got.now != got.off || got.file == "" {
			t.Errorf("got %+v, want off", got)
		}
	}
	if got := turbo(files(boostFile, "1")); got.now != "1" || got.off != "0" {
		t.Errorf("AMD: got %+v", got)
	}
}

func TestCPULimit(t *testing.T) {
	for _, c := range []struct {
		name string
		s    system.Files
		want float64
	}{
		{"version 2", files("proc/self/cgroup", "0::/a/b\n", "sys/fs/cgroup/a/b/cpu.max", "150000 100000\n"), 1.5},
		{"parent is tighter", files("proc/self/cgroup", "0::/a/b\n", "sys/fs/cgroup/a/b/cpu.max", "max 100000", "sys/fs/cgroup/a/cpu.max", "50000 100000"), 0.5},
		{"in a container", files("proc/self/cgroup", "0::/\n", "sys/fs/cgroup/cpu.max", "200000 100000"), 2},
		{"no limit", files("proc/self/cgroup", "0::/\n", "sys/fs/cgroup/cpu.max", "max 100000"), 0},
		{"version 1", files("proc/self/cgroup", "4:memory:/x\n1:cpu,cpuacct:/y\n", "sys/fs/cgroup/cpu/y/cpu.cfs_quota_us", "300000", "sys/fs/cgroup/cpu/y/cpu.cfs_period_us", "100000"), 3},
		{"version 1, none", files("proc/self/cgroup", "1:cpu:/\n", "sys/fs/cgroup/cpu/cpu.cfs_quota_us", "-1", "sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000"), 0},
		{"damaged", files("proc/self/cgroup", "what\n0::/\n", "sys/fs/cgroup/cpu.max", "x y"), 0},
	} {
		if got := cpuLimit(c.s); got != c.want {
			t.Errorf("%s: got %g, want %g", c.name, got, c.want)
		}
	}
}

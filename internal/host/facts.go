package host

import (
	"context"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/shirou/gopsutil/v4/disk"

	"github.com/seed-1318a441/assay"
)

// Facts are all that findings are drawn from. [Gather] makes those of this machine;
// [Look] those of a machine that is made up for a test.
type Facts struct {
	assay.Platform
	// Steal is the share of the CPU time that the hypervisor took away, Wait that of
	// the last 10 s in which some task waited for a CPU; both from 0 to 1.
	Steal, Wait float64
	// Busiest names the other process that uses most CPU, "" where none does.
	Busiest string
	Disks   []Space
	// Go is the path of the go command, Toolchains are the releases that are here
	// already; only looked at where Tools is set.
	Tools      bool
	Go         string
	Toolchains []string
	// Counters is why the processor's counters cannot be had, "" where they can; only
	// looked at where Counted is set.
	Counted  bool
	Counters string

	linux linuxFacts
	mac   macFacts
}

// Space is what is left on the file system that holds a folder.
type Space struct {
	Dir   string
	Free  uint64 // bytes
	Known bool
}

// A Source is where [Look] finds out about a system.
type Source struct {
	// Files are those of Linux, as seen from "/".
	Files fs.FS
	// Run returns what a command prints, "" where it fails; for macOS.
	Run func(ctx context.Context, name string, args ...string) string
	// Wait passes the time between two looks at what is counted.
	Wait func(context.Context)
}

// Gather finds out what matters to a measurement on the platform p, which
// [Platform] has just described. The folders dirs are those that a run writes to.
// It takes a second at most.
func Gather(ctx context.Context, p assay.Platform, dirs ...string) *Facts {
	var steal float64
	f := Look(ctx, p, Source{Files: here.files, Run: output, Wait: func(ctx context.Context) { _, steal = watch(ctx, sampleTime) }})
	if p.Virtual != "" {
		f.Steal = steal
	}
	if p.Load >= busyLoad {
		f.Busiest = busiest(ctx, sampleTime)
	}
	for _, d := range dirs {
		f.Disks = append(f.Disks, freeSpace(ctx, d))
	}
	return f
}

// Look reads what a system tells about itself in files or by commands.
func Look(ctx context.Context, p assay.Platform, from Source) *Facts {
	f := &Facts{Platform: p}
	switch p.GOOS {
	case "linux":
		f.linux = readLinux(ctx, system{from.Files}, from.Wait)
		f.Wait = f.linux.wait
	case "darwin":
		f.mac = readMac(ctx, from.Run)
	}
	return f
}

// Inspect says what would spoil a measurement on the platform p; see [Gather].
// Nothing is changed.
func Inspect(ctx context.Context, p assay.Platform, dirs ...string) []Finding {
	var out []Finding
	for _, f := range Gather(ctx, p, dirs...).Findings() {
		if f.Spoils() {
			out = append(out, f)
		}
	}
	return out
}

// output runs a command of the system; one that hangs is given up.
func output(ctx context.Context, name string, args ...string) string {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	out, err := exec.CommandContext(ctx, name, args...).Output()
	if err != nil {
		return ""
	}
	return string(out)
}

// freeSpace asks the file system that holds dir, or will once dir is made.
func freeSpace(ctx context.Context, dir string) Space {
	at, err := filepath.Abs(dir)
	if err != nil {
		return Space{Dir: dir}
	}
	for filepath.Dir(at) != at {
		if _, err := os.Stat(at); err == nil {
			break
		}
		at = filepath.Dir(at)
	}
	u, err := disk.UsageWithContext(ctx, at)
	if err != nil {
		return Space{Dir: dir}
	}
	return Space{Dir: dir, Free: u.Free, Known: true}
}

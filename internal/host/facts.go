package host

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/shirou/gopsutil/v4/disk"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/host/system"
)

// Facts are the basis of all findings. [Gather] collects those of this machine, [Look]
// those of a test's simulated machine.
type Facts struct {
	assay.Platform
	// Steal is the share of the CPU time that the hypervisor took away, Wait that of the
	// last 10 s in which some task waited for a CPU; both from 0 to 1.
	Steal, Wait float64
	// Busiest names the other process that uses most CPU, "" for none.
	Busiest string
	Disks   []Space
	// Go is the path of the go command. Toolchains are the installed releases. Both are
	// set only if Tools is.
	Tools      bool
	Go         string
	Toolchains []string
	// Counters says why the processor's counters are not available, "" if they are. It is
	// set only if Counted is.
	Counted  bool
	Counters string

	linux linuxFacts
	mac   macFacts
}

// Space is the free space on the file system of a folder.
type Space struct {
	Dir   string
	Free  uint64 // bytes
	Known bool
}

// A Source gives [Look] access to a system.
type Source struct {
	// Files are Linux's files, as seen from "/".
	Files fs.FS
	// Run returns the output of a command, "" if it fails; for macOS.
	Run func(ctx context.Context, name string, args ...string) string
	// Wait waits between two readings of counters.
	Wait func(context.Context)
}

// Gather collects what matters to a measurement on the platform p, as described by
// [Platform]. dirs are the folders that a run writes to. It takes a second at most.
func Gather(ctx context.Context, p assay.Platform, dirs ...string) *Facts {
	var steal float64
	f := Look(ctx, p, Source{Files: system.Here.FS, Run: system.Output, Wait: func(ctx context.Context) { _, steal = sampleLoad(ctx, sampleTime) }})
	if p.Virtual != "" {
		f.Steal = steal
	}
	if p.Load >= busyLoad {
		f.Busiest = busiest(ctx, sampleTime)
	}
	for _, d := range dirs {
		f.Disks = append(f.Disks, FreeSpace(ctx, d))
	}
	return f
}

// Look reads a system's information about itself from files and commands.
func Look(ctx context.Context, p assay.Platform, from Source) *Facts {
	f := &Facts{Platform: p}
	switch p.GOOS {
	case "linux":
		f.linux = readLinux(ctx, system.Files{FS: from.Files}, from.Wait)
		f.Wait = f.linux.wait
	case "darwin":
		f.mac = readMac(ctx, from.Run)
	}
	return f
}

// Inspect lists what would spoil a measurement on the platform p; see [Gather]. It
// changes nothing.
func Inspect(ctx context.Context, p assay.Platform, dirs ...string) []Finding {
	var out []Finding
	for _, f := range Gather(ctx, p, dirs...).Findings() {
		if f.Spoils() {
			out = append(out, f)
		}
	}
	return out
}

// FreeSpace returns the free space of the file system that holds dir, or will once dir is
// created.
func FreeSpace(ctx context.Context, dir string) Space {
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

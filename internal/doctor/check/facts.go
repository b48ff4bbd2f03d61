package check

import (
	"context"
	"io/fs"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/host"
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
	Disks   []host.Space
	// Go is the path of the go command. Toolchains are the installed releases. Both are
	// set only if Tools is.
	Tools      bool
	Go         string
	Toolchains []string
	// Counters says why the processor's counters are not available. It is set only if
	// Counted is.
	Counted  bool
	Counters host.Refusal

	linux linuxFacts
	mac   macFacts
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
// [host.Platform]. dirs are the folders that a run writes to. It takes a second at most.
func Gather(ctx context.Context, p assay.Platform, dirs ...string) *Facts {
	var steal float64
	f := Look(ctx, p, Source{Files: system.Here.FS, Run: system.Output, Wait: func(ctx context.Context) { _, steal = host.SampleLoad(ctx) }})
	if p.Virtual != "" {
		f.Steal = steal
	}
	if p.Load >= host.BusyLoad {
		f.Busiest = host.Busiest(ctx)
	}
	for _, d := range dirs {
		f.Disks = append(f.Disks, host.FreeSpace(ctx, d))
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

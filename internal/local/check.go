package local

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/knobs"
)

// Check implements lab.Machine. It returns an error for variants that this machine starts
// itself and cannot run (cpu-level and cannot-run with exit 5), for services whose
// programs or CPUs are missing (no-load-tool and no-cpus with exit 2), and for secrets
// that cannot be read (secret with exit 2).
func (m *Machine) Check(ctx context.Context, s *assay.Study) error {
	if err := m.secrets.check(s); err != nil {
		return err
	}
	if err := checkServices(s); err != nil {
		return err
	}
	for _, v := range s.Variants {
		if err := checkLevels(s, v); err != nil {
			return err
		}
	}
	for _, v := range s.Variants {
		if err := checkRuns(s, v); err != nil {
			return err
		}
	}
	return nil
}

// builtFor returns the platform that a variant is built for.
func builtFor(s *assay.Study, v assay.Variant) (goos, goarch string) {
	return cmp.Or(v.Build["GOOS"], runtime.GOOS), cmp.Or(v.Build["GOARCH"], s.Measure.GOARCH, runtime.GOARCH)
}

// checkLevels returns an error for a variant built for a level that this CPU lacks.
func checkLevels(s *assay.Study, v assay.Variant) error {
	goos, goarch := builtFor(s, v)
	if len(v.Run) > 0 || goos != runtime.GOOS || goarch != runtime.GOARCH {
		return nil
	}
	for _, name := range slices.Sorted(maps.Keys(v.Build)) {
		if err := knobs.CheckCPU(knobs.Asker{Variant: v.Name}, name, v.Build[name]); err != nil {
			return err
		}
	}
	return nil
}

// checkRuns returns an error for a variant that this machine starts itself and cannot
// run. It does not check a program started by another one, such as an emulator in front
// of {bin}.
func checkRuns(s *assay.Study, v assay.Variant) error {
	goos, goarch := builtFor(s, v)
	if !startsBuilt(s, v) || runnable(goos, goarch) {
		return nil
	}
	text := fmt.Sprintf("variant %q: a program for %s/%s cannot run on this machine, which is %s/%s", v.Name, goos, goarch, runtime.GOOS, runtime.GOARCH)
	var facts []string
	if goos == runtime.GOOS {
		facts = []string{"it is run by this machine: " + strings.Join(siblings(), ", ")}
	}
	return assay.NewError(assay.ExitRefused, assay.CodeCannotRun, text, facts, "assay run on such a machine, then assay merge RUN...")
}

// startsBuilt reports whether any trial of a variant starts its build: a test binary, or
// a command line that begins with {bin}.
func startsBuilt(s *assay.Study, v assay.Variant) bool {
	for _, w := range s.Workloads {
		starts := func(line []string) bool { return line[0] == assay.PlaceBin }
		if !w.IsProgram() || slices.ContainsFunc(w.Commands(v), starts) {
			return true
		}
	}
	return len(s.Workloads) == 0 // Go benchmarks, by default
}

// extraArchs lists the architectures that a system runs besides its own: in hardware, or
// with a translator that is part of the system.
var extraArchs = map[string][]string{
	"linux/amd64":   {"386"},
	"freebsd/amd64": {"386"},
	"windows/amd64": {"386"},
	"windows/arm64": {"386", "amd64"},
	"darwin/arm64":  {"amd64"},
	// Not every 64-bit Arm processor has the 32-bit instructions; only trying shows
	// which.
	"linux/arm64":    {"arm"},
	"linux/mips64":   {"mips"},
	"linux/mips64le": {"mipsle"},
}

// siblings returns the architectures whose programs run here.
func siblings() []string {
	return append([]string{runtime.GOARCH}, extraArchs[runtime.GOOS+"/"+runtime.GOARCH]...)
}

// runnable reports whether a program of a platform may run here. Starting it can still
// fail.
func runnable(goos, goarch string) bool {
	if goos != runtime.GOOS {
		return false
	}
	return slices.Contains(siblings(), goarch) || emulated(goarch)
}

// qemu has QEMU's names of architectures, if they differ.
var qemu = map[string]string{"amd64": "x86_64", "arm64": "aarch64", "386": "i386", "loong64": "loongarch64", "mipsle": "mipsel", "mips64le": "mips64el"}

// emulated reports whether the kernel runs programs of an architecture with an emulator:
// Linux's binfmt_misc, by the names that distributions register.
func emulated(goarch string) bool {
	name := cmp.Or(qemu[goarch], goarch)
	text, err := os.ReadFile(filepath.Join("/proc/sys/fs/binfmt_misc", "qemu-"+name))
	return err == nil && strings.HasPrefix(string(text), "enabled")
}

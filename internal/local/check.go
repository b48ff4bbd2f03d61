package local

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/host"
	"github.com/seed-1318a441/assay/internal/knobs"
	"github.com/seed-1318a441/assay/internal/lab"
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

// A Target is the system and processor that builds are for. Empty fields are those of this
// computer.
type Target struct{ GOOS, GOARCH string }

// of returns the platform that a variant is built for: its own, else the study's, else the
// target.
func (t Target) of(s *assay.Study, v assay.Variant) Target {
	return Target{cmp.Or(v.Build["GOOS"], t.GOOS, runtime.GOOS), cmp.Or(v.Build["GOARCH"], s.Measure.GOARCH, t.GOARCH, runtime.GOARCH)}
}

// thisComputer is the platform of the machine that trials run on here.
var thisComputer = Target{runtime.GOOS, runtime.GOARCH}

// checkLevels returns an error for a variant built for a level that this CPU lacks.
func checkLevels(s *assay.Study, v assay.Variant) error {
	if len(v.Run) > 0 || thisComputer.of(s, v) != thisComputer {
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
// run, not even in an emulator. It does not check a program started by another one.
func checkRuns(s *assay.Study, v assay.Variant) error {
	t := thisComputer.of(s, v)
	native := host.Architectures(runtime.GOOS, runtime.GOARCH)
	if !startsBuilt(s, v) || t.GOOS == runtime.GOOS && slices.Contains(native, t.GOARCH) {
		return nil
	}
	text := fmt.Sprintf("variant %q: a program for %s/%s cannot run on this machine, which is %s/%s", v.Name, t.GOOS, t.GOARCH, runtime.GOOS, runtime.GOARCH)
	var facts []string
	try := "such a machine, by --on or by assay run there"
	if t.GOOS == runtime.GOOS {
		facts = []string{"it is run by this machine: " + strings.Join(native, ", ")}
		if emulator := host.Emulator(runtime.GOOS, runtime.GOARCH, t.GOARCH); emulator != "" {
			if _, ok := host.FindEmulator(emulator); ok {
				return nil
			}
			facts = append(facts, emulator+" would run it, and is not installed; verdicts in an emulator say nothing about speed")
			try += "; to see whether it runs at all: apt install qemu-user"
		}
	}
	return assay.NewError(assay.ExitRefused, assay.CodeCannotRun, text, facts, try)
}

// Emulator returns the emulator in which trials of a study run on a machine, such as
// "qemu-aarch64"; "" if the machine runs all of them itself. p is the platform of the
// machine without emulation.
func Emulator(p assay.Platform, s *assay.Study) string {
	own := Target{p.GOOS, p.GOARCH}
	for _, v := range s.Variants {
		t := own.of(s, v)
		if name := host.Emulator(p.GOOS, p.GOARCH, t.GOARCH); name != "" && t.GOOS == p.GOOS && startsBuilt(s, v) {
			return name
		}
	}
	return ""
}

// emulatorFor returns the program that runs the artifact of a trial here, "" if the machine
// itself does.
func emulatorFor(r lab.RunRequest) (path string, err error) {
	name := host.Emulator(runtime.GOOS, runtime.GOARCH, thisComputer.of(r.Study, r.Variant).GOARCH)
	if name == "" || r.Artifact.Given {
		return "", nil
	}
	path, ok := host.FindEmulator(name)
	if !ok {
		return "", fmt.Errorf("%s is not installed", name)
	}
	return path, nil
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

package local

import (
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/collect/load"
	"github.com/seed-1318a441/assay/internal/printable"
)

// checkServices returns an error, before anything is built, for services whose programs
// are not installed (no-load-tool), or whose CPUs this machine lacks or cannot assign
// (no-cpus). Both have exit status 2.
func checkServices(s *assay.Study) error {
	for _, w := range s.Workloads {
		if w.Kind != assay.KindService {
			continue
		}
		for _, v := range s.Variants {
			if err := checkTools(s, w, v); err != nil {
				return err
			}
		}
		for _, set := range []struct{ key, cpus string }{{"cpus", w.Service.CPUs}, {"load_cpus", w.Service.LoadCPUs}} {
			if err := checkCPUs(set.key, set.cpus, runtime.GOOS, usableCPUs()); err != nil {
				return err
			}
		}
	}
	return nil
}

// checkTools looks up every program in a service's commands, except those in {tmp}, or in
// a folder relative to it: the trial may create them.
func checkTools(s *assay.Study, w assay.Workload, v assay.Variant) error {
	for _, line := range w.Commands(v) {
		program := strings.ReplaceAll(line[0], assay.PlaceStudy, s.Dir)
		if strings.Contains(program, "{") || strings.ContainsRune(program, filepath.Separator) && !filepath.IsAbs(program) {
			continue
		}
		if _, err := findProgram(s.Dir, program); err != nil {
			return noTool(w, program, err)
		}
	}
	return nil
}

// noTool returns the error for a missing program, with the package that has it.
func noTool(w assay.Workload, program string, cause error) error {
	e := &assay.Error{Exit: assay.ExitUsage, Warning: assay.Warning{Code: assay.CodeNoLoadTool,
		Text: fmt.Sprintf("service %q: %s is not installed", w.Names[0], filepath.Base(program)), Facts: []string{cause.Error()}}}
	switch debian, homebrew := load.Package(program); {
	case debian != "" && homebrew != "":
		e.Try, e.Advice = "apt install "+debian, "or with Homebrew: brew install "+homebrew
	case debian != "":
		e.Try = "apt install " + debian
	case homebrew != "":
		e.Try = "brew install " + homebrew
	default:
		e.Advice = "a program that is found in PATH, or a path to one; {study}/NAME is in the study's folder"
	}
	return e
}

// checkCPUs returns an error for CPUs that are not available. Many systems cannot bind a
// process.
func checkCPUs(key, cpus, goos string, usable []int) error {
	if cpus == "" {
		return nil
	}
	e := &assay.Error{Exit: assay.ExitUsage, Warning: assay.Warning{Code: assay.CodeNoCpus}}
	list, err := assay.CPUList(cpus)
	switch {
	case goos != "linux":
		e.Text, e.Advice = fmt.Sprintf("%s = %q: only Linux can bind a process to CPUs, and this is %s", key, cpus, goos), "leave out cpus and load_cpus"
		return e
	case err != nil:
		e.Text, e.Advice = fmt.Sprintf("%s = %q %v", key, cpus, err), key+` = "0" or "0-3,6"`
		return e
	}
	for _, c := range list {
		if !slices.Contains(usable, c) {
			e.Text = fmt.Sprintf("%s = %q: there is no CPU %d: this machine has %s that assay may use, %s", key, cpus, c, printable.Count(len(usable), "CPU"), assay.FormatCPUs(usable))
			e.Advice = fmt.Sprintf("%s = %q", key, assay.FormatCPUs(usable))
			return e
		}
	}
	return nil
}

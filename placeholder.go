package assay

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"
)

// The placeholders in the command lines and variables of commands and services.
const (
	PlaceBin   = "{bin}"   // the program that was built
	PlaceName  = "{name}"  // the benchmark
	PlaceTmp   = "{tmp}"   // an empty folder that is the trial's own
	PlacePort  = "{port}"  // for services, a free TCP port
	PlaceStudy = "{study}" // for services, the study's folder
)

// IsProgram reports whether a workload runs a program instead of a test binary.
func (w Workload) IsProgram() bool { return w.Kind == KindCommand || w.Kind == KindService }

// Command returns the command line of a variant. For a service it starts the server.
func (w Workload) Command(v Variant) []string {
	switch {
	case len(v.Run) > 0:
		return v.Run
	case w.Service != nil:
		return w.Service.Start
	}
	return w.Run
}

// Commands returns all command lines of a variant's trials.
func (w Workload) Commands(v Variant) [][]string {
	var all [][]string
	if s := w.Service; s != nil {
		all = slices.Concat(s.Prepare, [][]string{w.Command(v)}, s.Setup, s.Warmup, s.Cleanup, [][]string{s.Load})
	} else {
		all = [][]string{w.Prepare, w.Command(v), w.Cleanup}
	}
	return slices.DeleteFunc(all, func(line []string) bool { return len(line) == 0 })
}

// Uses reports whether a program's commands or a service's variables use a placeholder.
func (w Workload) Uses(v Variant, place string) bool {
	words := slices.Concat(w.Commands(v)...)
	if w.Service != nil {
		words = slices.Concat(words, slices.Collect(maps.Values(w.Env)), slices.Collect(maps.Values(v.Env)))
	}
	return slices.ContainsFunc(words, func(s string) bool { return strings.Contains(s, place) })
}

// Path returns the path of a file named in the study.
func (s *Study) Path(name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(s.Dir, name)
}

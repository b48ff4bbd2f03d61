package assay

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"
)

// The words in braces that stand for something in the command lines and the variables of
// commands and services.
const (
	PlaceBin   = "{bin}"   // the program that was built
	PlaceName  = "{name}"  // the benchmark
	PlaceTmp   = "{tmp}"   // a folder that is empty and the trial's own
	PlacePort  = "{port}"  // of a service, a port that is free
	PlaceStudy = "{study}" // of a service, the study's folder
)

// IsProgram reports whether a workload runs a program, built or given, and no test binary.
func (w Workload) IsProgram() bool { return w.Kind == KindCommand || w.Kind == KindService }

// Command is the command line that a variant runs of a workload. Of a service it is the
// one that starts the server.
func (w Workload) Command(v Variant) []string {
	switch {
	case len(v.Run) > 0:
		return v.Run
	case w.Service != nil:
		return w.Service.Start
	}
	return w.Run
}

// Commands are all command lines of a variant's trials.
func (w Workload) Commands(v Variant) [][]string {
	var all [][]string
	if s := w.Service; s != nil {
		all = slices.Concat(s.Prepare, [][]string{w.Command(v)}, s.Setup, s.Warmup, s.Cleanup, [][]string{s.Load})
	} else {
		all = [][]string{w.Prepare, w.Command(v), w.Cleanup}
	}
	return slices.DeleteFunc(all, func(line []string) bool { return len(line) == 0 })
}

// Uses reports whether a placeholder stands in what a variant's trials of a program are
// filled in from: its command lines, and of a service its variables.
func (w Workload) Uses(v Variant, place string) bool {
	words := slices.Concat(w.Commands(v)...)
	if w.Service != nil {
		words = slices.Concat(words, slices.Collect(maps.Values(w.Env)), slices.Collect(maps.Values(v.Env)))
	}
	return slices.ContainsFunc(words, func(s string) bool { return strings.Contains(s, place) })
}

// Path is the path of a file that the study names.
func (s *Study) Path(name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(s.Dir, name)
}

package local

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/binary"
	"github.com/seed-1318a441/assay/internal/knobs"
	"github.com/seed-1318a441/assay/internal/lab"
	"github.com/seed-1318a441/assay/internal/near"
	"github.com/seed-1318a441/assay/internal/spec"
)

// CheckVariables warns of run variables that no program of the study can read, since
// their names are in none of the binaries: most are mistyped. Nothing is said where a
// program that is not Go's may read them. command is the line that repeats the study.
func CheckVariables(s *assay.Study, b *lab.Builds, command string) []assay.Warning {
	settings := variables(s)
	names := slices.DeleteFunc(slices.Sorted(maps.Keys(settings)), isReadAnyway)
	if len(names) == 0 {
		return nil
	}
	programs, ok := programs(s, b)
	if !ok {
		return nil
	}
	var out []assay.Warning
	for _, name := range names {
		if !slices.ContainsFunc(programs, func(f *binary.File) bool { return f.HoldsText(name) }) {
			out = append(out, unread(name, settings[name], command))
		}
	}
	return out
}

// variables are the run variables that a study sets, with who does.
func variables(s *assay.Study) map[string]string {
	out := map[string]string{}
	for _, w := range s.Workloads {
		for name := range w.Env {
			out[name] = "workload"
		}
	}
	for _, v := range slices.Backward(s.Variants) {
		for name := range v.Env {
			out[name] = fmt.Sprintf("variant %q", v.Name)
		}
	}
	return out
}

// isReadAnyway reports whether the Go runtime reads a variable, some of them only in
// binaries that are built for it, or the loader and the C library do.
func isReadAnyway(name string) bool {
	return slices.Contains(knobs.RunVariables(), name) ||
		slices.ContainsFunc([]string{"LD_", "DYLD_", "MALLOC_", "GLIBC_"}, func(p string) bool { return strings.HasPrefix(name, p) })
}

// programs are the Go programs that the variables of a study reach; ok is false where
// another program is among them.
func programs(s *assay.Study, b *lab.Builds) (out []*binary.File, ok bool) {
	seen := map[string]bool{}
	for _, v := range s.Variants {
		for _, a := range b.Of(v.Name) {
			if w := s.Workloads[a.Workload]; w.IsProgram() && !runsAlone(w, v, a) {
				return nil, false
			}
			if seen[a.ID] {
				continue
			}
			seen[a.ID] = true
			at, err := b.Builder.Locate(a)
			if err != nil {
				return nil, false
			}
			f, err := binary.Open(at.File)
			if err != nil {
				return nil, false
			}
			out = append(out, f)
		}
	}
	return out, true
}

// runsAlone reports whether a command starts nothing but the artifact.
func runsAlone(w assay.Workload, v assay.Variant, a lab.Artifact) bool {
	return (a.Given || w.Command(v)[0] == assay.PlaceBin) && len(w.Prepare)+len(w.Cleanup) == 0
}

func unread(name, who, command string) assay.Warning {
	w := assay.Warning{Code: assay.CodeUnreadVariable, Text: fmt.Sprintf("%s: no program of this study reads %s", who, name),
		Facts: []string{"its name is in no binary of the study"}}
	right := near.Name(name, slices.Concat(knobs.RunVariables(), spec.BuildVariables()))
	if right == "" {
		return w
	}
	w.Facts = append(w.Facts, "close: "+right)
	if strings.Contains(command, name+"=") {
		w.Try = strings.ReplaceAll(command, name+"=", right+"=")
	}
	return w
}

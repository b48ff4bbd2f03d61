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
	"github.com/seed-1318a441/assay/internal/printable"
	"github.com/seed-1318a441/assay/internal/spec"
)

// CheckVariables warns about run variables that no program of the study can read, since
// none of the binaries contains their names: most are mistyped. It does not warn if a
// program that is not Go may read them. command is the command line that repeats the
// study.
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

// variables returns the run variables of a study, with what sets them.
func variables(s *assay.Study) map[string]string {
	out := map[string]string{}
	for _, w := range s.Workloads {
		for name := range withVariables(w.Env, w.Secrets) {
			out[name] = "workload"
		}
	}
	for _, v := range slices.Backward(s.Variants) {
		for name := range withVariables(v.Env, v.Secrets) {
			out[name] = fmt.Sprintf("variant %q", v.Name)
		}
	}
	return out
}

// isReadAnyway reports whether a variable is read by the Go runtime, in some cases only
// in binaries built for it, or by the loader or the C library.
func isReadAnyway(name string) bool {
	return slices.Contains(knobs.RunVariables(), name) ||
		slices.ContainsFunc([]string{"LD_", "DYLD_", "MALLOC_", "GLIBC_"}, func(p string) bool { return strings.HasPrefix(name, p) })
}

// programs returns the Go programs that receive the variables of a study; ok is false if
// another program does, too.
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

// runsAlone reports whether a command starts only the artifact.
func runsAlone(w assay.Workload, v assay.Variant, a lab.Artifact) bool {
	return (a.Given || w.Command(v)[0] == assay.PlaceBin) && len(w.Prepare)+len(w.Cleanup) == 0
}

func unread(name, who, command string) assay.Warning {
	w := assay.Warning{Code: assay.CodeUnreadVariable, Text: fmt.Sprintf("%s: no program of this study reads %s", who, name),
		Facts: []string{"its name is in no binary of the study"}}
	right := printable.NearestName(name, slices.Concat(knobs.RunVariables(), spec.BuildVariables))
	if right == "" {
		return w
	}
	w.Facts = append(w.Facts, "close: "+right)
	if strings.Contains(command, name+"=") {
		w.Try = strings.ReplaceAll(command, name+"=", right+"=")
	}
	return w
}

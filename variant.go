package assay

import (
	"maps"
	"slices"
	"strconv"
	"strings"
)

// ControlName is reserved for the base's second appearance in a block.
const ControlName = "control"

// A Variant is a version of what is tested: source, toolchain, build and run settings.
type Variant struct {
	Name string `json:"name"`

	// Go is the toolchain, "go1.26.8" or "path:/a/goroot"; empty for Source.Go.
	Go string `json:"go,omitempty"`
	// Rev is a git revision. Empty means the working tree as it is.
	Rev string `json:"rev,omitempty"`
	// Module is a module version, "path@version", used instead of Rev.
	Module string `json:"module,omitempty"`

	// Experiment lists GOEXPERIMENT settings.
	Experiment []string `json:"experiment,omitempty"`
	// Build holds the other build variables, such as GOAMD64.
	Build map[string]string `json:"build,omitempty"`
	// GCFlags, LDFlags and Tags are flags of go build, each entry one use.
	GCFlags []string `json:"gcflags,omitempty"`
	LDFlags []string `json:"ldflags,omitempty"`
	Tags    []string `json:"tags,omitempty"`
	// PGO is a profile's path, PGOAuto, or empty for off.
	PGO string `json:"pgo,omitempty"`
	// ModFile is a file used in place of go.mod; its go.sum is beside it.
	ModFile string `json:"modfile,omitempty"`

	// Env holds the run variables, such as GOGC.
	Env map[string]string `json:"env,omitempty"`
	// Secrets are run variables whose values the machine has, like Workload.Secrets.
	Secrets map[string]string `json:"secrets,omitempty"`

	// Run is a command line that replaces the workload's, for programs built elsewhere.
	Run []string `json:"run,omitempty"`
	// Levels maps a factor's name to the variant's level.
	Levels map[string]string `json:"levels,omitempty"`

	// Select is, with By, the value of the key that picks the sub-benchmarks.
	Select string `json:"select,omitempty"`
	// Control marks the base's second appearance.
	Control bool `json:"control,omitempty"`
}

// PGOAuto is a profile that assay collects itself.
const PGOAuto = "auto"

// SameRun reports whether two variants run with the same settings. The program at the
// start of a command line is not a setting: it is what is compared.
func (v Variant) SameRun(w Variant) bool {
	return maps.Equal(v.Env, w.Env) && maps.Equal(v.Secrets, w.Secrets) && v.Select == w.Select && len(v.Run) == len(w.Run) &&
		(len(v.Run) == 0 || slices.Equal(v.Run[1:], w.Run[1:]))
}

// SameBuild reports whether two variants ask for the same build.
func (v Variant) SameBuild(w Variant) bool {
	return v.Go == w.Go && v.Rev == w.Rev && v.Module == w.Module && v.PGO == w.PGO && v.ModFile == w.ModFile &&
		slices.Equal(v.Experiment, w.Experiment) && maps.Equal(v.Build, w.Build) &&
		slices.Equal(v.GCFlags, w.GCFlags) && slices.Equal(v.LDFlags, w.LDFlags) &&
		slices.Equal(v.Tags, w.Tags)
}

// Words returns the variant as the words of a compare line, without the name.
func (v Variant) Words() []string {
	var w []string
	for _, s := range []string{v.Go, v.Module, v.Rev} {
		if s != "" {
			w = append(w, s)
		}
	}
	if len(v.Experiment) > 0 {
		w = append(w, "GOEXPERIMENT="+strings.Join(v.Experiment, ","))
	}
	w = append(append(w, assignments(v.Build)...), v.BuildFlags()...)
	return slices.Concat(w, assignments(v.Env), assignments(SecretMarks(v.Secrets)), v.Run)
}

// SecretMark returns what is shown in the place of a secret's value.
func SecretMark(name string) string { return "[secret " + name + "]" }

// SecretMarks returns variables that are secrets, with marks as their values.
func SecretMarks(secrets map[string]string) map[string]string {
	out := make(map[string]string, len(secrets))
	for variable, name := range secrets {
		out[variable] = SecretMark(name)
	}
	return out
}

// BuildFlags returns the variant's own flags of go build, one word each.
func (v Variant) BuildFlags() []string {
	var w []string
	for _, f := range []struct {
		flag   string
		values []string
	}{{"-gcflags=", v.GCFlags}, {"-ldflags=", v.LDFlags}} {
		for _, x := range f.values {
			w = append(w, f.flag+x)
		}
	}
	if len(v.Tags) > 0 {
		w = append(w, "-tags="+strings.Join(v.Tags, ","))
	}
	if v.PGO != "" {
		w = append(w, "-pgo="+v.PGO)
	}
	if v.ModFile != "" {
		w = append(w, "-modfile="+v.ModFile)
	}
	return w
}

func assignments(m map[string]string) []string {
	var out []string
	for _, k := range slices.Sorted(maps.Keys(m)) {
		out = append(out, k+"="+m[k])
	}
	return out
}

// InWords returns the name of a variant or tree for use in sentences: "your tree" for
// ".". Tables and commands have the name itself.
func InWords(name string) string {
	if name == "." {
		return "your tree"
	}
	return name
}

// Quoted is InWords with quotes around names.
func Quoted(name string) string {
	if words := InWords(name); words != name {
		return words
	}
	return strconv.Quote(name)
}

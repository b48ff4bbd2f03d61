package knobs

import (
	"context"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"

	"github.com/seed-1318a441/assay"
)

// An Experiment is a setting that GOEXPERIMENT knows, by its name as one
// writes it there, such as "greenteagc".
type Experiment struct {
	Name string
	// Default is true where the toolchain has it on when nobody asks.
	Default bool
}

// Experiments returns the experiments of the toolchain in goroot, in the order
// of its source, with their defaults for goos and goarch. The names are the
// fields of struct Flags in the toolchain's own internal/goexperiment, in lower
// case; the defaults are those in its ToolTags, which is what the go command
// builds with (18 ms, and true also for toolchains made with other defaults).
func Experiments(ctx context.Context, goroot, goos, goarch string) ([]Experiment, error) {
	names, err := experimentNames(filepath.Join(goroot, "src", "internal", "goexperiment", "flags.go"))
	if err != nil {
		return nil, err
	}
	on, err := toolTags(ctx, goroot, goos, goarch)
	if err != nil {
		return nil, err
	}
	var out []Experiment
	for _, name := range names {
		out = append(out, Experiment{Name: name, Default: slices.Contains(on, "goexperiment."+name)})
	}
	return out, nil
}

func toolTags(ctx context.Context, goroot, goos, goarch string) ([]string, error) {
	env := []string{"GOOS=" + goos, "GOARCH=" + goarch}
	out, err := runGo(ctx, goroot, env, "list", "-f", "{{context.ToolTags}}", "runtime")
	if err != nil {
		return nil, err
	}
	return strings.Fields(strings.Trim(strings.TrimSpace(out), "[]")), nil
}

// experimentNames reads the fields of "type Flags struct" from a flags.go.
func experimentNames(file string) ([]string, error) {
	f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
	if err != nil {
		return nil, fmt.Errorf("read experiments of the toolchain: %w", err)
	}
	var names []string
	for n := range ast.Preorder(f) {
		spec, ok := n.(*ast.TypeSpec)
		if !ok || spec.Name.Name != "Flags" {
			continue
		}
		if s, ok := spec.Type.(*ast.StructType); ok {
			names = append(names, fieldNames(s)...)
		}
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("read experiments of the toolchain: %s has no struct Flags", file)
	}
	return names, nil
}

func fieldNames(s *ast.StructType) []string {
	var names []string
	for _, field := range s.Fields.List {
		for _, name := range field.Names {
			names = append(names, strings.ToLower(name.Name))
		}
	}
	return names
}

// CheckExperiments returns nil where the toolchain called version knows all
// the settings asked of a variant, else an *assay.Error (unknown-experiment,
// exit 4) about the first that it does not know.
func CheckExperiments(variant, version string, asked []string, known []Experiment) error {
	for i, setting := range asked {
		name := strings.TrimPrefix(setting, "no")
		if setting == "none" || aliased(name, known) || has(known, name) {
			continue
		}
		e := &assay.Error{Exit: assay.ExitBuild, Warning: assay.Warning{
			Code: "unknown-experiment",
			Text: fmt.Sprintf("variant %q: %s has no experiment %q", variant, version, name),
		}}
		near := Close(name, names(known))
		if len(near) == 0 {
			e.Facts = listed(version+" knows: ", names(known))
			return e
		}
		e.Facts = []string{"close: " + describe(near, known)}
		right := slices.Clone(asked)
		right[i] = strings.TrimSuffix(setting, name) + near[0]
		e.Try = fmt.Sprintf("'%s GOEXPERIMENT=%s'", version, strings.Join(right, ","))
		return e
	}
	return nil
}

// Placebos returns those of the settings asked for that the toolchain has
// anyway, so that they change nothing: "nosizespecializedmalloc is already the
// default of go1.26.8".
func Placebos(asked []string, known []Experiment) []string {
	var out []string
	for _, setting := range asked {
		name, off := strings.CutPrefix(setting, "no")
		if slices.Contains(known, Experiment{Name: name, Default: !off}) {
			out = append(out, setting)
		}
	}
	return out
}

// aliased reports whether name is "regabi", which internal/buildcfg takes for
// all of the regabi experiments at once.
func aliased(name string, known []Experiment) bool {
	return name == "regabi" && has(known, "regabiargs")
}

func has(known []Experiment, name string) bool {
	return slices.ContainsFunc(known, func(e Experiment) bool { return e.Name == name })
}

func names(known []Experiment) []string {
	var out []string
	for _, e := range known {
		out = append(out, e.Name)
	}
	return out
}

// describe says how to switch each of the experiments called near.
func describe(near []string, known []Experiment) string {
	var out []string
	for _, name := range near {
		if slices.Contains(known, Experiment{Name: name, Default: true}) {
			out = append(out, name+" (on by default; turn off with no"+name+")")
		} else {
			out = append(out, name+" (off by default; turn on with "+name+")")
		}
	}
	return strings.Join(out, ", ")
}

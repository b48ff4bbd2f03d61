package knobs

import (
	"context"
	"fmt"
	"go/ast"
	"go/parser"
	"slices"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/printable"
)

// The default of an experiment.
const (
	on  = "on"
	off = "off"
)

// Experiments returns the experiments of the toolchain in goroot, in the order of its
// source, with their defaults for goos and goarch. The names are the lower-case fields of
// struct Flags in its internal/goexperiment. The defaults are in its ToolTags, with which
// the go command builds (18 ms, and right also for toolchains made with other defaults).
func Experiments(ctx context.Context, goroot, goos, goarch string) ([]Knob, error) {
	known, err := experimentNames(goroot)
	if err != nil {
		return nil, err
	}
	tags, err := toolTags(ctx, goroot, goos, goarch)
	if err != nil {
		return nil, err
	}
	for i := range known {
		if known[i].Default = off; slices.Contains(tags, "goexperiment."+known[i].Name) {
			known[i].Default = on
		}
	}
	return known, nil
}

func toolTags(ctx context.Context, goroot, goos, goarch string) ([]string, error) {
	out, err := runGo(ctx, goroot, map[string]string{"GOOS": goos, "GOARCH": goarch}, "list", "-f", "{{context.ToolTags}}", "runtime")
	if err != nil {
		return nil, err
	}
	return strings.Fields(strings.Trim(strings.TrimSpace(out), "[]")), nil
}

// experimentNames reads the fields of "type Flags struct" and their comments.
func experimentNames(goroot string) ([]Knob, error) {
	const file = "src/internal/goexperiment/flags.go"
	f, err := parse(goroot, file, parser.ParseComments)
	if err != nil {
		return nil, err
	}
	var out []Knob
	for _, field := range structFields(f, "Flags") {
		for _, name := range field.Names {
			out = append(out, Knob{Kind: KindExperiment, Name: strings.ToLower(name.Name), Doc: fieldDoc(field, name.Name)})
		}
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("read experiments of the toolchain: %s in %s has no struct Flags", file, goroot)
	}
	return out, nil
}

func fieldDoc(field *ast.Field, name string) string {
	text := field.Doc.Text()
	// RandomizedHeapBase64 is documented under its old name.
	first, _, _ := strings.Cut(text, " ")
	if first != "" && strings.HasPrefix(name, first) {
		name = first
	}
	return sentence(text, name)
}

// CheckExperiments returns nil if the asker's toolchain knows all requested settings,
// else an *assay.Error (unknown-experiment, exit 4) about the first unknown one.
func CheckExperiments(a Asker, asked []string, known []Knob) error {
	for i, setting := range asked {
		name := strings.TrimPrefix(setting, "no")
		if setting == "none" || aliased(name, known) || has(known, name) {
			continue
		}
		e := refusal(assay.CodeUnknownExperiment, fmt.Sprintf("%s: %s has no experiment %q", a, a.Version, name))
		right := slices.Clone(asked)
		similar := printable.NearestNames(name, names(known))
		if len(similar) == 0 {
			e.Facts = listed(a.Version+" knows: ", names(known))
			return &e.Error
		}
		e.Facts = []string{"close: " + describe(similar, known)}
		right[i] = strings.TrimSuffix(setting, name) + similar[0]
		e.Advice = fmt.Sprintf("'%s GOEXPERIMENT=%s'", a.Version, strings.Join(right, ","))
		return &e.Error
	}
	return nil
}

// ExperimentPlacebos returns the requested settings that are the default, so that they
// change nothing.
func ExperimentPlacebos(asked []string, known []Knob) []string {
	var out []string
	for _, setting := range asked {
		name, isOff := strings.CutPrefix(setting, "no")
		if k, ok := find(known, name); ok && (k.Default == off) == isOff {
			out = append(out, setting)
		}
	}
	return out
}

// aliased reports whether name is "regabi", by which internal/buildcfg means all regabi
// experiments.
func aliased(name string, known []Knob) bool {
	return name == "regabi" && has(known, "regabiargs")
}

// describe says how to switch each of the similar experiments.
func describe(near []string, known []Knob) string {
	var out []string
	for _, name := range near {
		if k, _ := find(known, name); k.Default == on {
			out = append(out, name+" (on by default; turn off with no"+name+")")
		} else {
			out = append(out, name+" (off by default; turn on with "+name+")")
		}
	}
	return strings.Join(out, ", ")
}

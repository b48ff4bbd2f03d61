// Package knobs knows what a toolchain accepts and its defaults: experiments, compiler
// debug keys, architecture levels and GODEBUG settings. It always asks the toolchain
// itself, and keeps no list. For a knob that does not exist it returns an error with the
// closest right one, and it recognises a knob that is set to
// its default.
//
// It does not build, and does not choose a variant's toolchain.
package knobs

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/process"
	"github.com/seed-1318a441/assay/internal/toolchain"
)

// A Kind says where a knob is set.
type Kind string

// The kinds of knobs.
const (
	KindExperiment Kind = "experiment" // a word of GOEXPERIMENT
	KindDebug      Kind = "debug"      // a key of the compiler's -d flag
	KindLevel      Kind = "level"      // a build variable, such as GOAMD64
	KindGODEBUG    Kind = "godebug"    // a setting of GODEBUG
)

// Kinds are all kinds, in display order.
var Kinds = []Kind{KindExperiment, KindDebug, KindLevel, KindGODEBUG}

// A Knob is a setting that a toolchain accepts.
type Knob struct {
	Kind Kind `json:"kind"`
	// Name is as users write it: "greenteagc", "variablemakehash", "GOAMD64", "gctrace".
	Name string `json:"name"`
	// Default is "on" or "off" for an experiment, else a value; "" if the toolchain's
	// sources do not state it simply.
	Default string `json:"default,omitempty"`
	// Doc is the first sentence of the toolchain's documentation, in one line.
	Doc string `json:"doc,omitempty"`

	// Values are what a level accepts, lowest first. Options may follow a value, each
	// with its comma, such as ",lse".
	Values  []string `json:"values,omitempty"`
	Options []string `json:"options,omitempty"`
	// GOARCH lists the architectures of a level.
	GOARCH []string `json:"goarch,omitempty"`

	// Package reads the GODEBUG setting.
	Package string `json:"package,omitempty"`
	// Changed is the release, such as "go1.22", in which the default of a GODEBUG setting
	// changed, and Old the value for the earlier behaviour. A go.mod with an older go
	// line still gets Old.
	Changed string `json:"changed,omitempty"`
	Old     string `json:"old,omitempty"`
	// Removed is the release since which the runtime ignores a GODEBUG setting.
	Removed string `json:"removed,omitempty"`
}

// checkPlatform reads the toolchain's list of platforms: "go list" and "go env" accept
// any name.
func checkPlatform(goroot, version, goos, goarch string) error {
	file := filepath.Join(goroot, "src", "internal", "platform", "zosarch.go")
	data, err := os.ReadFile(file)
	if err != nil {
		return fmt.Errorf("read platforms of the toolchain: %w", err)
	}
	if bytes.Contains(data, fmt.Appendf(nil, "\t{%q, %q},\n", goos, goarch)) {
		return nil
	}
	return &assay.Error{Exit: assay.ExitUsage, Warning: assay.Warning{Code: assay.CodeFlags,
		Text: fmt.Sprintf("%s does not build for %s/%s", version, goos, goarch), Try: "go tool dist list"}}
}

// runGo runs GOROOT's own go with args and returns its standard output. The user's
// settings are kept out: they would answer for the user's choice, not for the toolchain.
func runGo(ctx context.Context, goroot string, platform map[string]string, args ...string) (string, error) {
	env := map[string]string{"GOROOT": goroot, "GO111MODULE": "off"}
	maps.Copy(env, platform)
	var out, errs bytes.Buffer
	// goroot has no go.mod, so no go line has a say.
	err := process.Run(ctx, goroot, toolchain.Env(env), &out, &errs, toolchain.Toolchain{GOROOT: goroot}.Go(), args...)
	if err != nil {
		return "", fmt.Errorf("run go %s in %s: %w", strings.Join(args, " "), goroot, explain(err, errs.String()))
	}
	return out.String(), nil
}

// explain replaces "exit status 1" by what a command printed.
func explain(err error, stderr string) error {
	line, _, _ := strings.Cut(strings.TrimSpace(stderr), "\n")
	if _, ok := errors.AsType[*exec.ExitError](err); ok && line != "" {
		return errors.New(line)
	}
	return err
}

func find(known []Knob, name string) (Knob, bool) {
	i := slices.IndexFunc(known, func(k Knob) bool { return k.Name == name })
	if i < 0 {
		return Knob{}, false
	}
	return known[i], true
}

func has(known []Knob, name string) bool {
	_, ok := find(known, name)
	return ok
}

func names(known []Knob) []string {
	var out []string
	for _, k := range known {
		out = append(out, k.Name)
	}
	return out
}

package bisect

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/seed-1318a441/assay"
)

// A finding tells its change with the interval, of the whole if there is one, and what it
// cost: nothing of blocks that were not run.
func TestFindingText(t *testing.T) {
	tenth := &Estimate{Change: 0.1, Interval: &assay.Interval{Lo: 0.09, Hi: 0.11}}
	rough := &Estimate{Change: -0.25}
	for _, c := range []struct {
		change, whole *Estimate
		want          string
	}{
		{nil, tenth, ""},
		{tenth, nil, ", +10.0 % [+9.0, +11.0]"},
		{rough, nil, ", no information"},
		{tenth, rough, ", +10.0 % [+9.0, +11.0]"},
		{rough, tenth, ", no information; the ends differ by +10.0 %"},
	} {
		if got := effectText(c.change, c.whole); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
	for _, c := range []struct {
		blocks int
		took   time.Duration
		want   string
	}{{0, 1234 * time.Millisecond, ", 1.2s"}, {1, 90 * time.Second, ", 1 block, 1m30s"}, {12, 0, ", 12 blocks, 0s"}} {
		if got := costText(c.blocks, c.took); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}

// A commit is skipped for its own faults alone: a network or a machine that fails says
// nothing about it.
func TestUnmeasurable(t *testing.T) {
	build := assay.NewError(assay.ExitBuild, assay.CodeBuildFailed, "it does not build", []string{"x.go:1: undefined: y", "more"}, "")
	for _, c := range []struct {
		name string
		err  error
		why  string
	}{
		{"no error", nil, ""},
		{"unknown", errors.New("gone"), ""},
		{"build", build, "it does not build: x.go:1: undefined: y"},
		{"wrapped", fmt.Errorf("measure: %w", build), "it does not build: x.go:1: undefined: y"},
		{"no benchmarks", assay.UsageError(assay.CodeNoBenchmarks, "there are none", ""), "there are none"},
		{"no package", assay.UsageError(assay.CodeNoPackage, "no such package", ""), "no such package"},
		{"no download", assay.NewError(assay.ExitBuild, assay.CodeBuildFailed, "no module", nil, "go mod download -x"), ""},
		{"busy", assay.NewError(assay.ExitRefused, assay.CodeMachineBusy, "busy", nil, ""), ""},
	} {
		if why, skip := unmeasurable(c.err); why != c.why || skip != (c.why != "") {
			t.Errorf("%s: got %q, %t, want %q", c.name, why, skip, c.why)
		}
	}
}

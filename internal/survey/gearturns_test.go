package survey

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/calibration"
	"github.com/seed-1318a441/assay/internal/child"
	"github.com/seed-1318a441/assay/internal/collect"
	"github.com/seed-1318a441/assay/internal/lab"
	"github.com/seed-1318a441/assay/internal/trial"
)

// turned is a machine on which a command takes longer in turns.
type turned struct {
	lab.Machine
	whole float64 // time of a whole run, in seconds
	slow  float64 // how many times as long it takes in turns
	tried int
}

func (m *turned) CPUs() ([]int, error) { return nil, nil }

func (m *turned) Run(_ context.Context, r lab.RunRequest) (trial.Outcome, error) {
	sec := m.whole
	if r.Variant.Name == "new" {
		sec *= 1.1
	}
	wall := time.Duration(sec * float64(time.Second))
	return trial.Outcome{Exit: child.Exit{Wall: wall, User: wall}, Status: assay.StatusOK,
		Readings: []collect.Reading{{Name: "X", N: 1, Values: map[string]float64{assay.MetricTime: sec}}}}, nil
}

func (m *turned) Together(_ context.Context, r lab.TogetherRequest) ([]trial.Outcome, error) {
	m.tried++
	outs := make([]trial.Outcome, len(r.Arms))
	for i := range outs {
		sec := m.slow * m.whole * (1 + 0.1*float64(i))
		outs[i] = trial.Outcome{Status: assay.StatusOK, Readings: []collect.Reading{{Name: "X", N: 1, Values: map[string]float64{assay.MetricTime: sec}}}}
	}
	return outs, nil
}

// anything is a builder of artifacts of which nothing is asked.
type anything struct{ lab.Builder }

func (anything) Build(context.Context, lab.BuildRequest) ([]lab.Artifact, error) {
	return []lab.Artifact{{}}, nil
}

// A command that takes longer in turns than as whole runs has none, as one that finds its
// caches filled by the others; nor has one that is too short for enough of them.
func TestTurns(t *testing.T) {
	for _, test := range []struct {
		name        string
		whole, slow float64
		takes       bool
		tries       int
	}{
		{"bears them", 1, 1, true, 1},
		{"a little slower", 1, 1.04, true, 1},
		{"fills its caches", 1, 1.15, false, calibration.Tries},
		{"short", 0.2, 1, false, 0},
	} {
		m := &turned{whole: test.whole, slow: test.slow}
		b := assay.PlannedBenchmark{Benchmark: assay.Benchmark{Name: "X"}, N: 1}
		study := assay.Study{Base: "old", Variants: []assay.Variant{{Name: "old"}, {Name: "new"}}, Workloads: []assay.Workload{{Kind: assay.KindCommand}}}
		builds, err := lab.Build(t.Context(), anything{}, &study, func(lab.Event) {})
		if err != nil {
			t.Fatal(err)
		}
		c := &chooser{surveyor: &surveyor{Setup: Setup{Study: &study, Builds: builds, Machine: m}}, machine: m, plan: &assay.Plan{Study: study}, bench: &b, variants: study.Variants, until: time.Now().Add(admitTime)}
		if _, err = reason(c.turns(t.Context())); err != nil {
			t.Fatal(err)
		}
		if m.tried != test.tries || (b.Gear == assay.GearTurns) != test.takes || (b.Turn == assay.TurnLength) != test.takes {
			t.Errorf("%s: gear %q, turns of %v after %d tries; want %d", test.name, b.Gear, b.Turn, m.tried, test.tries)
		}
	}
}

// What waits, fails or tells no time is not measured in turns.
func TestNotForTurns(t *testing.T) {
	for _, test := range []struct {
		ref  calibration.Plain
		want string
	}{
		{calibration.Plain{PerOp: 0.4, Busy: 1}, ""},
		{calibration.Plain{PerOp: 0.4, Busy: 1.9}, ""},
		{calibration.Plain{PerOp: 0.4, Busy: 0.2}, "it waits"},
		{calibration.Plain{Busy: 1}, "no time per operation"},
		{calibration.Plain{Broken: "exit status 3"}, "exit status 3"},
	} {
		if got := notForTurns(test.ref); !strings.Contains(got, test.want) || test.want == "" && got != "" {
			t.Errorf("%+v: %q, want %q", test.ref, got, test.want)
		}
	}
}

package survey

import (
	"cmp"
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

// turned is a machine on which a command takes longer the shorter its turns are.
type turned struct {
	lab.Machine
	whole float64                   // time of a whole run, in seconds
	slow  map[time.Duration]float64 // factor by the length of a turn; 0 is 1
	tried []time.Duration
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
	m.tried = append(m.tried, r.Turn)
	factor := m.slow[r.Turn]
	if factor == 0 {
		factor = 1
	}
	outs := make([]trial.Outcome, len(r.Arms))
	for i := range outs {
		sec := factor * (1 + 0.1*float64(i))
		outs[i] = trial.Outcome{Status: assay.StatusOK, Readings: []collect.Reading{{Name: "X", N: 1, Values: map[string]float64{assay.MetricTime: sec}}}}
	}
	return outs, nil
}

// anything is a builder of artifacts of which nothing is asked.
type anything struct{ lab.Builder }

func (anything) Build(context.Context, lab.BuildRequest) ([]lab.Artifact, error) {
	return []lab.Artifact{{}}, nil
}

// Turns are as short as the command can bear: longer where it takes longer in short ones
// than a whole run does, as one does that finds its caches filled by the others. Where it
// takes longer in all, or is too short for enough turns, it has none.
func TestTurnLength(t *testing.T) {
	const ms = time.Millisecond
	for _, test := range []struct {
		name  string
		slow  map[time.Duration]float64
		whole float64 // time of a whole run, in seconds
		want  time.Duration
		tries int
	}{
		{"bears them", nil, 1, 2 * ms, 1},
		{"fills its caches", map[time.Duration]float64{2 * ms: 2.1, 10 * ms: 1.4, 50 * ms: 1.04}, 1, 50 * ms, 2*calibration.Tries + 1},
		{"fills small caches", map[time.Duration]float64{2 * ms: 1.4}, 1, 10 * ms, calibration.Tries + 1},
		{"bears none", map[time.Duration]float64{2 * ms: 1.5, 10 * ms: 1.5, 50 * ms: 1.5}, 1, 0, 3 * calibration.Tries},
		{"short", map[time.Duration]float64{2 * ms: 2.1, 10 * ms: 1.4, 50 * ms: 1.1}, 0.3, 0, 2 * calibration.Tries},
	} {
		m := &turned{whole: test.whole, slow: map[time.Duration]float64{}}
		for _, length := range assay.TurnLengths {
			m.slow[length] = cmp.Or(test.slow[length], 1) * test.whole
		}
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
		if b.Turn != test.want || len(m.tried) != test.tries || (b.Gear == assay.GearTurns) != (test.want > 0) {
			t.Errorf("%s: gear %q, turns of %v after %v; want %v after %d tries", test.name, b.Gear, b.Turn, m.tried, test.want, test.tries)
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

package survey

import (
	"context"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/collect"
	"github.com/seed-1318a441/assay/internal/lab"
	"github.com/seed-1318a441/assay/internal/trial"
)

// turned is a machine on which a command takes longer the shorter its turns are.
type turned struct {
	lab.SideBySide
	slow  map[time.Duration]float64 // factor by the length of a turn; 0 is 1
	tried []time.Duration
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

// Turns are as short as the command can bear: longer where it takes much longer in short
// ones, as one does that finds its caches filled by the others, but not where longer ones
// are no better, or where it is too short for enough of them.
func TestTurnLength(t *testing.T) {
	const ms = time.Millisecond
	for _, test := range []struct {
		name  string
		slow  map[time.Duration]float64
		whole float64 // time of an operation in the reference, in seconds
		want  time.Duration
		tries int
	}{
		{"bears them", nil, 1, 2 * ms, 1},
		{"fills its caches", map[time.Duration]float64{2 * ms: 2.1, 10 * ms: 1.4, 50 * ms: 1.1}, 1, 50 * ms, 3},
		{"fills small caches", map[time.Duration]float64{2 * ms: 1.4}, 1, 10 * ms, 2},
		{"the machine was faster", map[time.Duration]float64{2 * ms: 1.5, 10 * ms: 1.5, 50 * ms: 1.5}, 1, 2 * ms, 2},
		{"short", map[time.Duration]float64{2 * ms: 2.1, 10 * ms: 1.4, 50 * ms: 1.1}, 0.3, 10 * ms, 2},
	} {
		m := &turned{slow: map[time.Duration]float64{}}
		for length, factor := range test.slow {
			m.slow[length] = factor * test.whole
		}
		for _, length := range lab.TurnLengths {
			if m.slow[length] == 0 {
				m.slow[length] = test.whole
			}
		}
		b := assay.PlannedBenchmark{Benchmark: assay.Benchmark{Name: "X"}, N: 1, Gear: assay.GearTurns}
		study := assay.Study{Base: "old", Variants: []assay.Variant{{Name: "old"}, {Name: "new"}}, Workloads: []assay.Workload{{Kind: assay.KindCommand}}}
		builds, err := lab.Build(t.Context(), anything{}, &study, func(lab.Event) {})
		if err != nil {
			t.Fatal(err)
		}
		c := &chooser{surveyor: &surveyor{Setup: Setup{Study: &study, Builds: builds}}, machine: m, plan: &assay.Plan{Study: study}, bench: &b}
		for i, name := range []string{"old", "new"} {
			c.variants = append(c.variants, assay.Variant{Name: name})
			c.refs = append(c.refs, reading{PerOp: test.whole * (1 + 0.1*float64(i))})
		}
		level, err := c.turnLength(t.Context(), &b)
		if err != nil {
			t.Fatal(err)
		}
		if b.Turn != test.want || len(m.tried) != test.tries || math.Abs(level[0]-math.Log(m.slow[test.want])) > 1e-9 {
			t.Errorf("%s: turns of %v after %v; want %v after %d tries", test.name, b.Turn, m.tried, test.want, test.tries)
		}
	}
}

// What waits, fails or tells no time is not measured in turns.
func TestNotForTurns(t *testing.T) {
	for _, test := range []struct {
		ref  reading
		want string
	}{
		{reading{PerOp: 0.4, Busy: 1}, ""},
		{reading{PerOp: 0.4, Busy: 1.9}, ""},
		{reading{PerOp: 0.4, Busy: 0.2}, "it waits"},
		{reading{Busy: 1}, "no time per operation"},
		{reading{Broken: "exit status 3"}, "exit status 3"},
	} {
		if got := notForTurns(test.ref); !strings.Contains(got, test.want) || test.want == "" && got != "" {
			t.Errorf("%+v: %q, want %q", test.ref, got, test.want)
		}
	}
}

package bisect_test

import (
	"context"
	"testing"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/analysis"
	"github.com/seed-1318a441/assay/internal/bisect"
	"github.com/seed-1318a441/assay/internal/lab"
	"github.com/seed-1318a441/assay/internal/lab/labtest"
	"github.com/seed-1318a441/assay/internal/record"
	"github.com/seed-1318a441/assay/internal/survey"
)

// measureKnob makes one measurement of a knob on a simulated machine.
func measureKnob(t *testing.T, m *labtest.Simulator, ask bisect.KnobAsk) bisect.KnobFinding {
	t.Helper()
	names := []string{bisect.VariantOff, bisect.VariantSome, bisect.VariantOn}
	if ask.Kind == bisect.KnobEnds {
		names = []string{bisect.VariantOff, bisect.VariantOn}
	}
	s := labtest.Study(names...)
	s.Measure.Trial, s.Decide.Budget = 10*time.Millisecond, time.Minute
	s = ask.Study(s, s.Variants)
	ctx, silent := context.Background(), func(lab.Event) {}
	builds, err := lab.Build(ctx, m, s, silent)
	if err != nil {
		t.Fatal(err)
	}
	platform, err := m.Platform(ctx)
	if err != nil {
		t.Fatal(err)
	}
	p, err := survey.Prepare(ctx, survey.Setup{Study: s, Machine: m, Builds: builds, Platform: platform, Events: silent,
		Run: labtest.RunID, Command: "simulated", Created: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), Seed: m.Seed})
	if err != nil {
		t.Fatal(err)
	}
	rec, err := record.Create(t.TempDir(), p, platform, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer rec.Close()
	rule := bisect.NewKnobRule(ask, p, analysis.NewTracker(p, s.Decide.Budget))
	job := &lab.Job{Plan: p, Machine: m, Builds: builds, Record: rec, Rule: rule, Events: silent}
	if _, err := job.Run(ctx); err != nil {
		t.Fatal(err)
	}
	return rule.Finding()
}

// knobMachine has two benchmarks; with the optimisation everywhere the first is
// 6 % faster, and at some places a share of that.
func knobMachine(seed uint64, share float64) *labtest.Simulator {
	const whole = -0.06
	return &labtest.Simulator{Seed: seed, Start: time.Millisecond, Layout: 0.004, Benchmarks: []labtest.Benchmark{
		{Name: "A", Time: time.Microsecond, Allocs: 4, Bytes: 64, Noise: labtest.Normal(0.01),
			Effects: map[string]float64{bisect.VariantOn: whole, bisect.VariantSome: share * whole}},
		{Name: "B", Time: 3 * time.Microsecond, Noise: labtest.Normal(0.01)},
	}}
}

// By time: a build that has nothing of the effect is off, one with all of it is
// on, and none is the other. 80 decisions at 0.002 each come to 0.2 wrong ones.
func TestKnobProbeByTime(t *testing.T) {
	alpha := bisect.KnobAlpha(0.05, 43, 1)
	ends := measureKnob(t, knobMachine(1, 0), bisect.KnobAsk{Kind: bisect.KnobEnds, Metric: bisect.KnobMetricAuto, Alpha: alpha})
	if ends.Place != bisect.PlaceChanged || ends.By != assay.MetricTime || ends.Whole.Change >= 0 {
		t.Fatalf("ends: got %+v, want a change for the better by time", ends)
	}
	wrong, undecided := 0, 0
	for seed := range uint64(40) {
		for share, want := range map[float64]bisect.Place{0: bisect.PlaceOff, 1: bisect.PlaceOn} {
			f := measureKnob(t, knobMachine(seed, share), bisect.KnobAsk{Kind: bisect.KnobProbe, Metric: ends.By, Alpha: alpha, Ends: &ends})
			switch f.Place {
			case want:
			case bisect.PlaceUndecided:
				undecided++
			default:
				wrong++
			}
		}
	}
	t.Logf("80 probes: %d wrong, %d undecided", wrong, undecided)
	if wrong > 1 || undecided > 4 {
		t.Errorf("80 probes: %d wrong and %d undecided, want at most 1 and 4", wrong, undecided)
	}
}

// By allocs/op: whatever the time, one allocation less is on, and two blocks are
// enough.
func TestKnobProbeExact(t *testing.T) {
	for _, x := range []struct {
		some, on float64 // factor on the 4 allocations
		ends     bisect.Place
		by       string
		probe    bisect.Place
	}{
		{some: 1, on: 0.25, ends: bisect.PlaceChanged, by: assay.MetricAllocs, probe: bisect.PlaceOff},
		{some: 0.75, on: 0.25, ends: bisect.PlaceChanged, by: assay.MetricAllocs, probe: bisect.PlaceOn},
		{some: 0.25, on: 0.25, ends: bisect.PlaceChanged, by: assay.MetricAllocs, probe: bisect.PlaceOn},
		{some: 1.5, on: 2, ends: bisect.PlaceChanged, by: assay.MetricAllocs, probe: bisect.PlaceOn},
	} {
		m := knobMachine(1, 0)
		m.Benchmarks[0].Effects = nil
		m.Benchmarks[0].AllocEffects = map[string]float64{bisect.VariantSome: x.some, bisect.VariantOn: x.on}
		ends := measureKnob(t, m, bisect.KnobAsk{Kind: bisect.KnobEnds, Metric: bisect.KnobMetricAuto, Alpha: 0.002})
		if ends.Place != x.ends || ends.By != x.by || len(ends.Exact) != 1 || ends.Exact[0].Off != 4 || ends.Exact[0].On != 4*x.on || ends.Blocks != 8 {
			t.Errorf("ends 4 -> %g: got %+v, want %s by %s after 8 blocks", 4*x.on, ends, x.ends, x.by)
			continue
		}
		f := measureKnob(t, m, bisect.KnobAsk{Kind: bisect.KnobProbe, Metric: ends.By, Alpha: 0.002, Ends: &ends})
		if f.Place != x.probe || f.Blocks != 8 {
			t.Errorf("%g of 4 -> %g: got %s after %d blocks, want %s after 8", 4*x.some, 4*x.on, f.Place, f.Blocks, x.probe)
		}
		final := measureKnob(t, m, bisect.KnobAsk{Kind: bisect.KnobFinal, Metric: ends.By, Alpha: 0.05, Ends: &ends})
		if len(final.Exact) != 1 || final.Exact[0].Some == nil || *final.Exact[0].Some != 4*x.some || final.Change == nil || final.Rest == nil || final.Whole == nil {
			t.Errorf("final of %g: got %+v, want %g allocations and three changes in time", 4*x.some, final, 4*x.some)
		}
	}
}

// A count that varies is no exact number of either end, however the first four blocks
// look: the ends are then a matter of time.
func TestKnobEndsOfACountThatVaries(t *testing.T) {
	m := knobMachine(5, 0)
	m.Benchmarks[0].Effects = nil
	m.Hook = func(r lab.RunRequest) error {
		m.Benchmarks[0].Allocs = 4
		if r.Block <= 4 && r.Variant.Name == bisect.VariantOn || r.Block > 4 && r.Block%2 == 0 {
			m.Benchmarks[0].Allocs = 5
		}
		return nil
	}
	if f := measureKnob(t, m, bisect.KnobAsk{Kind: bisect.KnobEnds, Metric: bisect.KnobMetricAuto, Alpha: 0.002}); f.By == assay.MetricAllocs {
		t.Errorf("got %s by %s after %d blocks, want a decision by time", f.Place, f.By, f.Blocks)
	}
}

// If the ends are the same, or do not differ in the metric, the knob does not matter.
func TestKnobEndsSame(t *testing.T) {
	m := knobMachine(3, 0)
	m.Benchmarks[0].Effects = nil
	if f := measureKnob(t, m, bisect.KnobAsk{Kind: bisect.KnobEnds, Metric: bisect.KnobMetricAuto, Alpha: 0.002}); f.Place != bisect.PlaceSame || f.By != assay.MetricTime {
		t.Errorf("no difference: got %s by %s, want same by time", f.Place, f.By)
	}
	// However long the trials take, the least number of blocks is enough for a number
	// that does not vary.
	slow := knobMachine(3, 0)
	slow.Start = time.Hour
	if f := measureKnob(t, slow, bisect.KnobAsk{Kind: bisect.KnobEnds, Metric: assay.MetricAllocs, Alpha: 0.002}); f.Place != bisect.PlaceSame || f.By != assay.MetricAllocs {
		t.Errorf("allocs/op asked for: got %s by %s, want same by allocs/op", f.Place, f.By)
	}
}

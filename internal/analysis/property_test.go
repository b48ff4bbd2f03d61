package analysis

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/analysis/sample"
	"github.com/seed-1318a441/assay/internal/design"
	"github.com/seed-1318a441/assay/internal/slow"
	"github.com/seed-1318a441/assay/internal/stats"
)

// anyPlan draws a plan: of listed variants, a chain of steps or crossed factors, some of one
// build; of Go benchmarks, commands or a service, in each gear; with links of every kind,
// with or without a control, a gate, a limit of variants in a block.
func anyPlan(r *rand.Rand) *assay.Plan {
	p := &assay.Plan{Schema: pick(r, assay.PlanSchemaSealed, assay.PlanSchemaLooks, assay.PlanSchemaLooks), Run: "k2vf", Seed: r.Uint64(), Study: assay.Study{Workloads: []assay.Workload{{Kind: assay.KindGoTest}}}}
	s := &p.Study
	s.Workloads[0].Kind = pick(r, assay.KindGoTest, assay.KindGoTest, assay.KindCommand, assay.KindService)
	switch w := &s.Workloads[0]; w.Kind {
	case assay.KindService:
		w.Names, w.Service = []string{"srv"}, &assay.Service{Start: []string{"{bin}"}, Load: []string{"load"}, Parse: "assay"}
	case assay.KindCommand:
		w.Names, w.Run = []string{"cmd"}, []string{"{bin}"}
	}
	s.Measure.Layouts = pick(r, 0, 0, 0, 1)
	s.Decide.Gate = pick(r, 0, 0, 0.05)
	s.Decide.Confidence = pick(r, 0.99, 0.95)
	chain := false
	switch kind := r.IntN(4); kind {
	case 0:
		for _, name := range []string{"f", "g"} {
			s.Factors = append(s.Factors, assay.Factor{Name: name, Levels: []assay.Level{{Name: "off"}, {Name: "on", Setting: assay.Variant{Tags: []string{name}}}}})
		}
	default:
		for i := range 2 + r.IntN(4) {
			s.Variants = append(s.Variants, assay.Variant{Name: fmt.Sprintf("v%d", i)})
		}
		if chain = kind == 1; chain {
			s.Steps = &assay.Steps{}
			for _, v := range s.Variants[1:] {
				s.Steps.List = append(s.Steps.List, assay.Step{Variant: v.Name})
			}
		}
	}
	s.SetDefaults()
	if err := design.Cross(s); err != nil {
		panic(err)
	}
	p.Variants = slices.Clone(s.Variants)
	for _, v := range p.Variants {
		p.Artifacts = append(p.Artifacts, assay.ArtifactInfo{Variant: v.Name, ID: fmt.Sprint(r.IntN(4))})
	}
	if r.IntN(3) > 0 {
		p.Variants = append(p.Variants, assay.Variant{Name: assay.ControlName, Control: true})
	}
	if !chain && len(s.Factors) == 0 {
		p.Relink = pick(r, 0, 2, 4)
	}
	if len(s.Variants) > 3 && p.Relink == 0 {
		p.Together = pick(r, 0, 3)
	}
	for i := range 1 + r.IntN(4) {
		b := assay.PlannedBenchmark{Benchmark: assay.Benchmark{Package: pick(r, "x", "y"), Name: fmt.Sprintf("B%d", i)}, N: 1, Trial: 50 * time.Millisecond}
		if b.Gear = pick(r, assay.GearProcesses, assay.GearSlices, assay.GearTurns); b.Gear == assay.GearSlices {
			b.Slices = 3
		}
		if chain && r.IntN(4) == 0 {
			b.Missing = []string{s.Variants[len(s.Variants)-1].Name}
		}
		p.Benchmarks = append(p.Benchmarks, b)
	}
	return p
}

func pick[T any](r *rand.Rand, list ...T) T { return list[r.IntN(len(list))] }

// anyTrials are those of a block: every kind of value, lost trials, and trials that observe
// the collector alone.
func anyTrials(r *rand.Rand, p *assay.Plan, next assay.NextBlock, block int, losses float64) (out []assay.Trial) {
	for _, turn := range next.Turns {
		b, _ := p.Planned(turn.Benchmark)
		for round := range max(turn.Inner, 1) {
			for _, v := range design.Present(p, next, block) {
				if slices.Contains(b.Missing, v.Name) {
					continue
				}
				tr := assay.Trial{Block: block, Round: round + 1, Variant: v.Name, Benchmark: turn.Benchmark, Status: assay.StatusOK,
					Layout: design.Layout(p, v.Name, block), Gear: b.Gear, Duration: b.Trial, Observations: map[string]float64{}}
				x := math.Exp(0.05*r.NormFloat64() + 0.01*float64(tr.Layout%7))
				tr.Observations[assay.MetricTime] = 1e-6 * x
				tr.Observations[assay.MetricAllocs] = 7
				tr.Observations["sometimes"] = float64(r.IntN(2))
				tr.Observations["signed"] = r.NormFloat64()
				for range b.Slices {
					tr.Slices = append(tr.Slices, 1e3*x)
				}
				if tr.Traced = r.IntN(40) == 0; tr.Traced {
					tr.Observations[assay.GCPrefix+"cycles"] = 3
				}
				if r.Float64() < losses {
					tr.Status = pick(r, assay.StatusFailed, assay.StatusTimeout, assay.StatusNoResult, assay.StatusWrong, assay.StatusSkipped)
					tr.Observations = nil
				}
				out = append(out, tr)
			}
		}
	}
	return out
}

// Whatever a plan asks for and whatever becomes of its trials, there is a result, and a run
// that was cut off and resumed has the same one. What links leave open does not depend on how
// many trials of a link a block has.
func TestAnyPlanHasAResult(t *testing.T) { anyPlans(t, 40) }

func TestSlowAnyPlanHasAResult(t *testing.T) {
	slow.Test(t)
	anyPlans(t, 200)
}

func anyPlans(t *testing.T, plans uint64) {
	wide := 0
	for seed := range plans {
		r := rand.New(rand.NewPCG(seed, 47))
		p := anyPlan(r)
		losses := pick(r, 0, 0, 0.02)
		tracker := NewTracker(p, time.Hour)
		var blocks [][]assay.Trial
		for block := range 5 + r.IntN(12) {
			next := tracker.Next()
			if next.Stop != "" {
				break
			}
			for i := range next.Turns {
				next.Turns[i].Inner += r.IntN(3)
			}
			blocks = append(blocks, anyTrials(r, p, next, block+1, losses))
			tracker.Add(blocks[block])
		}
		tracker.Next()
		got := resultJSON(t, tracker)
		resumed := followed(p, blocks)
		resumed.Next()
		if again := resultJSON(t, resumed); !bytes.Equal(got, again) {
			t.Errorf("seed %d: a resumed run has another result", seed)
		}
		for _, v := range p.Study.Variants[1:] {
			if _, err := resumed.Pair(blocks, p.Study.Base, v.Name, assay.Platform{}); err != nil {
				t.Errorf("seed %d: %v", seed, err)
			}
		}
		wide += sameLinks(t, seed, p, blocks, tracker.set)
	}
	if wide == 0 {
		t.Error("no interval is wider by the links that blocks use again")
	}
}

func resultJSON(t *testing.T, tracker *Tracker) []byte {
	t.Helper()
	text, err := json.Marshal(tracker.Result(assay.Platform{CPUs: 2}, tracker.readStop()))
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// sameLinks compares the widening of every sample with that of one trial of each variant a
// block that has the median of its rounds, and returns the number of those that are wider.
func sameLinks(t *testing.T, seed uint64, p *assay.Plan, blocks [][]assay.Trial, set *sample.Set) (wide int) {
	t.Helper()
	once := sample.NewSet(p)
	for _, block := range blocks {
		once.Add(medians(block))
	}
	compare := func(what string, many, one *sample.Sample) {
		if many == nil || one == nil {
			return
		}
		if x, y := many.LinkWidth(), one.LinkWidth(); x != y && !(math.Abs(x-y) <= 1e-9) {
			t.Errorf("seed %d, %s: links widen by %g, want %g", seed, what, x, y)
		} else if x > 0 {
			wide++
		}
	}
	for _, v := range set.Variants {
		for _, b := range set.Active() {
			compare(v+"/"+b.Plan.Name, set.Sample(b.Plan.Benchmark, assay.MetricTime, v), once.Sample(b.Plan.Benchmark, assay.MetricTime, v))
		}
		compare(v, set.Suite(assay.MetricTime).Sample(v), once.Suite(assay.MetricTime).Sample(v))
	}
	return wide
}

// medians has one trial in place of the rounds of each variant on each benchmark.
func medians(block []assay.Trial) (out []assay.Trial) {
	type key struct {
		variant   string
		benchmark assay.Benchmark
	}
	rounds := map[key][]float64{}
	for _, tr := range block {
		if tr.Status == assay.StatusOK && !tr.Traced {
			rounds[key{tr.Variant, tr.Benchmark}] = append(rounds[key{tr.Variant, tr.Benchmark}], tr.Observations[assay.MetricTime])
		}
	}
	for _, tr := range block {
		if tr.Status != assay.StatusOK {
			out = append(out, tr)
			continue
		}
		k := key{tr.Variant, tr.Benchmark}
		if values := rounds[k]; values != nil {
			tr.Traced, tr.Observations = false, map[string]float64{assay.MetricTime: stats.Median(values)}
			out = append(out, tr)
			delete(rounds, k)
		}
	}
	return out
}

package replay

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/analysis"
)

// planOf compares b with a on benchmarks.
func planOf(benchmarks ...string) *assay.Plan {
	p := &assay.Plan{Study: assay.Study{Base: "a", Variants: []assay.Variant{{Name: "a"}, {Name: "b"}}, Measure: assay.Measure{Inner: 1}}}
	p.Study.SetDefaults()
	p.Variants = p.Study.Variants
	for _, b := range benchmarks {
		p.Benchmarks = append(p.Benchmarks, assay.PlannedBenchmark{Benchmark: assay.Benchmark{Name: b}, N: 1, Trial: 50 * time.Millisecond})
	}
	return p
}

// recorded is a run of so many blocks, in which b differs from a by these changes on the
// benchmarks in turn, with noise of 0.3 %. A pilot of so many blocks comes first.
func recorded(p *assay.Plan, blocks, pilots int, changes ...float64) (*Recorder, *analysis.Tracker) {
	rnd := rand.New(rand.NewPCG(1, 2))
	rec, tracker := NewRecorder(p, assay.MetricTime, blocks, assay.StopDecided), analysis.NewTracker(p, 0)
	for n := 1; n <= pilots+blocks; n++ {
		var block []assay.Trial
		for i, b := range p.Benchmarks {
			for _, v := range p.Variants {
				x := 1e-6 * math.Exp(0.003*rnd.NormFloat64())
				if v.Name == "b" {
					x *= 1 + changes[i]
				}
				block = append(block, assay.Trial{Block: n, Pilot: n <= pilots, Variant: v.Name, Benchmark: b.Benchmark, Status: assay.StatusOK,
					Observations: map[string]float64{assay.MetricTime: x}})
			}
		}
		tracker.Add(block)
		rec.See(tracker)
	}
	return rec, tracker
}

// counted are the blocks of frames.
func counted(frames []Frame) (out []int) {
	for _, f := range frames {
		out = append(out, f.Blocks)
	}
	return out
}

// verdicts are those of the heads.
func verdicts(heads []analysis.Head) (out []assay.Verdict) {
	for _, h := range heads {
		out = append(out, h.Verdict)
	}
	return out
}

// A replay has a frame a block, from the first without an answer to the last, which is the
// result. Blocks of the pilot have none.
func TestFrames(t *testing.T) {
	rec, tracker := recorded(planOf("X"), 20, 3, 0.05)
	frames := rec.Replay.Frames
	var want []int
	for n := 1; n <= 20; n++ {
		want = append(want, n)
	}
	if got := counted(frames); !slices.Equal(got, want) {
		t.Fatalf("got frames of %v blocks, want 1 to 20", got)
	}
	for _, f := range frames {
		if len(f.Heads) != 1 || f.Heads[0].N != f.Blocks {
			t.Errorf("the frame of %d blocks has heads %v", f.Blocks, f.Heads)
		}
	}
	if got := frames[0].Heads[0].Verdict; got != assay.Unclear || frames[0].Answer.Use != "" {
		t.Errorf("after a block: got %s, use %q, want unclear", got, frames[0].Answer.Use)
	}
	last, result := frames[19], tracker.Result(assay.Platform{}, "")
	if c := result.Tables[0].Rows[0].Cells[0]; last.Heads[0].Verdict != assay.Slower || c.Verdict != assay.Slower || last.Heads[0].Change != c.Change {
		t.Errorf("the last frame has %s %v, the result %s %v, want slower by the same", last.Heads[0].Verdict, last.Heads[0].Change, c.Verdict, c.Change)
	}
	if rec.See(tracker); len(rec.Replay.Frames) != 20 {
		t.Errorf("got %d frames after a second look, want 20", len(rec.Replay.Frames))
	}
	if fmt.Sprint(last.Answer.Text) != fmt.Sprint(result.Answer.Text) || last.Answer.Use != "a" {
		t.Errorf("the last frame says %q, the result %q", last.Answer.Text, result.Answer.Text)
	}
}

// A long run has frames at equal distances, at most 60 of them, and a chain, whose answers
// take longer, at most 16. The last block has one in any case.
func TestFramesOfLongRuns(t *testing.T) {
	chain := planOf("X")
	chain.Study.Steps = &assay.Steps{List: []assay.Step{{Variant: "b"}}}
	for _, test := range []struct {
		name   string
		plan   *assay.Plan
		blocks int
		first  int
		every  int
		frames int
	}{
		{"60 blocks", planOf("X"), 60, 1, 1, 60},
		{"61 blocks", planOf("X"), 61, 1, 2, 31},
		{"121 blocks", planOf("X"), 121, 1, 3, 41},
		{"steps", chain, 33, 3, 3, 11},
	} {
		rec, _ := recorded(test.plan, test.blocks, 0, 0.05)
		got := counted(rec.Replay.Frames)
		if len(got) != test.frames || got[0] != test.first || got[1]-got[0] != test.every || got[len(got)-1] != test.blocks {
			t.Errorf("%s: got frames of %v blocks, want %d from %d on", test.name, got, test.frames, test.first)
		}
	}
}

// A run of very many comparisons has no replay, and one that is a little smaller has few
// frames.
func TestAffordable(t *testing.T) {
	plan := func(benchmarks, variants int) *assay.Plan {
		return &assay.Plan{Benchmarks: make([]assay.PlannedBenchmark, benchmarks), Variants: make([]assay.Variant, variants)}
	}
	for _, test := range []struct {
		benchmarks, variants, blocks int
		affordable                   bool
		every                        int
	}{
		{1, 2, 20, true, 1},
		{100, 10, 60, true, 6}, // ten frames
		{100, 10, 85, true, 13},
		{100, 10, 90, false, 15},
		{25_000, 10, 100, false, 100},
		{0, 0, 0, true, 1},
	} {
		rec := NewRecorder(plan(test.benchmarks, test.variants), assay.MetricTime, test.blocks, assay.StopDecided)
		if got := rec.Affordable(); got != test.affordable || rec.every != test.every {
			t.Errorf("%d benchmarks, %d variants, %d blocks: affordable is %v, a frame every %d blocks, want %v and %d",
				test.benchmarks, test.variants, test.blocks, got, rec.every, test.affordable, test.every)
		}
	}
}

// With other minimum effects the same blocks say other things: a change of 4 % is slower
// by one of 1 %, and the same by one of 10 %. The study's own is among them, in order.
func TestMargins(t *testing.T) {
	p := planOf("X")
	p.Study.Decide.MinEffect = 0.015
	rec, tracker := recorded(p, 20, 0, 0.04)
	rec.Ask(tracker)
	if rec.Replay.MinEffect != 0.015 {
		t.Errorf("got the minimum effect %g, want 0.015", rec.Replay.MinEffect)
	}
	want := []float64{0.005, 0.01, 0.015, 0.02, 0.03, 0.05, 0.1}
	var got []float64
	said := map[float64]assay.Verdict{}
	for _, o := range rec.Replay.Margins {
		got = append(got, o.MinEffect)
		said[o.MinEffect] = o.Heads[0].Verdict
		if !o.Answer.Decided || o.Without != (assay.Benchmark{}) {
			t.Errorf("at %g: decided is %v, without %v", o.MinEffect, o.Answer.Decided, o.Without)
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if said[0.01] != assay.Slower || said[0.1] != assay.Same {
		t.Errorf("got %s at 1 %% and %s at 10 %%, want slower and the same", said[0.01], said[0.1])
	}
	if len(rec.Replay.Without)+len(rec.Replay.Both)+rec.Replay.Common != 0 {
		t.Errorf("got %d outlooks without the only benchmark", len(rec.Replay.Without))
	}
	p.Study.Decide.MinEffect = 0.02
	rec, tracker = recorded(p, 12, 0, 0.04)
	if rec.Ask(tracker); len(rec.Replay.Margins) != 6 {
		t.Errorf("got %d minimum effects, want 2 %% once", len(rec.Replay.Margins))
	}
}

// A suite says what it would without each benchmark, that of the largest change first, and
// that with each other minimum effect.
func TestWithoutABenchmark(t *testing.T) {
	rec, tracker := recorded(planOf("X", "Y", "Z"), 20, 0, 0, 0.2, -0.1)
	rec.Ask(tracker)
	r := rec.Replay
	var order []string
	for _, o := range r.Without {
		order = append(order, o.Without.Name)
		want := map[string]float64{"X": (math.Log(1.2) + math.Log(0.9)) / 2, "Y": math.Log(0.9) / 2, "Z": math.Log(1.2) / 2}[o.Without.Name]
		if got := o.Heads[0].Change.Log(); math.Abs(got-want) > 0.005 || o.MinEffect != r.MinEffect {
			t.Errorf("without %s: got ln %.4f at the minimum effect %g, want about %.4f", o.Without.Name, got, o.MinEffect, want)
		}
	}
	if !slices.Equal(order, []string{"Y", "Z", "X"}) || r.Common != 3 {
		t.Errorf("left out %v of %d, want Y, Z and X of 3", order, r.Common)
	}
	if got := verdicts(append(r.Without[0].Heads, r.Without[1].Heads...)); !slices.Equal(got, []assay.Verdict{assay.Faster, assay.Slower}) {
		t.Errorf("without Y and without Z: got %v, want faster and slower", got)
	}
	if len(r.Both) != 3*5 {
		t.Errorf("got %d outlooks without a benchmark at another minimum effect, want 15", len(r.Both))
	}
	seen := map[string]bool{}
	for _, o := range r.Both {
		key := fmt.Sprint(o.Without, o.MinEffect)
		if seen[key] || o.MinEffect == r.MinEffect || o.Without.Name == "" {
			t.Errorf("got %v at %g twice, or where it is not asked for", o.Without, o.MinEffect)
		}
		seen[key] = true
	}
}

// The answer of a race rests on other comparisons, so that its frames have none.
func TestFramesOfARace(t *testing.T) {
	p := planOf("X")
	p.Study.Decide.Race = true
	rec, _ := recorded(p, 12, 0, 0.05)
	frames := rec.Replay.Frames
	if len(frames) != 12 || frames[11].Answer.Text != nil || len(frames[11].Heads) != 1 {
		t.Errorf("got %d frames, the last of which has %d heads and says %q", len(frames), len(frames[11].Heads), frames[11].Answer.Text)
	}
}

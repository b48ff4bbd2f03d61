package search_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/analysis"
	"github.com/seed-1318a441/assay/internal/lab"
	"github.com/seed-1318a441/assay/internal/lab/labtest"
	"github.com/seed-1318a441/assay/internal/record"
	"github.com/seed-1318a441/assay/internal/search"
	"github.com/seed-1318a441/assay/internal/survey"
)

// run races a study on a simulated machine through the real lab and record. It resumes an
// interrupted race of this store.
func run(ctx context.Context, m *labtest.Simulator, s *assay.Study, store string, together int) (*assay.Race, assay.StopReason, error) {
	silent := func(lab.Event) {}
	builds, err := lab.Build(ctx, m, s, silent)
	if err != nil {
		return nil, "", err
	}
	rec, err := open(ctx, m, s, store, together, builds)
	if err != nil {
		return nil, "", err
	}
	defer rec.Close()
	plan := rec.Run().Plan
	race := search.NewRace(plan, analysis.NewTracker(plan, plan.Study.Decide.Budget))
	job := &lab.Job{Plan: plan, Machine: m, Builds: builds, Record: rec, Rule: race, Events: silent}
	stop, err := job.Run(ctx)
	return race.Result(), stop, err
}

func open(ctx context.Context, m *labtest.Simulator, s *assay.Study, store string, together int, builds *lab.Builds) (*record.Record, error) {
	runs, err := record.List(store)
	if err != nil || len(runs) > 0 {
		return record.Open(runs[0].Dir)
	}
	platform, err := m.Platform(ctx)
	if err != nil {
		return nil, err
	}
	p, err := survey.Prepare(ctx, survey.Setup{Study: s, Machine: m, Builds: builds, Platform: platform, Events: func(lab.Event) {},
		Run: labtest.RunID, Command: "simulated", Created: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), Seed: 1})
	if err != nil {
		return nil, err
	}
	p.Together = together
	return record.Create(store, p, platform, nil)
}

// A field is a machine and a study of v00 (the base), v01, ... with known
// effects.
type field struct {
	effects []float64 // ln(time / the base's) by variant
	set     func(*labtest.Simulator)
}

func (f field) name(i int) string { return fmt.Sprintf("v%02d", i) }

func (f field) study() *assay.Study {
	var names []string
	for i := range f.effects {
		names = append(names, f.name(i))
	}
	s := labtest.Study(names...)
	s.Measure.Layouts, s.Measure.Trial = 1, 10*time.Millisecond
	s.Decide.MaxBlocks, s.Decide.Budget = 300, time.Hour
	return s
}

// machine has four benchmarks; the effects differ a little between them, and
// are those of the field on the whole.
func (f field) machine(seed uint64) *labtest.Simulator {
	m := &labtest.Simulator{Seed: seed, Start: time.Millisecond}
	for b := range 4 {
		x := labtest.Benchmark{Name: fmt.Sprintf("B%d", b), Time: time.Microsecond * time.Duration(b+1),
			Noise: labtest.Normal(0.03), Effects: map[string]float64{}}
		for i, e := range f.effects {
			x.Effects[f.name(i)] = e + 0.01*(float64(b)-1.5)*float64(i%3)
		}
		x.Effects[assay.ControlName] = x.Effects[f.name(0)] // it is the base once more
		m.Benchmarks = append(m.Benchmarks, x)
	}
	if f.set != nil {
		f.set(m)
	}
	return m
}

// spread draws n effects: a few near the best, the others up to 20 % behind. The
// base is in the middle.
func spread(n int, seed uint64) []float64 {
	rnd := rand.New(rand.NewPCG(seed, 9))
	out := make([]float64, n)
	for i := range out {
		out[i] = 0.2 * rnd.Float64()
	}
	for i := range out {
		out[i] -= out[0] / 2
	}
	return out
}

// A tallied is what many races came to.
type tallied struct {
	races, sure, best, wrong int
	saved                    float64 // the mean of ln(Race.Saved)
}

func (t tallied) String() string {
	return fmt.Sprintf("%d races: %d sure, %d won by the best, %d claims wrong; all variants in as many blocks take %.2f times the time",
		t.races, t.sure, t.best, t.wrong, math.Exp(t.saved))
}

// races runs the field that draw gives for each of n seeds.
func races(t *testing.T, n int, draw func(seed uint64) field) (out tallied) {
	t.Helper()
	var mu sync.Mutex
	var g errgroup.Group
	g.SetLimit(4)
	for seed := range uint64(n) {
		g.Go(func() error {
			f := draw(seed)
			r, _, err := run(t.Context(), f.machine(seed), f.study(), t.TempDir(), 0)
			mu.Lock()
			defer mu.Unlock()
			out.add(f, r)
			return err
		})
	}
	if err := g.Wait(); err != nil {
		t.Fatal(err)
	}
	out.saved /= float64(n)
	return out
}

func (t *tallied) add(f field, r *assay.Race) {
	behind := f.behind(r.Winner)
	t.races++
	t.saved += math.Log(r.Saved)
	t.best += btoi(behind == 0)
	t.sure += btoi(r.Sure)
	t.wrong += btoi(r.Sure && behind > math.Log1p(r.Margin))
}

// behind is how much worse than the best a variant really is, in ln units.
func (f field) behind(variant string) float64 {
	for i, e := range f.effects {
		if f.name(i) == variant {
			return e - slices.Min(f.effects)
		}
	}
	return math.Inf(1)
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// The claim of a race is right, its winner is mostly the very best, and it takes
// less time than all variants to the end.
func TestRace(t *testing.T) {
	for _, tc := range []struct {
		variants, races, best int
		saved                 float64
	}{{12, 50, 44, 1.3}, {24, 10, 8, 1.6}} {
		got := races(t, tc.races, func(seed uint64) field { return field{effects: spread(tc.variants, seed)} })
		t.Logf("%d variants: %v", tc.variants, got)
		if got.sure < got.races || got.best < tc.best || got.wrong > 1 || math.Exp(got.saved) < tc.saved {
			t.Errorf("%d variants: %v", tc.variants, got)
		}
	}
}

// One variant is better than the many by a little more than the margin: the
// hardest case for the claim, since each of the many is a wrong winner. At 1 %
// at most, six of 120 races would be wrong with probability .002. (Of 400 races
// each with 1.01 %, noise half as large again and a margin of 1 %, 0, 0 and 2 were
// wrong.)
func TestWrongClaimsAreRare(t *testing.T) {
	const each = 40
	wrong := 0
	for name, noise := range map[string]labtest.Noise{
		"normal": labtest.Normal(0.012), "spikes": labtest.Spikes(0.006, 0.1), "levels": labtest.TwoLevel(0.002, 0.02),
	} {
		got := races(t, each, func(seed uint64) field {
			return field{effects: []float64{0, 0, 0, 0, -0.011, 0, 0, 0}, set: func(m *labtest.Simulator) {
				m.Benchmarks = m.Benchmarks[:1]
				m.Benchmarks[0].Noise = noise
				m.Benchmarks[0].Effects = map[string]float64{"v04": -0.011}
			}}
		})
		t.Logf("%s: %v", name, got)
		wrong += got.wrong
		if got.best < each*3/4 {
			t.Errorf("%s: %v", name, got)
		}
	}
	if wrong > 5 {
		t.Errorf("%d of %d claims are wrong", wrong, 3*each)
	}
}

var errCrash = errors.New("crash")

// A race that was cut off again and again ends as one that never was, byte for
// byte, in its result and in its record.
func TestRaceResumes(t *testing.T) {
	f := field{effects: spread(8, 3)}
	for _, together := range []int{0, 4} {
		whole := t.TempDir()
		want, stop, err := run(t.Context(), f.machine(1), f.study(), whole, together)
		if err != nil || stop != "decided" {
			t.Fatalf("stopped by %q, %v", stop, err)
		}
		store := t.TempDir()
		rnd := rand.New(rand.NewPCG(5, 6))
		var got *assay.Race
		err = errCrash
		cuts := 0
		for ; errors.Is(err, errCrash); cuts++ {
			m := f.machine(1)
			trials := 20 + rnd.IntN(400)
			m.Hook = func(r lab.RunRequest) error {
				if trials--; r.Block > 0 && trials < 0 {
					return errCrash
				}
				return nil
			}
			got, stop, err = run(t.Context(), m, f.study(), store, together)
		}
		if err != nil || stop != "decided" || cuts < 3 {
			t.Fatalf("after %d cuts: stopped by %q, %v", cuts, stop, err)
		}
		if a, b := marshal(t, got), marshal(t, want); !bytes.Equal(a, b) {
			t.Errorf("together %d: after %d cuts\n%s\nwant\n%s", together, cuts, a, b)
		}
		if a, b := schedule(t, store), schedule(t, whole); !slices.Equal(a, b) {
			t.Errorf("together %d: after %d cuts other variants ran", together, cuts)
		}
	}
}

func marshal(t *testing.T, v any) []byte {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// schedule lists which variants each complete block of a record ran.
func schedule(t *testing.T, store string) (out []string) {
	t.Helper()
	run, err := record.Read(os.DirFS(filepath.Join(store, labtest.RunID)))
	if err != nil {
		t.Fatal(err)
	}
	for i, block := range run.Blocks() {
		seen := map[string]bool{}
		for _, tr := range block {
			seen[tr.Variant] = true
		}
		out = append(out, fmt.Sprint(i+1, slices.Sorted(maps.Keys(seen))))
	}
	return out
}

// Losers leave, and what is left is what blocks hold; with room for few, the
// leader is in every block.
func TestLosersLeave(t *testing.T) {
	f := field{effects: []float64{0, 0.2, 0.2, -0.1, 0.2, -0.095, 0.2, 0.2}}
	for _, together := range []int{0, 4} {
		store := t.TempDir()
		r, _, err := run(t.Context(), f.machine(2), f.study(), store, together)
		if err != nil {
			t.Fatal(err)
		}
		if !r.Sure || f.behind(r.Winner) > 0.01 || len(r.Runners) != 7 {
			t.Errorf("together %d: %+v", together, r)
		}
		last := 1 << 30
		for i, x := range r.Runners {
			left := x.Left
			if left == 0 {
				left = 1 << 29
			}
			if left > last || x.Behind == 0 || x.Interval == nil || !x.Interval.Covers(x.Behind) {
				t.Errorf("together %d: runner %d is %+v", together, i, x)
			}
			if far := f.behind(x.Variant) > 0.05; far != (x.Left > 0) {
				t.Errorf("together %d: %s left after block %d", together, x.Variant, x.Left)
			}
			last = left
		}
		blocks := schedule(t, store)
		if end := blocks[len(blocks)-1]; !strings.Contains(end, "v00 v03 v05]") {
			t.Errorf("together %d: the last block is %s", together, end)
		}
		for _, b := range blocks[1:] {
			if together > 0 && (len(strings.Fields(b)) > 2+together || !strings.Contains(b, "v03") && !strings.Contains(b, "v05")) {
				t.Errorf("together %d: block %s", together, b)
			}
		}
	}
}

func TestStops(t *testing.T) {
	f := field{effects: []float64{0, 0.001, 0.002}}
	for _, tc := range []struct {
		set  func(*assay.Study)
		want assay.StopReason
		sure bool
	}{
		{func(s *assay.Study) { s.Decide.MaxBlocks = 12 }, "blocks", false},
		{func(s *assay.Study) { s.Decide.Budget = 2 * time.Second }, "budget", false},
		{func(s *assay.Study) { s.Decide.MinEffect = 0.1 }, "decided", true},
	} {
		s := f.study()
		tc.set(s)
		r, stop, err := run(t.Context(), f.machine(1), s, t.TempDir(), 0)
		if err != nil || stop != tc.want || r.Sure != tc.sure {
			t.Errorf("stopped by %q, sure %v, %v; want %q, %v", stop, r.Sure, err, tc.want, tc.sure)
		}
	}
}

// No variant leaves before the study's minimum number of blocks.
func TestMinBlocks(t *testing.T) {
	f := field{effects: []float64{0, 0.5}}
	s := f.study()
	s.Decide.MinBlocks = 20
	r, stop, err := run(t.Context(), f.machine(1), s, t.TempDir(), 0)
	if err != nil || stop != "decided" || r.Runners[0].Left != 20 {
		t.Errorf("stopped by %q, %v: %+v", stop, err, r)
	}
}

// Where higher is better the winner is the highest, and who is behind has a
// negative change.
func TestHigherIsBetter(t *testing.T) {
	s := labtest.Study("a", "b", "c")
	s.Decide.Metrics = []string{"tx/s"}
	b := assay.Benchmark{Name: "X"}
	p := &assay.Plan{Study: *s, Variants: s.Variants, Benchmarks: []assay.PlannedBenchmark{{Benchmark: b, N: 1}},
		Metrics: []assay.Metric{{Name: "tx/s", Better: assay.BetterHigher, MinEffect: 0.01}}}
	race := search.NewRace(p, analysis.NewTracker(p, time.Hour))
	rnd := rand.New(rand.NewPCG(1, 1))
	for block := 1; race.Next().Stop == ""; block++ {
		var trials []assay.Trial
		for _, v := range append(race.In(), "a") {
			rate := map[string]float64{"a": 100, "b": 110, "c": 90}[v] * math.Exp(0.005*rnd.NormFloat64())
			if v == "a" && len(trials) > 0 && trials[0].Variant == "a" {
				continue
			}
			trials = append(trials, assay.Trial{Block: block, Attempt: 1, Variant: v, Benchmark: b, Status: assay.StatusOK,
				Duration: time.Second, Observations: map[string]float64{"tx/s": rate}})
		}
		race.Add(trials)
	}
	r := race.Result()
	if r.Winner != "b" || !r.Sure {
		t.Fatalf("got %+v", r)
	}
	for _, x := range r.Runners {
		if x.Behind > -0.05 || x.Interval == nil || x.Interval.Hi > -0.01 || x.Interval.Lo > x.Interval.Hi {
			t.Errorf("runner %+v", x)
		}
	}
}

package distribution

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/seed-1318a441/assay"
)

// A service is a made record of a service under load: trials and what they left.
type service struct {
	plan   *assay.Plan
	trials []assay.Trial
	left   map[int]assay.Collected
}

// servicePlan compares variants, the first being the base, on one service.
func servicePlan(variants ...string) *assay.Plan {
	p := &assay.Plan{Run: "k2vf", Seed: 7, Benchmarks: []assay.PlannedBenchmark{
		{Benchmark: assay.Benchmark{Name: "oltp"}, N: 1, Trial: time.Minute}}}
	p.Study = assay.Study{Name: "s", Workloads: []assay.Workload{{Kind: assay.KindService, Names: []string{"oltp"},
		Service: &assay.Service{Start: []string{"{bin}"}, Load: []string{"sysbench"}, Parse: "sysbench"}}}}
	for _, v := range variants {
		p.Variants = append(p.Variants, assay.Variant{Name: v, Control: v == assay.ControlName})
		if v != assay.ControlName {
			p.Study.Variants = append(p.Study.Variants, assay.Variant{Name: v})
		}
	}
	p.Study.Decide.MinEffect = 0.02
	p.Study.SetDefaults()
	p.Study.Decide.Budget = 100 * time.Hour
	return p
}

// add appends a block, a trial for each of the plan's variants, and what fill
// makes of it.
func (s *service) add(fill func(tr *assay.Trial) (assay.Collected, bool)) {
	if s.left == nil {
		s.left = map[int]assay.Collected{}
	}
	block := 1
	if n := len(s.trials); n > 0 {
		block = s.trials[n-1].Block + 1
	}
	for i, v := range s.plan.Variants {
		tr := assay.Trial{ID: len(s.trials) + 1, Block: block, Attempt: 1, Of: len(s.plan.Variants), Position: i + 1, Round: 1, N: 1,
			Variant: v.Name, Benchmark: s.plan.Benchmarks[0].Benchmark, Duration: time.Minute, Status: assay.StatusOK}
		if c, ok := fill(&tr); ok {
			s.left[tr.ID] = c
		}
		s.trials = append(s.trials, tr)
	}
}

func (s *service) collected(id int) (assay.Collected, bool, error) {
	c, ok := s.left[id]
	return c, ok, nil
}

// result has the pictures of the record.
func (s *service) result(t *testing.T) *assay.Result {
	t.Helper()
	r := &assay.Result{}
	if err := Fill(r, s.plan, s.trials, s.collected); err != nil {
		t.Fatal(err)
	}
	return r
}

// sysbenchRun has n latencies around 10 ms in log buckets of 1.8 %; tail moves
// those above p90.
func sysbenchRun(rng *rand.Rand, n int, body, tail float64) *assay.Histogram {
	at := map[int]int{}
	shift := body + 0.002*rng.NormFloat64()
	for range n {
		z := rng.NormFloat64()
		ln := math.Log(0.01) + shift + 0.4*z
		if z > 1.2816 {
			ln += tail
		}
		at[int(math.Round(ln/0.018))]++
	}
	var h assay.Histogram
	for k := -1000; k < 1000; k++ {
		if at[k] > 0 {
			h.Values, h.Counts = append(h.Values, math.Exp(float64(k)*0.018)), append(h.Counts, at[k])
		}
	}
	return &h
}

func TestShiftOfTheTail(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	s := &service{plan: servicePlan("classic", "greentea", assay.ControlName)}
	for range 8 {
		s.add(func(tr *assay.Trial) (assay.Collected, bool) {
			tail := 0.0
			if tr.Variant == "greentea" {
				tail = -0.15
			}
			return assay.Collected{Latency: sysbenchRun(rng, 20_000, 0, tail)}, true
		})
	}
	r := s.result(t)
	if len(r.Latencies) != 1 {
		t.Fatalf("got %d pictures, want 1", len(r.Latencies))
	}
	l := r.Latencies[0]
	if got := len(l.Variants); got != 2 || l.Variants[0].Variant != "classic" || l.Variants[1].Runs != 8 || l.Variants[1].Total != 160_000 {
		t.Errorf("got variants %+v, want classic and greentea with 8 runs of 20,000", l.Variants)
	}
	if len(l.Shifts) != 1 || l.Shifts[0].N != 8 || len(l.Shifts[0].Lo) != len(l.Shifts[0].P) {
		t.Fatalf("got shifts %+v, want one of 8 blocks with a band", l.Shifts)
	}
	sh := l.Shifts[0]
	if first, last := sh.P[0], sh.P[len(sh.P)-1]; first != 0.01 || last != 0.9995 {
		t.Errorf("got quantiles %g to %g, want .01 to .9995: 20,000 requests have ten beyond", first, last)
	}
	for i, p := range sh.P {
		want := 0.0
		if p > 0.98 {
			want = -0.15
		} else if p > 0.8 {
			continue // where what moved has gone, and where it came from
		}
		if sh.Lo[i].Log() > want || sh.Hi[i].Log() < want {
			t.Errorf("p%g: band %g to %g misses %g", 100*p, sh.Lo[i], sh.Hi[i], want)
		}
	}
	if !strings.HasPrefix(sh.Text, "faster at p8") || !strings.Contains(sh.Text, "no shift beyond ±2 % at p") || !strings.HasSuffix(sh.Text, "(simultaneous 95 % band)") {
		t.Errorf("got %q", sh.Text)
	}
	if got := l.Refused; len(got) != 1 || got[0] != (assay.Refused{Metric: "latency.p99.99", Seen: 2}) {
		t.Errorf("got refused %+v, want p99.99 with 2 seen", got)
	}
}

// The bands of a result hold together: beside other variants the same curves get a wider one.
func TestBandsHoldTogether(t *testing.T) {
	width := func(variants ...string) (out assay.Change) {
		s := &service{plan: servicePlan(variants...)}
		for block := range uint64(8) {
			s.add(func(tr *assay.Trial) (assay.Collected, bool) {
				rng := rand.New(rand.NewPCG(block, uint64(tr.Variant[0])))
				return assay.Collected{Latency: sysbenchRun(rng, 2000, 0, 0)}, true
			})
		}
		x := s.result(t).Latencies[0].Shifts[0]
		for i := range x.P {
			out += x.Hi[i] - x.Lo[i]
		}
		return out
	}
	one, three := width("a", "b"), width("a", "b", "c", "d")
	if three < 1.1*one || three > 2*one {
		t.Errorf("the band is %.4f wide alone and %.4f as one of three, want a little more", one, three)
	}
}

// A quantile is refused for the run that has too few requests beyond it, and says how many.
func TestRefusedForTheShortestRun(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	s := &service{plan: servicePlan("classic", "greentea")}
	for _, n := range []int{900, 5000} {
		s.add(func(*assay.Trial) (assay.Collected, bool) {
			return assay.Collected{Latency: sysbenchRun(rng, n, 0, 0)}, true
		})
	}
	if got := s.result(t).Latencies[0].Refused[0]; got.Metric != "latency.p99" || got.Seen != 9 {
		t.Errorf("got %+v, want p99 with 9 requests beyond", got)
	}
}

func TestShiftWords(t *testing.T) {
	same := func(x float64) [3]float64 { return [3]float64{x, x - 0.01, x + 0.01} }
	open := [3]float64{0.01, -0.05, 0.06}
	for _, c := range []struct {
		at   [][3]float64 // change, lo, hi at p10, p50, p90, p99
		want string
	}{
		{[][3]float64{same(0), same(0), same(0), same(0)}, "whole distribution p10…p99: no shift beyond ±2 % (simultaneous 95 % band)"},
		{[][3]float64{open, open, open, open}, "whole distribution p10…p99: needs more data to resolve ±2 % (simultaneous 95 % band)"},
		{[][3]float64{same(-0.1), same(-0.1), same(-0.12), same(-0.1)}, "whole distribution p10…p99: faster, by up to 12 % (simultaneous 95 % band)"},
		{[][3]float64{same(0), same(0), same(0.05), same(0.12)}, "slower at p90…p99, by up to 12 %; no shift beyond ±2 % at p10…p50 (simultaneous 95 % band)"},
		{[][3]float64{same(-0.1), open, same(0), open}, "faster at p10, by up to 10 %; no shift beyond ±2 % at p90; needs more data to resolve ±2 % at p50, p99 (simultaneous 95 % band)"},
	} {
		s := assay.Shift{Confidence: 0.95, P: []float64{0.1, 0.5, 0.9, 0.99}}
		for _, x := range c.at {
			s.Change, s.Lo, s.Hi = append(s.Change, assay.Change(x[0])), append(s.Lo, assay.Change(x[1])), append(s.Hi, assay.Change(x[2]))
		}
		if got := shiftText(s, 0.02); got != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
	}
}

// Buckets of 1.8 % put whole into buckets of 2 % would be a comb: every tenth
// holds two. Spread first they are as smooth as what they came from.
func TestMergedHistogramsHaveNoComb(t *testing.T) {
	g := newGrid()
	rng := rand.New(rand.NewPCG(1, 1))
	total := 0
	for range 20 {
		h := sysbenchRun(rng, 20_000, 0, 0)
		g.add(*h)
		total += h.Total()
	}
	h := g.histogram(width([]*grid{g}, coarse))
	if h.Total() != total {
		t.Errorf("got %d values, want %d", h.Total(), total)
	}
	for i := 2; i < len(h.Counts)-2; i++ {
		around := float64(h.Counts[i-1]+h.Counts[i+1]) / 2
		if around > 4000 && math.Abs(float64(h.Counts[i])/around-1) > 0.15 {
			t.Errorf("bucket %d at %g: %d beside %d and %d", i, h.Values[i], h.Counts[i], h.Counts[i-1], h.Counts[i+1])
		}
	}
	if !slices.IsSorted(h.Values) || len(h.Values) > maxBuckets {
		t.Errorf("%d buckets, sorted %v", len(h.Values), slices.IsSorted(h.Values))
	}
}

// The trace prints two digits: 0.99 ms is 1 % below 1.0 ms, and that is 10 % below
// 1.1. A picture in steps of 2 % would show a spike and gaps where there is a hill.
func TestTracedPhasesHaveNoComb(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	var cs []assay.GCCycle
	for range 30_000 {
		ms := math.Exp(0.5 * rng.NormFloat64()) // its middle at 1 ms
		digits := math.Pow(10, math.Floor(math.Log10(ms))-1)
		cs = append(cs, assay.GCCycle{Mark: math.Round(ms/digits) * digits / 1000, Live: 4 << 20})
	}
	g := cycles{}
	g.add("a", cs)
	out, _ := g.picture(assay.Benchmark{}, []string{"a"}, true)
	h := out.Phases[1].Variants[0].Histogram
	if out.Phases[1].Name != assay.MetricGCMark || h.Total() != len(cs) {
		t.Fatalf("%s: %d of %d cycles", out.Phases[1].Name, h.Total(), len(cs))
	}
	for i := 1; i < len(h.Counts)-1; i++ {
		around := float64(h.Counts[i-1]+h.Counts[i+1]) / 2
		if ratio := float64(h.Counts[i]) / around; around > 1000 && (ratio < 0.8 || ratio > 1.25) {
			t.Errorf("bucket at %.3g s: %d beside %d and %d", h.Values[i], h.Counts[i], h.Counts[i-1], h.Counts[i+1])
		}
	}
}

// A picture is bounded whatever the values are.
func TestPicturesAreBounded(t *testing.T) {
	g := newGrid()
	g.add(assay.Histogram{Values: []float64{0, 1e-300, 1e-9, 1, 1e9, 1e300, math.Inf(1)}, Counts: []int{5, 1, 1, 1, 1, 1, 2}})
	h := g.histogram(width([]*grid{g}, coarse))
	if len(h.Values) > maxBuckets || h.Total() != 12 || h.Values[0] != 0 || h.Counts[0] != 7 {
		t.Errorf("got %v, want 12 values, 7 of them at 0", h)
	}
	for _, v := range h.Values {
		if math.IsInf(v, 0) || math.IsNaN(v) {
			t.Errorf("got a bucket at %g", v)
		}
	}
}

func TestCollectorPicture(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	s := &service{plan: servicePlan("classic", "greentea")}
	for range 6 {
		s.add(func(tr *assay.Trial) (c assay.Collected, ok bool) {
			for k := range 50 {
				live := uint64(50+2*k) << 20
				mark := float64(live) / (1 << 30) * math.Exp(0.05*rng.NormFloat64())
				if tr.Variant == "greentea" {
					mark *= 2
				}
				c.GC = append(c.GC, assay.GCCycle{N: k, SweepPause: 5e-5, Mark: mark, MarkPause: 6e-5,
					AssistCPU: 0, BackgroundCPU: 2 * mark, IdleCPU: mark, Live: live})
			}
			c.GC = append(c.GC, assay.GCCycle{N: 50, Mark: 100, Live: 1 << 40, Forced: true})
			return c, true
		})
	}
	r := s.result(t)
	if len(r.GCs) != 1 || !r.GCs[0].Inside || len(r.GCs[0].Heaps) != 2 {
		t.Fatalf("got %+v, want one collector inside the trials", r.GCs)
	}
	again := s.result(t)
	if a, b := fmt.Sprint(r.GCs), fmt.Sprint(again.GCs); a != b {
		t.Errorf("the same trials give\n%s\nand\n%s", a, b)
	}
	g := r.GCs[0]
	var names []string
	for _, p := range g.Phases {
		names = append(names, p.Name)
		for _, v := range p.Variants {
			if v.Runs != 6 || v.Total != 300 || v.Histogram.Total() != 300 {
				t.Errorf("%s of %s: %d runs, %d values, %d in the histogram, want 6 and 300: forced cycles do not count",
					p.Name, v.Variant, v.Runs, v.Total, v.Histogram.Total())
			}
		}
	}
	if got, want := strings.Join(names, " "), "gc.pause-sweep gc.mark gc.assist-cpu gc.background-cpu gc.idle-cpu gc.pause-mark"; got != want {
		t.Errorf("got phases %s, want %s", got, want)
	}
	for i, h := range g.Heaps {
		if len(h.Points) > maxHeaps || len(h.Points) < 20 {
			t.Errorf("%s: %d points, want 20 to %d", h.Variant, len(h.Points), maxHeaps)
		}
		for _, p := range h.Points {
			want := p.Live / (1 << 30) * float64(1+i)
			if math.Abs(p.Mark/want-1) > 0.1 || math.Abs(p.MarkCPU/(3*want)-1) > 0.1 {
				t.Errorf("%s: at %g bytes mark %g and CPU %g, want about %g and %g", h.Variant, p.Live, p.Mark, p.MarkCPU, want, 3*want)
			}
		}
	}
}

// What failed, the pilot and a torn block are in no picture, and what shares a
// block with a failure is not either.
func TestPicturesOfWhatCounts(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	s := &service{plan: servicePlan("a", "b")}
	for block := range 22 {
		s.add(func(tr *assay.Trial) (assay.Collected, bool) {
			tr.Pilot = block == 0
			if block == 3 && tr.Variant == "b" {
				tr.Status, tr.Reason = assay.StatusFailed, "never ready within 30s"
			}
			return assay.Collected{Latency: sysbenchRun(rng, 500, 0, 0)}, true
		})
	}
	s.trials = s.trials[:len(s.trials)-1]
	r := s.result(t)
	if got := r.Latencies[0].Variants[0].Runs; got != 19 {
		t.Errorf("got %d runs of 22 blocks, want 19: not the pilot, the failure, the torn", got)
	}
	if got := r.Latencies[0].Shifts[0].N; got != 19 {
		t.Errorf("got a shift from %d blocks, want 19", got)
	}
}

func TestNoHistogramIsToldOnce(t *testing.T) {
	s := &service{plan: servicePlan("a", "b")}
	for range 3 {
		s.add(func(*assay.Trial) (assay.Collected, bool) {
			return assay.Collected{Percentiles: []assay.Percentile{{P: 0.99, Seconds: 0.01}}}, true
		})
	}
	r := s.result(t)
	if err := Fill(r, s.plan, s.trials, s.collected); err != nil {
		t.Fatal(err)
	}
	var got []assay.Warning
	for _, w := range r.Warnings {
		if w.Code == "no-histogram" {
			got = append(got, w)
		}
	}
	if len(got) != 1 || !strings.Contains(got[0].Text, "oltp") || !strings.Contains(got[0].Advice, "--histogram=on") {
		t.Errorf("got %+v, want one warning with what to do", got)
	}
	if len(r.Latencies) != 0 {
		t.Errorf("got a picture of nothing: %+v", r.Latencies)
	}
}

func TestDistributeTellsWhatCannotBeRead(t *testing.T) {
	s := &service{plan: servicePlan("a", "b")}
	s.add(func(*assay.Trial) (assay.Collected, bool) { return assay.Collected{}, true })
	s.left[2] = assay.Collected{Latency: &assay.Histogram{Values: []float64{1, 2}, Counts: []int{3}}}
	if err := Fill(&assay.Result{}, s.plan, s.trials, s.collected); err == nil || !strings.Contains(err.Error(), "trial 2") {
		t.Errorf("got %v, want that trial 2 has no histogram", err)
	}
	err := Fill(&assay.Result{}, s.plan, s.trials, func(int) (assay.Collected, bool, error) { return assay.Collected{}, false, errors.New("torn") })
	if err == nil || !strings.Contains(err.Error(), "trial 1") {
		t.Errorf("got %v, want the trial's number", err)
	}
}

// BenchmarkDistribute makes the pictures of 1,000 runs of 100,000 requests, each
// a histogram of about 300 to 500 buckets: under a second (issue 4).
func BenchmarkDistribute(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 2))
	s := &service{plan: servicePlan("classic", "greentea")}
	var made []*assay.Histogram
	for range 10 {
		made = append(made, wideRun(rng))
	}
	for range 500 {
		s.add(func(tr *assay.Trial) (assay.Collected, bool) {
			return assay.Collected{Latency: made[tr.ID%len(made)]}, true
		})
	}
	for b.Loop() {
		r := new(assay.Result)
		if err := Fill(r, s.plan, s.trials, s.collected); err != nil || len(r.Latencies) != 1 {
			b.Fatal(err, r.Latencies)
		}
	}
	b.ReportMetric(float64(len(made[0].Values)), "buckets")
}

// wideRun is 100,000 latencies over four powers of ten in buckets of 1.8 %.
func wideRun(rng *rand.Rand) *assay.Histogram {
	h := new(assay.Histogram)
	for k := range 500 {
		z := (float64(k) - 180) / 60
		h.Values = append(h.Values, 1e-3*math.Exp(0.018*float64(k)))
		h.Counts = append(h.Counts, 1+int(660*math.Exp(-z*z/2)*(0.9+0.2*rng.Float64())))
	}
	return h
}

// A run with so few requests that no quantile is left has no shift: the part of the quantiles
// that all runs support may end before it begins.
func TestNothingToShift(t *testing.T) {
	one := func() *curve { return &curve{ln: make([]float64, len(shiftGrid)), n: 1} }
	l := &latencies{curves: map[int]map[string]*curve{1: {"old": one(), "new": one()}}, from: 3, to: 1}
	if s, ok := l.shift(&assay.Plan{}, "old", "new", 1); ok {
		t.Errorf("got %+v", s)
	}
}

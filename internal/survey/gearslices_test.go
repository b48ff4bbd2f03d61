package survey

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/calibration"
	"github.com/seed-1318a441/assay/internal/lab"
	"github.com/seed-1318a441/assay/internal/trial"
)

// Slices are of every length that holds an operation and is not longer than a trial, unless
// the set-up of all slices of a block would take too long.
func TestSliceCounts(t *testing.T) {
	const us = 0.99e-6
	for _, test := range []struct {
		name      string
		perOp     float64
		setUp     time.Duration
		benchTime time.Duration
		want      []int
		why       string
	}{
		{name: "short operations", perOp: us, want: []int{1010, 4040, 20202}},
		{name: "operations of 100 µs", perOp: 99e-6, want: []int{40, 202}},
		{name: "operations of 3 ms", perOp: 3e-3, why: tooLong},
		{name: "operations of 30 ms", perOp: 30e-3, why: tooLong},
		{name: "a set-up of 10 ms", perOp: us, setUp: 10 * time.Millisecond, want: []int{4040, 20202}}, // 201 slices of 11 ms are too many
		{name: "a set-up of 30 ms", perOp: us, setUp: 30 * time.Millisecond, why: slowSetUp},
		{name: "trials of 4 ms", perOp: us, benchTime: 4 * time.Millisecond, want: []int{1010, 4040}},
		{name: "trials of 10 µs", perOp: us, benchTime: 10 * time.Microsecond, want: []int{1010}},
	} {
		s := oldNew()
		s.Workloads[0].BenchTime = test.benchTime
		c := shortSlices{chosen(t, s, &made{})}
		c.chooser.refs, c.chooser.setUp = calibration.Plains{{PerOp: test.perOp}, {PerOp: test.perOp}}, test.setUp
		got, err := c.sliceCounts()
		why, other := reason(err)
		if !slices.Equal(got, test.want) || why != test.why || other != nil {
			t.Errorf("%s: got %v, %q; want %v, %q", test.name, got, err, test.want, test.why)
		}
	}
}

// Tries have fewer slices where these are slow, by themselves or by their set-up, and where
// variants are many.
func TestProbeRounds(t *testing.T) {
	for _, test := range []struct {
		variants, n int
		setUp       time.Duration
		want        int
	}{{2, 1000, 0, probeSlices}, {2, 9000, 0, fewSlices}, {2, 1000, 8 * time.Millisecond, fewSlices}, {6, 1000, 0, probeSlices}, {7, 1000, 0, fewSlices}} {
		c := shortSlices{chosen(t, oldNew(), &made{})}
		c.chooser.variants, c.chooser.refs, c.chooser.setUp = make([]assay.Variant, test.variants), calibration.Plains{{PerOp: 1e-6}, {PerOp: 5e-6}}, test.setUp
		if got := c.rounds(test.n); got != test.want {
			t.Errorf("%+v: got %d", test, got)
		}
	}
}

// probed is a probing of two lengths, in which an operation takes so much longer in the
// shorter slices, in ln units, by variant.
func probed(noise float64, longer ...float64) probing {
	rnd := rand.New(rand.NewPCG(1, 2))
	p := probing{logs: make([][][]float64, 2)}
	for k := range p.logs {
		for _, change := range longer {
			var arm []float64
			for range probeSlices {
				arm = append(arm, math.Log(1e-6)+change*float64(1-k)+noise*rnd.NormFloat64())
			}
			p.logs[k] = append(p.logs[k], arm)
		}
	}
	return p
}

// Shorter slices agree with longer ones if an operation takes the same in them, in every
// variant. They may be a good deal faster, and noise is no difference.
func TestAgainst(t *testing.T) {
	for _, test := range []struct {
		name          string
		p             probing
		slows, differ float64
	}{
		{"the same", probed(0.001, 0, 0), 0, 0},
		{"noisy", probed(0.2, 0, 0), 0, 0},
		{"slower", probed(0.001, 0.2, 0.2), 0.2, 0},
		{"slower in one", probed(0.001, 0, 0.2), 0.2, 0.2},
		{"slower in the base", probed(0.001, 0.2, 0), 0.2, 0.2},
		{"faster", probed(0.001, -0.3, -0.3), 0, 0},
		{"far faster", probed(0.001, -0.7, -0.7), 0.7 - quicker, 0},
	} {
		slows, differ := test.p.against(0)
		if !about(slows, test.slows, 0.01) || !about(differ, test.differ, 0.01) {
			t.Errorf("%s: slows by %.3f and differs by %.3f, want %.3f and %.3f", test.name, slows, differ, test.slows, test.differ)
		}
	}
}

// What lumps cost is how far the mean lies above the value that counts, in one variant more
// than in the base, beyond the noise of the calmer of them.
func TestLumpsOfProbe(t *testing.T) {
	for _, test := range []struct {
		name        string
		mean, scale []float64
		want        float64
	}{
		{"none", []float64{0, 0}, []float64{0.01, 0.01}, 0},
		{"in both", []float64{0.2, 0.2}, []float64{0.01, 0.01}, 0},
		{"in one", []float64{0, 0.2}, []float64{0.01, 0.05}, 0.2 - 4*math.Sqrt2*0.01},
		{"in the base", []float64{0.2, 0}, []float64{0.05, 0.01}, 0.2 - 4*math.Sqrt2*0.01},
		{"or noise", []float64{0, 0.2}, []float64{0.05, 0.05}, 0},
	} {
		p := probing{mean: [][]float64{test.mean}, scale: [][]float64{test.scale}, level: [][]float64{{0, 0}}}
		if got := p.lumps(0); !about(got, test.want, 1e-9) {
			t.Errorf("%s: got %.4f, want %.4f", test.name, got, test.want)
		}
	}
}

// The results of a probing are by length and variant: what an operation takes, how long the
// slowest slice is, and what a slice takes beside its operations.
func TestReadProbe(t *testing.T) {
	const ms = time.Millisecond
	c := shortSlices{chosen(t, oldNew(), &made{})}
	r := lab.TogetherRequest{Warm: 1, Rounds: 3}
	var outs []trial.Outcome
	for _, arm := range []struct {
		n       int
		variant float64
		bytes   float64
	}{{1000, 1, 0}, {1000, 2, 0}, {4000, 1, 0}, {4000, 2, 16}} {
		r.Arms = append(r.Arms, lab.RunRequest{N: arm.n})
		out := trial.Outcome{Status: assay.StatusOK, Slices: map[string][]float64{}}
		for _, x := range []float64{1e-6, 1.1e-6, 1.2e-6} {
			out.Slices[assay.MetricTime] = append(out.Slices[assay.MetricTime], x*arm.variant)
			out.Slices[assay.MetricBytes] = append(out.Slices[assay.MetricBytes], arm.bytes)
		}
		// 16 slices, of 1.1, 2.2, 4.4 and 8.8 ms in the mean, and of 2 ms more each.
		out.Wall = 4*(1100+2200+4400+8800)*time.Microsecond + 16*2*ms
		outs = append(outs, out)
	}
	p, err := c.read(probing{n: []int{1000, 4000}}, r, outs)
	if err != nil {
		t.Fatal(err)
	}
	if !about(p.beside.Seconds(), 0.002, 1e-6) {
		t.Errorf("%v beside the operations of a slice, want 2ms", p.beside)
	}
	for k, length := range []time.Duration{2200 * time.Microsecond, 8800 * time.Microsecond} {
		if p.length[k].Round(10*time.Microsecond) != length {
			t.Errorf("slices of %d take %v, want %v", p.n[k], p.length[k], length)
		}
		for v, want := range []float64{1.1e-6, 2.2e-6} {
			if mean := math.Exp(p.mean[k][v]); !about(mean/want, 1, 1e-9) || !about(math.Exp(p.level[k][v])/want, 1, 0.02) || len(p.logs[k][v]) != 3 {
				t.Errorf("slices of %d, variant %d: mean %g, level %g, %d rounds; want %g and 3", p.n[k], v, mean, math.Exp(p.level[k][v]), len(p.logs[k][v]), want)
			}
			// The standard deviation of 1, 1.1 and 1.2 is 0.1.
			if scale := p.scale[k][v]; !about(scale, 0.1/1.1/math.Sqrt(3), 1e-9) {
				t.Errorf("slices of %d, variant %d: standard error %g", p.n[k], v, scale)
			}
		}
	}
	if p.allocates[0] || !p.allocates[1] {
		t.Errorf("allocates %v, want in longer slices only", p.allocates)
	}
	outs[2].Slices[assay.MetricTime][1] = 0
	if _, err = c.read(probing{n: []int{1000, 4000}}, r, outs); err == nil || err.Error() != "a slice takes no time" {
		t.Errorf("a slice without time: got %v", err)
	}
}

// A failure of slices is a reason for processes that names the variant, and so is a lack of
// memory; a machine that fails is an error. A fault of the Go runtime has another try.
func TestSliced(t *testing.T) {
	lost := errors.New("connection lost")
	good := trial.Outcome{Status: assay.StatusOK, Slices: map[string][]float64{assay.MetricTime: {1}}}
	for _, test := range []struct {
		name string
		outs []trial.Outcome
		err  error
		why  string
		want error
	}{
		{"good", []trial.Outcome{good, good}, nil, "", nil},
		{"prints", nil, fmt.Errorf("%w: hello", trial.ErrPrints), "it prints to standard output", nil},
		{"no slices", nil, trial.ErrNoSlices, trial.ErrNoSlices.Error(), nil},
		{"no memory", nil, lab.ErrNoMemory, lab.ErrNoMemory.Error(), nil},
		{"lost", nil, lost, "", lost},
		{"fails", []trial.Outcome{good, {Status: assay.StatusFailed, Reason: "boom"}}, nil, `its slices failed in "new": boom`, nil},
		{"no times", []trial.Outcome{{Status: assay.StatusOK, Reason: "none"}, good}, nil, `its slices failed in "old": none`, nil},
		{"fault", []trial.Outcome{{Status: assay.StatusFailed, RuntimeFault: "fatal error"}, good}, nil, "", nil},
	} {
		tries := 0
		c := chosen(t, oldNew(), &made{together: func(r lab.TogetherRequest) ([]trial.Outcome, error) {
			if tries++; tries > 1 {
				return []trial.Outcome{good, good}, nil
			}
			if len(r.Arms) != 2 || r.Arms[0].Variant.Name != "old" || r.Arms[1].Variant.Name != "new" || r.Arms[1].N != 7 || r.Turns.Arms != 2 {
				t.Errorf("%s: asked for %+v", test.name, r)
			}
			return test.outs, test.err
		}})
		outs, err := c.sliced(t.Context(), &lab.TogetherRequest{}, 7)
		why, other := reason(err)
		if why != test.why || !errors.Is(other, test.want) || (err == nil) != (len(outs) == 2) {
			t.Errorf("%s: got %d outcomes, %v; want %q, %v", test.name, len(outs), err, test.why, test.want)
		}
		if want := map[bool]int{true: 2, false: 1}[test.name == "fault"]; tries != want {
			t.Errorf("%s: tried %d times, want %d", test.name, tries, want)
		}
	}
}

// The set-up of a slice is what more slices take, less their operations; of a slow one, half of
// two.
func TestMeasureSetUp(t *testing.T) {
	for _, test := range []struct {
		start, setUp time.Duration
		want         time.Duration
		runs         int
	}{
		{3 * time.Millisecond, 800 * time.Microsecond, 800 * time.Microsecond, 2},
		{3 * time.Millisecond, 0, 0, 2},
		{100 * time.Millisecond, 0, 51 * time.Millisecond, 1},
		{3 * time.Millisecond, 80 * time.Millisecond, 82500 * time.Microsecond, 1},
	} {
		m := &made{run: func(r lab.RunRequest) trial.Outcome {
			if r.N < 499 || r.N > 500 || r.Variant.Name != "old" {
				t.Errorf("ran %d of %q, want 500 of old", r.N, r.Variant.Name)
			}
			out := result(2e-6, r.N, "X")
			out.Wall = test.start + time.Duration(r.Warm+1)*(test.setUp+time.Millisecond)
			return out
		}}
		c := chosen(t, oldNew(), m)
		c.refs = calibration.Plains{{PerOp: 2e-6}, {PerOp: 2e-6}} // of a millisecond, 500
		if err := c.measureSetUp(t.Context()); err != nil || (c.setUp-test.want).Abs() > 5*time.Microsecond || len(m.ran) != test.runs {
			t.Errorf("%v and %v: got %v after %d runs, %v; want %v after %d", test.start, test.setUp, c.setUp, len(m.ran), err, test.want, test.runs)
		}
	}
	c := chosen(t, oldNew(), &made{run: func(lab.RunRequest) trial.Outcome { return trial.Outcome{Status: assay.StatusFailed, Reason: "boom"} }})
	c.refs = calibration.Plains{{PerOp: 1e-6}, {PerOp: 1e-6}}
	if why, err := reason(c.measureSetUp(t.Context())); err != nil || why != `it failed: boom in "old"` {
		t.Errorf("got %q, %v; want why it failed", why, err)
	}
}

package local_test

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"testing"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/build"
	"github.com/seed-1318a441/assay/internal/design"
	"github.com/seed-1318a441/assay/internal/lab"
	"github.com/seed-1318a441/assay/internal/stats"
	"github.com/seed-1318a441/assay/internal/survey"
)

// BenchmarkKinds measures two variants of each benchmark of a module (ASSAY_MODULE, its folder;
// ASSAY_BENCH, a pattern) in the same seconds in every way that a trial can have: plain
// runs of 100 ms and 500 ms, short slices, and long slices with one CPU and with all. Of
// each way it prints how far its value lies from the plain run of its round, how much that
// scatters from round to round, how much the change from one variant to the other does,
// and the product of that with the square root of the seconds of a round: the error after a
// second. The variants are equal, but for the build tag ASSAY_TAG or, in testdata/speed,
// ASSAY_PLANT (10 is 1 %). ASSAY_ROUNDS of all, 10 by default. With ASSAY_HOG=1 beside a program
// that computes.
func BenchmarkKinds(b *testing.B) {
	dir, pattern := module()
	defer hog()()
	s := speedStudy(dir, "")
	s.Workloads[0].Bench, s.Measure.GOMAXPROCS = pattern, 0
	s.Variants[1].Env = map[string]string{"PLANT": os.Getenv("ASSAY_PLANT")}
	if tag := os.Getenv("ASSAY_TAG"); tag != "" {
		s.Variants[1].Tags = []string{tag}
	}
	l, err := prepare(b.Context(), s)
	if err != nil {
		b.Fatal(err)
	}
	defer l.machine.Close()
	for _, bench := range l.plan.Benchmarks {
		k := kinds{b, l, bench, 1}
		for _, sec := range k.plain(0, 200*time.Millisecond) {
			k.perOp *= math.Sqrt(sec)
		}
		ways := []way{
			{name: "plain 500 ms", run: func(n int) pair { return k.plain(n, 500*time.Millisecond) }},
			{name: "plain 100 ms", run: func(n int) pair { return k.plain(n, 100*time.Millisecond) }},
			{name: "201 of 1 ms, one CPU", run: func(n int) pair { return k.sliced(n, 201, true, time.Millisecond) }},
			{name: "31 of 1 ms, one CPU", run: func(n int) pair { return k.sliced(n, 31, true, time.Millisecond) }},
			{name: "31 of 20 ms, one CPU", run: func(n int) pair { return k.sliced(n, 31, true, 20*time.Millisecond) }},
			{name: "4 of 100 ms, all CPUs", run: func(n int) pair { return k.sliced(n, 4, false, 100*time.Millisecond) }},
			{name: "4 of 100 ms, one CPU", run: func(n int) pair { return k.sliced(n, 4, true, 100*time.Millisecond) }},
			{name: "1 of 100 ms, one CPU", run: func(n int) pair { return k.sliced(n, 1, true, 100*time.Millisecond) }},
		}
		k.try(ways)
	}
}

// BenchmarkAdmission finds the gears of the benchmarks of a module (ASSAY_MODULE, its folder;
// ASSAY_BENCH, a pattern) as for identical code and a budget of ASSAY_BUDGET seconds, 60 by
// default, ASSAY_ROUNDS times from nothing, 3 by default, and prints them, the warnings, and
// how long that took.
func BenchmarkAdmission(b *testing.B) {
	dir, pattern := module()
	defer hog()()
	for range setting("ASSAY_ROUNDS", 3) {
		s := speedStudy(dir, "")
		s.Workloads[0].Bench, s.Measure.GOMAXPROCS = pattern, 0
		s.Decide.Budget = time.Duration(setting("ASSAY_BUDGET", 60)) * time.Second
		began := time.Now()
		l, err := prepareWith(b.Context(), s, build.New(""), survey.Memo{})
		if err != nil {
			b.Fatal(err)
		}
		l.machine.Close()
		fmt.Printf("%.1f s:\n", time.Since(began).Seconds())
		for _, p := range l.plan.Benchmarks {
			fmt.Printf("  %-40s %s long=%t %d of N=%d\n", p.Name, cmp.Or(p.Gear, assay.GearProcesses), p.Long, p.Slices, p.N)
		}
		for _, w := range l.plan.Warnings {
			fmt.Printf("  %s: %s %v\n", w.Code, w.Text, w.Facts)
		}
	}
}

// A pair has the seconds of an operation in two variants.
type pair [2]float64

// kinds measures one benchmark.
type kinds struct {
	b     *testing.B
	on    prepared
	bench assay.PlannedBenchmark
	perOp float64 // seconds
}

func (k kinds) request(v assay.Variant) lab.RunRequest {
	a, err := k.on.builds.Binary(v.Name, k.bench)
	if err != nil {
		k.b.Fatal(err)
	}
	return lab.RunRequest{Study: &k.on.plan.Study, Workload: k.bench.Workload, Artifact: a, Variant: v, Names: []string{k.bench.Name}, N: 1, Benchmark: k.bench.Benchmark}
}

// try measures a benchmark in every way, in random order within each round, and prints the scores
// beside the first.
func (k kinds) try(ways []way) {
	for round := range setting("ASSAY_ROUNDS", 10) {
		for _, i := range rand.Perm(len(ways)) {
			began := time.Now()
			values := ways[i].run(round)
			ways[i].add(values, time.Since(began))
		}
	}
	for _, w := range ways {
		fmt.Printf("%-24s %s\n", k.bench, w.score(ways[0]))
	}
}

// plain runs go test -bench for each variant, another first in every round.
func (k kinds) plain(round int, length time.Duration) (p pair) {
	for i := range p {
		i = (i + round) % len(p)
		r := k.request(k.on.plan.Variants[i])
		r.Time = length
		out, err := k.on.machine.Run(k.b.Context(), r)
		found, ok := out.Reading(k.bench.Name)
		if err != nil || !ok {
			k.b.Fatalf("%s: %v, %v %s", k.bench.Name, err, out.Status, out.Reason)
		}
		p[i] = found.Values[assay.MetricTime]
	}
	return p
}

// sliced runs the slices of a block.
func (k kinds) sliced(round, slices int, oneCPU bool, length time.Duration) (p pair) {
	usable, err := k.on.machine.CPUs()
	if err != nil {
		k.b.Fatal(err)
	}
	r := lab.TogetherRequest{Warm: assay.WarmSlices, Rounds: slices,
		Turns: design.Turns{Seed: k.on.plan.Seed, Benchmark: k.bench.Benchmark, Arms: len(p), Block: round}}
	if oneCPU {
		r.CPUs = usable[round%len(usable):][:1]
	}
	for i := range p {
		one := k.request(k.on.plan.Variants[i])
		one.N = max(1, int(length.Seconds()/k.perOp))
		r.Arms = append(r.Arms, one)
	}
	outs, err := k.on.machine.Together(k.b.Context(), r)
	if err != nil {
		k.b.Fatal(err)
	}
	arms := []map[string][]float64{outs[0].Slices, outs[1].Slices}
	for i, v := range lab.ReduceSlices(arms) {
		p[i] = v[assay.MetricTime]
	}
	return p
}

// A way is how trials of two variants can run, and what they gave, by round: the logarithms of
// the time of an operation and of the change, and the seconds that all took.
type way struct {
	name          string
	run           func(round int) pair
	level, change []float64
	seconds       float64
}

func (w *way) add(p pair, took time.Duration) {
	w.level = append(w.level, (math.Log(p[0])+math.Log(p[1]))/2)
	w.change = append(w.change, math.Log(p[1]/p[0]))
	w.seconds += took.Seconds()
}

// score compares a way with plain runs.
func (w *way) score(plain way) string {
	var off []float64
	for i := range w.level {
		off = append(off, w.level[i]-plain.level[i])
	}
	n := float64(len(off))
	sd := math.Sqrt(stats.Variance(w.change))
	return fmt.Sprintf("%-21s value %+6.1f %% of plain, SD %5.1f %% (own %5.1f); change %+5.2f ±%.2f %%, SD %5.2f; %5.2f s a round, error after a second %5.2f %%",
		w.name, 100*math.Expm1(stats.Mean(off)), 100*math.Sqrt(stats.Variance(off)), 100*math.Sqrt(stats.Variance(w.level)),
		100*stats.Mean(w.change), 100*sd/math.Sqrt(n), 100*sd, w.seconds/n, 100*sd*math.Sqrt(w.seconds/n))
}

package local_test

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/perf/benchmath"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/analysis"
	"github.com/seed-1318a441/assay/internal/build"
	"github.com/seed-1318a441/assay/internal/collect"
	"github.com/seed-1318a441/assay/internal/lab"
	"github.com/seed-1318a441/assay/internal/local"
	"github.com/seed-1318a441/assay/internal/record"
	"github.com/seed-1318a441/assay/internal/stats"
	"github.com/seed-1318a441/assay/internal/survey"
)

// subject builds testdata/speed and returns the binary and its folder.
func subject(b *testing.B) (binary, dir string) {
	b.Helper()
	dir, err := filepath.Abs("testdata/speed")
	if err != nil {
		b.Fatal(err)
	}
	binary = filepath.Join(b.TempDir(), "speed.test")
	cmd := exec.Command("go", "test", "-c", "-o", binary, ".")
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		b.Fatalf("build: %v\n%s", err, out)
	}
	return binary, dir
}

// A method compares two variants of a benchmark within a wall time: the change
// that it sees in ln units, and whether it calls them different.
type method struct {
	name string
	run  func(b *testing.B, bench string, plant int, wall time.Duration) (ln float64, different bool)
}

// BenchmarkGears gives the way of today (-count=10 of one version, then of the other,
// medians and U-test, as benchstat does), plain runs that alternate, of a second and of 100
// ms, and assay, the same wall time on the same binary, in turns; with ASSAY_HOG=1 beside a program that computes. Of each method and benchmark it reports
// the root mean square error for identical code, the share of identical code called
// different, and of each planted change the mean, the root mean square error and the
// share that was found. ASSAY_ROUNDS comparisons of each kind, 3 by default; ASSAY_WALL
// seconds for each, 6 by default. assay-timed-% is the share of the wall time of assay's
// blocks that is timed work.
func BenchmarkGears(b *testing.B) {
	rounds, wall := setting("ASSAY_ROUNDS", 3), time.Duration(setting("ASSAY_WALL", 6))*time.Second
	binary, dir := subject(b)
	var timed timedShare
	methods := []method{{"count10", sequential(binary, dir)}, {"pairs-1s", pairs(binary, dir, time.Second)}, {"pairs-100ms", pairs(binary, dir, 100*time.Millisecond)},
		{"assay", throughLab(dir, &timed)}}
	defer hog()()
	for _, bench := range []string{"Loop", "Alloc", "Memory"} {
		for _, plant := range []int{0, 10, 30} {
			scores := make([]score, len(methods))
			for round := range rounds {
				for i := range methods {
					k := (i + round) % len(methods)
					ln, different := methods[k].run(b, bench, plant, wall)
					scores[k].add(ln-math.Log1p(float64(plant)/1000), ln, different)
				}
			}
			for k, m := range methods {
				fmt.Printf("%-6s planted %.0f %%  %-9s %s\n", bench, float64(plant)/10, m.name, scores[k])
				if plant == 0 {
					b.ReportMetric(100*scores[k].rms(), fmt.Sprintf("%s-%s-rmse-%%", bench, m.name))
				}
			}
		}
	}
	b.ReportMetric(timed.percent(), "assay-timed-%")
}

// BenchmarkGOGC compares GOGC=50 with GOGC=400 as assay comes, beside live heaps of 4, 16 and
// 200 MB and with one CPU and two, and with the means of -benchtime=2s in the same minute.
func BenchmarkGOGC(b *testing.B) {
	binary, dir := subject(b)
	for _, heap := range []string{"4", "16", "200"} {
		for _, procs := range []int{1, 2} {
			for range setting("ASSAY_ROUNDS", 3) {
				compareGOGC(b, binary, dir, heap, procs)
			}
		}
	}
}

func compareGOGC(b *testing.B, binary, dir, heap string, procs int) {
	s := speedStudy(dir, "Heap")
	s.Measure.GOMAXPROCS = procs
	s.Variants[0].Env, s.Variants[1].Env = map[string]string{"GOGC": "50", "HEAP": heap}, map[string]string{"GOGC": "400", "HEAP": heap}
	s.Decide.Budget = time.Duration(setting("ASSAY_WALL", 30)) * time.Second
	r, _, err := measure(b.Context(), s, b.TempDir())
	if err != nil {
		b.Fatal(err)
	}
	var ns [2][]float64
	var d []float64
	for range 4 {
		for i, gogc := range []string{"50", "400"} {
			ns[i] = append(ns[i], countOf(b, binary, dir, "Heap", 1, 2*time.Second, "GOGC="+gogc, "HEAP="+heap, fmt.Sprint("GOMAXPROCS=", procs))...)
		}
		d = append(d, math.Log(ns[1][len(d)]/ns[0][len(d)]))
	}
	c := r.Tables[0].Rows[0].Cells[0]
	fmt.Printf("%s MB, %d CPUs: assay %+.1f %% %v %s n=%d, -benchtime=2s %+.1f %% ±%.1f\n", heap, procs, 100*float64(c.Change), c.Interval, c.Verdict, c.N,
		100*math.Expm1(stats.Mean(d)), 100*math.Sqrt(stats.Variance(d)/float64(len(d))))
}

func setting(name string, def int) int {
	if n, err := strconv.Atoi(os.Getenv(name)); err == nil && n > 0 {
		return n
	}
	return def
}

// A score is how a method did.
type score struct {
	n, different int
	sum, square  float64
}

func (s *score) add(err, ln float64, different bool) {
	s.n++
	s.sum += ln
	s.square += err * err
	if different {
		s.different++
	}
}

func (s score) rms() float64 { return math.Sqrt(s.square / float64(s.n)) }

func (s score) String() string {
	return fmt.Sprintf("mean %+6.2f %%  rms error %5.2f %%  different %d of %d", 100*s.sum/float64(s.n), 100*s.rms(), s.different, s.n)
}

// sequential is ten runs of one version and then ten of the other.
func sequential(binary, dir string) func(*testing.B, string, int, time.Duration) (float64, bool) {
	return func(b *testing.B, bench string, plant int, wall time.Duration) (float64, bool) {
		// The testing package ramps up before it runs for the benchtime, which
		// costs about a third on top.
		each := wall / 20 * 3 / 4
		old := countOf(b, binary, dir, bench, 10, each, "GOMAXPROCS=1")
		young := countOf(b, binary, dir, bench, 10, each, "GOMAXPROCS=1", fmt.Sprint("PLANT=", plant))
		sample := func(x []float64) *benchmath.Sample {
			return benchmath.NewSample(slices.Clone(x), &benchmath.DefaultThresholds)
		}
		return math.Log(stats.Median(young) / stats.Median(old)), benchmath.AssumeNothing.Compare(sample(old), sample(young)).P < 0.05
	}
}

// pairs alternates plain runs of both sides, and judges the mean of the logarithms of
// their ratios by Student's t.
func pairs(binary, dir string, each time.Duration) func(*testing.B, string, int, time.Duration) (float64, bool) {
	return func(b *testing.B, bench string, plant int, wall time.Duration) (float64, bool) {
		var d []float64
		for end := time.Now().Add(wall); time.Now().Before(end) || len(d) < 2; {
			old := countOf(b, binary, dir, bench, 1, each, "GOMAXPROCS=1")
			young := countOf(b, binary, dir, bench, 1, each, "GOMAXPROCS=1", fmt.Sprint("PLANT=", plant))
			d = append(d, math.Log(young[0]/old[0]))
		}
		mean, off := stats.Mean(d), math.Sqrt(stats.Variance(d)/float64(len(d)))
		return mean, math.Abs(mean) > off*distuv.StudentsT{Sigma: 1, Nu: float64(len(d) - 1)}.Quantile(0.975)
	}
}

// hog computes on one CPU until it is stopped, if ASSAY_HOG is set.
func hog() (stop func()) {
	if setting("ASSAY_HOG", 0) == 0 {
		return func() {}
	}
	cmd := exec.Command("sh", "-c", "while :; do :; done")
	if err := cmd.Start(); err != nil {
		panic(err)
	}
	return func() { _ = cmd.Process.Kill(); _ = cmd.Wait() }
}

// module returns the folder of the module to measure (ASSAY_MODULE, testdata/speed by default),
// and the pattern of its benchmarks (ASSAY_BENCH, all by default).
func module() (dir, pattern string) {
	speed, _ := filepath.Abs("testdata/speed")
	return cmp.Or(os.Getenv("ASSAY_MODULE"), speed), cmp.Or(os.Getenv("ASSAY_BENCH"), ".")
}

// BenchmarkValues compares the values of assay with those of go test -bench in the same
// seconds: of each benchmark of a module (ASSAY_MODULE, its folder; ASSAY_BENCH, a pattern)
// it alternates plain runs of a second with blocks of identical code, each first in turn. ASSAY_ROUNDS of
// both, 3 by default, planned as for a budget of ASSAY_BUDGET seconds, or of none. It prints the ratio of their means with its standard error and the
// gear, and reports the median of the ratios and the farthest.
func BenchmarkValues(b *testing.B) {
	dir, pattern := module()
	defer hog()()
	s := speedStudy(dir, "")
	s.Workloads[0].Bench, s.Measure.GOMAXPROCS = pattern, 0
	s.Decide.Budget = time.Duration(setting("ASSAY_BUDGET", 0)) * time.Second
	l, err := prepare(b.Context(), s)
	if err != nil {
		b.Fatal(err)
	}
	defer l.machine.Close()
	binary := filepath.Join(b.TempDir(), "values.test")
	cmd := exec.Command("go", "test", "-c", "-o", binary, ".")
	if cmd.Dir = dir; cmd.Run() != nil {
		b.Fatal("the module's tests do not build")
	}
	var ratios []float64
	for _, bench := range l.plan.Benchmarks {
		var plains, owns, off []float64
		for round := range setting("ASSAY_ROUNDS", 3) {
			var plain float64
			run := func() {
				plain = countOf(b, binary, dir, strings.ReplaceAll(regexp.QuoteMeta(bench.Name), "/", "$/^"), 1, time.Second)[0]
			}
			if round%2 == 0 {
				run()
			}
			var own []float64
			err := l.machine.Block(b.Context(), lab.BlockRequest{Plan: l.plan, Next: assay.NextBlock{Turns: []assay.Turn{{Benchmark: bench.Benchmark, Inner: 1}}},
				Index: len(owns) + 1, Attempt: 1, Artifacts: l.artifacts()}, func(t assay.Trial, _ record.Raw) error {
				own = append(own, t.Observations[assay.MetricTime])
				return nil
			})
			if err != nil {
				b.Fatal(err)
			}
			if round%2 == 1 {
				run()
			}
			plains, owns = append(plains, plain), append(owns, stats.Mean(own))
		}
		mean := stats.Mean(plains)
		ratio := stats.Mean(owns) / mean
		for i := range owns {
			off = append(off, (owns[i]-ratio*plains[i])/mean)
		}
		ratios = append(ratios, ratio)
		fmt.Printf("%-40s %5.2f ±%.2f of go test  %s long=%t\n", bench.Name, ratio, math.Sqrt(stats.Variance(off)/float64(len(off))), cmp.Or(bench.Gear, assay.GearProcesses), bench.Long)
	}
	b.ReportMetric(stats.Median(ratios), "median-ratio")
	b.ReportMetric(slices.Min(ratios), "least-ratio")
	b.ReportMetric(slices.Max(ratios), "largest-ratio")
}

// BenchmarkLumps compares a benchmark with itself doing a fifth more in one lump after
// every 10, 30, 100 and 300 ms of its own work, which must never be called the same.
func BenchmarkLumps(b *testing.B) {
	_, dir := subject(b)
	for _, ms := range []int{10, 30, 100, 300} {
		s := speedStudy(dir, "LumpWork")
		s.Variants[1].Env = map[string]string{"LUMP": fmt.Sprint(ms)}
		s.Decide.Budget = time.Duration(setting("ASSAY_WALL", 30)) * time.Second
		r, _, err := measure(b.Context(), s, b.TempDir())
		if err != nil {
			b.Fatal(err)
		}
		c := r.Tables[0].Rows[0].Cells[0]
		fmt.Printf("a lump per %d ms: %+.1f %% %v %s %s %v\n", ms, 100*float64(c.Change), c.Interval, c.Verdict, c.Reason, r.Gears)
	}
}

// BenchmarkShare compares a module (ASSAY_MODULE, its folder; ASSAY_BENCH, a pattern) with
// itself at defaults, without a short budget, and reports how much of the time after
// calibration is timed work, and how long its links took. ASSAY_BLOCKS blocks, 12 by default.
func BenchmarkShare(b *testing.B) {
	dir, pattern := module()
	s := &assay.Study{Name: "share", Dir: dir, Workloads: []assay.Workload{{Kind: assay.KindGoTest, Bench: pattern}},
		Variants: []assay.Variant{{Name: "old"}, {Name: "new"}}}
	s.SetDefaults()
	s.Measure.Force, s.Decide.MaxBlocks = true, setting("ASSAY_BLOCKS", 12)
	r, trials, err := measure(b.Context(), s, b.TempDir())
	if err != nil {
		b.Fatal(err)
	}
	var share timedShare
	share.add(trials)
	var links time.Duration
	for _, t := range trials {
		links += t.Link
	}
	for _, g := range r.Gears {
		fmt.Printf("%+v\n", g)
	}
	b.ReportMetric(share.percent(), "timed-%")
	b.ReportMetric(100*links.Seconds()/share.wall.Seconds(), "links-%")
	b.ReportMetric(share.wall.Seconds(), "blocks-s")
}

// countOf is go test -count with some benchtime.
func countOf(b *testing.B, binary, dir, bench string, count int, each time.Duration, env ...string) (values []float64) {
	cmd := exec.Command(binary, "-test.run=^$", "-test.bench=^Benchmark"+bench+"$", fmt.Sprintf("-test.count=%d", count), "-test.benchtime="+each.String())
	cmd.Dir, cmd.Env = dir, append(os.Environ(), env...)
	out, err := cmd.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	parsed, err := collect.GoBench(out, 0)
	if err != nil || cmd.Wait() != nil || len(parsed.Readings) != count {
		b.Fatalf("%v: %d readings", err, len(parsed.Readings))
	}
	for _, r := range parsed.Readings {
		values = append(values, r.Values[assay.MetricTime])
	}
	return values
}

// speedStudy compares two variants of a benchmark of testdata/speed, on one link of the
// binary.
func speedStudy(dir, bench string) *assay.Study {
	s := &assay.Study{Name: "speed", Dir: dir, Workloads: []assay.Workload{{Kind: assay.KindGoTest, Bench: "^Benchmark" + bench + "$"}},
		Variants: []assay.Variant{{Name: "old"}, {Name: "new"}}}
	s.SetDefaults()
	s.Measure.Force, s.Measure.Layouts, s.Measure.GOMAXPROCS = true, 1, 1
	return s
}

// throughLab is assay with its control, at the other side's level.
func throughLab(dir string, timed *timedShare) func(*testing.B, string, int, time.Duration) (float64, bool) {
	return func(b *testing.B, bench string, plant int, wall time.Duration) (float64, bool) {
		s := speedStudy(dir, bench)
		s.Variants[1].Env = map[string]string{"PLANT": fmt.Sprint(plant)}
		s.Decide.Budget = wall
		s.Decide.Confidence = 0.95 // the level of the other side's U-test
		// All of the wall time, as the other side has it.
		s.Decide.MinBlocks = 1 << 30
		r, trials, err := measure(b.Context(), s, b.TempDir())
		if err != nil {
			b.Fatal(err)
		}
		timed.add(trials)
		c := r.Tables[0].Rows[0].Cells[0]
		return c.Change.Log(), c.Verdict.Differs()
	}
}

// A prepared is a study with its plan, on this machine.
type prepared struct {
	machine  *local.Machine
	builds   *lab.Builds
	plan     *assay.Plan
	platform assay.Platform
}

// artifacts returns the builds, by variant.
func (l prepared) artifacts() map[string][]lab.Artifact {
	out := map[string][]lab.Artifact{}
	for _, v := range l.plan.Variants {
		out[v.Name] = l.builds.Of(v.Name)
	}
	return out
}

func silent(lab.Event) {}

// prepare builds a study and makes its plan.
func prepare(ctx context.Context, s *assay.Study) (l prepared, err error) {
	builder := build.New("")
	return prepareWith(ctx, s, builder, survey.Memo{Load: builder.Cache.Load, Store: builder.Cache.Store})
}

// prepareWith is prepare with a memory of what was measured before.
func prepareWith(ctx context.Context, s *assay.Study, builder *build.Builder, memo survey.Memo) (l prepared, err error) {
	if l.machine, err = local.NewMachine(builder.Cache); err != nil {
		return l, err
	}
	if l.platform, err = l.machine.Platform(ctx); err != nil {
		return l, err
	}
	if l.builds, err = lab.Build(ctx, local.NewWorkshop(builder, l.machine), s, silent); err != nil {
		return l, err
	}
	setup := survey.Setup{Study: s, Machine: l.machine, Builds: l.builds, Platform: l.platform, Events: silent,
		Memo: memo, Run: "test", Created: time.Now(), Seed: uint64(time.Now().UnixNano())}
	if budget, began := s.Decide.Budget, time.Now(); budget > 0 {
		setup.Left = func() time.Duration { return budget - time.Since(began) }
	}
	if l.plan, err = survey.Prepare(ctx, setup); err != nil {
		err = fmt.Errorf("prepare: %w", err)
	}
	return l, err
}

// measure runs a study on this machine.
func measure(ctx context.Context, s *assay.Study, store string) (*assay.Result, []assay.Trial, error) {
	began := time.Now()
	l, err := prepare(ctx, s)
	if err != nil {
		return nil, nil, err
	}
	defer l.machine.Close()
	rec, err := record.Create(store, l.plan, l.platform, nil)
	if err != nil {
		return nil, nil, err
	}
	defer rec.Close()
	t := analysis.NewTracker(l.plan, s.Decide.Budget)
	t.TimedBy(func() time.Duration { return time.Since(began) })
	stop, err := (&lab.Job{Plan: l.plan, Machine: l.machine, Builds: l.builds, Record: rec, Rule: t, Events: silent}).Run(ctx)
	return t.Result(l.platform, stop), rec.Run().Trials, err
}

// A timedShare is how much of the wall time of blocks is timed work: the slices, or the
// operations of trials. The rest is links, starts, set-up, and warm-up.
type timedShare struct{ timed, wall time.Duration }

func (s *timedShare) add(trials []assay.Trial) {
	if len(trials) == 0 {
		return
	}
	begin, end := trials[0].Start, trials[0].Start
	first := time.Duration(0) // the links of the first block are before its first trial
	for _, t := range trials {
		if t.Block == trials[0].Block {
			first += t.Link
		}
		if last := t.Start.Add(t.Duration); last.After(end) {
			end = last
		}
		switch perOp := t.Observations[assay.MetricTime]; {
		case len(t.Slices) > 0:
			s.timed += time.Duration(stats.Mean(t.Slices) * float64(len(t.Slices)*t.N))
		default:
			s.timed += time.Duration(perOp * float64(t.N) * float64(time.Second))
		}
	}
	s.wall += end.Sub(begin) + first
}

func (s *timedShare) percent() float64 { return 100 * float64(s.timed) / float64(s.wall) }

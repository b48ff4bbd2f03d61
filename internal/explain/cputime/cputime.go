// Package cputime compares CPU profiles of two variants: it reads their stacks, leaves
// out what is not the benchmark's, and says which functions, packages and categories take
// more or less time. It reads no binary and ranks no causes.
package cputime

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/google/pprof/profile"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/binary"
	"github.com/seed-1318a441/assay/internal/stats"
)

// An Input is what Compare compares: CPU profiles of both sides, taken in blocks, and
// what was measured without them.
type Input struct {
	// Base and Variant are profiles; profile i of both is of block i.
	Base, Variant []*profile.Profile
	// N is the number of operations of each trial. It is so large that what a benchmark
	// sets up before its loop, which profiles contain, does not matter.
	N int
	// BaseValue is the base's time in seconds per operation, measured without
	// instruments.
	BaseValue float64
	// Comparison is what was measured: Value, Change, Interval.
	Comparison assay.Comparison
	// Confidence is that of the intervals of parts, such as 0.95.
	Confidence float64
	// Root is the benchmark's function, "pkg.BenchmarkX", or "" for a program.
	Root string
}

// ErrNoSamples is the error for a side whose profiles have hardly any samples of the
// benchmark.
type ErrNoSamples struct {
	// Side is "base" or "variant", Samples the number in all its trials.
	Side    string
	Samples int64
	// Seconds is how long a trial has to be for a hundred samples.
	Seconds float64
}

// Error implements error.
func (e *ErrNoSamples) Error() string {
	return fmt.Sprintf("compare CPU profiles: %d samples of the %s: a trial has to take %.3g s", e.Samples, e.Side, e.Seconds)
}

// Limits of what is told.
const (
	fewestSamples  = 10
	wantedSamples  = 100
	mostFunctions  = 25
	mostPackages   = 20
	mostOwners     = 200
	linedFunctions = 5
	mostLines      = 8
	// Parts below are summed up: 0.05 points of change, or one that may be none, and 1 %
	// of the time.
	smallChange = 0.0005
	smallShare  = 0.01
)

// Others is the name of the sum of small parts.
const Others = "others"

// Compare says where the time of an operation differs. A part is the mean over blocks of
// (variant - base) / N of the samples of a function, package, category or line, in points
// of the measured base value; each list adds up to Total, and Total and NotSeen to
// Difference, the measured one. Profiles count time on all CPUs: if the benchmark or the
// collector runs on several at once, Total exceeds the time on the clock and NotSeen may
// be negative.
//
// The interval of a part is that of a paired t over blocks, but no narrower than sampling
// alone makes it: k of K samples have a variance of k(1-k/K) (binomial; the timer fixes
// K), and a t interval over few blocks with nearly no samples can have no width at all.
// That of NotSeen has the root of the sum of squares of the half-widths of Difference and
// Total, which come from different trials; that of Difference is the verdict's, at its
// own confidence.
//
// The error is an [*ErrNoSamples] if a side has fewer than 10 samples.
func Compare(in Input) (*assay.CPUChange, error) {
	c, err := newComparison(in)
	if err != nil {
		return nil, err
	}
	out := &assay.CPUChange{Blocks: len(in.Base), N: in.N, BaseSamples: c.samples[0], VariantSamples: c.samples[1]}
	out.Total = c.part("total", c.totals)
	out.Difference = assay.Part{Name: "difference", Base: in.BaseValue, Variant: in.Comparison.Value, Change: in.Comparison.Change, Interval: in.Comparison.Interval}
	out.NotSeen = notSeen(out.Difference, out.Total)
	out.Functions = c.list(c.functions, mostFunctions, c.small)
	out.Packages = c.list(c.packages, mostPackages, c.small)
	out.Categories = c.list(c.categories, len(c.categories), nil)
	out.Owners = c.list(c.owners, mostOwners, nil)
	out.Lines = c.lineParts(out.Functions)
	out.Flame = newFlame(c)
	return out, nil
}

// A cell is the time of one thing in every block of both sides, in nanoseconds of a
// trial.
type cell [2][]int64

func newCell(blocks int) cell { return cell{make([]int64, blocks), make([]int64, blocks)} }

func (c cell) sum(side int) (s int64) {
	for _, v := range c[side] {
		s += v
	}
	return s
}

type lineKey struct {
	function, file string
	line           int64
}

// A comparison is the time of everything in every block.
type comparison struct {
	in      Input
	stacks  [2][][]stack // by side and block
	samples [2]int64
	totals  cell
	// unit is the time that a sample stands for, by side.
	unit                                    [2]float64
	functions, packages, categories, owners map[string]cell
	lines                                   map[lineKey]cell
}

func newComparison(in Input) (*comparison, error) {
	if err := in.check(); err != nil {
		return nil, err
	}
	c := &comparison{in: in, functions: map[string]cell{}, packages: map[string]cell{}, categories: map[string]cell{}, owners: map[string]cell{}, lines: map[lineKey]cell{}}
	for side, profiles := range [2][]*profile.Profile{in.Base, in.Variant} {
		for block, p := range profiles {
			all, err := readStacks(p, in.Root)
			if err != nil {
				return nil, fmt.Errorf("block %d of the %s: %w", block+1, sideName(side), err)
			}
			c.stacks[side] = append(c.stacks[side], all)
			c.totals[side] = append(c.totals[side], 0)
			c.samples[side] += countSamples(all, p)
			c.count(side, block, all)
		}
		if c.samples[side] < fewestSamples {
			return nil, &ErrNoSamples{Side: sideName(side), Samples: c.samples[side], Seconds: neededSeconds(profiles, c.samples[side])}
		}
		c.unit[side] = float64(c.totals.sum(side)) / float64(c.samples[side])
	}
	return c, nil
}

func sideName(side int) string { return [2]string{"base", "variant"}[side] }

func (in Input) check() error {
	switch {
	case len(in.Base) == 0 || len(in.Base) != len(in.Variant):
		return fmt.Errorf("compare CPU profiles: %d of the base and %d of the variant: they go by pairs", len(in.Base), len(in.Variant))
	case in.N < 1:
		return fmt.Errorf("compare CPU profiles: trials of %d operations", in.N)
	case !(in.BaseValue > 0) || math.IsInf(in.BaseValue, 0):
		return fmt.Errorf("compare CPU profiles: the base takes %v s per operation", in.BaseValue)
	case !(in.Confidence > 0 && in.Confidence < 1):
		return fmt.Errorf("compare CPU profiles: a confidence of %v", in.Confidence)
	}
	return nil
}

// countSamples is how often the profiler looked: time over its period.
func countSamples(all []stack, p *profile.Profile) int64 {
	var nanos int64
	for _, s := range all {
		nanos += s.nanos
	}
	period := p.Period
	if period <= 0 {
		period = 10e6 // 100 Hz, that of runtime/pprof
	}
	return (nanos + period/2) / period
}

// neededSeconds is how long a trial takes until it has wantedSamples at the rate of these
// profiles; at least what the CPU profiler needs for as many at 100 Hz on one CPU, at
// most a minute.
func neededSeconds(profiles []*profile.Profile, samples int64) float64 {
	var took float64
	for _, p := range profiles {
		took += float64(p.DurationNanos) / 1e9
	}
	const least, most = wantedSamples / 100, 60
	if samples == 0 || took <= 0 {
		return least
	}
	return min(max(math.Ceil(took/float64(samples)*wantedSamples), least), most)
}

// count adds the stacks of one trial.
func (c *comparison) count(side, block int, all []stack) {
	for _, s := range all {
		leaf := s.frames[0]
		name := binary.ReadableName(leaf.name)
		c.totals[side][block] += s.nanos
		addTo(c, c.functions, name, side, block, s.nanos)
		addTo(c, c.packages, binary.ReadableName(binary.PackageOf(leaf.name)), side, block, s.nanos)
		kind := category(s.frames)
		addTo(c, c.categories, kind, side, block, s.nanos)
		addTo(c, c.owners, owner(s.frames, kind), side, block, s.nanos)
		addTo(c, c.lines, lineKey{function: name, file: leaf.file, line: leaf.line}, side, block, s.nanos)
	}
}

func addTo[K comparable](c *comparison, m map[K]cell, key K, side, block int, nanos int64) {
	at, ok := m[key]
	if !ok {
		at = newCell(len(c.in.Base))
		m[key] = at
	}
	at[side][block] += nanos
}

// perOp is the seconds per operation of one side.
func (c *comparison) perOp(at cell, side int) float64 {
	return float64(at.sum(side)) / 1e9 / float64(c.in.N) / float64(len(c.in.Base))
}

func (c *comparison) part(name string, at cell) assay.Part {
	p := assay.Part{Name: name, Base: c.perOp(at, 0), Variant: c.perOp(at, 1)}
	p.Change = assay.Change((p.Variant - p.Base) / c.in.BaseValue)
	if half, ok := c.half(at); ok {
		p.Interval = &assay.Interval{Lo: p.Change - half, Hi: p.Change + half}
	}
	return p
}

// half is the half-width of a part's interval; see [Compare].
func (c *comparison) half(at cell) (assay.Change, bool) {
	n := len(c.in.Base)
	if n < 2 {
		return 0, false
	}
	d := make([]float64, n)
	for i := range d {
		d[i] = float64(at[1][i] - at[0][i])
	}
	blocks := stats.StudentHalfWidth(d, c.in.Confidence)
	sampling := distuv.UnitNormal.Quantile(1-(1-c.in.Confidence)/2) * math.Sqrt(c.binomial(at, 0)+c.binomial(at, 1)) / float64(n)
	return assay.Change(max(blocks, sampling) / 1e9 / float64(c.in.N) / c.in.BaseValue), true
}

// binomial is the variance of a side's sum in nanoseconds squared, if each of its samples
// is one of the cell's by chance.
func (c *comparison) binomial(at cell, side int) float64 {
	all := float64(c.samples[side])
	k := float64(at.sum(side)) / c.unit[side]
	return k * max(0, 1-k/all) * c.unit[side] * c.unit[side]
}

// notSeen is the part that the profiles do not show.
func notSeen(difference, total assay.Part) assay.Part {
	p := assay.Part{Name: assay.NotSeen, Base: difference.Base - total.Base, Variant: difference.Variant - total.Variant}
	p.Change = difference.Change - total.Change
	if difference.Interval != nil && total.Interval != nil {
		half := assay.Change(math.Hypot(float64(difference.Interval.Half()), float64(total.Interval.Half())))
		p.Interval = &assay.Interval{Lo: p.Change - half, Hi: p.Change + half}
	}
	return p
}

// small reports parts that are not worth a line.
func (c *comparison) small(p assay.Part) bool {
	if math.Abs(float64(p.Change)) >= smallChange && (p.Interval == nil || !p.Interval.Covers(0)) {
		return false
	}
	return p.Base < smallShare*c.perOp(c.totals, 0) && p.Variant < smallShare*c.perOp(c.totals, 1)
}

// list makes the parts, those that changed most first, and sums up the small ones and
// those beyond most.
func (c *comparison) list(m map[string]cell, most int, small func(assay.Part) bool) []assay.Part {
	var out []assay.Part
	rest := newCell(len(c.in.Base))
	for name, at := range m {
		out = append(out, c.part(name, at))
	}
	slices.SortFunc(out, bySize)
	summed := 0
	out = slices.DeleteFunc(out, func(p assay.Part) bool {
		if most > 0 && (small == nil || !small(p)) {
			most--
			return false
		}
		summed++
		rest.add(m[p.Name])
		return true
	})
	if summed > 0 {
		out = append(out, c.part(Others, rest))
	}
	return out
}

func (c cell) add(d cell) {
	for side := range c {
		for block, v := range d[side] {
			c[side][block] += v
		}
	}
}

// bySize orders parts by the size of the change, then by time and name.
func bySize(a, b assay.Part) int {
	return cmp.Or(cmp.Compare(math.Abs(float64(b.Change)), math.Abs(float64(a.Change))),
		cmp.Compare(b.Base+b.Variant, a.Base+a.Variant), cmp.Compare(a.Name, b.Name), cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line))
}

// lineParts are the lines of the first functions, function by function, without the run
// time's, which help nobody.
func (c *comparison) lineParts(functions []assay.Part) (out []assay.Part) {
	by := map[string][]assay.Part{}
	for key, at := range c.lines {
		p := c.part(key.function, at)
		p.File, p.Line = binary.ReadableName(key.file), int(key.line)
		if p.Line > 0 && !c.small(p) {
			by[key.function] = append(by[key.function], p)
		}
	}
	functions = slices.DeleteFunc(slices.Clone(functions), func(p assay.Part) bool { return runtimeFrame(p.Name) })
	for _, f := range functions[:min(len(functions), linedFunctions)] {
		lines := by[f.Name]
		slices.SortFunc(lines, bySize)
		out = append(out, lines[:min(len(lines), mostLines)]...)
	}
	return out
}

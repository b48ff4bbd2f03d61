package search

import (
	"cmp"
	"math"
	"slices"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/analysis"
	"github.com/seed-1318a441/assay/internal/stats"
)

// Result returns the state or the result of the race. The changes are in the metric as
// measured: if higher is better, a runner behind has a negative change.
func (r *Race) Result() *assay.Race {
	out := &assay.Race{Metric: r.metric.Name, Margin: r.metric.MinEffect, Winner: r.leader, Sure: r.sure}
	d := r.data()
	for _, v := range r.names {
		if v != r.leader {
			out.Runners = append(out.Runners, r.runner(d, v))
		}
	}
	worse := r.metric.Loss()
	slices.SortStableFunc(out.Runners, func(a, b assay.Runner) int {
		return cmp.Or(cmp.Compare(place(b), place(a)), cmp.Compare(worse*float64(a.Behind), worse*float64(b.Behind)))
	})
	if r.times.spent > 0 {
		out.Saved = float64(r.times.all(r.leader)) / float64(r.times.spent)
	}
	return out
}

// place orders runners by when they left. Those remaining come last.
func place(r assay.Runner) int {
	if r.Left == 0 {
		return math.MaxInt
	}
	return r.Left
}

// runner describes one variant against the leader. If they never met in a block, their
// changes against the base are used, without an interval.
func (r *Race) runner(d logRatios, v string) assay.Runner {
	out := assay.Runner{Variant: v, Left: r.left[v]}
	p := r.against(d, v, r.leader)
	if len(p.D) == 0 {
		if a, b := d[v].D, d[r.leader].D; len(a) > 0 && len(b) > 0 {
			out.Behind = r.change(stats.Median(a) - stats.Median(b))
		}
		return out
	}
	behind := stats.Median(p.D) // until there is an interval
	if lo, hi, ok := p.Interval(1 / r.alpha); ok && hi-lo <= analysis.Unbounded {
		if behind, ok = p.Centre(lo, hi, stats.Slack); ok { // else the runner drifts
			ends := []assay.Change{r.change(lo), r.change(hi)}
			out.Interval = &assay.Interval{Lo: slices.Min(ends), Hi: slices.Max(ends)}
		}
	}
	out.Behind = r.change(behind)
	return out
}

// change converts ln units, where less is better, into a change of the metric.
func (r *Race) change(d float64) assay.Change {
	if r.metric.Better == assay.BetterHigher {
		d = -d
	}
	return assay.ChangeOfLog(d)
}

// times adds up the time of trials and links.
type times struct {
	spent time.Duration
	// sums has trials by benchmark and variant, and links, one per block, by variant
	// alone.
	sums map[timed]tally
}

type timed struct {
	benchmark assay.Benchmark
	variant   string
}

// A tally is a sum and its number of terms.
type tally struct {
	n   int
	sum time.Duration
}

// add adds a block.
func (t *times) add(block []assay.Trial) {
	if t.sums == nil {
		t.sums = map[timed]tally{}
	}
	links := map[string]time.Duration{}
	count := func(k timed, d time.Duration) {
		x := t.sums[k]
		t.sums[k] = tally{x.n + 1, x.sum + d}
	}
	for _, tr := range block {
		t.spent += tr.Duration + tr.Link
		links[tr.Variant] += tr.Link
		count(timed{tr.Benchmark, tr.Variant}, tr.Duration)
	}
	for v, link := range links {
		count(timed{variant: v}, link)
	}
}

// all returns the time that every variant, including the control, would have taken for as
// many trials and links as winner has run, each at its own mean.
func (t *times) all(winner string) time.Duration {
	sum := 0.0
	for k, x := range t.sums {
		mean := float64(x.sum) / float64(x.n)
		sum += float64(t.sums[timed{k.benchmark, winner}].n) * mean
	}
	return time.Duration(sum)
}

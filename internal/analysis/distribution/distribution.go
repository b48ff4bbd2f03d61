package distribution

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/analysis/sample"
	"github.com/seed-1318a441/assay/internal/design"
)

// Fill fills in Latencies and GCs of a result from what trials collected: those of
// complete blocks that ended well, except for the pilot's and the control's. collected
// reads that of one trial; ok is false if it has none. Fill holds one trial at a time,
// merged histograms, and a curve of quantiles a trial. There are no pictures of one block.
func Fill(r *assay.Result, p *assay.Plan, trials []assay.Trial, collected func(id int) (assay.Collected, bool, error)) error {
	d := newDistributor(p)
	for _, block := range assay.Complete(trials) {
		d.faults.Add(block)
		for _, tr := range block {
			if tr.Pilot || tr.Status != assay.StatusOK || d.index[tr.Benchmark] == nil || !slices.Contains(d.variants, tr.Variant) || d.faults.Spoiled(tr.Benchmark) {
				continue
			}
			c, ok, err := collected(tr.ID)
			if ok && err == nil {
				err = d.add(tr, c)
			}
			if err != nil {
				return fmt.Errorf("read what trial %d collected: %w", tr.ID, err)
			}
		}
	}
	r.Latencies, r.GCs = nil, nil
	stale := func(w assay.Warning) bool { return w.Code == assay.CodeNoHistogram }
	r.Warnings = append(slices.DeleteFunc(r.Warnings, stale), d.noHistograms(p)...)
	for _, b := range d.pictures {
		if d.faults.Excluded(b.plan.Benchmark) || r.Spent.Single() {
			continue
		}
		if l, ok := b.latency.picture(p, b.plan.Benchmark, d.variants, d.bands()); ok {
			r.Latencies = append(r.Latencies, l)
		}
		if g, ok := b.gc.picture(b.plan.Benchmark, d.variants, design.Serves(p, b.plan)); ok {
			r.GCs = append(r.GCs, g)
		}
	}
	return nil
}

// A distributor adds up what trials collected.
type distributor struct {
	variants []string // the base first, the control not
	faults   *sample.Faults
	pictures []*picture
	index    map[assay.Benchmark]*picture
}

// bands is the number of bands of the result, one for each variant of each benchmark that
// had latencies.
func (d *distributor) bands() (n int) {
	for _, b := range d.pictures {
		if len(b.latency.grids) > 0 {
			n += len(d.variants) - 1
		}
	}
	return n
}

// A picture adds up that of one benchmark.
type picture struct {
	plan    assay.PlannedBenchmark
	latency latencies
	gc      cycles
	// bare means that a run had percentiles and no histogram.
	bare bool
}

func newDistributor(p *assay.Plan) *distributor {
	d := &distributor{variants: []string{p.Study.Base}, faults: sample.NewFaults(p), index: map[assay.Benchmark]*picture{}}
	for _, v := range p.Variants {
		if !v.Control && v.Name != p.Study.Base {
			d.variants = append(d.variants, v.Name)
		}
	}
	for _, pb := range p.Benchmarks {
		b := &picture{plan: pb, latency: newLatencies(), gc: cycles{}}
		d.pictures = append(d.pictures, b)
		d.index[pb.Benchmark] = b
	}
	return d
}

func (d *distributor) add(tr assay.Trial, c assay.Collected) error {
	b := d.index[tr.Benchmark]
	if c.Latency != nil && !sound(*c.Latency) {
		return errors.New("its histogram is none")
	}
	if c.Latency != nil && !tr.Traced {
		b.latency.add(tr.Block, tr.Variant, *c.Latency)
	}
	b.bare = b.bare || c.Latency == nil && len(c.Percentiles) > 0
	if len(c.GC) > 0 {
		b.gc.add(tr.Variant, c.GC)
	}
	return nil
}

// sound reports whether a histogram is valid: a record may come from anywhere.
func sound(h assay.Histogram) bool {
	return len(h.Values) == len(h.Counts) && slices.IsSorted(h.Values) &&
		!slices.ContainsFunc(h.Counts, func(n int) bool { return n < 0 || n > math.MaxInt32 })
}

// noHistograms warns, once, about load generators that print percentiles only.
func (d *distributor) noHistograms(p *assay.Plan) []assay.Warning {
	var names, flags []string
	for _, b := range d.pictures {
		if !b.bare {
			continue
		}
		names = append(names, b.plan.Name)
		if !design.Serves(p, b.plan) {
			continue
		}
		s := p.Study.Workloads[b.plan.Workload].Service
		if s != nil && histogramFlags[s.Parse] != "" && !slices.Contains(flags, histogramFlags[s.Parse]) {
			flags = append(flags, histogramFlags[s.Parse])
		}
	}
	if len(names) == 0 {
		return nil
	}
	return []assay.Warning{{Code: assay.CodeNoHistogram, Advice: strings.Join(flags, ", "),
		Text:  "the load generator reports percentiles, no histogram: " + strings.Join(names, ", "),
		Facts: []string{"its own percentiles are compared; other quantiles, the whole distribution and its shift cannot be computed"}}}
}

// histogramFlags are the flags that make a load generator print a histogram, by format.
var histogramFlags = map[string]string{
	"sysbench": "--histogram=on in the load of sysbench",
	"pgbench":  "-l in the load of pgbench, and its files in results",
	"wrk2":     "--latency in the load of wrk2",
}

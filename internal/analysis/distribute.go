package analysis

import (
	"fmt"
	"slices"

	"github.com/seed-1318a441/assay"
)

// Distribute fills the pictures of a result, Latencies and GCs, from what the
// trials of a record left: those of complete blocks that ended well, the pilot's
// and the control's left out. collected reads what trial id left; ok is false
// where it left nothing. One trial is held at a time, and beside it merged
// histograms and a curve of quantiles a trial.
//
// Nothing that decides is computed here: verdicts are those of the tables.
func Distribute(r *assay.Result, p *assay.Plan, trials []assay.Trial, collected func(id int) (assay.Collected, bool, error)) error {
	d := newDistributor(p)
	for _, block := range assay.Complete(trials) {
		d.faults.add(block)
		for _, tr := range block {
			if tr.Pilot || tr.Status != assay.StatusOK || !d.wanted(tr) || d.faults.spoiled(tr.Benchmark) {
				continue
			}
			c, ok, err := collected(tr.ID)
			if err != nil {
				return fmt.Errorf("read what trial %d collected: %w", tr.ID, err)
			}
			if ok {
				d.add(tr, c)
			}
		}
	}
	r.Latencies, r.GCs = nil, nil
	for _, b := range d.pictures {
		if d.faults.excluded(b.plan.Benchmark) {
			continue
		}
		if l, ok := b.latency.picture(p, b.plan.Benchmark, d.variants); ok {
			r.Latencies = append(r.Latencies, l)
		}
		if g, ok := b.gc.picture(b.plan.Benchmark, d.variants, d.faults.service[b.plan.Benchmark]); ok {
			r.GCs = append(r.GCs, g)
		}
	}
	return nil
}

// A distributor adds up what trials left.
type distributor struct {
	variants []string // the base first, the control not
	faults   *faults
	pictures []*picture
	index    map[assay.Benchmark]*picture
}

// A picture is what is known of one benchmark.
type picture struct {
	plan    assay.PlannedBenchmark
	latency latencies
	gc      cycles
}

func newDistributor(p *assay.Plan) *distributor {
	d := &distributor{variants: []string{p.Study.Base}, faults: newFaults(p), index: map[assay.Benchmark]*picture{}}
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

// wanted reports whether a trial is in the pictures.
func (d *distributor) wanted(tr assay.Trial) bool {
	return d.index[tr.Benchmark] != nil && slices.Contains(d.variants, tr.Variant)
}

func (d *distributor) add(tr assay.Trial, c assay.Collected) {
	b := d.index[tr.Benchmark]
	if c.Latency != nil && !tr.Traced {
		b.latency.add(tr.Block, tr.Variant, *c.Latency)
	}
	if len(c.GC) > 0 {
		b.gc.add(tr.Variant, c.GC)
	}
}

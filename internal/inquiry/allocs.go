package inquiry

import (
	"maps"
	"slices"

	"github.com/google/pprof/profile"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/explain/alloc"
	"github.com/seed-1318a441/assay/internal/printable"
)

// mem compares where memory is allocated.
func (d *difference) mem() error {
	base, err := d.memTrials(d.x.plan.Study.Base)
	if err != nil {
		return err
	}
	variant, err := d.memTrials(d.cell.Variant)
	if err != nil || len(base) == 0 || len(variant) == 0 {
		return err
	}
	c, err := alloc.Compare(alloc.Input{Base: base, Variant: variant, BaseDecisions: d.decisions[0], VariantDecisions: d.decisions[1], Root: d.root(),
		BaseBinary: d.base, VariantBinary: d.variant})
	if err != nil {
		d.warn(assay.Warning{Code: assay.CodeNoSamples, Text: "allocations are not explained: " + printable.OneLine(err)})
		return nil
	}
	if d.counted != nil {
		alloc.Count(c, d.counted[0], d.counted[1])
	}
	d.m.Allocs = c
	larges := func(trials []alloc.Trial) (out []*profile.Profile) {
		for _, t := range trials {
			out = append(out, t.Large)
		}
		return out
	}
	return d.files(&c.BaseFile, &c.VariantFile, &c.Command, assay.CollectMem, larges(base), larges(variant), "-sample_index=alloc_space")
}

// memTrials pairs the two numbers of operations of each block.
func (d *difference) memTrials(variant string) (out []alloc.Trial, err error) {
	blocks := map[int]*alloc.Trial{}
	for _, t := range d.trials {
		if t.Kind != assay.CollectMem || t.Variant != variant || t.Profile == "" {
			continue
		}
		p, err := d.x.profile(t)
		if err != nil {
			return nil, err
		}
		m := blocks[t.Block]
		switch {
		case m == nil:
			blocks[t.Block] = &alloc.Trial{Large: p, LargeN: t.N}
		case t.N > m.LargeN:
			*m = alloc.Trial{Small: m.Large, SmallN: m.LargeN, Large: p, LargeN: t.N}
		default:
			m.Small, m.SmallN = p, t.N
		}
	}
	for _, block := range slices.Sorted(maps.Keys(blocks)) {
		out = append(out, *blocks[block])
	}
	return out, nil
}

// allocsOf returns the number of allocations per operation of the variant that makes
// most.
func allocsOf(r *assay.Result, b assay.Benchmark) (most float64) {
	for _, t := range r.Tables {
		if t.Metric.Name != assay.MetricAllocs {
			continue
		}
		for _, row := range t.Rows {
			if row.Benchmark == b {
				most = max(most, row.Base)
				for _, c := range row.Cells {
					most = max(most, c.Value)
				}
			}
		}
	}
	return most
}

// countedAllocs returns the allocations per operation of both sides of a comparison, if all
// trials counted the same; nil otherwise.
func countedAllocs(r *assay.Result, of assay.Comparison) *[2]float64 {
	for _, t := range r.Tables {
		for _, row := range t.Rows {
			if t.Metric.Name != assay.MetricAllocs || row.Benchmark != of.Benchmark {
				continue
			}
			if i := slices.IndexFunc(row.Cells, func(c assay.Comparison) bool { return c.Variant == of.Variant && c.Exact }); i >= 0 {
				return &[2]float64{row.Base, row.Cells[i].Value}
			}
		}
	}
	return nil
}

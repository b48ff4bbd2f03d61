package inquiry

import (
	"context"
	"fmt"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/session"
	"github.com/seed-1318a441/assay/internal/shell"
	"github.com/seed-1318a441/assay/internal/trial"
)

// layout measures the difference across fresh links, if requested.
func (d *difference) layout(ctx context.Context) error {
	if !d.x.request.CheckLayout {
		return nil
	}
	study, err := d.layoutStudy()
	if err != nil {
		d.warn(assay.Warning{Code: assay.CodeNoLayoutCheck, Text: "the layout is not checked: " + err.Error()})
		return nil
	}
	again := shell.Join([]string{"assay", "explain", d.x.plan.Run, d.planned.String(), "--variant", d.cell.Variant, "--check-layout"})
	d.x.ses.Config.Progress.Stage("layout", fmt.Sprintf("%s: measuring over %d links of each variant", d.planned.Name, d.x.request.Layouts))
	cfg := d.x.ses.Config
	cfg.Options = session.Options{Store: d.x.ses.Config.Store}
	cfg.Study, cfg.Text, cfg.Command = study, nil, again
	r, _, err := session.Measure(ctx, cfg)
	if err != nil {
		return err
	}
	d.m.Layout = layoutVerdict(r, d.cell, d.x.request.Layouts)
	return nil
}

// fewestLayouts is the minimum number of pairs of links for a verdict across layouts
// (docs/methodology.md).
const fewestLayouts = 10

// layoutVerdict returns the verdict across layouts.
func layoutVerdict(r *assay.Result, cell assay.Comparison, layouts int) *assay.LayoutCheck {
	out := &assay.LayoutCheck{Run: r.Run, Layouts: layouts}
	for _, t := range r.Tables {
		for _, row := range t.Rows {
			for _, c := range row.Cells {
				if t.Decides && c.Variant == cell.Variant {
					out.Comparison = c
				}
			}
		}
	}
	c := out.Comparison
	if c.N > 0 { // the pair of links is the unit, and the budget may end before the last
		out.Layouts = min(layouts, c.N)
	}
	enough := out.Layouts >= fewestLayouts
	out.Share, out.Survives = c.LayoutShare, enough && different(c)
	text := string(c.Verdict)
	if c.Interval != nil {
		text = fmt.Sprintf("%s %s, %s", c.Change.Format(c.Interval.Half()), c.Interval, c.Verdict)
	}
	switch {
	case out.Survives:
		out.Text = fmt.Sprintf("it holds across %d relinked builds of each variant: %s", out.Layouts, text)
	case c.Verdict == assay.Same && enough:
		out.Text = fmt.Sprintf("it does not hold across %d relinked builds of each variant: %s; the run measured the layout of its binaries", out.Layouts, text)
	default:
		out.Text = fmt.Sprintf("undecided across %d relinked builds of each variant: %s", out.Layouts, text)
	}
	return out
}

// layoutStudy returns the run's study of the one benchmark and the two variants, with its
// own links.
func (d *difference) layoutStudy() (*assay.Study, error) {
	old := &d.x.plan.Study
	w := old.Workloads[d.planned.Workload]
	if old.By != nil {
		return nil, fmt.Errorf("the variants are in one binary")
	}
	if w.Kind == assay.KindService {
		return nil, fmt.Errorf("services are not measured over links")
	}
	if w.Kind == assay.KindGoTest {
		w.Packages, w.Bench = []string{d.planned.Package}, trial.Select(d.planned.Name)
	} else {
		w.Names = []string{d.planned.Name}
	}
	study := &assay.Study{Name: old.Name + "-layout", Dir: old.Dir, Base: old.Base, Source: old.Source, Workloads: []assay.Workload{w}, Measure: old.Measure, Decide: old.Decide}
	for _, name := range []string{old.Base, d.cell.Variant} {
		v, _ := d.x.plan.Variant(name)
		v.Levels = nil
		study.Variants = append(study.Variants, v)
	}
	study.Measure.Layouts, study.Measure.Collect = d.x.request.Layouts, nil
	study.Decide.Metrics, study.Decide.Budget, study.Decide.Gate, study.Decide.Race = []string{d.m.Metric.Name}, d.x.request.Budget, 0, false
	study.Decide.MinBlocks = max(study.Decide.MinBlocks, d.x.request.Layouts) // each link once
	if study.Decide.MaxBlocks > 0 {
		study.Decide.MaxBlocks = max(study.Decide.MaxBlocks, study.Decide.MinBlocks)
	}
	study.Decide.Tradeoff, study.Decide.Compare = nil, ""
	return study, study.Validate()
}

package inquiry

import (
	"context"
	"fmt"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/design"
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
	cfg.Options = session.Options{Store: d.x.ses.Config.Store, FreshLinks: true}
	cfg.Study, cfg.Text, cfg.Command = study, nil, again
	r, run, err := session.Measure(ctx, cfg)
	if err != nil {
		return err
	}
	d.m.Layout = layoutVerdict(r, run.Plan, d.cell)
	return nil
}

// fewestLayouts is the minimum number of pairs of links for a verdict across layouts
// (docs/methodology.md).
const fewestLayouts = 10

// layoutVerdict returns the verdict across layouts of a run with this plan.
func layoutVerdict(r *assay.Result, p *assay.Plan, cell assay.Comparison) *assay.LayoutCheck {
	out := &assay.LayoutCheck{Run: r.Run}
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
	out.Layouts = design.LinksBehind(p, c.N) // the budget may end before the last
	enough := out.Layouts >= fewestLayouts
	out.Share, out.Survives = c.LayoutShare, enough && different(c)
	text := c.Words()
	if c.Interval != nil {
		text = fmt.Sprintf("%s %s, %s", c.Change.Format(c.Interval.Half()), c.Interval, text)
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
	study.Measure.Layouts, study.Measure.Collect = 0, nil
	study.Decide.Metrics, study.Decide.Budget, study.Decide.Gate, study.Decide.Race = []string{d.m.Metric.Name}, d.x.request.Budget, 0, false
	study.Decide.MinBlocks, study.Decide.MaxBlocks = d.x.request.Layouts, d.x.request.Layouts // each with its own links
	study.Decide.Tradeoff, study.Decide.Compare = nil, ""
	return study, study.Validate()
}

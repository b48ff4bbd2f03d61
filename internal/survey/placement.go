package survey

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/design"
	"github.com/seed-1318a441/assay/internal/fault"
	"github.com/seed-1318a441/assay/internal/lab"
	"github.com/seed-1318a441/assay/internal/printable"
	"github.com/seed-1318a441/assay/internal/schedule"
	"github.com/seed-1318a441/assay/internal/stats"
)

// Settings of the measurement of placement's effect on a benchmark.
const (
	// placementLinks is the number of links of the base, with the linker's own alignment,
	// that run side by side. The standard deviation of six is known to about a third.
	placementLinks = 6
	// placementShare bounds this part of the budget; placementTime is the limit without
	// one.
	placementShare = 0.05
	placementTime  = 30 * time.Second
)

// A placer times links of the base against each other.
type placer struct {
	*surveyor
	plan    *assay.Plan
	machine lab.SideBySide
	cpus    []int
	base    assay.Variant
	left    time.Duration  // remaining time
	links   []lab.Artifact // of the current package
}

// measurePlacement measures the scatter of benchmarks in slices over links with the
// linker's alignment. Blocks do not show that, since fresh layouts are aligned.
func (s *surveyor) measurePlacement(ctx context.Context, p *assay.Plan) error {
	m, ok := s.Machine.(lab.SideBySide)
	if !ok || p.Align == 0 || p.Study.Measure.Layouts == 1 {
		return nil
	}
	cpus, err := m.CPUs()
	if err != nil || len(cpus) == 0 {
		return nil // nothing runs in slices
	}
	l := &placer{surveyor: s, plan: p, machine: m, cpus: cpus, base: p.Base(), left: spare(p)}
	defer l.drop()
	at := assay.PlannedBenchmark{Workload: -1} // whose package is current
	for i := range p.Benchmarks {
		b := &p.Benchmarks[i]
		if b.Gear != assay.GearSlices || b.Placement != 0 {
			continue
		}
		if b.Workload != at.Workload || b.Package != at.Package {
			l.drop()
			at = *b
		}
		if err := l.measure(ctx, b); err != nil {
			return err
		}
	}
	p.Warnings = append(p.Warnings, l.warning()...)
	return nil
}

// spare returns the time for measuring placement: none that first verdicts need.
func spare(p *assay.Plan) time.Duration {
	if p.Study.Decide.Budget == 0 {
		return placementTime
	}
	f := schedule.Foresee(p)
	return min(time.Duration(placementShare*float64(p.Study.Decide.Budget)), f.Time-time.Duration(f.First)*f.Block)
}

// measure sets the placement of one benchmark, measured once for an artifact. It stays
// unknown if there is no time, if slices fail, or if noise hides it.
func (l *placer) measure(ctx context.Context, b *assay.PlannedBenchmark) error {
	a, err := l.Builds.Binary(l.base.Name, *b)
	if err != nil {
		return err
	}
	memo := l.memoName("placement1-"+b.NameFor(l.base, l.plan.Study.Base), l.base, a)
	if l.Memo.load(a, memo, &b.Placement) {
		return nil
	}
	slice := b.Trial / time.Duration(b.Slices+assay.WarmSlices)
	cost := placementLinks * (schedule.MinSlices + assay.WarmSlices) * slice
	if l.links == nil {
		cost += l.plan.Link * time.Duration(max(l.plan.Relink, 1)) / time.Duration(linksOf(l.plan, l.Builds)) * placementLinks
	}
	if cost > l.left {
		return nil
	}
	l.left -= cost
	if l.links == nil {
		if err := l.link(ctx, a); err != nil {
			return err
		}
	}
	logs, err := l.run(ctx, b)
	if logs == nil || err != nil {
		return err
	}
	spread, noise := stats.ArmSpread(logs)
	if !(noise <= max(spread, l.margin())) {
		return nil // too noisy at present
	}
	b.Placement = spread
	l.Memo.store(a, memo, b.Placement)
	return nil
}

// margin returns the minimum effect in ln units.
func (l *placer) margin() float64 {
	return math.Log1p(l.plan.Study.Decide.Margin(assay.MetricTime))
}

// link makes the links of a package, each with its own layout.
func (l *placer) link(ctx context.Context, a lab.Artifact) error {
	made := make([]lab.Artifact, placementLinks)
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(runtime.GOMAXPROCS(0))
	for i := range made {
		g.Go(func() error {
			defer fault.Exit()
			seed := design.Rand(l.plan.Seed, "placement", i).Uint64N(1<<31-1) + 1
			var err error
			made[i], err = l.Machine.Link(ctx, lab.LinkRequest{Artifact: a, Layout: seed})
			return err
		})
	}
	err := g.Wait()
	for _, a := range made {
		if a.ID != "" {
			l.links = append(l.links, a)
		}
	}
	return err
}

// run times the links side by side, and returns the logarithms of the time of an
// operation, by link and round; nil if the benchmark cannot run so.
func (l *placer) run(ctx context.Context, b *assay.PlannedBenchmark) ([][]float64, error) {
	c := &chooser{surveyor: l.surveyor, plan: l.plan, bench: b}
	r := lab.TogetherRequest{Warm: assay.WarmSlices, Rounds: schedule.MinSlices,
		CPUs: design.CPUs(l.plan.Seed, *b, 0, 1, l.cpus), Turns: design.Turns{Seed: l.plan.Seed, Benchmark: b.Benchmark, Arms: len(l.links), Attempt: 1}}
	for _, a := range l.links {
		r.Arms = append(r.Arms, c.request(l.base, a, b.N))
	}
	outs, err := l.machine.Together(ctx, r)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		return nil, nil // the blocks will show it
	}
	arms := make([]map[string][]float64, len(outs))
	for i, out := range outs {
		if out.Status != assay.StatusOK {
			return nil, nil
		}
		arms[i] = out.Slices
	}
	logs, _ := lab.Logs(arms, assay.MetricTime)
	return logs, nil
}

func (l *placer) drop() {
	l.Machine.Drop(l.links)
	l.links = nil
}

// warning names the benchmarks that placement alone moves beyond the minimum effect.
func (l *placer) warning() []assay.Warning {
	p := l.plan
	var moved []string
	for _, b := range p.Benchmarks {
		if b.Placement > l.margin() {
			moved = append(moved, fmt.Sprintf("%s by ±%.2g %%", b.Name, 100*math.Expm1(b.Placement)))
		}
	}
	if len(moved) == 0 {
		return nil
	}
	return []assay.Warning{{Code: assay.CodePlacement, Text: "the same code, linked in another order, differs: " + printable.Few(moved, someNames),
		Facts: []string{fmt.Sprintf("standard deviation over %d links of %s with the linker's own alignment; this run aligns functions to %d bytes", placementLinks, p.Study.Base, p.Align),
			"every block of this run has new links, so its intervals cover this; two builds as shipped may differ by as much, whatever their code (--layouts 1 measures those)"}}}
}

package survey

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/design"
	"github.com/seed-1318a441/assay/internal/lab"
	"github.com/seed-1318a441/assay/internal/schedule"
	"github.com/seed-1318a441/assay/internal/shell"
)

// A linker decides whether the blocks of a plan have their own links.
type linker struct {
	*surveyor
	plan *assay.Plan
}

// slowLink is the time of a link above which the machine may have been the cause.
const slowLink = 2 * time.Second

// settle times a link. It turns off fresh layouts if a toolchain cannot draw them, or if
// linking leaves no room for the blocks of a verdict. Where links are slow, blocks use earlier
// ones again.
func (l *linker) settle(ctx context.Context) error {
	if l.plan.Study.Measure.Layouts == 1 {
		return nil
	}
	if !l.linkable() {
		l.plan.Study.Measure.Layouts = 1
		return nil
	}
	l.align()
	if l.Earlier != nil {
		l.plan.Link = l.Earlier.Link * time.Duration(len(l.plan.Variants)) / time.Duration(len(l.Earlier.Variants))
		return nil
	}
	one, err := l.time(ctx)
	if err != nil {
		return err
	}
	links := linksOf(l.plan, l.Builds)
	l.plan.Link = one * time.Duration(links) / time.Duration(min(max(l.Platform.CPUs, 1), links))
	if l.Left != nil { // now, since the timed links took their part
		l.plan.Left = max(l.Left(), 1)
	}
	switch {
	case l.FreshLinks:
	case slices.ContainsFunc(l.Study.Workloads, func(w assay.Workload) bool { return w.Kind == assay.KindService }):
		settleServices(l.plan, one)
	default:
		settleLinks(l.plan, one)
	}
	return nil
}

// funcAlign is the alignment of functions in fresh layouts. With the linker's own, 32 on
// amd64, a loop may or may not cross a boundary of 64 bytes depending on the layout. That
// changed a tight loop by 20 %; with 64 it changes by 0.2 %.
const funcAlign = 64

// align aligns functions in fresh layouts if every linker can. Otherwise it aligns none,
// and the plan says so. The choice of an earlier run stays.
func (l *linker) align() {
	if l.Earlier != nil {
		l.plan.Align = l.Earlier.Align
		return
	}
	for _, v := range l.plan.Variants {
		for _, a := range l.Builds.Of(v.Name) {
			if !a.CanAlign {
				l.plan.Warnings = append(l.plan.Warnings, assay.Warning{Code: assay.CodeNoAlign,
					Text:  fmt.Sprintf("%s cannot align functions, which go1.25 brought: they lie as the linkers place them", v.Name),
					Facts: []string{"placement adds to the noise of every block"}})
				return
			}
		}
	}
	l.plan.Align = funcAlign
}

// linkable reports whether every variant can have its own layout, or warns.
func (l *linker) linkable() bool {
	for _, v := range l.plan.Variants {
		for _, a := range l.Builds.Of(v.Name) {
			if !a.CanLayout && !a.Given {
				l.plan.Warnings = append(l.plan.Warnings, assay.Warning{Code: assay.CodeNoLayouts,
					Text:  fmt.Sprintf("%s cannot draw layouts, which go1.23 brought: every variant is linked once", v.Name),
					Facts: []string{"the verdict holds for these binaries; placement alone can move a benchmark by several percent"}})
			}
			if !a.CanLayout {
				return false
			}
		}
	}
	return true
}

// linksOf returns the number of links of a block with every variant, one for each binary.
func linksOf(p *assay.Plan, builds *lab.Builds) int {
	binaries := 1
	for _, v := range p.Variants {
		binaries = max(binaries, len(builds.Of(v.Name)))
	}
	return design.Links(p) * binaries
}

const (
	// linkShare is the largest share of its time that a run spends on links. With more,
	// blocks use earlier links again.
	linkShare = 0.2
	// leastLinks is the number of links of a variant at the first verdict: fewer say too
	// little about other layouts.
	leastLinks = 3
)

// reuseLinks has the blocks of a plan use links again if they would take too much of the
// time.
func reuseLinks(p *assay.Plan) {
	f := schedule.Foresee(p)
	s := p.Study
	if float64(f.Link) <= linkShare*float64(f.Block) || s.Steps != nil || s.By != nil || s.Decide.Race || len(s.Factors) > 0 {
		return
	}
	blocks := math.Ceil(float64(f.Link) * (1 - linkShare) / (linkShare * float64(f.Block-f.Link)))
	p.Relink = max(2, int(min(blocks, float64((f.First-1)/(leastLinks-1)))))
	p.Link /= time.Duration(p.Relink)
}

// settleLinks links every variant once if only that leaves time for a verdict.
func settleLinks(p *assay.Plan, one time.Duration) {
	reuseLinks(p)
	f := schedule.Foresee(p)
	need := time.Duration(f.First)
	if f.Time == 0 || need*f.Block <= f.Time || need*(f.Block-f.Link) > f.Time {
		return
	}
	p.Study.Measure.Layouts, p.Link, p.Align, p.Relink = 1, 0, 0, 0
	p.Warnings = append(p.Warnings, assay.Warning{Code: assay.CodeSlowLinks,
		Text: "every variant is linked once: there is no time to relink for every block",
		Facts: []string{fmt.Sprintf("a link takes %v; the %d blocks that a verdict takes would take %v with fresh links", rounded(one), f.First, rounded(need*f.Block)),
			"the verdict holds for these binaries; placement alone can move a program by several percent"},
		Try: shell.With(p.Command, "budget", schedule.Duration(f.Enough(f.First, p.Study.Decide.Budget-f.Time)))})
}

// linkTries is the number of timed links; the fastest counts.
const linkTries = 3

// time returns the time of one link of the base, measured once per artifact.
func (l *linker) time(ctx context.Context) (took time.Duration, err error) {
	base := l.plan.Base()
	a := l.Builds.Of(base.Name)[0]
	memo := l.memoName("link1", base, a)
	if l.Memo.load(a, memo, &took) {
		return took, nil
	}
	for layout := range uint64(linkTries) {
		link, err := l.Machine.Link(ctx, lab.LinkRequest{Artifact: a, Layout: layout + 1, Align: l.plan.Align})
		if err != nil {
			return 0, err
		}
		l.Machine.Drop([]lab.Artifact{link})
		// The first link finds out how to link; load can only make links longer.
		if layout == 0 || link.Took < took {
			took = link.Took
		}
	}
	if took <= slowLink { // the machine may have been the cause of a slow one
		l.Memo.store(a, memo, took)
	}
	return took, nil
}

package lab

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/design"
)

// LinksAhead says whether runs link the next block beside the running one. It saves the
// wall time of links, provided that the linker on another CPU does not add noise to the
// block: BenchmarkLinksAhead shows that on a quiet machine.
const LinksAhead = false

// A nextLinks holds links of the coming block, made while the current one runs.
type nextLinks struct {
	wanted []layoutKey
	made   map[layoutKey]Artifact
	took   time.Duration // of the last link
}

// foresee notes the links of the block after this one, assuming the same variants and
// benchmarks. Links that it does not need after all are dropped.
func (l *layouts) foresee() {
	l.dropNext()
	r := l.request
	if p := r.Plan; !r.LinkAhead || design.Pool(p) > 0 || p.Study.Measure.Layouts == 1 {
		return
	}
	for _, key := range l.binaries(design.Block(r.Plan, r.Next, r.Index+1, 1)) {
		if layout := design.Layout(r.Plan, key.owner, r.Index+1); layout != 0 {
			l.next.wanted = append(l.next.wanted, layoutKey{key, layout})
		}
	}
	slices.SortFunc(l.next.wanted, func(a, b layoutKey) int {
		return cmp.Or(strings.Compare(a.owner, b.owner), cmp.Compare(a.workload, b.workload), strings.Compare(a.pkg, b.pkg))
	})
}

// beside makes links for the coming block while the trials of a batch run, on the CPUs
// that these leave free. The returned function waits until the linker has ended: the next
// batch may use another CPU.
func (l *layouts) beside(ctx context.Context, first assay.Trial, trials int) (wait func()) {
	free := l.free(first)
	if len(l.next.wanted) == 0 || len(free) == 0 {
		return func() {}
	}
	lasts := planned(l.request.Plan, first.Benchmark).Trial * time.Duration(trials)
	done, begun := make(chan struct{}), time.Now()
	go func() {
		defer close(done)
		for len(l.next.wanted) > 0 && ctx.Err() == nil && time.Since(begun)+l.usual()/2 < lasts {
			l.linkNext(ctx, free)
		}
	}()
	return func() { <-done }
}

// free returns the CPUs other than the one that a batch is bound to; none if it may use
// more.
func (l *layouts) free(first assay.Trial) []int {
	m, ok := l.runner.(SideBySide)
	b := planned(l.request.Plan, first.Benchmark)
	if !ok || !l.request.LinkAhead || b.Gear == "" || first.Traced {
		return nil
	}
	usable, err := m.CPUs()
	if err != nil {
		return nil
	}
	busy := design.CPUs(l.request.Plan.Seed, b, first.Block, first.Attempt, usable)
	if len(busy) != 1 {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(usable), func(cpu int) bool { return cpu == busy[0] })
}

// usual returns the typical time of a link.
func (l *layouts) usual() time.Duration {
	return cmp.Or(l.next.took, l.request.Plan.Link/time.Duration(design.Links(l.request.Plan)))
}

// linkNext makes the first pending link. If that fails, the link is made again when its
// block begins, which then reports the error.
func (l *layouts) linkNext(ctx context.Context, cpus []int) {
	one := l.next.wanted[0]
	l.next.wanted = l.next.wanted[1:]
	built, err := find(l.request.Artifacts[one.owner], one.workload, one.pkg)
	if err != nil {
		return
	}
	begun := time.Now()
	a, err := l.runner.Link(ctx, LinkRequest{Artifact: built, Layout: one.layout, Align: l.request.Plan.Align, Aside: cpus})
	if err != nil {
		return
	}
	l.next.made[one] = a
	l.next.took = time.Since(begun)
}

// dropNext drops unused links made ahead.
func (l *layouts) dropNext() {
	l.drop(slices.Collect(maps.Values(l.next.made)))
	l.next.wanted, l.next.made = nil, map[layoutKey]Artifact{}
}

package lab

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/design"
)

// LinksAhead is whether runs link the next block beside the running one. It saves the
// wall time of links, if the linker on another CPU does not add to the noise of the
// block: BenchmarkLinksAhead tells, on a quiet machine.
const LinksAhead = false

// A nextLinks holds the links of the coming block that are made while this one runs.
type nextLinks struct {
	wanted []wantedLink
	made   map[poolKey][]Artifact
	took   time.Duration // what the last one took
}

// A wantedLink is what one owner links for the coming block.
type wantedLink struct {
	owner poolKey
	pkgs  []string
}

// foresee notes the links of the block after this one, if it holds the same variants and
// benchmarks. What it does not need after all is dropped.
func (l *layouts) foresee(next assay.NextBlock, index int) {
	l.dropNext()
	if p := l.job.Plan; !l.job.LinkAhead || design.Pool(p) > 0 || p.Study.Measure.Layouts == 1 {
		return
	}
	for owner, pkgs := range l.packages(design.Block(l.job.Plan, next, index+1, 1)) {
		if owner.layout = design.Layout(l.job.Plan, owner.owner, index+1); owner.layout != 0 {
			l.next.wanted = append(l.next.wanted, wantedLink{owner, pkgs})
		}
	}
	slices.SortFunc(l.next.wanted, func(a, b wantedLink) int {
		return cmp.Or(strings.Compare(a.owner.owner, b.owner.owner), cmp.Compare(a.owner.workload, b.owner.workload))
	})
}

// beside links for the coming block while the trials of a batch run, on the CPUs that
// these leave free. The function that it returns waits until the linker has ended: the
// next batch may have another CPU.
func (l *layouts) beside(ctx context.Context, first assay.Trial, trials int) (wait func()) {
	free := l.free(first)
	if len(l.next.wanted) == 0 || len(free) == 0 {
		return func() {}
	}
	lasts := l.job.planned(first.Benchmark).Trial * time.Duration(trials)
	done, begun := make(chan struct{}), time.Now()
	go func() {
		defer close(done)
		for len(l.next.wanted) > 0 && ctx.Err() == nil && time.Since(begun)+l.usual()/2 < lasts {
			l.linkNext(ctx, free)
		}
	}()
	return func() { <-done }
}

// free are the CPUs beside the one that a batch is bound to; none where it may use more.
func (l *layouts) free(first assay.Trial) []int {
	m, ok := l.job.Machine.(SideBySide)
	b := l.job.planned(first.Benchmark)
	if !ok || !l.job.LinkAhead || b.Gear == "" || first.Traced {
		return nil
	}
	usable, err := m.CPUs()
	if err != nil {
		return nil
	}
	busy := design.CPUs(l.job.Plan.Seed, b, first.Block, first.Attempt, usable)
	if len(busy) != 1 {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(usable), func(cpu int) bool { return cpu == busy[0] })
}

// usual is about what a link takes.
func (l *layouts) usual() time.Duration {
	return cmp.Or(l.next.took, l.job.Plan.Link/time.Duration(design.Links(l.job.Plan)))
}

// linkNext makes the first link that is wanted. One that fails is made again when its
// block begins, and its error is told then.
func (l *layouts) linkNext(ctx context.Context, cpus []int) {
	one := l.next.wanted[0]
	l.next.wanted = l.next.wanted[1:]
	begun := time.Now()
	v, _ := l.job.Plan.Variant(one.owner.owner)
	as, err := l.job.Machine.Build(ctx, BuildRequest{Study: &l.job.Plan.Study, Workload: one.owner.workload, Variant: v,
		Packages: one.pkgs, Layout: one.owner.layout, Align: l.job.Plan.Align, Aside: cpus})
	if err != nil {
		return
	}
	l.next.made[one.owner] = as
	l.next.took = time.Since(begun)
}

// ready are the links of an owner that were made ahead, where they are all that its
// packages need. The block has them then.
func (l *layouts) ready(owner poolKey, pkgs []string) []Artifact {
	l.mu.Lock()
	defer l.mu.Unlock()
	as := l.next.made[owner]
	for _, pkg := range pkgs {
		if _, err := find(as, owner.workload, pkg); err != nil {
			return nil
		}
	}
	delete(l.next.made, owner)
	l.block = append(l.block, as...)
	return as
}

// dropNext drops the links that were made ahead and are not used.
func (l *layouts) dropNext() {
	for _, as := range l.next.made {
		l.job.Machine.Drop(as)
	}
	l.next.wanted, l.next.made = nil, map[poolKey][]Artifact{}
}

package lab

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/design"
)

// A linkKey names a binary of a block by the variant whose link it is
// (design.LinkOf), which others may share.
type linkKey struct {
	owner    string
	workload int
	pkg      string
}

func linkOf(p *assay.Plan, variant string, b assay.PlannedBenchmark) linkKey {
	return linkKey{design.LinkOf(p, variant), b.Workload, b.Package}
}

// A poolKey names the links that one owner has of a workload with one layout.
type poolKey struct {
	owner    string
	workload int
	layout   uint64
}

// layouts makes the links that blocks need, one a build and block, and keeps those
// that later blocks use again.
type layouts struct {
	job *Job

	mu    sync.Mutex
	pool  map[poolKey][]Artifact // where blocks take turns over links (design.Pool)
	block []Artifact             // of the running block alone
	next  nextLinks              // of the block after it
}

// link returns the binaries of a block's trials and the wall time that linking
// them took.
func (l *layouts) link(ctx context.Context, index int, slots []design.Slot) (map[linkKey]Artifact, time.Duration, error) {
	out := map[linkKey]Artifact{}
	var took time.Duration
	made := 0
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(runtime.GOMAXPROCS(0))
	for owner, pkgs := range l.packages(slots) {
		g.Go(func() error {
			as, fresh, err := l.artifacts(ctx, owner, pkgs, design.Layout(l.job.Plan, owner.owner, index))
			if err != nil {
				return err
			}
			l.mu.Lock()
			defer l.mu.Unlock()
			for _, pkg := range pkgs {
				a, err := find(as, owner.workload, pkg)
				if err != nil {
					return fmt.Errorf("link %s: %w", owner.owner, err)
				}
				out[linkKey{owner.owner, owner.workload, pkg}] = a
			}
			for _, a := range as {
				if fresh {
					took, made = took+a.Took, made+1
				}
			}
			return nil
		})
	}
	if err := g.Wait(); err != nil {
		return nil, 0, err
	}
	return out, took / time.Duration(min(runtime.GOMAXPROCS(0), max(made, 1))), nil
}

// packages are those that the trials of a block run, by owner and workload; layout
// is left open in the keys.
func (l *layouts) packages(slots []design.Slot) map[poolKey][]string {
	out := map[poolKey][]string{}
	for _, s := range slots {
		k := linkOf(l.job.Plan, s.Variant, l.job.planned(s.Benchmark))
		owner := poolKey{owner: k.owner, workload: k.workload}
		if !slices.Contains(out[owner], k.pkg) {
			out[owner] = append(out[owner], k.pkg)
		}
	}
	return out
}

// artifacts returns an owner's binaries with a layout, and whether they were
// linked just now.
func (l *layouts) artifacts(ctx context.Context, owner poolKey, pkgs []string, layout uint64) (as []Artifact, fresh bool, err error) {
	if layout == 0 {
		return l.job.Builds.of(owner.owner), false, nil
	}
	owner.layout = layout
	l.mu.Lock()
	pooled := l.pool[owner]
	l.mu.Unlock()
	if pooled != nil {
		return pooled, false, nil
	}
	if as := l.ready(owner, pkgs); as != nil {
		return as, false, nil
	}
	keep := design.Pool(l.job.Plan) > 0
	if keep {
		pkgs = l.allPackages(owner) // a later block may run more of them
	}
	v, _ := l.job.Plan.Variant(owner.owner)
	as, err = l.job.Machine.Build(ctx, BuildRequest{Study: &l.job.Plan.Study, Workload: owner.workload, Variant: v, Packages: pkgs, Layout: layout, Align: l.job.Plan.Align})
	if err != nil {
		return nil, false, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if keep {
		l.pool[owner] = as
	} else {
		l.block = append(l.block, as...)
	}
	return as, true, nil
}

// allPackages are those of a workload that an owner has benchmarks in.
func (l *layouts) allPackages(owner poolKey) (out []string) {
	for _, b := range l.job.Plan.Benchmarks {
		if b.Workload == owner.workload && !slices.Contains(b.Missing, owner.owner) && !slices.Contains(out, b.Package) {
			out = append(out, b.Package)
		}
	}
	return out
}

// release drops the links of a block that is done.
func (l *layouts) release() {
	l.job.Machine.Drop(l.block)
	l.block = nil
}

// dropAll drops the links that blocks took turns over, and those made ahead.
func (l *layouts) dropAll() {
	l.dropNext()
	for _, as := range l.pool {
		l.job.Machine.Drop(as)
	}
}

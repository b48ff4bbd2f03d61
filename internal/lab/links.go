package lab

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/design"
)

// A linkKey names a binary of a block by the variant that owns its link (design.LinkOf),
// which others may share.
type linkKey struct {
	owner    string
	workload int
	pkg      string
}

func linkOf(p *assay.Plan, variant string, b assay.PlannedBenchmark) linkKey {
	return linkKey{design.LinkOf(p, variant), b.Workload, b.Package}
}

// A layoutKey names a link with one layout.
type layoutKey struct {
	linkKey
	layout uint64
}

// layouts makes the links for blocks, one per build and block, and keeps those that later
// blocks use again.
type layouts struct {
	runner  Runner
	request BlockRequest // of the running block

	mu    sync.Mutex
	pool  map[layoutKey]Artifact // if blocks use links again (design.Reuses)
	block []Artifact             // of the running block alone
}

// begin is called before each block.
func (l *layouts) begin(runner Runner, r BlockRequest) {
	if l.request.Plan != r.Plan {
		l.dropAll()
	}
	l.runner, l.request = runner, r
}

// link returns the binaries of a block's trials and the wall time of linking them.
func (l *layouts) link(ctx context.Context, slots []design.Slot) (map[linkKey]Artifact, time.Duration, error) {
	out := map[linkKey]Artifact{}
	var took time.Duration
	made := 0
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(runtime.GOMAXPROCS(0))
	for _, key := range l.binaries(slots) {
		g.Go(func() error {
			a, fresh, err := l.artifact(ctx, key, design.Layout(l.request.Plan, key.owner, l.request.Index))
			if err != nil {
				return fmt.Errorf("link the binary of %s in %q: %w", cmp.Or(key.pkg, "the program"), key.owner, err)
			}
			l.mu.Lock()
			defer l.mu.Unlock()
			out[key] = a
			if fresh {
				took, made = took+a.Took, made+1
			}
			return nil
		})
	}
	if err := g.Wait(); err != nil {
		return nil, 0, err
	}
	return out, took / time.Duration(min(runtime.GOMAXPROCS(0), max(made, 1))), nil
}

// binaries returns those that the trials of a block run.
func (l *layouts) binaries(slots []design.Slot) (keys []linkKey) {
	for _, s := range slots {
		if k := linkOf(l.request.Plan, s.Variant, planned(l.request.Plan, s.Benchmark)); !slices.Contains(keys, k) {
			keys = append(keys, k)
		}
	}
	return keys
}

// artifact returns a binary with a layout, and whether it was linked just now.
func (l *layouts) artifact(ctx context.Context, key linkKey, layout uint64) (a Artifact, fresh bool, err error) {
	built, err := find(l.request.Artifacts[key.owner], key.workload, key.pkg)
	if err != nil || layout == 0 {
		return built, false, err
	}
	l.mu.Lock()
	a, made := l.pool[layoutKey{key, layout}]
	l.mu.Unlock()
	if made {
		return a, false, nil
	}
	a, err = l.runner.Link(ctx, LinkRequest{Artifact: built, Layout: layout, Align: l.request.Plan.Align})
	if err != nil {
		return a, false, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if design.Reuses(l.request.Plan) {
		l.pool[layoutKey{key, layout}] = a
	} else {
		l.block = append(l.block, a)
	}
	return a, true, nil
}

// release drops the links of a finished block.
func (l *layouts) release() {
	l.drop(l.block)
	l.block = nil
}

func (l *layouts) drop(links []Artifact) {
	if len(links) > 0 {
		l.runner.Drop(links)
	}
}

// dropAll drops the links that blocks take turns over.
func (l *layouts) dropAll() {
	l.drop(slices.Collect(maps.Values(l.pool)))
	l.pool = map[layoutKey]Artifact{}
}

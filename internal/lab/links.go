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

	"github.com/seed-1318a441/assay/internal/design"
	"github.com/seed-1318a441/assay/internal/fault"
)

// layouts makes the links for blocks, one per build and block, and keeps those that later
// blocks use again.
type layouts struct {
	runner  Runner
	request BlockRequest // of the running block

	mu    sync.Mutex
	pool  map[design.Link]Artifact // if blocks use links again (design.Reuses)
	block []Artifact               // of the running block alone
}

// begin is called before each block.
func (l *layouts) begin(runner Runner, r BlockRequest) {
	if l.request.Plan != r.Plan {
		l.dropAll()
	}
	l.runner, l.request = runner, r
}

// link returns the binaries of a block's links and the wall time of linking them.
func (l *layouts) link(ctx context.Context, links []design.Link) (map[design.Link]Artifact, time.Duration, error) {
	out := map[design.Link]Artifact{}
	var took time.Duration
	made := 0
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(runtime.GOMAXPROCS(0))
	for _, link := range links {
		g.Go(func() error {
			defer fault.Exit()
			a, fresh, err := l.artifact(ctx, link)
			if err != nil {
				return fmt.Errorf("link the binary of %s in %q: %w", cmp.Or(link.Package, "the program"), link.Owner, err)
			}
			l.mu.Lock()
			defer l.mu.Unlock()
			out[link] = a
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

// artifact returns the binary of a link, and whether it was linked just now.
func (l *layouts) artifact(ctx context.Context, link design.Link) (a Artifact, fresh bool, err error) {
	built, err := find(l.request.Artifacts[link.Owner], link.Workload, link.Package)
	if err != nil || link.Layout == 0 {
		return built, false, err
	}
	l.mu.Lock()
	a, made := l.pool[link]
	l.mu.Unlock()
	if made {
		return a, false, nil
	}
	a, err = l.runner.Link(ctx, LinkRequest{Artifact: built, Layout: link.Layout, Align: l.request.Plan.Align})
	if err != nil {
		return a, false, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if design.Reuses(l.request.Plan) {
		l.pool[link] = a
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
	l.pool = map[design.Link]Artifact{}
}

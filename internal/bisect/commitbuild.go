package bisect

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/seed-1318a441/assay/internal/fault"
	"github.com/seed-1318a441/assay/internal/lab"
	"github.com/seed-1318a441/assay/internal/printable"
)

// commitBuilds are the builds of commits so far.
type commitBuilds struct {
	mu sync.Mutex
	// done has the commits that were built, with the error of those that failed. codes has
	// what the search does not know yet.
	done  map[int]error
	codes []Finding
}

// add keeps a build.
func (c *commitBuilds) add(i int, code string, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.done[i] = err
	if code != "" {
		c.codes = append(c.codes, Finding{Kind: KindCode, Index: i, Code: code})
	}
}

// unknown lists the commits of unknown code in the order in which a search may need them:
// the bad end, the middle, the quarters, and so on.
func (b *Bisection) unknown() []int {
	out := []int{BeforeFirst, b.n - 1}
	for spans := [][2]int{{BeforeFirst, b.n - 1}}; len(spans) > 0; spans = spans[1:] {
		lo, hi := spans[0][0], spans[0][1]
		if mid := lo + (hi-lo)/2; mid > lo {
			out = append(out, mid)
			spans = append(spans, [2]int{lo, mid}, [2]int{mid, hi})
		}
	}
	return slices.DeleteFunc(out, func(i int) bool { return b.codes[i] != "" })
}

// buildAhead builds the next commit and those that may come after it, since nothing is built
// while trials run. Before the first measurement it builds all commits whose code is
// unknown, as far as a quarter of the budget reaches: those with the same code need one
// measurement together.
func (b *bisector) buildAhead(ctx context.Context, ask Ask) error {
	start, first := time.Now(), b.builds.done == nil
	needed, others := []int{ask.Index}, b.search.Ahead()
	if first {
		b.builds.done = map[int]error{}
		needed, others = append(needed, ask.Good), b.search.unknown()
	}
	built := b.ses.Config.Progress.Building(b.budget.limit)
	b.build(ctx, needed, func() bool { return true })
	b.build(ctx, others, func() bool { return time.Since(start) < b.budget.limit/4 })
	built()
	if err := ctx.Err(); err != nil {
		return err
	}
	for _, f := range b.builds.codes {
		if f.Commit = b.history.At(f.Index).Hash; b.search.codes[f.Index] == f.Code {
			continue
		}
		if err := b.add(f); err != nil {
			return err
		}
	}
	b.builds.codes = nil
	if first {
		b.reportBuilds()
	}
	return nil
}

// build builds commits side by side, for as long as there is time.
func (b *bisector) build(ctx context.Context, commits []int, inTime func() bool) {
	var g errgroup.Group
	g.SetLimit(runtime.GOMAXPROCS(0))
	for n, i := range commits {
		b.builds.mu.Lock()
		_, known := b.builds.done[i]
		b.builds.mu.Unlock()
		if known || !inTime() || ctx.Err() != nil {
			continue
		}
		b.ses.Config.Progress.Stage("build", fmt.Sprintf("building %s %s, %d of %d", b.history.Noun(), b.history.Short(i), n+1, len(commits)))
		g.Go(func() error {
			defer fault.Exit()
			code, err := b.buildCommit(ctx, i)
			if ctx.Err() == nil {
				b.builds.add(i, code, err)
			}
			return nil
		})
	}
	g.Wait()
}

// buildCommit builds one commit and returns its code, "" if commits are to be measured
// whatever their code.
func (b *bisector) buildCommit(ctx context.Context, i int) (code string, err error) {
	rev := b.history.At(i).Hash
	s := Ask{Kind: AskEnds}.Study(b.ses.Config.Study, b.history.Short(i), rev, rev, "")
	s.Variants, s.Base = s.Variants[1:], b.history.Short(i)
	builds, err := lab.Build(ctx, b.ses.Workshop, s, b.ses.Config.Progress.Event)
	if err != nil || s.Measure.Force {
		return "", err
	}
	info := builds.Infos()[0]
	if info.Code == "" {
		return "", nil
	}
	return info.Code + info.Reads, nil // what it reads makes it fast or slow, too
}

// reportBuilds says how many commits changed the code.
func (b *bisector) reportBuilds() {
	n, changing := len(b.history.Commits), b.search.changing()
	if changing == n {
		return
	}
	text := fmt.Sprintf("assay: at most %d of %s changed the code", changing, printable.Count(n, b.history.Noun()))
	b.ses.Config.Progress.Done()
	b.ses.Config.Progress.Say(text)
}

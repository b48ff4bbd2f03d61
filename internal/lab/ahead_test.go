package lab_test

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/design"
	"github.com/seed-1318a441/assay/internal/lab"
	"github.com/seed-1318a441/assay/internal/lab/labtest"
	"github.com/seed-1318a441/assay/internal/record"
)

// A linkLog is a machine that notes its links with a layout, and which were dropped.
type linkLog struct {
	*labtest.Machine
	fail bool // where they are made aside

	bench lab.Bench
	mu    sync.Mutex
	aside map[uint64][]int // CPUs by layout
	held  map[string]bool
}

func (m *linkLog) Link(ctx context.Context, r lab.LinkRequest) (lab.Artifact, error) {
	a, err := m.Machine.Link(ctx, r)
	m.mu.Lock()
	defer m.mu.Unlock()
	if r.Aside != nil {
		m.aside[r.Layout] = r.Aside
		if m.fail {
			return a, fmt.Errorf("no linker")
		}
	}
	if r.Align != 0 {
		m.held[a.ID] = true
	}
	return a, err
}

func (m *linkLog) Block(ctx context.Context, r lab.BlockRequest, keep lab.Keeper) error {
	m.bench.Runner = m
	return m.bench.Block(ctx, r, keep)
}

func (m *linkLog) Drop(as []lab.Artifact) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, a := range as {
		delete(m.held, a.ID)
	}
}

// Links of the next block are made beside the running one, on CPUs that it leaves free;
// the trials are those of a run without, and no link is kept. Where one fails it is made
// when its block begins.
func TestLinksAhead(t *testing.T) {
	const blocks = 4
	run := func(ahead, fail bool) (*linkLog, *assay.Plan, []assay.Trial) {
		s := labtest.Study("old", "new")
		simulated := sim(labtest.Benchmark{Name: "X", Time: time.Microsecond})
		simulated.Cores = []int{0, 3}
		p, builds := prepare(t, simulated, s)
		m := &linkLog{Machine: simulated, fail: fail, aside: map[uint64][]int{}, held: map[string]bool{}}
		rec, err := record.Create(t.TempDir(), p, assay.Platform{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		defer rec.Close()
		rule := &fixed{blocks: blocks, turns: []assay.Turn{{Benchmark: p.Benchmarks[0].Benchmark, Inner: 1}}}
		if _, err := (&lab.Job{Plan: p, Machine: m, Builds: builds, Record: rec, Rule: rule, Events: silent, LinkAhead: ahead}).Run(t.Context()); err != nil {
			t.Fatal(err)
		}
		m.bench.Close()
		return m, p, rec.Run().Trials
	}
	bare := func(ts []assay.Trial) []assay.Trial {
		ts = slices.Clone(ts)
		for i := range ts {
			ts[i].Start, ts[i].Link, ts[i].Duration = time.Time{}, 0, 0
		}
		return ts
	}
	_, _, want := run(false, false)
	for _, fail := range []bool{false, true} {
		m, p, got := run(true, fail)
		if !reflect.DeepEqual(bare(got), bare(want)) {
			t.Errorf("failing %t: other trials than without", fail)
		}
		if len(m.held) > 0 {
			t.Errorf("failing %t: %v are not dropped", fail, m.held)
		}
		for block := 2; block <= blocks; block++ {
			i := slices.IndexFunc(got, func(tr assay.Trial) bool { return tr.Block == block-1 })
			for _, v := range p.Variants {
				cpus := m.aside[design.Layout(p, v.Name, block)]
				if len(cpus) != 1 || slices.Contains(got[i].CPUs, cpus[0]) {
					t.Errorf("failing %t: block %d of %s was linked on %v, while %v ran block %d", fail, block, v.Name, cpus, got[i].CPUs, block-1)
				}
			}
		}
	}
}

// A batch that uses all CPUs leaves none to link on.
func TestNoLinksAhead(t *testing.T) {
	simulated := sim(labtest.Benchmark{Name: "X", Time: time.Microsecond})
	simulated.Cores = []int{0}
	p, builds := prepare(t, simulated, labtest.Study("old", "new"))
	m := &linkLog{Machine: simulated, aside: map[uint64][]int{}, held: map[string]bool{}}
	rec, err := record.Create(t.TempDir(), p, assay.Platform{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer rec.Close()
	rule := &fixed{blocks: 3, turns: []assay.Turn{{Benchmark: p.Benchmarks[0].Benchmark, Inner: 1}}}
	if _, err := (&lab.Job{Plan: p, Machine: m, Builds: builds, Record: rec, Rule: rule, Events: silent, LinkAhead: true}).Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if len(m.aside) > 0 {
		t.Errorf("linked %v beside blocks on the only CPU", m.aside)
	}
}

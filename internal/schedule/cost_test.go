package schedule

import (
	"testing"
	"time"

	"github.com/seed-1318a441/assay"
)

// measured is a block of so many rounds of the plan's only benchmark.
func measured(p *assay.Plan, rounds int, one assay.Trial) (block []assay.Trial) {
	for round := 1; round <= rounds; round++ {
		for _, v := range p.Variants {
			one.Variant, one.Round = v.Name, round
			block = append(block, one)
		}
	}
	return block
}

// Trials that trace the collector cost extra, each variant once a block; those of a
// service are its ordinary ones. Once blocks are measured they say what it costs.
func TestCostsOfTracing(t *testing.T) {
	turns := []assay.Turn{{Inner: 2}}
	p := plan("new")
	p.Study.Measure.Collect = []string{assay.CollectGC}
	c := NewCosts(p)
	if got, want := c.Block(turns, 3), 9*time.Second; got != want {
		t.Errorf("a planned block of 3 variants with 2 rounds and a trace of 1 s takes %v, want %v", got, want)
	}
	traced := measured(p, 1, assay.Trial{Duration: 5 * time.Second, Traced: true})
	for i := range traced {
		traced[i].Round = 3
	}
	c.Add(append(measured(p, 2, assay.Trial{Duration: 2 * time.Second}), traced...))
	if got, want := c.Block(turns, 3), 27*time.Second; got != want {
		t.Errorf("a measured block of 3 variants with 2 rounds of 2 s and a trace of 5 s takes %v, want %v", got, want)
	}
	if got, want := c.Trial(assay.Benchmark{}), 2*time.Second; got != want {
		t.Errorf("a trial takes %v, want %v: traces do not count", got, want)
	}

	c = NewCosts(p)
	c.Add(measured(p, 2, assay.Trial{Duration: 2 * time.Second}))
	if got, want := c.Block(turns, 3), 12*time.Second; got != want {
		t.Errorf("a block of a run that traced nothing takes %v, want %v", got, want)
	}
	p.Study.Workloads = []assay.Workload{{Kind: assay.KindService}}
	if got, want := NewCosts(p).Block(turns, 3), 6*time.Second; got != want {
		t.Errorf("a block of a service takes %v, want %v", got, want)
	}
}

// Links cost what they cost in the mean over blocks: with Relink also over the blocks that
// had none, otherwise those say nothing.
func TestCostsOfLinks(t *testing.T) {
	for relink, want := range map[int]time.Duration{0: 600 * time.Millisecond, 2: 300 * time.Millisecond} {
		p := plan("new")
		p.Relink, p.Link = relink, time.Hour
		c := NewCosts(p)
		c.Add(measured(p, 1, assay.Trial{Link: 200 * time.Millisecond}))
		c.Add(measured(p, 1, assay.Trial{}))
		if got := c.Links(3); got != want {
			t.Errorf("relink %d: links of a block take %v, want %v", relink, got, want)
		}
	}
}

// A benchmark that is not in the plan costs nothing, also if trials of it come.
func TestCostsOfOthers(t *testing.T) {
	p := plan("new")
	p.Study.Measure.Collect = []string{assay.CollectGC}
	other := assay.Benchmark{Name: "Other"}
	c := NewCosts(p)
	c.Add(measured(p, 1, assay.Trial{Benchmark: other, Duration: time.Second}))
	if got := c.Block([]assay.Turn{{Benchmark: other, Inner: 2}}, 3); got != 0 {
		t.Errorf("a block of another benchmark takes %v, want 0", got)
	}
	if got, want := c.Spent(), 3*time.Second; got != want {
		t.Errorf("%v spent, want %v", got, want)
	}
}

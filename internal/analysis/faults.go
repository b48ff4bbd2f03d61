package analysis

import "github.com/seed-1318a441/assay"

// mostFaults is the share of a service's blocks that may be spoiled by a trial
// that failed: more, and the benchmark is excluded.
const (
	mostFaults  = 0.1
	leastFaults = 2
)

// A faults follows the trials that failed. A Go benchmark or a command is
// excluded by its first: it is the same work every time, and what fails once is
// broken. A server's start depends on ports, disks and other processes, and
// costs minutes: one that fails spoils its block for its benchmark, in which
// nothing is left to compare, and the benchmark goes on. Too many spoiled blocks,
// or nothing but them at first, exclude it as well.
type faults struct {
	service map[assay.Benchmark]bool
	of      map[assay.Benchmark]*faulty
}

// A faulty is how one benchmark fared.
type faulty struct {
	blocks  int // in which it ran, the pilot's counted
	spoiled int // of these
	last    bool
	out     bool // excluded
	// starts and failed count trials by variant.
	starts, failed map[string]int
}

func newFaults(p *assay.Plan) *faults {
	f := &faults{service: map[assay.Benchmark]bool{}, of: map[assay.Benchmark]*faulty{}}
	for _, b := range p.Benchmarks {
		ws := p.Study.Workloads
		f.service[b.Benchmark] = b.Workload < len(ws) && ws[b.Workload].Kind == assay.KindService
		f.of[b.Benchmark] = &faulty{starts: map[string]int{}, failed: map[string]int{}}
	}
	return f
}

// add takes the next complete block.
func (f *faults) add(block []assay.Trial) {
	seen := map[*faulty]bool{}
	for _, tr := range block {
		b := f.of[tr.Benchmark]
		if b == nil || tr.Status == assay.StatusSkipped {
			continue
		}
		if !seen[b] {
			seen[b] = true
			b.blocks++
			b.last = false
		}
		b.starts[tr.Variant]++
		if tr.Status != assay.StatusOK {
			b.failed[tr.Variant]++
			b.last = true
		}
	}
	for b := range seen {
		if b.last {
			b.spoiled++
		}
	}
	for name, b := range f.of {
		b.out = b.out || b.tooMany(f.service[name])
	}
}

// tooMany is the rule.
func (b *faulty) tooMany(service bool) bool {
	switch {
	case b.spoiled == 0:
		return false
	case !service:
		return true
	}
	return b.spoiled >= leastFaults && float64(b.spoiled) > mostFaults*float64(b.blocks)
}

// spoiled reports whether the last block has nothing to compare.
func (f *faults) spoiled(b assay.Benchmark) bool { x := f.of[b]; return x != nil && x.last }

// excluded reports whether a benchmark is out.
func (f *faults) excluded(b assay.Benchmark) bool { x := f.of[b]; return x != nil && x.out }

package sample

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/design"
	"github.com/seed-1318a441/assay/internal/printable"
)

const (
	// mostFaults is the share of a service's blocks that failed trials may spoil. With
	// more, and at least leastFaults, it is excluded.
	mostFaults  = 0.1
	leastFaults = 2

	// mostRuntimeFaults is the share of the blocks of a Go benchmark or a command that
	// faults of the Go runtime may spoil. With more, and at least leastRuntimeFaults, the
	// program may be at fault: cgo, unsafe or a data race can corrupt what the runtime
	// keeps. What strikes a third of the blocks is no bug seen once in millions of runs.
	mostRuntimeFaults  = 1.0 / 3
	leastRuntimeFaults = 3
)

// Faults are the trials that failed.
//
// The first failure excludes a Go benchmark or a command: it does the same work every
// time, so it is broken. The start of a server depends on ports, disks and other
// processes, and a trial costs minutes. So a failed one only spoils its block for its
// benchmark. A service that fails too often is excluded too: the failures would choose
// the rest.
//
// A fault of the Go runtime itself says nothing about a Go benchmark or a command, so it
// only spoils the block, too.
type Faults struct{ of map[assay.Benchmark]*faulty }

// A faulty counts the failures of one benchmark.
type faulty struct {
	service  bool
	blocks   int // in which it ran, the pilot's counted
	spoiled  []int
	now, out bool           // the last block is spoiled; the benchmark is excluded
	broken   bool           // a failure excludes it whatever the others are
	starts   map[string]int // trials by variant
	failed   map[string]int
	first    assay.Trial // that failed
}

// NewFaults follows the trials of a plan.
func NewFaults(p *assay.Plan) *Faults {
	f := &Faults{of: map[assay.Benchmark]*faulty{}}
	for _, b := range p.Benchmarks {
		f.of[b.Benchmark] = &faulty{service: design.Serves(p, b), starts: map[string]int{}, failed: map[string]int{}}
	}
	return f
}

// Add adds the next complete block.
func (f *Faults) Add(block []assay.Trial) {
	ran := map[*faulty]bool{}
	for _, tr := range block {
		b := f.of[tr.Benchmark]
		if b == nil || tr.Status == assay.StatusSkipped {
			continue
		}
		if !ran[b] {
			ran[b], b.now = true, false
			b.blocks++
		}
		b.note(tr)
	}
	for _, b := range f.of {
		b.out = b.out || b.tooMany()
	}
}

func (b *faulty) note(tr assay.Trial) {
	b.starts[tr.Variant]++
	if tr.Status == assay.StatusOK {
		return
	}
	if !b.service && tr.RuntimeFault == "" {
		b.now, b.broken = true, true
		return
	}
	b.failed[tr.Variant]++
	if b.first.ID == 0 {
		b.first = tr
	}
	if !b.now {
		b.now, b.spoiled = true, append(b.spoiled, tr.Block)
	}
}

// tooMany reports whether so many trials failed that the benchmark is excluded.
func (b *faulty) tooMany() bool {
	most, least := mostRuntimeFaults, leastRuntimeFaults
	if b.service {
		most, least = mostFaults, leastFaults
	}
	n := len(b.spoiled)
	return b.broken || n >= least && float64(n) > most*float64(b.blocks)
}

// Spoiled reports whether the last block has nothing to compare.
func (f *Faults) Spoiled(b assay.Benchmark) bool { x := f.of[b]; return x != nil && x.now }

// Excluded reports whether a benchmark is excluded.
func (f *Faults) Excluded(b assay.Benchmark) bool { x := f.of[b]; return x != nil && x.out }

// why returns the reason for excluding a benchmark with too many failures.
func (b *faulty) why() string {
	out := fmt.Sprintf("%d of %s failed", len(b.spoiled), printable.Count(b.blocks, "block"))
	if b.first.Reason != "" {
		out += ": " + b.first.Reason
	}
	return out
}

// warning describes the failures of a service, excluded or not.
func (b *faulty) warning(run string) assay.Warning {
	w := assay.Warning{Code: assay.CodeStartFailed, Text: b.first.Benchmark.Name + ": " + b.counts()}
	if b.out {
		w.Code = assay.CodeBenchFailed
	}
	w.Facts = []string{b.firstFailure(), "its output: " + logOf(run, b.first.ID)}
	if b.out {
		w.Facts = append(w.Facts, fmt.Sprintf("excluded from the comparison for every variant: more than 1 in 10 blocks (%d of %d)", len(b.spoiled), b.blocks))
	} else {
		w.Facts = append(w.Facts, b.leftOut())
	}
	return w
}

// firstFailure is `block 3, "greentea": failed: never ready within 30s`.
func (b *faulty) firstFailure() string {
	text := fmt.Sprintf("block %d, %q: %s", b.first.Block, b.first.Variant, failedWord(b.first.Status))
	if b.first.Reason != "" {
		text += ": " + b.first.Reason
	}
	return text
}

// leftOut says which blocks do not count.
func (b *faulty) leftOut() string {
	return fmt.Sprintf("assay leaves %s out of every comparison; the others count", blocksNamed(b.spoiled))
}

// counts is `2 of 12 starts of "greentea" failed, 0 of 12 of "classic"`, the most
// failures first.
func (b *faulty) counts() string {
	names := slices.Sorted(maps.Keys(b.starts))
	slices.SortStableFunc(names, func(x, y string) int { return b.failed[y] - b.failed[x] })
	var parts []string
	for i, v := range names {
		word := "of"
		if i == 0 {
			word = "starts of"
		}
		part := fmt.Sprintf("%d of %d %s %q", b.failed[v], b.starts[v], word, v)
		if i == 0 {
			part += " failed"
		}
		parts = append(parts, part)
	}
	return strings.Join(parts, ", ")
}

// blocksNamed is "block 3" or "blocks 3 and 7".
func blocksNamed(blocks []int) string {
	if len(blocks) == 1 {
		return fmt.Sprintf("block %d", blocks[0])
	}
	var names []string
	for _, b := range blocks[:len(blocks)-1] {
		names = append(names, fmt.Sprint(b))
	}
	return fmt.Sprintf("blocks %s and %d", strings.Join(names, ", "), blocks[len(blocks)-1])
}

// LostBlocks returns the warnings of all benchmarks that lost blocks, by failed starts or
// faults of the Go runtime.
func (set *Set) LostBlocks() (out []assay.Warning) {
	for _, b := range set.Benchmarks {
		switch f := set.faults.of[b.Plan.Benchmark]; {
		case len(f.spoiled) == 0:
		case f.service:
			out = append(out, f.warning(set.Plan.Run))
		default:
			out = append(out, b.runtimeWarning(f))
		}
	}
	return out
}

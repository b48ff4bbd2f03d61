package design

import "github.com/seed-1318a441/assay"

// Turns is the draw of the order of Arms variants in each round of slices or turns of a
// block, in a gear that keeps them alive side by side. It is a value, so that a machine
// elsewhere draws the same.
type Turns struct {
	Seed           uint64
	Benchmark      assay.Benchmark
	Arms           int
	Block, Attempt int
}

// Order returns the order in each round, from 0; call it for one round after the other.
func (t Turns) Order() func(round int) []int {
	rnd := Rand(t.Seed, "turns", t.Benchmark.String(), t.Block, t.Attempt)
	return func(int) []int { return rnd.Perm(t.Arms) }
}

// CPUs returns the processors that the variants of a block share, out of the usable ones:
// all, or one drawn for the block. It is nil if none are known.
func CPUs(seed uint64, b assay.PlannedBenchmark, block, attempt int, usable []int) []int {
	if len(usable) == 0 || !b.OneCPU {
		return nil
	}
	return []int{usable[Rand(seed, "cpu", b.Benchmark.String(), block, attempt).IntN(len(usable))]}
}

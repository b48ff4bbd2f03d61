package design

import "github.com/seed-1318a441/assay"

// Turns draws the order of n variants in each round (from 0) of slices or turns of a
// block, in a gear that keeps them alive side by side.
func Turns(seed uint64, b assay.Benchmark, n, block, attempt int) func(round int) []int {
	rnd := Rand(seed, "turns", b.String(), block, attempt)
	return func(int) []int { return rnd.Perm(n) }
}

// CPUs returns the processors that the variants of a block share, out of the usable ones:
// all, or one drawn for the block. It is nil if none are known.
func CPUs(seed uint64, b assay.PlannedBenchmark, block, attempt int, usable []int) []int {
	if len(usable) == 0 || !b.OneCPU {
		return nil
	}
	return []int{usable[Rand(seed, "cpu", b.Benchmark.String(), block, attempt).IntN(len(usable))]}
}

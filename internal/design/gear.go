package design

import "github.com/seed-1318a441/assay"

// Turns draws the order of n variants in each round of slices or turns of a block,
// counted from 0, in a gear that keeps them alive side by side.
func Turns(seed uint64, b assay.Benchmark, n, block, attempt int) func(round int) []int {
	rnd := Rand(seed, "turns", b.String(), block, attempt)
	return func(int) []int { return rnd.Perm(n) }
}

// CPUs are the processors that the variants of a block share, of those that can be
// used: all, or one drawn for the block. nil where nothing is known of them.
func CPUs(seed uint64, b assay.PlannedBenchmark, block, attempt int, usable []int) []int {
	if len(usable) == 0 || !b.OneCPU {
		return nil
	}
	return []int{usable[Rand(seed, "cpu", b.Benchmark.String(), block, attempt).IntN(len(usable))]}
}

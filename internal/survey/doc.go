// Package survey finds out what can be measured, and makes the plan: which benchmarks the
// variants have, how many iterations a trial takes, in which gear a benchmark runs
// (slices or processes), whether there is time for fresh links, and the effect of
// placement alone. All of that takes runs on the machine, before the first block.
//
// No verdict depends on its measurements. It builds nothing: package lab has the
// artifacts and runs the plan. Package design decides how many variants a block holds and
// in which order; package schedule computes what a budget buys.
package survey

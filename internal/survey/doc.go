// Package survey finds out what can be measured, and makes the plan of it: which benchmarks
// the variants have, how many iterations a trial takes, in which gear a benchmark runs
// (slices, turns or processes), whether there is time for fresh links, and what placement
// alone does. All of it takes runs on the machine, before the first block.
//
// It measures nothing that a verdict rests on, and builds nothing: package lab has the
// artifacts and runs the plan. How many variants a block holds and in which order is
// package design's, what a budget buys package schedule's business.
package survey

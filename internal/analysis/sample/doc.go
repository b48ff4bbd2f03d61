// Package sample turns the trials of a run into samples: each variant against the base,
// by benchmark and metric, one value a block.
//
// A Set takes complete blocks in order, or all at once from files. From its samples it
// makes those of the whole suite (suite.go), of steps against the previous one (chain.go)
// and of switches (effect.go, contrast.go). It excludes what cannot be compared:
// benchmarks that failed, outputs that differ, and loads that a server did not keep up
// with.
//
// It gives no verdict; package analysis does. It is pure: no clock, no randomness, no
// I/O.
package sample

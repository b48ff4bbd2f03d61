// Package sample reads the trials of a run into samples: what each variant is to the
// base, by benchmark and metric, one value a block.
//
// A Set takes complete blocks in order, or all at once from files. From its samples
// it makes those of the whole suite (geomean.go), of steps against the previous one
// (chain.go) and of switches (effect.go, contrast.go). It leaves out what cannot be
// compared: benchmarks that failed, outputs that differ, loads that a server did not
// keep up with.
//
// It gives no verdict; package analysis does. It is pure: no clock, no randomness, no
// I/O.
package sample

// Package analysis judges samples: comparisons, verdicts and the answer. It decides
// after every block what still has to run.
//
// A Tracker takes complete blocks in order. Next is the stop rule "decided or
// budget"; Result is the record that every output prints. FromSamples does what
// can be done with results that were read from files, Pair compares any two
// variants of a run, and Merge sets one study's results on several machines side
// by side. The samples themselves are package sample's. The race of variants is
// package search's; what it asks is in race.go.
//
// The package is pure: no clock, no randomness, no I/O. The same plan and
// trials give the same bytes, so a resumed run ends as an uninterrupted one
// does. The arithmetic is in package stats; docs/methodology.md says why it is
// what it is.
package analysis

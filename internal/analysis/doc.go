// Package analysis judges samples: comparisons, verdicts and the answer. After every
// block it decides what still has to run.
//
// A Tracker takes complete blocks in order. Next is the stop rule "decided or budget";
// Result is the record behind every output. FromSamples analyses results from files, Pair
// compares any two variants of a run, and Merge puts the results of one study on several
// machines side by side. Package sample makes the samples. Package search has the race of
// variants; what it needs of a Tracker is in race.go.
//
// The package is pure: no clock, no randomness, no I/O. The same plan and trials give the
// same bytes, so a resumed run ends like an uninterrupted one. The arithmetic is in
// package stats; docs/methodology.md gives the reasons.
package analysis

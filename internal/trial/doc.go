// Package trial measures one thing once and says what came of it: how it ended,
// what it cost, what it printed, and for Go benchmarks what it measured. GoTest is
// for a test binary, Slices for several that take turns, Program for a whole command
// with what comes before and after it, Service for a server under load.
//
// It does not choose what runs or when (lab does), does not build (build does)
// and keeps no state between trials. Package child runs the processes. Package
// collect reads what they print while they run, so its amount does not matter.
package trial

// Package trial runs one process once and says what came of it: how it ended,
// what it cost, what it printed, and for Go benchmarks what it measured. Run is
// for any process, Start for one that runs while something else happens, GoTest
// for a test binary, Program for a whole command with what comes before and
// after it, Service for a server under load.
//
// It does not choose what runs or when (lab does), does not build (build does)
// and keeps no state between trials. What a process printed is read by package
// collect while it runs, so its amount does not matter.
//
// On Linux, processes are started by a starter: this same program, run anew
// with nothing but the few lines of starter_linux.go. Linux counts the memory
// of the process that forks into the peak memory of the child, so an assay of
// 300 MB would make every benchmark a 300 MB one; and the starter ends what
// runs when assay itself is killed. It also adopts the orphans of a trial, so
// that a daemon ends with the trial that it came from, binds a process to
// processors, and opens the processor's counters for it where the kernel has
// them. A starter runs one trial at a time and is used again. Other systems start
// processes themselves and do nothing of the kind; their code can be tested on
// Linux with -tags portable.
package trial

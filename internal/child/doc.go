// Package child runs one process once and says how it ended and what it cost: Run
// waits for it, Start returns while it runs, StartStepped has it go on from one write
// to the next, and a Turnstile has several take turns. StartSampling looks at what a
// process and its descendants use while they run.
//
// It does not read what the process prints, knows no benchmarks and judges nothing:
// package trial does. Helpers of assay, whose cost nobody asks for, are package
// process's.
//
// On Linux, processes are started by a starter: this same program, run anew
// with nothing but the few lines of starter_linux.go. Linux counts the memory
// of the process that forks into the peak memory of the child, so an assay of
// 300 MB would make every benchmark a 300 MB one; and the starter ends what
// runs when assay itself is killed. It also adopts the orphans of a process, so
// that a daemon ends with the process that it came from, binds a process to
// processors, and opens the processor's counters for it where the kernel has
// them. A starter runs one process at a time and is used again. Other systems start
// processes themselves and do nothing of the kind; their code can be tested on
// Linux with -tags portable.
package child

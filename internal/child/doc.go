// Package child runs one process once and reports how it ended and what it cost. Run
// waits for it, Start returns while it runs, StartStepped runs it from one write to the
// next. StartSampling records the resources of a process and its descendants while they run.
//
// It does not parse the process's output, knows no benchmarks and judges nothing: package
// trial does. Package process runs assay's helpers, whose cost does not matter.
//
// On Linux, processes are started by a starter: this same program, run anew with nothing
// but the few lines of starter_linux.go. Linux counts the memory of the process that
// forks into the peak memory of the child, so an assay of 300 MB would make every
// benchmark a 300 MB one. The starter also ends its process when assay itself is killed.
// It adopts the orphans of a process, so that a daemon ends with the process that started
// it, binds a process to processors, and opens the processor's counters for it if the
// kernel has them. A starter runs one process at a time and is reused. On other systems
// assay starts processes itself and does none of this; that code can be tested on Linux
// with -tags portable.
package child

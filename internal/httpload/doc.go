// Package httpload is the built-in load generator: requests to one URL at a fixed rate,
// whether earlier ones have been answered or not. They arrive as a Poisson process, or evenly:
// evenly spaced requests never queue in a server that takes less time for one than lies
// between them, and those of many users do. Package lab runs it as a process of its
// own, "assay load", with the arguments that Args returns.
//
// Latency counts from the moment when a request was due, not from when it went out. So a
// server that stalls for a second is late for all requests of that second, not only for
// the one that found it stalling (coordinated omission; Tene, "How NOT to Measure
// Latency", 2013).
//
// It does not search for the highest rate that a server can bear, and all its requests
// are the same. For more, use another generator: package collect/load reads their output.
package httpload

// Package httpload is the load generator that is built in: requests to one URL
// at a fixed rate, whether earlier ones have been answered or not. Package lab
// runs it as a process of its own, "assay load"; Args says how.
//
// Latency counts from the moment at which a request was due, not from the one
// at which it went out. A server that stalls for a second is thus late for all
// requests of that second, and not for the one that found it stalling
// (coordinated omission; Tene, "How NOT to Measure Latency", 2013).
//
// It does not look for the rate that a server can bear, and its requests are
// all the same: for more than that there are generators of others, whose output
// package collect/load reads.
package httpload

// Package collect parses what trials leave behind: the text of Go benchmarks,
// the garbage collector's trace and the last words of a crash.
//
// Programs print what they like between the lines that matter, so nothing here
// fails on bad text and nothing grows with it: a parser skips what it does not
// know and remembers a bounded part of a line. The parsers are writers too, so
// that package trial reads a process's output as it comes and need not keep it.
//
// It runs nothing (trial does) and judges nothing (analysis does). Files that
// others wrote in the Go benchmark format are read by golang.org/x/perf's
// benchfmt instead, which keeps their configuration lines; here those are noise.
package collect

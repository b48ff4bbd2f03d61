// Package collect parses what trials leave behind: the output of Go benchmarks, the
// garbage collector's trace and the last lines of a crash.
//
// Programs print anything between the lines that matter, so no parser here fails on bad
// text or grows with it: it skips what it does not know and remembers a bounded part of a
// line. The parsers are writers, so that package trial can parse a process's output as it
// arrives, without keeping it.
//
// It runs nothing (trial does) and judges nothing (analysis does). Files in the Go
// benchmark format by others are read with golang.org/x/perf's benchfmt, which keeps
// their configuration lines; here those are noise.
package collect

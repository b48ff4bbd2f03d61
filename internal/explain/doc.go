// Package explain says why a benchmark differs: it ranks the causes that the packages
// below it have found, and puts them into words. explain/code compares two binaries,
// explain/cputime CPU profiles, explain/alloc memory profiles, explain/gc the collector's
// work; explain/hygiene doubts the benchmark itself.
//
// They are pure: they run nothing, open no file and measure nothing. Binaries come opened
// (internal/binary), profiles parsed, decisions read (internal/build). internal/lab runs
// the trials, internal/report prints the result, and internal/analysis decides whether
// there is a difference and how large it is.
//
// All names come from binaries, profiles and compilers. These packages make them
// printable before they reach a result.
package explain

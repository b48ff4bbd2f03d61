// Package explain says why a benchmark differs: it compares the code of two
// binaries, the decisions of their compilers, their CPU and memory profiles and
// the work of their collectors, and ranks the causes that these show.
//
// It is pure. It runs nothing, opens no file and measures nothing: binaries come
// opened (internal/binary), profiles parsed, decisions read (internal/build); the
// trials behind them are run by internal/lab at the request of cmd/assay, and
// internal/report prints what comes out. It gives no verdicts: whether there is a
// difference, and how large it is, internal/analysis has said before.
//
// All names come from binaries, profiles and compilers, and are made printable
// here before they reach a result.
package explain

// Package runs finds and lists stored runs, verifies them, and reads their results.
//
// A result is what the trials of a record mean by the rules of this version of assay.
// Verdicts and Conclude compute it, both for a run that was just measured and for a
// stored one. A stored result that differs is an error ([Found.Result]). Untrusted
// results are read within limits ([ReadForeign]).
//
// The package starts no program, measures nothing (package session does) and prints
// nothing. Package record knows the files of a record.
package runs

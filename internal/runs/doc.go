// Package runs finds the runs that are kept, and reads their results.
//
// A result is what the trials of a record mean by the rules of this assay: Verdicts and
// Conclude make it, of a run that has just been measured and of one that is read. A stored
// result that differs is not believed ([Found.Result]). What a stranger made is read
// within bounds ([ReadForeign]).
//
// The package starts no program and measures nothing (package session does), and it
// prints nothing. What a record looks like on disk is the business of package record.
package runs

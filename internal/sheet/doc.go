// Package sheet makes the digits and words of a report: it turns an [assay.Result] into
// sections of rows, cells with a text and a tone, notes and sentences. It is the only
// maker of them; package report writes them as text, Markdown, CSV and HTML, and
// package live on a terminal.
//
// It prints the record. It never recomputes a verdict or a sentence of the record, which
// package analysis makes; it knows no width, no colour and no file. The arithmetic
// here chooses units, digits and rows.
package sheet

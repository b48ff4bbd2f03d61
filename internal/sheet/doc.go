// Package sheet makes the digits and words of a report: it turns an [assay.Result] into
// sections, tables of cells with a text and a tone, notes and sentences. It is the only
// maker of them. Packages report, markdown, page and live write them as text, Markdown and
// HTML, and on a terminal. For other programs it writes results as JSON and CSV, with every
// number in full.
//
// It never recomputes a verdict or a sentence of the record, which package analysis
// makes. It knows no colour and no file, and of widths only where columns of text may be
// cut. The arithmetic here chooses units, digits and rows.
package sheet

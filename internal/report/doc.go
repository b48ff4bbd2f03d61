// Package report writes what package sheet makes of an [assay.Result] as text for a
// terminal. Package page writes the page, markdown comments, preview plans.
//
// It prints the record. It never recomputes a verdict or a sentence, it reads
// no file and measures nothing: package analysis decides, package sheet chooses rows,
// digits and words, cmd/assay says where the output goes. The only arithmetic here is on
// what fits the width, and on the columns of a histogram.
package report

// Package report turns an [assay.Result] into text for a terminal and into
// JSON, an [assay.Plan] into the text of "assay plan", and the events of a run
// into progress lines.
//
// It prints the record. It never recomputes a verdict or a sentence, it reads
// no file and measures nothing: package analysis decides, cmd/assay says where
// the output goes. The only arithmetic here chooses units, digits, what fits
// the width, and the columns of a histogram.
//
// Names and reasons come from strangers' code. Every text is stripped of escape
// sequences and control characters before it is printed, and every width is
// counted in terminal cells.
package report

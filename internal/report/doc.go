// Package report writes plans and the sheet of an [assay.Result] as text for a terminal.
// Package page writes the page, markdown comments.
//
// A plan says what will run, in which order, what it costs, and how sure its answers can
// be. Package schedule knows the costs and what a budget buys.
//
// Of a result it prints the record. It recomputes no verdict and no sentence, reads no file and
// measures nothing: package analysis decides, package sheet makes tables, digits and
// words. The only arithmetic here is about what fits the width, and about the columns of
// pictures.
package report

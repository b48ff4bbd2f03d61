// Package terminal lays text out on a terminal: widths in cells, wrapping, grids whose
// columns line up, labels, warnings, progress lines, and commands that can be pasted.
//
// It chooses no word and no digit, which come from package sheet and from its callers.
// Names and reasons come from strangers' code: every text is stripped of escape
// sequences and control characters before it is written, and every width is counted in
// terminal cells.
package terminal

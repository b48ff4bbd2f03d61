// Package terminal lays text out on a terminal: widths in cells, wrapping, grids whose
// columns line up, labels, warnings, progress lines, and commands that can be pasted.
//
// It chooses no word and no digit: these come from package sheet and from its callers.
// Since names and reasons come from strangers' code, it strips every text of escape
// sequences and control characters. Widths are in terminal cells.
package terminal

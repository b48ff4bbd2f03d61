// Package page writes the report page: one file with the results of a study, the words
// and figures that package sheet makes of them, and the script of package web that draws
// them. It decides nothing and reads no file; what belongs to a run is given to it.
package page

// Package raw writes results for other programs: as JSON and as CSV, every number in
// full. Words and rounded figures are of package sheet.
package raw

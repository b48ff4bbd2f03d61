// Package raw writes results for other programs: as JSON and CSV, with every number in
// full. Words and rounded figures come from package sheet.
package raw

// Package account puts an explanation into words and cells: causes with their parts,
// allocation sites, changed code and calls. Package explain finds the causes; package
// report prints them and passes them to the page.
package account

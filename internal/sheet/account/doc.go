// Package account puts an explanation into words and cells: causes with their parts,
// allocation sites, what became of code and calls. Package report prints it and hands
// it to the page; what caused a change package explain finds.
package account

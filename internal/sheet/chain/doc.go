// Package chain describes the steps of a result: what each is compared with, its gates,
// and remarks, on one machine or several side by side. Package report draws the curve and
// prints the tables.
package chain

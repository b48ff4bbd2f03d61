// Package chain says what the steps of a result are compared with, what became of their
// gates and what is to be remarked on each, on one machine or on several side by side.
// Package report draws its curve and prints its tables.
package chain

// Package fleet knows the machines that a user measures on: their names, and how noisy
// they were in the runs before.
//
// It measures nothing and connects to nothing.
package fleet

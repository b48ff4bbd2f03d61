// Package fleet knows the machines that a user measures on, by name.
//
// It measures nothing and connects to nothing.
package fleet

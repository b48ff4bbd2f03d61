// Package milestone knows the steps of an optimisation. It makes the list of steps from a
// range of commits or versions (Expand), and checks the gates of every step (Check): the
// API, the tests, no unsafe.
//
// Its callers supply trees and environments (package build finds them). It measures
// nothing (package lab does) and compares no figures (package analysis does, even for
// gates on allocations).
package milestone

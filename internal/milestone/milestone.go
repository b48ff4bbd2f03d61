// Package milestone knows the steps of an optimisation: it makes the list of
// steps that a range of commits or versions means (Expand), and it checks the
// gates that every step has to keep (Check): the API, the tests, no unsafe.
//
// It is given trees and environments and finds none itself (package build does);
// it measures nothing (package lab does) and compares no figures (package
// analysis does, also where a gate is about allocations).
package milestone

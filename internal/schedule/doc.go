// Package schedule computes limits, rounds, costs and forecasts: how many blocks a study
// can have, what a block costs, what a budget buys, and which command line gets more. The
// stop rules (packages analysis and search), the plan and all advice use it.
//
// It judges nothing (package analysis does) and draws nothing (package design does).
package schedule

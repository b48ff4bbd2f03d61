// Package schedule is the one place for limits, rounds, costs and forecasts: how many
// blocks a study can have, what a block costs, what a budget buys, and what to type
// for more. The stop rules (packages analysis and search), the plan and all advice
// ask it.
//
// It judges nothing (package analysis does) and draws nothing (package design does).
package schedule

// Package preview prints a plan: what will run, in which order, what it costs and how
// sure its answers can be. What a block costs and what a budget buys it asks package
// schedule.
package preview

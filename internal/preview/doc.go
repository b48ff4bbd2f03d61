// Package preview prints a plan: what will run, in which order, what it costs, and how
// sure its answers can be. Package schedule knows the costs and what a budget buys.
package preview

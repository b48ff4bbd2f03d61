// Package machine knows the machines that a user measures on: the names that
// machines.toml gives them, how noisy they were in the runs before, and how to connect to
// one, over ssh or over a hub. It also makes this computer a machine of a hub. How to talk
// to a machine is in the package remote.
package machine

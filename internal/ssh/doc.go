// Package ssh connects to the agent of assay on another machine: Dial finds out what
// system the machine has, puts an executable of assay there unless it is there, starts
// "assay agent --stdio" and returns the stream to it.
//
// The system's own ssh does the work, so that host keys, agents, jump hosts and
// ssh_config work as they do by hand. It never asks anything. The package does not know
// what goes through the stream; it only skips what a login script prints in front of the
// agent's first line, wire.Magic.
package ssh

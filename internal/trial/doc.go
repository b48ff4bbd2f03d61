// Package trial runs one trial and returns its outcome: how it ended, what it cost, what
// it printed, and the measurements of a Go benchmark. GoTest is for a test binary, Slices
// for several side by side, Program for a whole command with its preparation and
// clean-up, Service for a server under load.
//
// It does not choose what runs or when (lab does), does not build (build does) and keeps
// no state between trials. Package child runs the processes. Package collect parses their
// output while they run, so that its amount does not matter.
package trial

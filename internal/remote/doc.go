// Package remote measures on another computer. A [Machine] is a lab.Machine at this end
// of a connection, and [Serve] the agent at the other: it has a local.Machine, which runs
// trials and blocks there as it does here.
//
// What a trial needs travels by SHA-256 and once: the parts of a link, the program, the
// files of the package or of the study. A block then is one request; its trials come back
// one by one as they end, and are checked against the design before anybody believes them
// (check.go). Sources, toolchains, the plan and the record stay here.
//
// The package does not make connections (package ssh) and builds nothing.
package remote

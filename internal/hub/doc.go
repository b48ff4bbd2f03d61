// Package hub is the meeting place of submitters and agents: NATS JetStream, embedded or
// the operator's own. It has the names of streams and subjects, the keys with what each
// may do, the files to join with, and the server. A [Hub] is what its operator works with.
// The package does not know what jobs mean (package queue), and no record depends on it: a
// hub that is lost loses no result.
package hub

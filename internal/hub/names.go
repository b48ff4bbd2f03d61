package hub

import (
	"regexp"
	"time"
)

// Names of a hub: m is the name of a machine, ticket that of one submitter's work on it.
//
//	stream JOBS_<m>          job.<m>.<ticket>          work queue; one job a ticket at a time
//	stream DONE              done.<m>.<run>.<job>      results; the first commit of a job wins
//	bucket machines          <m>                       State of agents
//	bucket queue             <m>.<ticket>              Entry of submitters
//	bucket claims            <ticket>                  the machine of a pool that took it
//	objects blobs            SHA-256                   what trials and links need
//	objects results_<m>      <run>.<job>.<attempt>     results above MaxInline
//	core                     ctl.<m>, tell.<ticket>    may be lost
const (
	StreamDone     = "DONE"
	BucketMachines = "machines"
	BucketQueue    = "queue"
	BucketClaims   = "claims"
	ObjectsBlobs   = "blobs"
)

// StreamJobs returns the name of a machine's stream.
func StreamJobs(machine string) string { return "JOBS_" + machine }

// ObjectsResults returns the name of the objects that an agent writes.
func ObjectsResults(machine string) string { return "results_" + machine }

// SubjectJob is where a ticket's jobs for a machine are published.
func SubjectJob(machine, ticket string) string { return "job." + machine + "." + ticket }

// SubjectDone is where the result of a job is committed. run is the UID of a plan, or a
// ticket for what precedes the plan.
func SubjectDone(machine, run, job string) string { return "done." + machine + "." + run + "." + job }

// SubjectControl is where an agent hears of work, and of results that are in a record.
func SubjectControl(machine string) string { return "ctl." + machine }

// SubjectTell is where an agent tells a submitter how far it is.
func SubjectTell(ticket string) string { return "tell." + ticket }

// InboxPrefix is that of an agent's or a user's inboxes, so that no other one can read
// them.
func InboxPrefix(name string) string { return "_INBOX_" + name }

// Times and limits of the queue (their source is the measurements of the design).
const (
	// Lease is how long a job belongs to an agent that says nothing.
	Lease = 30 * time.Second
	// Deliveries is how often a job is given to an agent.
	Deliveries = 5
	// Beat is how often agents and submitters say that they are there, Gone how long
	// they are believed to be.
	Beat = 15 * time.Second
	Gone = 60 * time.Second
	// Kept is how long results wait for their submitter.
	Kept = 30 * 24 * time.Hour
	// MaxInline is the largest result in a commit, in bytes; a larger one is an object.
	MaxInline = 256 << 10
)

var name = regexp.MustCompile(`^[a-z0-9]([a-z0-9-]{0,30}[a-z0-9])?$`)

// IsName reports whether a text can be the name of a machine or a user: at most 32 lower
// case letters, digits and hyphens.
func IsName(s string) bool { return name.MatchString(s) }

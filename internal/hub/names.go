package hub

import (
	"fmt"
	"regexp"
	"time"
)

// Names of a hub: m is the name of a machine, ticket that of one submitter's work on it.
//
//	stream JOBS_<m>    job.<m>.<ticket>                   work queue; one job a ticket at a time
//	stream DONE        done.<m>.<run>.<job>               results; the first commit of a job wins
//	                   part.<m>.<run>.<job>.<attempt>.<i> pieces of a result above MaxInline
//	stream BLOBS       blob.<SHA-256>.<i>                 pieces of what trials and links need
//	                   blob.<SHA-256>.size                written last: how large it is
//	bucket machines    <m>                                State of agents
//	bucket queue       <m>.<ticket>                       Entry of submitters
//	bucket claims      <ticket>                           the machine of a pool that took it
//	core               ctl.<m>, tell.<m>.<ticket>         may be lost
const (
	StreamDone     = "DONE"
	StreamBlobs    = "BLOBS"
	BucketMachines = "machines"
	BucketQueue    = "queue"
	BucketClaims   = "claims"
)

// StreamJobs returns the name of a machine's stream.
func StreamJobs(machine string) string { return "JOBS_" + machine }

// SubjectJob is where a ticket's jobs for a machine are published.
func SubjectJob(machine, ticket string) string { return "job." + machine + "." + ticket }

// SubjectDone is where the result of a job is committed. run is the UID of a plan, or a
// ticket for what precedes the plan.
func SubjectDone(machine, run, job string) string { return "done." + machine + "." + run + "." + job }

// SubjectPart is where piece i of an attempt's result is published.
func SubjectPart(machine, run, job string, attempt, i int) string {
	return fmt.Sprintf("part.%s.%s.%s.%d.%d", machine, run, job, attempt, i)
}

// SubjectPiece is where piece i of a file is published.
func SubjectPiece(sum string, i int) string { return fmt.Sprintf("blob.%s.%d", sum, i) }

// SubjectSize is where the size of a file is published when all its pieces are there.
func SubjectSize(sum string) string { return "blob." + sum + ".size" }

// SubjectControl is where an agent hears of work, and of results that are in a record.
func SubjectControl(machine string) string { return "ctl." + machine }

// SubjectTell is where an agent tells a submitter how far it is. TellAll in place of the
// ticket is for all of them.
func SubjectTell(machine, ticket string) string { return "tell." + machine + "." + ticket }

// TellAll stands for all tickets of a machine in SubjectTell.
const TellAll = "all"

// subjectKey is where the value of a key of a bucket is published.
func subjectKey(bucket, key string) string { return "$KV." + bucket + "." + key }

// SubjectState is where an agent publishes its State, SubjectClaim where it claims a ticket
// of a pool, and SubjectEntries where it hears of the entries of its queue.
func SubjectState(machine string) string   { return subjectKey(BucketMachines, machine) }
func SubjectClaim(ticket string) string    { return subjectKey(BucketClaims, ticket) }
func SubjectEntries(machine string) string { return subjectKey(BucketQueue, machine+".*") }

// inboxPrefix is that of a member's inboxes, so that no other one can read them.
func inboxPrefix(name string) string { return "_INBOX_" + name }

// Times and limits of the queue. docs/fleet.md explains them.
const (
	// Lease is how long a job belongs to an agent that says nothing.
	Lease = 30 * time.Second
	// Deliveries is how often an agent begins a job before it gives up.
	Deliveries = 5
	// Beat is how often agents and submitters say that they are there, Gone how long
	// they are believed to be.
	Beat = 15 * time.Second
	Gone = 60 * time.Second
	// Kept is how long results wait for their submitter.
	Kept = 30 * 24 * time.Hour
	// MaxInline is the largest result in a commit, in bytes, and the size of the pieces of
	// larger ones and of files. NATS takes messages of at most 1 MB.
	MaxInline = 256 << 10
)

var name = regexp.MustCompile(`^[a-z0-9]([a-z0-9-]{0,30}[a-z0-9])?$`)

// IsName reports whether a text can be the name of a machine or a user: at most 32 lower
// case letters, digits and hyphens.
func IsName(s string) bool { return name.MatchString(s) }

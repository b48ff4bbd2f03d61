package queue

import (
	"encoding/json"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/remote"
)

// Protocol is the number of these messages. An agent refuses jobs of another one.
const Protocol = 1

// A Kind says what a job is.
type Kind string

// The kinds of jobs. A probe precedes the plan: it looks at the machine, surveys or
// calibrates.
const (
	KindBlock    Kind = "block"
	KindProbe    Kind = "probe"
	KindEvidence Kind = "evidence"
)

// A Job is one request, with all that an agent must have been told before it. It is
// published on hub.SubjectJob.
type Job struct {
	Protocol int    `json:"protocol"`
	Version  string `json:"version"` // assay's
	// Run is the UID of the plan; the ticket before there is one. Name is unique in it.
	Run    string `json:"run"`
	Name   string `json:"name"`
	Ticket string `json:"ticket"`
	Kind   Kind   `json:"kind"`
	// Journal is the digest of a blob with the requests to do before, in their order, as
	// lines of JSON; each request that was done for the ticket is not done again.
	// Blobs are the files that they and the request need.
	Journal remote.File   `json:"journal,omitzero"`
	Blobs   []remote.File `json:"blobs,omitempty"`
	Request Request       `json:"request"`
	// Attempt is that of the first delivery; each further one has the next.
	Attempt int `json:"attempt"`
	// Deadline is how long the job may take, from when it is leased.
	Deadline time.Duration `json:"deadline"`
}

// A Request is what remote.Handler.Do takes.
type Request struct {
	Do   remote.Operation `json:"do"`
	Body json.RawMessage  `json:"body,omitempty"`
}

// A Commit is the result of a job, published on hub.SubjectDone. It is one message, so
// that trials of two attempts cannot mix.
type Commit struct {
	Protocol int    `json:"protocol"`
	Job      string `json:"job"`
	Attempt  int    `json:"attempt"`
	// Agent is the instance that did it: a random number of its process.
	Agent string `json:"agent"`
	// Count is the number of events, Digest the SHA-256 of the Result's JSON.
	Count  int    `json:"count"`
	Digest string `json:"digest"`
	// Result is inline; nil if it is the object hub.ObjectsResults.
	Result json.RawMessage `json:"result,omitempty"`
	// Object is the name of that object.
	Object string `json:"object,omitempty"`
	// Busy is how long the machine was used.
	Busy time.Duration `json:"busy"`
}

// A Result is what remote.Handler.Do has made: its events, and the answer or the fault.
type Result struct {
	Events []json.RawMessage `json:"events,omitempty"`
	Done   json.RawMessage   `json:"done,omitempty"`
	Fault  *remote.Fault     `json:"fault,omitempty"`
}

// An Entry is a ticket in the queue of a machine (hub.BucketQueue). Its submitter renews
// it every hub.Beat; it ends after hub.Gone.
type Entry struct {
	Ticket string `json:"ticket"`
	// Run is the plan's UID, once there is one.
	Run      string    `json:"run,omitempty"`
	Study    string    `json:"study"`
	Who      string    `json:"who"`
	Priority Priority  `json:"priority"`
	Since    time.Time `json:"since"`
	Pass     []string  `json:"pass,omitempty"`
	// Hold asks that no other ticket is served until it is withdrawn: a survey, or an
	// exclusive study.
	Hold bool `json:"hold,omitempty"`
	// Pool is set for a ticket at several machines: the first that is idle claims it.
	Pool bool `json:"pool,omitempty"`
}

// A Priority says who goes first.
type Priority string

// The priorities. Low gets every tenth turn of a machine that others want, too.
const (
	PriorityHigh   Priority = "high"
	PriorityNormal Priority = "normal"
	PriorityLow    Priority = "low"
)

// A State is what an agent says of itself (hub.BucketMachines), every hub.Beat and when
// it changes.
type State struct {
	Protocol int            `json:"protocol"`
	Name     string         `json:"name"`
	Instance string         `json:"instance"`
	Version  string         `json:"version"`
	Platform assay.Platform `json:"platform"`
	Welcome  remote.Welcome `json:"welcome"`
	Labels   []string       `json:"labels,omitempty"`
	Tools    []string       `json:"tools,omitempty"` // programs of its PATH, as far as --tool names them
	Draining bool           `json:"draining,omitempty"`
	// Serving is the ticket whose job runs; the others wait.
	Serving string `json:"serving,omitempty"`
	// Used is how long each ticket of its queue has used the machine.
	Used map[string]time.Duration `json:"used,omitempty"`
	Seen time.Time                `json:"seen"`
}

// A Control is a message on hub.SubjectControl.
type Control struct {
	// Wake is a ticket that has a new job.
	Wake string `json:"wake,omitempty"`
	// Durable is a job of Run whose result is in its record, and synced.
	Run     string `json:"run,omitempty"`
	Durable string `json:"durable,omitempty"`
	// End is a ticket that has ended.
	End string `json:"end,omitempty"`
	// Drain is "drain" or "resume".
	Drain string `json:"drain,omitempty"`
}

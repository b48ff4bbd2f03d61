package queue

import (
	"cmp"
	"encoding/json"
	"fmt"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/remote"
)

// Protocol is the number of these messages. An agent refuses jobs of another one.
const Protocol = 2

// A Kind says what a job is.
type Kind string

// The kinds of jobs. A probe precedes the blocks: it looks at the machine, surveys or
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
	// Machine is the only one that may do it.
	Machine string `json:"machine"`
	// Run is the UID of the plan; the ticket before there is one. Name is unique in it.
	Run    string `json:"run"`
	Name   string `json:"name"`
	Ticket string `json:"ticket"`
	Kind   Kind   `json:"kind"`
	// Journal is a file with the requests to do before, as lines of JSON (entry); those
	// that were done for the ticket are not done again.
	Journal remote.File `json:"journal,omitzero"`
	// Request is what to do. Of a large one the body is the file Body.
	Request Request     `json:"request"`
	Body    remote.File `json:"body,omitzero"`
	// Number is that of the entry which the request becomes when it is done; 0 for none.
	Number int `json:"number,omitempty"`
	// Attempt is that of the first delivery; each further one has the next.
	Attempt int `json:"attempt"`
	// Limit is how long it may take, Silence how long no trial of it may end; 0 is no
	// limit.
	Limit   time.Duration `json:"limit,omitempty"`
	Silence time.Duration `json:"silence,omitempty"`
	// Host is what the machine must still be.
	Host Host `json:"host,omitzero"`
}

// A Host tells a computer in one state from others.
type Host struct {
	Platform string `json:"platform"`
	Host     string `json:"host,omitempty"`
	Kernel   string `json:"kernel,omitempty"`
}

func hostOf(p assay.Platform) Host { return Host{Platform: p.ID, Host: p.Host, Kernel: p.Kernel} }

// A Request is what remote.Handler.Do takes.
type Request struct {
	Do   remote.Operation `json:"do"`
	Body json.RawMessage  `json:"body,omitempty"`
}

// An entry is a request of a journal. Numbers of one ticket go up, and are never used
// again.
type entry struct {
	Number int `json:"number"`
	Request
}

// A Commit is the result of a job, published on hub.SubjectDone and signed by the machine's
// agent. It is one message, so that trials of two attempts cannot mix.
type Commit struct {
	Protocol int    `json:"protocol"`
	Run      string `json:"run"`
	Job      string `json:"job"`
	Attempt  int    `json:"attempt"`
	// Agent is the instance that did it: a random number of its process.
	Agent string `json:"agent"`
	// Digest is the SHA-256 of the Result's JSON.
	Digest string `json:"digest"`
	// Result is inline; nil if it is on hub.SubjectPart, in so many Parts.
	Result json.RawMessage `json:"result,omitempty"`
	Parts  int             `json:"parts,omitempty"`
}

// A Result is what remote.Handler.Do has made: its events, and the answer or the fault.
type Result struct {
	Events []json.RawMessage `json:"events,omitempty"`
	Done   json.RawMessage   `json:"done,omitempty"`
	Fault  *remote.Fault     `json:"fault,omitempty"`
	// Lacking are files that neither the agent nor the hub has. The job was not begun.
	Lacking []remote.File `json:"lacking,omitempty"`
}

// A Ticket is one submitter's work in the queue of a machine (hub.BucketQueue). Its
// submitter renews it every hub.Beat; it ends after hub.Gone.
type Ticket struct {
	ID string `json:"id"`
	// Run is the plan's UID, once there is one.
	Run      string    `json:"run,omitempty"`
	Study    string    `json:"study"`
	Who      string    `json:"who"`
	Priority Priority  `json:"priority"`
	Since    time.Time `json:"since"`
	// Hold asks that no other ticket is served until it is withdrawn: a survey, or an
	// exclusive study.
	Hold bool `json:"hold,omitempty"`
	// Pool is set for a ticket at several machines: the first that is idle claims it.
	Pool bool `json:"pool,omitempty"`
}

// title says what a ticket is for, and whose it is.
func (t *Ticket) title() string {
	return fmt.Sprintf("%s of %s", cmp.Or(t.Study, "a study"), cmp.Or(t.Who, "another user"))
}

// A Priority says who goes first.
type Priority string

// The priorities. Low gets every tenth turn of a machine that others want, too.
const (
	PriorityHigh   Priority = "high"
	PriorityNormal Priority = "normal"
	PriorityLow    Priority = "low"
)

// Priorities are all of them.
var Priorities = []string{string(PriorityHigh), string(PriorityNormal), string(PriorityLow)}

// A State is what an agent says of itself (hub.BucketMachines) and signs, every hub.Beat
// and when it changes.
type State struct {
	Protocol int            `json:"protocol"`
	Name     string         `json:"name"`
	Instance string         `json:"instance"`
	Version  string         `json:"version"`
	Platform assay.Platform `json:"platform"`
	Welcome  remote.Welcome `json:"welcome"`
	Labels   []string       `json:"labels,omitempty"`
	Tools    []string       `json:"tools,omitempty"` // programs of its PATH, as far as --tool names them
	Pass     []string       `json:"pass,omitempty"`  // variables that its trials get
	Draining bool           `json:"draining,omitempty"`
	// Serving is the ticket whose job runs; the others wait.
	Serving string `json:"serving,omitempty"`
	// Used is how long each ticket of its queue has used the machine.
	Used map[string]time.Duration `json:"used,omitempty"`
	// Clock is the agent's; Seen is when the hub has heard it.
	Clock time.Time `json:"clock"`
	Seen  time.Time `json:"-"`
}

// A Control is a message on hub.SubjectControl.
type Control struct {
	// Wake is a ticket that has a new job.
	Wake string `json:"wake,omitempty"`
	// Durable is a job of Run whose result is in its record, and synced.
	Run     string `json:"run,omitempty"`
	Durable string `json:"durable,omitempty"`
	// End is a ticket whose Job is not wanted any more.
	End string `json:"end,omitempty"`
	Job string `json:"job,omitempty"`
	// Drain is "drain" or "resume".
	Drain string `json:"drain,omitempty"`
	// Ask is a question that is answered at once, whatever runs: what Tools are missing
	// and how the machine is (askLook), or which Files it lacks (askLacks).
	Ask   string        `json:"ask,omitempty"`
	Tools []string      `json:"tools,omitempty"`
	Files []remote.File `json:"files,omitempty"`
}

// The questions of Control.Ask. The answers are JSON: of a host.Glance, of digests.
const (
	askLook  = "look"
	askLacks = "lacks"
)

// A Tell is a message on hub.SubjectTell.
type Tell struct {
	// Hello is that of an agent which has just connected: it knows no tickets yet.
	Hello bool `json:"hello,omitempty"`
	// Job says which job the following is about.
	Job string `json:"job,omitempty"`
	// Began is set when it runs, Committed when its result is there.
	Began     bool `json:"began,omitempty"`
	Committed bool `json:"committed,omitempty"`
	// Trials is the number of trials that have ended.
	Trials int `json:"trials,omitempty"`
	// Busy is the assay that measures on the machine, for which the job waits.
	Busy string `json:"busy,omitempty"`
}

package queue

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"sync"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/remote"
)

// A journal has what an agent has to be told before a job: studies, builds, plans, links.
// It comes with each job, so that it does not matter which process of the agent does it.
type journal struct {
	mu     sync.Mutex
	list   []entry
	number int
	// sent is the journal as it was last sent; zero if it has changed since.
	sent    remote.File
	version int            // goes up with each change
	links   map[string]int // numbers of the links that the agent has made, by artifact
	plans   map[string]*assay.Plan
}

func newJournal() *journal {
	return &journal{links: map[string]int{}, plans: map[string]*assay.Plan{}}
}

// plan returns a plan that the agent is told of.
func (j *journal) plan(hash string) *assay.Plan {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.plans[hash]
}

// next returns the number of an entry to come.
func (j *journal) next() int {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.number++
	return j.number
}

// note adds a request.
func (j *journal) note(do remote.Operation, body json.RawMessage) error {
	number := j.next()
	j.mu.Lock()
	defer j.mu.Unlock()
	switch do {
	case remote.OpPlan:
		hash, p, err := remote.PlanOf(body)
		if err != nil {
			return err
		}
		j.plans[hash] = p
	case remote.OpDrop: // a new process of the agent need not make what it would remove
		ids, err := remote.ArtifactsOf(body)
		if err != nil {
			return err
		}
		j.remove(func(e entry) bool {
			return slices.ContainsFunc(ids, func(id string) bool { return j.links[id] == e.Number })
		})
		for _, id := range ids {
			delete(j.links, id)
		}
	}
	j.add(entry{number, Request{do, body}})
	return nil
}

// noteLink adds a link that the agent has made.
func (j *journal) noteLink(number int, body, done json.RawMessage) {
	id, err := remote.MadeOf(done)
	if err != nil {
		return
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	j.add(entry{number, Request{remote.OpLink, body}})
	j.links[id] = number
}

// add adds an entry. j.mu is held, as in remove.
func (j *journal) add(e entry) {
	j.list, j.sent, j.version = append(j.list, e), remote.File{}, j.version+1
}

// remove removes entries.
func (j *journal) remove(which func(entry) bool) {
	n := len(j.list)
	if j.list = slices.DeleteFunc(slices.Clone(j.list), which); len(j.list) < n {
		j.sent, j.version = remote.File{}, j.version+1
	}
}

// blockDone removes the links that were made at this end for a block, unless the plan uses
// them again.
func (j *journal) blockDone(p *assay.Plan) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if p.Study.Measure.Layouts == 0 && len(j.links) == 0 {
		j.remove(func(e entry) bool { _, ok := remote.LinkOf(e.Do, e.Body); return ok })
	}
}

// file returns the journal as it was sent, or the data to send, and its version.
func (j *journal) file() (sent remote.File, data []byte, version int, err error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.sent.Sum != "" || len(j.list) == 0 {
		return j.sent, nil, j.version, nil
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	for _, x := range j.list {
		if err := e.Encode(x); err != nil {
			return sent, nil, 0, fmt.Errorf("write journal: %w", err)
		}
	}
	return sent, b.Bytes(), j.version, nil
}

// isSent notes how a version was sent, unless the journal has changed since.
func (j *journal) isSent(f remote.File, version int) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.version == version {
		j.sent = f
	}
}

// lost notes that the hub may not have it any more.
func (j *journal) lost() {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.sent = remote.File{}
}

package doctor

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/host"
	"github.com/seed-1318a441/assay/internal/hub"
	"github.com/seed-1318a441/assay/internal/machine"
	"github.com/seed-1318a441/assay/internal/printable"
	"github.com/seed-1318a441/assay/internal/queue"
)

// A Waiting is who wants a machine of a hub.
type Waiting struct {
	Study    string    `json:"study"`
	Who      string    `json:"who"`
	Priority string    `json:"priority"`
	Since    time.Time `json:"since"`
	// Serving is set for the one whose job runs.
	Serving bool `json:"serving,omitempty"`
	// Hold is set while nobody else is served beside it.
	Hold bool `json:"hold,omitempty"`
	// Used is how long it has used the machine, Share the part of the time of all.
	Used  time.Duration `json:"used"`
	Share float64       `json:"share"`
}

// A roster is what a hub says of its machines, asked once.
type roster struct {
	members []queue.Member
	err     error
}

// askHub asks a hub for its machines: that of the word, or the user's own. ok is false if
// there is none.
func askHub(ctx context.Context, word string) (s roster, ok bool) {
	j, err := hub.ReadUserJoin(word)
	if e, is := errors.AsType[*assay.Error](err); is && e.Code == assay.CodeNoHub && word == "" {
		return roster{err: err}, false
	}
	if err != nil {
		return roster{err: err}, true
	}
	c, err := hub.ConnectUser(j, func(string) {})
	if err != nil {
		return roster{err: err}, true
	}
	defer c.Close()
	s.members, s.err = queue.Members(ctx, c)
	return s, true
}

// hosts returns the machines of a hub that are not in a list.
func (s roster) hosts(but []assay.Host) (more []assay.Host) {
	named := map[string]bool{}
	for _, h := range but {
		named[h.Address] = true
	}
	for _, m := range s.members {
		if at := assay.AgentScheme + m.Name; !named[at] {
			more = append(more, assay.Host{Label: m.Name, Address: at})
		}
	}
	return more
}

// ofHub fills in what a hub says of a machine.
func (m *Machine) ofHub(s roster, h assay.Host) {
	m.Floors = append(m.Floors, machine.FloorsAt(h.Address)...)
	if s.err != nil {
		m.fail(s.err)
		return
	}
	if h.OfPool() {
		m.ofPool(s, h)
		return
	}
	name, _ := h.Agent()
	for _, x := range s.members {
		if x.Name == name {
			m.of(x, h)
			return
		}
	}
	m.State, m.Fault = Unreachable, "no agent of that name has ever joined the hub"
}

// of fills in what is known of a machine of a hub.
func (m *Machine) of(x queue.Member, h assay.Host) {
	p := host.For(x.Platform, h.GOARCH, 0)
	m.Platform, m.Assay, m.Labels = &p, x.Version, x.Labels
	if f := machine.Floors(p, h.Address); len(f) > 0 {
		m.Floors = f
	}
	for _, t := range x.Queue {
		m.Queue = append(m.Queue, Waiting{Study: t.Study, Who: t.Who, Priority: string(t.Priority), Since: t.Since, Serving: t.ID == x.Serving, Hold: t.Hold,
			Used: x.Used[t.ID], Share: x.Share(t.ID)})
	}
	switch {
	case x.Gone:
		m.State, m.Fault = Unreachable, "its agent was last heard at "+x.Seen.Local().Format("2006-01-02 15:04:05")
	case x.Draining:
		m.State = Draining
	case x.Serving != "" || len(x.Queue) > 0:
		m.State = Busy
	default:
		m.State = Free
	}
}

// ofPool says of a pool whether a machine of it is there.
func (m *Machine) ofPool(s roster, h assay.Host) {
	var fit, idle int
	var facts []string
	for _, x := range s.members {
		switch why := x.Unfit(h.Pool); {
		case len(why) > 0:
			facts = append(facts, x.Name+": "+strings.Join(why, "; "))
		default:
			if fit++; len(x.Queue) == 0 {
				idle++
			}
		}
	}
	switch {
	case len(facts) == 0 && fit == 0:
		m.State, m.Fault = Unreachable, "the hub has no machines yet"
	case fit == 0:
		m.State, m.Fault = Unreachable, "no machine of the hub fits: "+printable.Line(strings.Join(facts, "; "), 500)
	case idle == 0:
		m.State = Busy
	default:
		m.State = Free
	}
}

// queueLines are who wants the machine.
func (m *Machine) queueLines() (lines []string) {
	for i, w := range m.Queue {
		state := "waits"
		switch {
		case w.Serving && w.Hold:
			state = "holds the machine"
		case w.Serving:
			state = "runs"
		}
		lines = append(lines, fmt.Sprintf("%s, number %d: %s of %s, %s priority, since %s, %s, has used it for %v (%.0f %%)", m.Name, i+1, w.Study, w.Who, w.Priority,
			w.Since.Local().Format(time.TimeOnly), state, w.Used.Round(time.Second), 100*w.Share))
	}
	return lines
}

// Drain has a machine of a hub begin nothing more, or with resume serve again. word is
// that of --hub, on that of --on or the machine's name on the hub.
func Drain(ctx context.Context, word, on string, resume bool) error {
	name, _ := strings.CutPrefix(on, assay.AgentScheme)
	if known, err := machine.Find(on); err == nil {
		if at, ok := known.Agent(); ok {
			name = at
		}
	}
	j, err := hub.ReadUserJoin(word)
	if err != nil {
		return err
	}
	c, err := hub.ConnectUser(j, func(string) {})
	if err != nil {
		return err
	}
	defer c.Close()
	members, err := queue.Members(ctx, c)
	if err != nil {
		return err
	}
	for _, m := range members {
		if m.Name == name {
			if err := queue.Drain(ctx, c, name, resume); err != nil {
				return assay.NewError(assay.ExitRefused, assay.CodeAgentAway, printable.OneLine(err), nil, "assay machines")
			}
			return nil
		}
	}
	return assay.UsageError(assay.CodeNoMachine, fmt.Sprintf("the hub has no machine %s", printable.Line(name, 100)), "assay machines")
}

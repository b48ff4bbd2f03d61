package doctor

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/fault"
	"github.com/seed-1318a441/assay/internal/host"
	"github.com/seed-1318a441/assay/internal/machine"
	"github.com/seed-1318a441/assay/internal/printable"
	"github.com/seed-1318a441/assay/internal/remote"
	"github.com/seed-1318a441/assay/internal/spec"
)

// A State says whether a machine can be measured on.
type State string

// The states.
const (
	Free        State = "free"
	Busy        State = "busy"
	Unreachable State = "unreachable"
	// Draining is for a machine of a hub that begins nothing more.
	Draining State = "draining"
	// NotAsked is for a machine that assay did not connect to.
	NotAsked State = "not asked"
)

// A Machine is a machine that a user measures on, as --json prints it.
type Machine struct {
	Name    string        `json:"name"`
	Address string        `json:"address"`
	Require assay.Require `json:"require,omitzero"`
	State   State         `json:"state"`
	// Fault says why it is unreachable.
	Fault string `json:"fault,omitempty"`
	// Platform and Assay, the version there, are known of a machine that was reached.
	Platform *assay.Platform `json:"platform,omitempty"`
	Assay    string          `json:"assay,omitempty"`
	// Occupant is the assay that measures there.
	Occupant *host.Occupant `json:"occupant,omitempty"`
	// Labels are those of a machine of a hub, Queue who wants it, the first in front.
	Labels []string  `json:"labels,omitempty"`
	Queue  []Waiting `json:"queue,omitempty"`
	// Floors are the noise floors of its runs, the oldest first. Of a machine that was not
	// reached they are those of the one that was last measured at its address.
	Floors []machine.Floor `json:"floors"`
}

// reachTime is how long a machine may take to say how it is.
const reachTime = 30 * time.Second

// Machines looks at this computer, at the machines of the user's file and at those of a hub,
// of the word hub as --hub takes it or the user's own; with a word, which --on would take,
// at that machine alone. It connects to all at once, unless offline is set. The error of a
// malformed word begins with it.
func Machines(ctx context.Context, word, hub string, offline bool) (list []Machine, err error) {
	hosts := []assay.Host{{Label: assay.LocalAddress, Address: assay.LocalAddress}}
	if word != "" {
		var err error
		if hosts, err = spec.Hosts([]string{word}); err == nil {
			hosts, err = machine.Locate(hosts)
		}
		if err != nil {
			return nil, err
		}
	} else {
		named, _, err := machine.Named()
		if err != nil {
			return nil, err
		}
		if slices.ContainsFunc(named, assay.Host.Local) {
			hosts = nil // it has a name
		}
		hosts = append(hosts, named...)
	}
	var there roster
	found := false // a hub that is the user's own
	if !offline && (word == "" || hosts[0].OfHub()) {
		if there, found = askHub(ctx, hub); found && word == "" {
			hosts = append(hosts, there.hosts(hosts)...)
		}
	}
	members := make([]Machine, len(hosts))
	if found && there.err != nil && word == "" && !slices.ContainsFunc(hosts, assay.Host.OfHub) {
		m := Machine{Name: "hub", Address: hub, Floors: []machine.Floor{}} // no machine would say so
		m.fail(there.err)
		defer func() { list = append(list, m) }()
	}
	var all sync.WaitGroup
	for i, h := range hosts {
		members[i] = Machine{Name: h.Label, Address: cmp.Or(h.Address, assay.LocalAddress), Require: h.Require, State: NotAsked, Floors: []machine.Floor{}}
		all.Go(func() {
			defer fault.Exit()
			members[i].look(ctx, h, there, offline)
		})
	}
	all.Wait()
	return members, ctx.Err()
}

// Names returns what --on takes without an address: the name and the place of each machine
// of the user's file, and this computer. A file that cannot be read has none.
func Names() (names [][2]string) {
	machines, _, _ := machine.Named()
	for _, h := range machines {
		names = append(names, [2]string{h.Label, h.Address})
	}
	return append(names, [2]string{assay.LocalAddress, "this computer"})
}

// look asks a machine how it is, and reads its history.
func (m *Machine) look(ctx context.Context, h assay.Host, there roster, offline bool) {
	ctx, cancel := context.WithTimeout(ctx, reachTime)
	defer cancel()
	var g host.Glance
	var err error
	switch {
	case h.Local():
		g, m.Assay = host.NewGlance(ctx, nil), assay.Version()
	case offline:
		m.Floors = append(m.Floors, machine.FloorsAt(h.Address)...)
		return
	case h.OfHub():
		m.ofHub(there, h)
		return
	default:
		g, m.Assay, err = glance(ctx, h)
	}
	if err != nil {
		m.fail(err)
		m.Floors = append(m.Floors, machine.FloorsAt(h.Address)...)
		return
	}
	p := g.Platform
	p.Emulated = host.Emulator(p.GOOS, p.GOARCH, cmp.Or(h.GOARCH, p.GOARCH))
	p = host.For(p, h.GOARCH, 0)
	m.State, m.Platform, m.Occupant = Free, &p, g.Occupant
	if g.Occupant != nil {
		m.State = Busy
	}
	m.Floors = append(m.Floors, machine.Floors(p, h.Address)...)
}

// fail says why a machine cannot be reached.
func (m *Machine) fail(err error) {
	m.State, m.Fault = Unreachable, printable.OneLine(err)
	if e, ok := errors.AsType[*assay.Error](err); ok {
		m.Fault = fmt.Sprintf("%s [%s]", e.Text, e.Code)
	}
}

// glance connects to a machine for as long as it takes to look at it.
func glance(ctx context.Context, h assay.Host) (host.Glance, string, error) {
	m, _, err := machine.Connect(ctx, h, machine.Options{})
	if err != nil {
		return host.Glance{}, "", err
	}
	g, version, err := remote.Look(ctx, m, nil)
	return g, version, cmp.Or(err, m.Close())
}

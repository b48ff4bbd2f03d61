package machine

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/hub"
	"github.com/seed-1318a441/assay/internal/queue"
	"github.com/seed-1318a441/assay/internal/remote"
)

// overHub connects to a machine of a hub.
func (o Options) overHub(ctx context.Context, h assay.Host) (*remote.Machine, assay.Host, error) {
	j, err := hub.ReadUserJoin(o.Hub)
	if err != nil {
		return nil, h, forHost(err, h)
	}
	id := ""
	name, named := h.Agent()
	if !named {
		if name, id, err = o.claim(ctx, j, h); err != nil {
			return nil, h, err
		}
		o.Say(fmt.Sprintf("assay: %s is %s", h.Label, name))
	}
	var m *remote.Machine
	link := func(ctx context.Context) (remote.Link, error) {
		c, err := hub.ConnectUser(j, o.Say)
		if err != nil {
			return nil, forHost(err, h)
		}
		dir, err := o.Builder.Cache.TempDir("link-")
		if err != nil {
			c.Close()
			return nil, err
		}
		opt := o.link(c)
		opt.Machine, opt.Exclusive, opt.ID, opt.Dir = name, h.Exclusive, id, dir
		opt.Ended = func(trials int) { m.Ended(trials) }
		id = "" // of another link it is another ticket
		return queue.NewLink(ctx, opt)
	}
	m, err = remote.Connect(ctx, remote.Options{Name: h.Label, Builder: o.Builder, Pass: o.Pass, Patience: o.Patience, Say: o.Say, Ended: o.Ended, Repeats: hub.Deliveries + 1, Link: link})
	h.Address, h.Pool = assay.AgentScheme+name, assay.Pool{}
	return m, h, err
}

// link returns what a submitter says of its work.
func (o Options) link(c *hub.Conn) queue.LinkOptions {
	return queue.LinkOptions{Conn: c, Study: o.Work, Priority: queue.Priority(o.Priority), Patience: o.Patience, Say: o.Say}
}

// forHost says in an error which machine it was that needs the hub.
func forHost(err error, h assay.Host) error {
	e, ok := errors.AsType[*assay.Error](err)
	if !ok || e.Code == assay.CodeHubFile {
		return err
	}
	out := *e
	out.Text = fmt.Sprintf("%s is a machine of a hub, and %s", h.Label, e.Text)
	return &out
}

// claim finds the machine of a pool: the first that is idle of those that are fit.
func (o Options) claim(ctx context.Context, j hub.Join, h assay.Host) (machine, id string, err error) {
	c, err := hub.ConnectUser(j, o.Say)
	if err != nil {
		return "", "", forHost(err, h)
	}
	defer c.Close()
	members, err := queue.Members(ctx, c)
	if err != nil {
		return "", "", err
	}
	var fit, preferred, facts []string
	for _, m := range members {
		why := m.Unfit(h.Pool)
		if m.Name == o.Avoid {
			why = append(why, "it was lost just now")
		}
		if len(why) > 0 {
			facts = append(facts, m.Name+": "+strings.Join(why, "; "))
			continue
		}
		if fit = append(fit, m.Name); o.Prefer != nil && o.Prefer(m.Platform) {
			preferred = append(preferred, m.Name)
		}
	}
	if len(preferred) > 0 {
		fit = preferred
	}
	if len(fit) == 0 {
		return "", "", assay.NewError(assay.ExitRefused, assay.CodeNoPool, fmt.Sprintf("no machine of the hub is one of %s", h.Label), facts, "assay machines   lists them")
	}
	return queue.Claim(ctx, fit, o.link(c), func() {
		o.Say(fmt.Sprintf("assay: %s: all machines are busy (%s); the first that is idle is taken", h.Label, strings.Join(fit, ", ")))
	})
}

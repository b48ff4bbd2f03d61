package machine

import (
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/disk"
	"github.com/seed-1318a441/assay/internal/hub"
	"github.com/seed-1318a441/assay/internal/printable"
	"github.com/seed-1318a441/assay/internal/queue"
	"github.com/seed-1318a441/assay/internal/remote"
)

// joinFile is the name of the user's own join file, in the folder of settings.
const joinFile = "hub" + hub.JoinSuffix

// JoinOf returns what a word of --hub means: a join file, the URL of a hub whose keys are
// in the user's own join file, or "" for that one. Errors have the codes no-hub and
// hub-file.
func JoinOf(word string) (hub.Join, error) {
	file := word
	if word == "" || strings.Contains(word, "://") {
		dir, err := disk.ConfigDir()
		if err != nil {
			return hub.Join{}, err
		}
		file = filepath.Join(dir, joinFile)
	}
	j, err := hub.ReadJoin(file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return j, assay.NewError(assay.ExitRefused, assay.CodeNoHub, "assay knows of no hub: there is no "+disk.Tilde(file), nil,
			"--hub=FILE, the join file that the hub's operator gave you; or --on=ssh:HOST, for a machine that ssh reaches")
	case err != nil:
		return j, assay.UsageError(assay.CodeHubFile, printable.OneLine(err), "")
	case j.Role != hub.RoleUser:
		return j, assay.UsageError(assay.CodeHubFile, fmt.Sprintf("the join file %s is of the %s %s, not of a user", disk.Tilde(file), j.Role, j.Name), "assay hub add user NAME   on the hub's computer")
	case strings.Contains(word, "://"):
		j.URLs = []string{word}
		if err := hub.CheckURL(word); err != nil {
			return j, assay.UsageError(assay.CodeHubFile, "--hub: "+err.Error(), "")
		}
	}
	return j, nil
}

// Hub connects to a hub. The error says why it cannot be reached.
func Hub(j hub.Join, say func(string)) (*hub.Conn, error) {
	c, err := hub.Connect(j, false, say)
	var unknown x509.UnknownAuthorityError
	var name x509.HostnameError
	switch at := strings.Join(j.URLs, ", "); {
	case err == nil:
		return c, nil
	case errors.Is(err, hub.ErrUnknownKey):
		return nil, assay.NewError(assay.ExitRefused, assay.CodeHubKey, fmt.Sprintf("the hub at %s does not know the key of %s", at, j.Name), nil,
			fmt.Sprintf("assay hub add %s %s   on the hub's computer, which writes a new join file", j.Role, j.Name))
	case errors.As(err, &unknown), errors.As(err, &name):
		return nil, assay.NewError(assay.ExitRefused, assay.CodeHubKey, fmt.Sprintf("what answers at %s is not the hub of the join file", at), []string{printable.OneLine(err)}, "")
	default:
		return nil, assay.NewError(assay.ExitRefused, assay.CodeNoHub, "no hub answers at "+at, []string{printable.OneLine(err)},
			"assay hub   on that computer; or --on=ssh:HOST, for a machine that ssh reaches")
	}
}

// overHub connects to a machine of a hub.
func (o Options) overHub(ctx context.Context, h assay.Host) (*remote.Machine, assay.Host, error) {
	j, err := JoinOf(o.Hub)
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
		c, err := Hub(j, o.Say)
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
	c, err := Hub(j, o.Say)
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

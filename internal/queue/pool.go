package queue

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/seed-1318a441/assay/internal/hub"
	"github.com/seed-1318a441/assay/internal/printable"
)

// claimEvery is how often a submitter looks whether a machine has claimed its ticket.
const claimEvery = 200 * time.Millisecond

// Claim puts a ticket into the queues of several machines, and returns the first that is
// idle, with the ticket, for LinkOptions. Of opt it needs what tells the ticket. wait is
// called once if none is idle at once.
func Claim(ctx context.Context, machines []string, opt LinkOptions, wait func()) (machine, id string, err error) {
	t := Ticket{ID: newTicket(), Study: printable.Line(opt.Study, longestName), Who: opt.Conn.Join.Name, Priority: opt.Priority, Since: time.Now().UTC(), Pool: true}
	data, err := json.Marshal(t)
	if err != nil {
		return "", "", err
	}
	defer func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 3*time.Second)
		defer cancel()
		for _, m := range machines {
			if m != machine {
				_ = opt.Conn.DeleteKey(ctx, hub.BucketQueue, m+"."+t.ID)
			}
		}
	}()
	list := func() error {
		for _, m := range machines {
			if err := opt.Conn.SetKey(ctx, hub.BucketQueue, m+"."+t.ID, data); err != nil {
				return fmt.Errorf("ask for a machine: %w", err)
			}
		}
		return nil
	}
	if err := list(); err != nil {
		return "", "", err
	}
	look, again, notice := time.NewTicker(claimEvery), time.NewTicker(hub.Beat), time.After(waitNotice)
	defer look.Stop()
	defer again.Stop()
	for {
		select {
		case <-ctx.Done():
			return "", "", context.Cause(ctx)
		case <-notice:
			wait()
			continue
		case <-again.C:
			_ = list() // the next beat comes soon
			continue
		case <-look.C:
		}
		name, _, err := opt.Conn.Key(ctx, hub.BucketClaims, t.ID)
		switch {
		case errors.Is(err, hub.ErrNotFound):
		case err != nil:
			return "", "", err
		case !slices.Contains(machines, string(name)):
			return "", "", fmt.Errorf("%s has claimed a ticket of other machines", printable.Line(string(name), longestName))
		default:
			return string(name), t.ID, nil
		}
	}
}

package doctor

import (
	"context"
	"errors"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/machine"
)

// ExamineAt looks for what would spoil measurements on a machine elsewhere. hub is the
// word of --hub.
func ExamineAt(ctx context.Context, h assay.Host, hub string) (check *Checkup, err error) {
	m, h, err := machine.Connect(ctx, h, machine.Options{Hub: hub, Work: "assay doctor"})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, m.Close()) }()
	check = &Checkup{Name: machine.NameOf(h)}
	if check.Platform, err = m.Platform(ctx); err != nil {
		return nil, err
	}
	check.Findings, err = m.Inspect(ctx, check.Platform)
	return check, err
}

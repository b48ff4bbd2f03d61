package doctor

import (
	"context"
	"errors"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/machine"
)

// ExamineAt looks for what would spoil measurements on a machine elsewhere. hub is the
// word of --hub.
func ExamineAt(ctx context.Context, h assay.Host, hub string) (checkup *Checkup, err error) {
	m, h, err := machine.Connect(ctx, h, machine.Options{Hub: hub, Work: "assay doctor"})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, m.Close()) }()
	checkup = &Checkup{Name: machine.NameOf(h)}
	if checkup.Platform, err = m.Platform(ctx); err != nil {
		return nil, err
	}
	checkup.Findings, err = m.Inspect(ctx, checkup.Platform)
	return checkup, err
}

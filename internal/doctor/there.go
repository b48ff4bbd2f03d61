package doctor

import (
	"context"
	"errors"
	"io"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/build"
	"github.com/seed-1318a441/assay/internal/fleet"
	"github.com/seed-1318a441/assay/internal/remote"
	"github.com/seed-1318a441/assay/internal/ssh"
)

// connect connects to a machine elsewhere.
func connect(ctx context.Context, h assay.Host) (*remote.Machine, error) {
	return remote.Connect(ctx, remote.Options{Name: h.Label, Builder: build.New(""),
		Link: remote.Over(func(ctx context.Context) (io.ReadWriteCloser, error) { return ssh.Dial(ctx, h.Address, ssh.Options{}) })})
}

// ExamineAt looks for what would spoil measurements on a machine elsewhere.
func ExamineAt(ctx context.Context, h assay.Host) (check *Checkup, err error) {
	m, err := connect(ctx, h)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, m.Close()) }()
	check = &Checkup{Name: fleet.Word(h)}
	if check.Platform, err = m.Platform(ctx); err != nil {
		return nil, err
	}
	check.Findings, err = m.Inspect(ctx, check.Platform)
	return check, err
}

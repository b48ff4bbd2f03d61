package session

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/build"
	"github.com/seed-1318a441/assay/internal/doctor/check"
	"github.com/seed-1318a441/assay/internal/lab"
	"github.com/seed-1318a441/assay/internal/local"
	"github.com/seed-1318a441/assay/internal/remote"
	"github.com/seed-1318a441/assay/internal/secret"
	"github.com/seed-1318a441/assay/internal/survey"
)

// A site is where a session measures: this computer, or one elsewhere.
type site struct {
	lab.Machine
	// customer is the machine, for the workshop that builds for it.
	customer local.Customer
	// target is its platform, if it is another computer's.
	target local.Target
	memo   survey.Memo
	// withheld are the variables withheld from builds and trials.
	withheld []string
	// written returns warnings about benchmarks that write into their folder.
	written func() []assay.Warning
	// inspect returns what would spoil a measurement there.
	inspect func(context.Context, assay.Platform) []check.Finding
	// far is the machine elsewhere; nil for this computer, which a session occupies
	// before it builds.
	far   *remote.Machine
	close func()
}

// inspectHere returns what would spoil a measurement on this computer.
func inspectHere(ctx context.Context, p assay.Platform) []check.Finding { return check.Inspect(ctx, p) }

// openSite prepares the computer that the study is measured on.
func (c *Config) openSite(ctx context.Context, b *build.Builder) (out site, err error) {
	withheld, give := secret.Withhold(c.Study.Measure.Pass)
	if len(c.Study.Hosts) > 0 && !c.Study.Hosts[0].Local() {
		out, err = c.openElsewhere(ctx, b, &c.Study.Hosts[0])
	} else {
		out, err = c.openHere(b)
	}
	if err != nil {
		give()
		return out, err
	}
	end := out.close
	out.withheld, out.close = withheld, func() { end(); give() }
	return out, nil
}

// openHere prepares this computer.
func (c *Config) openHere(b *build.Builder) (site, error) {
	machine, err := local.NewMachine(b.Cache)
	if err != nil {
		return site{}, err
	}
	if machine.Assay, err = os.Executable(); err != nil {
		return site{}, errors.Join(fmt.Errorf("find assay's own program: %w", err), machine.Close())
	}
	return site{Machine: machine, customer: machine, memo: survey.Memo{Load: b.Cache.Load, Store: b.Cache.Store},
		written: machine.Written, inspect: inspectHere, close: func() { machine.Close() }}, nil
}

// openElsewhere connects to another computer.
func (c *Config) openElsewhere(ctx context.Context, b *build.Builder, there *assay.Host) (site, error) {
	m, err := c.connect(ctx, b, there)
	if err != nil {
		return site{}, err
	}
	p, err := m.Platform(ctx)
	if err != nil {
		return site{}, errors.Join(err, m.Close())
	}
	if c.Study.Measure.GOARCH == "" && p.GOARCH != runtime.GOARCH {
		c.Study.Measure.GOARCH = p.GOARCH
	}
	c.Progress.Say(fmt.Sprintf("assay: %s is %s, %d CPUs", there.Label, p, p.CPUs))
	// What was found out about a build on one computer says nothing about another.
	at := ".at-" + p.ID + "-" + p.Host[:min(len(p.Host), 16)]
	return site{Machine: m, customer: m, far: m, target: local.Target{GOOS: p.GOOS, GOARCH: p.GOARCH},
		memo: survey.Memo{Load: func(id, name string, v any) bool { return b.Cache.Load(id, name+at, v) },
			Store: func(id, name string, v any) error { return b.Cache.Store(id, name+at, v) }},
		written: func() []assay.Warning {
			ctx, cancel := context.WithTimeout(context.Background(), farewell)
			defer cancel()
			return m.Written(ctx)
		},
		inspect: func(ctx context.Context, p assay.Platform) []check.Finding {
			found, _ := m.Inspect(ctx, p) // a machine that is lost has other troubles
			return found
		},
		close: func() { m.Close() }}, nil
}

// farewell is how long a machine elsewhere has to answer when the trials are done.
const farewell = 10 * time.Second

// moveIn sends what was built to a machine elsewhere, and waits until it is free. Other
// assays may use this computer then.
func (s *Session) moveIn(ctx context.Context) error {
	m := s.site.far
	if m == nil {
		return nil
	}
	if !s.Config.Here {
		s.Config.Lease.Release()
	}
	if err := m.Stage(ctx); err != nil {
		return err
	}
	dir, _ := os.Getwd() // shown to those who wait
	return m.Occupy(ctx, s.Config.Command, dir, s.reportOccupants())
}

// Agent is the end of a session where trials run, started by ssh: it does what arrives on
// r until that ends.
func Agent(ctx context.Context, r io.Reader, w io.Writer) error {
	self, err := os.Executable()
	if err != nil { // there is no /proc
		self, err = filepath.Abs(os.Args[0])
	}
	if err != nil {
		return fmt.Errorf("find assay's own program: %w", err)
	}
	return remote.Serve(ctx, r, w, self)
}

package session

import (
	"errors"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/host"
	"github.com/seed-1318a441/assay/internal/printable"
)

// fixSettings changes machine settings that can be restored, for the duration of a run;
// back restores them. If the process is killed before that, a later repair restores them.
func (c *Config) fixSettings() (back func(), err error) {
	if !c.Fix {
		return func() {}, nil
	}
	changed, err := c.Keeper.Apply(false)
	if err != nil {
		return nil, FixError(err, `sudo assay doctor --fix, then this without --fix, then sudo assay doctor --undo`)
	}
	if len(changed) == 0 {
		c.Progress.Say("assay: there is nothing here that --fix would change")
	} else {
		c.Progress.Say("assay: for this run: " + host.Describe(changed, true) + "; it was " + host.Describe(changed, false))
	}
	return func() {
		if _, err := c.Keeper.Release(); err != nil {
			c.Progress.Say("assay: the settings of this machine are not put back: " + printable.OneLine(err) + "; try: sudo assay doctor --undo")
		}
	}, nil
}

// FixError is the error of a refused change of settings. It does not suggest running
// assay as root: the go command would leave root's files in the caches.
func FixError(err error, try string) error {
	w := assay.Warning{Code: assay.CodeFix, Text: "the settings of this machine stay as they are: " + printable.OneLine(err)}
	if errors.Is(err, host.ErrNotAllowed) {
		w.Text, w.Facts, w.Try = host.ErrNotAllowed.Error(), []string{strings.TrimPrefix(printable.OneLine(err), host.ErrNotAllowed.Error()+": ")}, try
	}
	return &assay.Error{Warning: w, Exit: assay.ExitRefused}
}

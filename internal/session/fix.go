package session

import (
	"errors"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/doctor/check"
	"github.com/seed-1318a441/assay/internal/printable"
)

// fixSettings changes machine settings that can be restored, for the duration of a run;
// back restores them. If the process is killed before that, a later repair restores them.
func (c *Config) fixSettings() (back func(), err error) {
	if !c.Fix {
		return func() {}, nil
	}
	changed, err := c.keeper().Apply(false)
	if err != nil {
		return nil, fixError(err, `sudo assay doctor --fix   then this without --fix, then sudo assay doctor --undo`)
	}
	if len(changed) == 0 {
		c.Progress.Say("assay: there is nothing here that --fix would change")
	} else {
		c.Progress.Say("assay: for this run: " + check.Describe(changed, true) + "; it was " + check.Describe(changed, false))
	}
	return func() {
		if _, err := c.keeper().Release(); err != nil {
			c.Progress.Say("assay: the settings of this machine are not put back: " + printable.OneLine(err) + "; try: sudo assay doctor --undo")
		}
	}, nil
}

func (c *Config) keeper() check.Keeper { return check.Keeper{Root: c.Root} }

// Fix changes machine settings that can be restored, until Undo restores them. root is
// the folder with the system's files. It reports whether there was anything to change.
func Fix(root string) (changed bool, err error) {
	settings, err := check.Keeper{Root: root}.Apply(true)
	return len(settings) > 0, fixError(err, "sudo assay doctor --fix")
}

// Undo restores the settings that Fix has changed, and says which.
func Undo(root string) (text string, err error) {
	k := check.Keeper{Root: root}
	back, err := k.Undo()
	if err != nil {
		return "", fixError(err, "sudo assay doctor --undo")
	}
	left, err := k.Changed()
	switch {
	case len(back) > 0:
		text = "put back: " + check.Describe(back, false)
	case len(left) > 0:
		text = "a run needs it still, and puts it back at its end: " + check.Describe(left, false)
	default:
		text = "nothing to put back"
	}
	return text, fixError(err, "")
}

// Repair restores what a killed assay has left changed, before any other work. It returns
// what there is to say about that. A failure is no error: the command at hand may not
// need the settings.
func Repair(root string) []assay.Warning {
	back, err := check.Keeper{Root: root}.Repair()
	w := assay.Warning{Code: assay.CodeRepaired}
	switch {
	case errors.Is(err, check.ErrNotAllowed):
		w.Text, w.Try = "a run that was killed has left the settings of this machine changed, and only root can put them back", "sudo assay doctor --undo"
	case err != nil:
		w.Text, w.Advice = "what a run that was killed has left cannot be put back: "+printable.OneLine(err), "sudo rm -r /run/assay, when the settings are as they should be"
	case len(back) > 0:
		w.Text = "put back what a run that was killed had changed: " + check.Describe(back, false)
	default:
		return nil
	}
	return []assay.Warning{w}
}

// fixError is the error of a refused change of settings. It does not suggest running
// assay as root: the go command would leave root's files in the caches.
func fixError(err error, try string) error {
	if err == nil {
		return nil
	}
	w := assay.Warning{Code: assay.CodeFix, Text: "the settings of this machine stay as they are: " + printable.OneLine(err)}
	if errors.Is(err, check.ErrNotAllowed) {
		w.Text, w.Facts = check.ErrNotAllowed.Error(), []string{strings.TrimPrefix(printable.OneLine(err), check.ErrNotAllowed.Error()+": ")}
		w.Suggest(try)
	}
	return &assay.Error{Warning: w, Exit: assay.ExitRefused}
}

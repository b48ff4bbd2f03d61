package main

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/host"
	"github.com/seed-1318a441/assay/internal/printable"
	"github.com/seed-1318a441/assay/internal/session"
	"github.com/seed-1318a441/assay/internal/terminal"
)

// systemRoot is where the files of the kernel are; tests put a made-up system there.
var systemRoot = "/"

func keeper() host.Keeper { return host.Keeper{Root: systemRoot} }

// fixSettings changes what can be put back, until undoSettings does.
func fixSettings(c *console) error {
	changed, err := keeper().Apply(true)
	if err != nil {
		return session.FixError(err, "sudo assay doctor --fix")
	}
	if len(changed) == 0 {
		fmt.Fprintln(c.stderr, "assay: there is nothing here that --fix would change")
	}
	return nil
}

func undoSettings(c *console) error {
	k := keeper()
	back, err := k.Undo()
	if err != nil {
		return session.FixError(err, "sudo assay doctor --undo")
	}
	left, err := k.Changed()
	switch {
	case err != nil:
		return session.FixError(err, "")
	case len(back) > 0:
		c.print("put back: " + host.Describe(back, false))
	case len(left) > 0:
		c.print("a run needs it still, and puts it back at its end: " + host.Describe(left, false))
	default:
		c.print("nothing to put back")
	}
	return nil
}

// repair puts back what a killed assay has left, before any other work. It is no
// error where that fails: the command at hand may need nothing of it.
func repair(c *console, cmd *cobra.Command) {
	if strings.HasPrefix(cmd.Name(), "__") { // completion talks to a shell
		return
	}
	back, err := keeper().Repair()
	w := assay.Warning{Code: assay.CodeRepaired}
	switch {
	case errors.Is(err, host.ErrNotAllowed):
		w.Text, w.Try = "a run that was killed has left the settings of this machine changed, and only root can put them back", "sudo assay doctor --undo"
	case err != nil:
		w.Text, w.Try = "what a run that was killed has left cannot be put back: "+printable.OneLine(err), "sudo rm -r /run/assay, when the settings are as they should be"
	case len(back) > 0:
		w.Text = "put back what a run that was killed had changed: " + host.Describe(back, false)
	default:
		return
	}
	terminal.WarningText(c.stderr, []assay.Warning{w}, terminal.StyleFor(c.stderr, os.Getenv, c.color))
}

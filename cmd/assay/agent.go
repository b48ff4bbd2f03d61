package main

import (
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/machine"
	"github.com/seed-1318a441/assay/internal/session"
	"github.com/seed-1318a441/assay/internal/usage"
)

func newAgent(c *console) *cobra.Command {
	var stdio, check bool
	keep := usage.Size(10e9)
	var a machine.Agent
	cmd := &cobra.Command{
		Use:   "agent --join FILE [flags]\n  assay agent --stdio",
		Short: "Run the trials of others on this machine, for a hub",
		Long: "Join a hub, and run on this machine what its users ask for, one job after the other,\nuntil Ctrl-C. FILE comes from assay hub add agent NAME. Who may submit work to the hub\n" +
			"can run code here: run the agent as a user of its own.\n\n" +
			"Of its environment trials get PATH, HOME, LANG, TMPDIR, USER, LOGNAME,\nASSAY_LOCK_DIR, all variables that begin with XDG_, and those of --pass NAME. Values of\nsecrets are in ~/.config/assay/secrets of this computer.\n\n" +
			"With --stdio it talks over standard input and output instead; --on=ssh:HOST starts\nit so, and there is no reason to type it, other than to see whether it starts.",
		Example:               "  assay agent --join m4.join --check\n  assay agent --join m4.join --label=quiet --tool=sysbench",
		DisableFlagsInUseLine: true,
		Args:                  atMost(0),
	}
	fs := cmd.Flags()
	fs.StringVar(&a.Join, "join", "", "the join `FILE` of this machine")
	fs.BoolVar(&check, "check", false, "print what the agent could do, and serve nobody")
	fs.StringArrayVar(&a.Labels, "label", nil, "`WORD` that pools of machines ask for; may be repeated")
	fs.StringArrayVar(&a.Tools, "tool", nil, "`PROGRAM` on the PATH that studies may ask for; may be repeated")
	fs.StringArrayVar(&a.Pass, "pass", nil, "let trials have the variable `NAME` of this shell; may be repeated")
	fs.StringVar(&a.Dir, "dir", "", "`DIR` to keep everything in (default: the user's cache and state)")
	fs.Var(&keep, "keep", "largest `SIZE` of the files that stay for later runs")
	fs.BoolVar(&stdio, "stdio", false, "talk over standard input and output")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		a.Keep = int64(keep)
		switch {
		case stdio && a.Join == "":
			return session.Agent(cmd.Context(), os.Stdin, c.raw)
		case stdio || a.Join == "":
			return assay.UsageError(assay.CodeFlags, "assay agent needs a file to join a hub with", "--join with the file that assay hub add agent writes; or compare --on=ssh:HOST, which needs no hub")
		case check:
			lines, err := a.Check(cmd.Context())
			c.printAll(lines)
			return err
		}
		ctx, stop := signal.NotifyContext(cmd.Context(), os.Interrupt, syscall.SIGTERM)
		defer stop()
		return a.Run(ctx, c.say())
	}
	return cmd
}

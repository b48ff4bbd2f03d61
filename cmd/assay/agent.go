package main

import (
	"os"

	"github.com/spf13/cobra"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/session"
)

func newAgent(c *console) *cobra.Command {
	var stdio bool
	cmd := &cobra.Command{
		Use:   "agent --stdio",
		Short: "Run trials for an assay elsewhere; --on starts it",
		Long: "Run trials for an assay on another computer, which talks to it over standard\ninput and output. --on starts it by ssh, and it ends with that connection;\n" +
			"there is no reason to type it, other than to see whether it starts.\n\n" +
			"Of its environment trials get PATH, HOME, LANG, TMPDIR, USER, LOGNAME, all\nvariables that begin with XDG_, and those of --pass NAME at the other end.\n" +
			"Values of secrets are in ~/.config/assay/secrets of this computer.",
		Args: atMost(0),
	}
	cmd.Flags().BoolVar(&stdio, "stdio", false, "talk over standard input and output")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if !stdio {
			return assay.UsageError(assay.CodeFlags, "assay agent talks over standard input and output only", "assay compare --on=ssh:HOST ..., which starts it there")
		}
		return session.Agent(cmd.Context(), os.Stdin, c.stdout)
	}
	return cmd
}

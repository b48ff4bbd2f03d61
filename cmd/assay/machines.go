package main

import (
	"encoding/json"
	"errors"

	"github.com/spf13/cobra"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/doctor"
)

func newMachines(c *console) *cobra.Command {
	var offline, asJSON bool
	var hub string
	cmd := &cobra.Command{
		Use:   "machines [flags] [MACHINE]",
		Short: "List the machines to measure on: reachable, busy, how noisy",
		Long: "List this computer, the machines of machines.toml and those of the hub: whether they\ncan be reached, who measures there and who waits, the noise floor of the last run, and\nthe smallest change that a run of 1, 5 and 20 minutes shows. The trend has the floors\nof the last runs.\n\n" +
			"With MACHINE, which --on would take, list the runs of that machine.",
		Example: "  assay machines\n  assay machines --offline\n  assay machines bench1\n  assay machines drain m4",
		Args:    atMost(1),
	}
	cmd.Flags().BoolVar(&offline, "offline", false, "connect to no machine")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the machines as JSON")
	cmd.Flags().BoolVar(&c.all, "all", false, "list every run of MACHINE that is remembered")
	registerHubFile(cmd.PersistentFlags(), &hub)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		word := ""
		if len(args) > 0 {
			word = args[0]
		}
		members, err := doctor.Machines(cmd.Context(), word, hub, offline)
		if _, told := errors.AsType[*assay.Error](err); err != nil && !told && cmd.Context().Err() == nil {
			return assay.UsageError(assay.CodeNoMachine, err.Error(), "assay machines")
		}
		switch {
		case err != nil:
			return err
		case asJSON:
			e := json.NewEncoder(c.stdout)
			e.SetIndent("", "\t")
			return e.Encode(members)
		case word != "":
			c.printAll(members[0].Lines(c.out()))
		default:
			c.printAll(doctor.Table(members, c.out()))
		}
		return nil
	}
	cmd.AddCommand(newDrain(c, &hub, "drain", false), newDrain(c, &hub, "resume", true))
	return cmd
}

// newDrain returns the command that has a machine of a hub drain, or serve again.
func newDrain(c *console, hub *string, name string, resume bool) *cobra.Command {
	short, done := "Have a machine of the hub begin nothing after the job that runs", " drains: it begins nothing more"
	if resume {
		short, done = "Have a machine of the hub serve again", " serves again"
	}
	cmd := &cobra.Command{Use: name + " MACHINE", Short: short, Args: exactly("MACHINE")}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		err := doctor.Drain(cmd.Context(), *hub, args[0], resume)
		if err == nil {
			c.print(args[0] + done)
		}
		return err
	}
	return cmd
}

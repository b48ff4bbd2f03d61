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
	cmd := &cobra.Command{
		Use:   "machines [flags] [MACHINE]",
		Short: "The machines to measure on: reachable, busy, how noisy, and what changes they show",
		Long: "List this computer and the machines of machines.toml: whether they can be reached,\nwho measures there, the noise floor of the last run, and the smallest change that a\nrun of 1, 5 and 20 minutes shows. The trend has the floors of the last runs.\n\n" +
			"With MACHINE, which --on would take, list the runs of that machine.",
		Example: "  assay machines\n  assay machines --offline\n  assay machines bench1",
		Args:    atMost(1),
	}
	cmd.Flags().BoolVar(&offline, "offline", false, "connect to no machine")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the machines as JSON")
	cmd.Flags().BoolVar(&c.all, "all", false, "list every run of MACHINE that is remembered")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		word := ""
		if len(args) > 0 {
			word = args[0]
		}
		members, err := doctor.Fleet(cmd.Context(), word, offline)
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
	return cmd
}

package main

import (
	"context"
	"encoding/json"

	"github.com/spf13/cobra"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/doctor"
	"github.com/seed-1318a441/assay/internal/usage"
)

func newDoctor(c *console) *cobra.Command {
	var aa bool
	var sf studyFlags
	rf := runFlags{}
	cmd := &cobra.Command{
		Use:   "doctor [--on MACHINE] [--json]\n  assay doctor --aa [flags] [-- GO-TEST-ARGS]",
		Short: "List what would spoil a measurement here, and what cures it",
		Long: "Say what would spoil a measurement on this machine, by how much, and what cures it.\n\n" +
			"doctor changes nothing. Where a command cures what it found, it prints the line to\ntype, and the line that takes it back.\n\n" +
			"--aa measures the same code against itself, counts the false alarms, and prints the\nsmallest change that this machine can show.\nBenchmarks are those after --, else of strconv and sort of the standard library.\n--on examines or measures another machine. assay machines lists the noise floors.",
		Example:               "  assay doctor\n  assay doctor --aa --budget 5m\n  assay doctor --aa -- -bench=Decode ./codec",
		DisableFlagsInUseLine: true,
		Annotations:           map[string]string{usage.BeforeDashes: "nothing"},
	}
	cmd.Flags().BoolVar(&aa, "aa", false, "measure the same code against itself")
	sf.register(cmd.Flags())
	rf.register(cmd.Flags(), c)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		_, dashed := splitDash(cmd, args)
		if aa {
			return measureAA(cmd, c, &sf, &rf, dashed)
		}
		hosts, err := hostsOn(cmd)
		if err != nil {
			return err
		}
		if err := oneMachine(hosts); err != nil {
			return err
		}
		return inspect(cmd.Context(), c, &rf, hosts)
	}
	return cmd
}

// oneMachine returns an error for more machines than doctor looks at.
func oneMachine(hosts []assay.Host) error {
	if len(hosts) <= 1 {
		return nil
	}
	return assay.UsageError(assay.CodeFlags, "doctor looks at one machine at a time", "assay doctor --on="+hosts[0].Label)
}

// inspect examines the machine and prints the findings.
func inspect(ctx context.Context, c *console, rf *runFlags, hosts []assay.Host) error {
	check, err := examine(ctx, rf, hosts)
	if err != nil {
		return err
	}
	return printCheckup(c, rf, check)
}

// examine looks for what would spoil measurements on the machine that --on names, or here.
func examine(ctx context.Context, rf *runFlags, hosts []assay.Host) (*doctor.Checkup, error) {
	if len(hosts) > 0 && !hosts[0].Local() {
		return doctor.ExamineAt(ctx, hosts[0], rf.Hub)
	}
	return doctor.Examine(ctx, rf.Store)
}

func printCheckup(c *console, rf *runFlags, check *doctor.Checkup) error {
	if rf.json {
		e := json.NewEncoder(c.stdout)
		e.SetIndent("", "\t")
		return e.Encode(check)
	}
	c.printAll(check.Lines(c.out().Width, c.all))
	return nil
}

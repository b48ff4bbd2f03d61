package main

import (
	"github.com/spf13/cobra"

	"github.com/seed-1318a441/assay/internal/gclog"
	"github.com/seed-1318a441/assay/internal/sheet"
	"github.com/seed-1318a441/assay/internal/terminal"
	"github.com/seed-1318a441/assay/internal/usage"
)

func newGC(c *console) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "gc [flags] [NAME=]FILE...",
		Short: "Read and compare logs of GODEBUG=gctrace=1",
		Long: "Read what a Go program printed under GODEBUG=gctrace=1, whatever else is in the\n" +
			"log, and print what its garbage collector did. Of several logs the first is the\n" +
			"base; those that have one NAME are runs of one variant. FILE \"-\" is the standard\n" +
			"input. There are no verdicts: nothing pairs the logs.",
		Example: "  GODEBUG=gctrace=1 ./server 2>gc.txt\n  assay gc gc.txt\n  assay gc old=a1.txt old=a2.txt new=b1.txt new=b2.txt",
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the result as JSON")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		logs, err := gclog.Read(cmd.InOrStdin(), args)
		if err != nil {
			return err
		}
		r := gclog.Compare(logs)
		r.Command = usage.Line("gc", nil, args, nil)
		if asJSON {
			return sheet.WriteJSON(c.stdout, r)
		}
		c.printAll(gclog.Lines(logs, r, c.out()))
		terminal.WarningText(c.stderr, r.Warnings, c.err())
		return nil
	}
	return cmd
}

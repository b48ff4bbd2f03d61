package main

import (
	"github.com/spf13/cobra"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/manual"
)

func newMan(c *console, root *cobra.Command) *cobra.Command {
	var dir string
	cmd := &cobra.Command{
		Use:     "man [-o DIR]",
		Short:   "Print the manual page, or write one for each command",
		Long:    "Print the manual page assay(1), all commands in one, or with -o write a page for\neach command into a folder.",
		Example: "  assay man | man -l -\n  assay man -o /usr/local/share/man/man1",
		Args:    atMost(0),
	}
	cmd.Flags().StringVarP(&dir, "output", "o", "", "write assay.1 and a page for each command into `DIR`")
	cmd.RunE = func(*cobra.Command, []string) error {
		if dir == "" {
			return manual.Write(c.stdout, root)
		}
		if err := manual.WriteFiles(dir, root); err != nil {
			return assay.UsageError(assay.CodeOutput, err.Error(), "assay man -o with a folder that exists")
		}
		return nil
	}
	return cmd
}

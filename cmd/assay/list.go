package main

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/seed-1318a441/assay/internal/runs"
)

func newList(c *console) *cobra.Command {
	var store string
	cmd := &cobra.Command{Use: "list", Short: "List the runs that are kept here", Args: atMost(0), SuggestFor: []string{"ls", "runs", "history"}}
	storeFlag(cmd, &store)
	cmd.RunE = func(*cobra.Command, []string) error {
		lines, err := runs.Lines(store, time.Now())
		if err != nil {
			return err
		}
		if len(lines) == 0 {
			fmt.Fprintf(c.stderr, "assay: no run in %s yet\n", c.err().Text(store))
		}
		c.printAll(lines)
		return nil
	}
	return cmd
}

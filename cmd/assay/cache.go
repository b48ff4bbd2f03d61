package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/seed-1318a441/assay/internal/session"
	"github.com/seed-1318a441/assay/internal/usage"
)

func newCache(c *console) *cobra.Command {
	var prune usage.Size
	cmd := &cobra.Command{
		Use:   "cache",
		Short: "List or prune the cache of binaries and sources",
		Long: fmt.Sprintf("List the cache of binaries and sources by kind. assay can make all of it again.\n"+
			"--prune SIZE removes the least recently used entries until SIZE is left. Once a day\n"+
			"a measurement prunes the cache itself, if it is larger than %s.", session.CacheLimit()),
		Example: "  assay cache\n  assay cache --prune 2GB",
		Args:    atMost(0),
	}
	cmd.Flags().Var(&prune, "prune", "remove the least recently used until `SIZE` is left, such as 500MB or 0")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if cmd.Flags().Changed("prune") {
			freed, err := session.PruneCache(cmd.Context(), int64(prune))
			if freed != "" {
				c.print("freed " + freed)
			}
			return err
		}
		lines, err := session.CacheLines()
		c.printAll(lines)
		return err
	}
	return cmd
}

package main

import (
	"context"
	"fmt"
	"os"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/cache"
	"github.com/seed-1318a441/assay/internal/host"
)

func newCache(c *console) *cobra.Command {
	var prune string
	cmd := &cobra.Command{
		Use:   "cache",
		Short: "List or prune the cache of binaries and sources",
		Long: fmt.Sprintf("List the cache of binaries and sources by kind. assay can make all of it again.\n"+
			"--prune SIZE removes the least recently used entries until SIZE is left. Once a day\n"+
			"a measurement prunes the cache itself, if it is larger than %s.", cache.SizeText(cache.Limit)),
		Example: "  assay cache\n  assay cache --prune 2GB",
		Args:    atMost(0),
	}
	cmd.Flags().StringVar(&prune, "prune", "", "remove the least recently used until `SIZE` is left, such as 500MB or 0")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		store := cache.New("")
		if cmd.Flags().Changed("prune") {
			limit, err := cache.ParseSize(prune)
			if err != nil {
				return assay.UsageError(assay.CodeFlags, fmt.Sprintf("--prune %s: %v", prune, err), "assay cache --prune 2GB")
			}
			return c.pruneCache(cmd.Context(), store, limit)
		}
		return c.listCache(store)
	}
	return cmd
}

// listCache prints a line for each kind of entry.
func (c *console) listCache(store *cache.Cache) error {
	entries, err := store.Entries()
	if err != nil {
		return err
	}
	type sum struct {
		n     int
		bytes int64
		used  time.Time
	}
	sums, order, all := map[string]*sum{}, []string{}, int64(0)
	for _, e := range entries {
		if sums[e.Kind] == nil {
			sums[e.Kind], order = &sum{used: e.Used}, append(order, e.Kind)
		}
		sums[e.Kind].n++
		sums[e.Kind].bytes += e.Bytes
		all += e.Bytes
	}
	var table strings.Builder
	t := tabwriter.NewWriter(&table, 0, 8, 2, ' ', 0)
	fmt.Fprintln(t, "kind\tentries\tsize\tleast recent use")
	for _, kind := range order {
		s := sums[kind]
		fmt.Fprintf(t, "%s\t%d\t%s\t%s ago\n", kind, s.n, cache.SizeText(s.bytes), age(time.Since(s.used)))
	}
	fmt.Fprintf(t, "all\t%d\t%s\t\n", len(entries), cache.SizeText(all))
	t.Flush() // a strings.Builder takes everything
	for line := range strings.Lines(table.String()) {
		c.print(strings.TrimRight(line, " \n"))
	}
	c.print(store.Dir)
	return nil
}

// pruneCache prunes while nobody measures.
func (c *console) pruneCache(ctx context.Context, store *cache.Cache, limit int64) error {
	busy := func(o host.Occupant) error {
		return &assay.Error{Exit: assay.ExitRefused, Warning: assay.Warning{Code: assay.CodeMachineBusy, Text: "an assay that measures on this machine uses the cache",
			Facts: []string{o.String()}, Try: "assay cache --prune, when it is done"}}
	}
	leave, err := host.Occupy(ctx, host.Occupant{PID: os.Getpid(), Command: "assay cache --prune", Since: time.Now().UTC().Round(time.Second)}, busy)
	if err != nil {
		return err
	}
	defer leave()
	freed, err := store.Prune(limit)
	c.print("freed " + cache.SizeText(freed))
	return err
}

package main

import (
	"encoding/json"
	"fmt"
	"runtime"

	"github.com/spf13/cobra"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/knobs"
	"github.com/seed-1318a441/assay/internal/report"
)

// knobsFlags choose the knobs and how to print them.
type knobsFlags struct {
	goos, goarch string
	json         bool
}

func newKnobs(c *console) *cobra.Command {
	var f knobsFlags
	cmd := &cobra.Command{
		Use:   "knobs [flags] [TOOLCHAIN] [WORD]",
		Short: "List what a toolchain accepts",
		Long: "List what a toolchain accepts and what it does by default: experiments, debug\nkeys of its compiler, architecture levels and GODEBUG settings.\n" +
			"With a word that names no toolchain, print only what contains it.",
		Example:               "  assay knobs go1.26.8\n  assay knobs go1.26.8 malloc",
		DisableFlagsInUseLine: true,
		Args:                  atMost(2),
	}
	cmd.Flags().StringVar(&f.goos, "goos", runtime.GOOS, "defaults for this `GOOS`")
	cmd.Flags().StringVar(&f.goarch, "goarch", runtime.GOARCH, "defaults for this `GOARCH`")
	cmd.Flags().BoolVar(&f.json, "json", false, "print the list as JSON")
	cmd.Flags().BoolVar(&c.all, "all", false, "print descriptions in full, on several lines where needed")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		name, filter, err := knobsArgs(args)
		if err != nil {
			return err
		}
		set, err := knobs.Read(cmd.Context(), name, f.goos, f.goarch, func() {
			if !c.quiet {
				fmt.Fprintf(c.stderr, "assay: %s is not here yet: asking for it\n", c.err().Text(name))
			}
		})
		if err != nil {
			return err
		}
		if filter != "" {
			if err := set.CheckWord(filter); err != nil {
				return err
			}
			c.all = true // few lines, with room for whole descriptions
		}
		set = report.PickKnobs(set, filter)
		if f.json {
			return printJSON(c, set)
		}
		c.printAll(report.KnobLines(set, c.out().Width, c.all))
		return nil
	}
	return cmd
}

// knobsArgs splits arguments into a toolchain, "" for the one in use, and a word to look
// for.
func knobsArgs(args []string) (name, filter string, err error) {
	for _, a := range args {
		arg, what := &filter, "word to look for"
		if knobs.ToolchainName.MatchString(a) {
			arg, what = &name, "toolchain"
		}
		if *arg != "" {
			return "", "", assay.UsageError(assay.CodeFlags, fmt.Sprintf("%q and %q: there is one %s", *arg, a, what), "assay knobs --help")
		}
		*arg = a
	}
	return name, filter, nil
}

// printJSON prints a value as indented JSON.
func printJSON(c *console, v any) error {
	b, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(c.stdout, "%s\n", b)
	return err
}

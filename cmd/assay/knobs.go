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
		Use:   "knobs [flags] [TOOLCHAIN [TOOLCHAIN]] [WORD]",
		Short: "List what a toolchain accepts; of two, the difference",
		Long: "List what a toolchain accepts and what it does by default: experiments, debug\nkeys of its compiler, architecture levels and GODEBUG settings. With two\n" +
			"toolchains, print what appeared, vanished or changed its default from the first\nto the second. With a word that names no toolchain, print only what contains it.",
		Example:               "  assay knobs go1.26.8\n  assay knobs go1.25.7 go1.27.2\n  assay knobs go1.26.8 malloc",
		DisableFlagsInUseLine: true,
		Args:                  atMost(3),
	}
	cmd.Flags().StringVar(&f.goos, "goos", runtime.GOOS, "defaults for this `GOOS`")
	cmd.Flags().StringVar(&f.goarch, "goarch", runtime.GOARCH, "defaults for this `GOARCH`")
	cmd.Flags().BoolVar(&f.json, "json", false, "print the list as JSON")
	cmd.Flags().BoolVar(&c.all, "all", false, "print descriptions in full, on several lines where needed")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		toolchains, filter, err := knobsArgs(args)
		if err != nil {
			return err
		}
		sets, err := knobs.Read(cmd.Context(), toolchains, f.goos, f.goarch, func(name string) {
			if !c.quiet {
				fmt.Fprintf(c.stderr, "assay: %s is not here yet: asking for it\n", c.err().Text(name))
			}
		})
		if err != nil {
			return err
		}
		if filter != "" {
			if err := knobs.CheckWord(cmd.Context(), filter, sets); err != nil {
				return err
			}
			c.all = true // few lines, with room for whole descriptions
		}
		list := report.PickKnobs(sets, filter)
		if f.json {
			return printJSON(c, list.JSON)
		}
		c.printAll(list.Lines(c.out().Width, c.all))
		return nil
	}
	return cmd
}

// knobsArgs splits arguments into toolchains, by default the one in use, and a word to
// look for.
func knobsArgs(args []string) (toolchains []string, filter string, err error) {
	for _, a := range args {
		switch {
		case knobs.ToolchainName.MatchString(a):
			toolchains = append(toolchains, a)
		case filter != "":
			return nil, "", assay.UsageError(assay.CodeFlags, fmt.Sprintf("%q and %q: there is one word to look for", filter, a), "assay knobs --help")
		default:
			filter = a
		}
	}
	switch len(toolchains) {
	case 0:
		toolchains = []string{""}
	case 3:
		return nil, "", assay.UsageError(assay.CodeFlags, fmt.Sprintf("%q is one toolchain too many for assay knobs", toolchains[2]), "assay knobs --help")
	}
	return toolchains, filter, nil
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

package main

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/seed-1318a441/assay"
)

// messages explains every code of a message: a heading "## code", then prose.
//
//go:embed messages.md
var messages string

func newHelp(c *console, root *cobra.Command) *cobra.Command {
	var all bool
	help := &cobra.Command{
		Use:   "help [COMMAND | CODE] [--all]",
		Short: "Help about a command, or about the [code] of a message",
		RunE: func(_ *cobra.Command, args []string) error {
			if cmd, _, err := root.Find(args); err == nil && (cmd != root || len(args) == 0) {
				if all && cmd.Flags().Lookup(allFlags) != nil {
					cmd.Flags().Set(allFlags, "true")
				}
				cmd.InitDefaultHelpFlag()
				return cmd.Help()
			}
			text, ok := explainCode(args[0])
			if !ok {
				return assay.UsageError(assay.CodeHelp, fmt.Sprintf("no command or message is called %q", args[0]), "assay help")
			}
			_, err := fmt.Fprintln(c.stdout, text)
			return err
		},
		ValidArgs: codes(),
	}
	help.Flags().BoolVar(&all, allFlags, false, "list every flag of COMMAND")
	return help
}

// explainCode returns the explanation of a message's code.
func explainCode(code string) (string, bool) {
	_, rest, ok := strings.Cut("\n"+messages, "\n## "+strings.Trim(code, "[]")+"\n")
	if !ok {
		return "", false
	}
	text, _, _ := strings.Cut(rest, "\n## ")
	return strings.TrimSpace(text), true
}

// codes lists the explained codes.
func codes() []string {
	var out []string
	for line := range strings.Lines(messages) {
		if code, ok := strings.CutPrefix(line, "## "); ok {
			out = append(out, strings.TrimSpace(code))
		}
	}
	slices.Sort(out)
	return out
}

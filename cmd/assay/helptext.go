package main

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/seed-1318a441/assay/internal/terminal"
)

const (
	// helpWidth is the maximum width of a help in columns.
	helpWidth = 80
	// manyFlags is the maximum number of flags that a help lists unasked.
	manyFlags = 20
	// allFlags is the name of the flag with which a help lists every flag.
	allFlags = "all"
)

// setHelp makes the help of commands with many flags list only the common ones, unless the
// user asks for all.
func setHelp(root *cobra.Command) {
	for _, cmd := range root.Commands() {
		if hasManyFlags(cmd) && cmd.Flags().Lookup(allFlags) == nil {
			cmd.Flags().Bool(allFlags, false, "with --help: list every flag")
		}
	}
	root.SetHelpFunc(func(cmd *cobra.Command, _ []string) { writeHelp(cmd.OutOrStdout(), cmd) })
}

// writeHelp prints the help of a command.
func writeHelp(w io.Writer, cmd *cobra.Command) {
	fmt.Fprintf(w, "%s\n\nUsage:\n", wrapProse(cmp.Or(cmd.Long, cmd.Short)))
	if cmd.Runnable() {
		fmt.Fprintf(w, "  %s\n", cmd.UseLine())
	}
	if cmd.HasAvailableSubCommands() {
		fmt.Fprintf(w, "  %s COMMAND\n", cmd.CommandPath())
	}
	if cmd.HasExample() {
		fmt.Fprintf(w, "\nExamples:\n%s\n", strings.TrimRight(cmd.Example, "\n"))
	}
	writeCommands(w, cmd)
	writeFlags(w, cmd)
	if cmd.HasAvailableSubCommands() {
		fmt.Fprintf(w, "\n%q prints the help of a command.\n", cmd.CommandPath()+" COMMAND --help")
	}
}

// wrapProse wraps the paragraphs of a text. Lines that begin with a blank are tables and
// code, and stay.
func wrapProse(text string) string {
	var out, prose []string
	flush := func() {
		if len(prose) > 0 {
			out, prose = append(out, terminal.Wrap(strings.Join(prose, " "), helpWidth)...), nil
		}
	}
	for line := range strings.SplitSeq(strings.TrimSpace(text), "\n") {
		if line != "" && !strings.HasPrefix(line, " ") && !strings.HasPrefix(line, "\t") {
			prose = append(prose, line)
			continue
		}
		flush()
		out = append(out, line)
	}
	flush()
	return strings.Join(out, "\n")
}

// writeCommands lists the commands below one, by group.
func writeCommands(w io.Writer, cmd *cobra.Command) {
	groups := cmd.Groups()
	if len(groups) == 0 && cmd.HasAvailableSubCommands() {
		groups = []*cobra.Group{{Title: "Commands:"}}
	}
	for _, g := range groups {
		fmt.Fprintf(w, "\n%s\n", g.Title)
		for _, below := range cmd.Commands() {
			if below.GroupID == g.ID && (below.IsAvailableCommand() || below.Name() == "help") {
				fmt.Fprintf(w, "  %-*s %s\n", below.NamePadding(), below.Name(), below.Short)
			}
		}
	}
}

// writeFlags lists the flags of a command: the common ones if there are many.
func writeFlags(w io.Writer, cmd *cobra.Command) {
	if own := cmd.LocalFlags(); own.HasAvailableFlags() {
		all, _ := cmd.Flags().GetBool(allFlags)
		short := !all && hasManyFlags(cmd)
		if short {
			own = only(own, commonFlags)
		}
		fmt.Fprintf(w, "\nFlags:\n%s", own.FlagUsagesWrapped(helpWidth))
		if short {
			fmt.Fprintf(w, "\n%q lists all %d flags.\n", cmd.CommandPath()+" --help --"+allFlags, count(cmd))
		}
	}
	if inherited := cmd.InheritedFlags(); inherited.HasAvailableFlags() {
		fmt.Fprintf(w, "\nFlags of every command:\n%s", inherited.FlagUsagesWrapped(helpWidth))
	}
}

// only returns the flags of these names, in their order.
func only(all *pflag.FlagSet, names []string) *pflag.FlagSet {
	out := new(pflag.FlagSet)
	out.SortFlags = false
	for _, name := range names {
		if f := all.Lookup(name); f != nil {
			out.AddFlag(f)
		}
	}
	return out
}

func hasManyFlags(cmd *cobra.Command) bool { return count(cmd) > manyFlags }

// count returns the number of flags of a command itself.
func count(cmd *cobra.Command) (n int) {
	cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			n++
		}
	})
	return n
}

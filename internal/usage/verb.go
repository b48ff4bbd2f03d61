package usage

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/printable"
)

// WithoutVerb is the annotation of the command that is meant by a line without one, such
// as "assay old.txt new.txt".
const WithoutVerb = "without verb"

// Asks reports whether words, and those behind "--", are a question that the command
// WithoutVerb can answer here. They are without flags of assay.
type Asks func(words, dashed []string) bool

// UnknownCommand returns the error for an unknown command, the first of args. The line to
// try keeps the rest of the line, or is the command's help if the rest asks nothing.
func UnknownCommand(root *cobra.Command, args []string, asks Asks) error {
	text := fmt.Sprintf("there is no command %q", args[0])
	cmd, rest := meant(root, args, asks)
	if cmd == nil {
		return assay.UsageError(assay.CodeHelp, text, "assay help")
	}
	try := lineFor(cmd, rest)
	if slices.Contains(cmd.SuggestFor, args[0]) && !answers(cmd, rest, asks) {
		try = cmd.CommandPath() + " --help"
	}
	return assay.UsageError(assay.CodeHelp, text+fmt.Sprintf("; did you mean %q?", cmd.Name()), try)
}

// meant returns the command that a line means whose first word is none, and its arguments:
// one that another tool calls so, the one without a verb, or one with a similar name.
func meant(root *cobra.Command, args []string, asks Asks) (*cobra.Command, []string) {
	var names []string
	for _, cmd := range root.Commands() {
		if slices.Contains(cmd.SuggestFor, args[0]) {
			return cmd, args[1:]
		}
		names = append(names, cmd.Name())
	}
	for _, cmd := range root.Commands() {
		if cmd.Annotations[WithoutVerb] != "" && asksWith(cmd, args, asks) {
			return cmd, args
		}
	}
	right := printable.NearestName(args[0], names)
	for _, cmd := range root.Commands() {
		if cmd.Name() == right {
			return cmd, args[1:]
		}
	}
	return nil, nil
}

// lineFor returns the line of a command with arguments, flags of go test behind the dashes.
func lineFor(cmd *cobra.Command, args []string) string {
	if cmd.Annotations[BeforeDashes] == "" {
		return Line(cmd.Name(), nil, args, nil)
	}
	before, after := lineOf(cmd, args).typed().Split()
	return Line(cmd.Name(), nil, before, after)
}

// answers reports whether a command can do something with arguments that another one got.
func answers(cmd *cobra.Command, args []string, asks Asks) bool {
	if cmd.Annotations[WithoutVerb] != "" {
		return asksWith(cmd, args, asks)
	}
	return cmd.Args == nil || cmd.Args(cmd, lineOf(cmd, args).words(args)) == nil
}

// asksWith reports whether a command's arguments are a question.
func asksWith(cmd *cobra.Command, args []string, asks Asks) bool {
	l := lineOf(cmd, args)
	before, after := l.typed().Split()
	return asks(l.words(before), after)
}

// lineOf returns the line of a command with arguments.
func lineOf(cmd *cobra.Command, args []string) typedLine {
	return typedLine{cmd, append([]string{cmd.Name()}, args...)}
}

// words returns the words that are neither flags nor their values.
func (l typedLine) words(args []string) (out []string) {
	for i := 0; i < len(args); i++ {
		switch a := args[i]; {
		case takesValue(l.cmd, a):
			i++
		case !strings.HasPrefix(a, "-"):
			out = append(out, a)
		}
	}
	return out
}

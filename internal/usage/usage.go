// Package usage finds what is wrong with a command line, and what to type instead: flags
// of go test in front of "--", misspelt commands and flags, invalid values. It knows
// cobra, but no command of assay.
package usage

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/printable"
	"github.com/seed-1318a441/assay/internal/shell"
	"github.com/seed-1318a441/assay/internal/spec"
	"github.com/seed-1318a441/assay/internal/spec/cmdline"
)

// BeforeDashes is the annotation of commands that take arguments for go test after "--".
// Its value says what they take before it: variants, or nothing.
const BeforeDashes = "before the dashes"

// Shield puts a blank before words that begin a variant with a build flag, such as
// -gcflags=-l, so that cobra does not parse them as flags of assay. Unshield removes it.
func Shield(root *cobra.Command, args []string) []string {
	cmd, _, err := root.Find(args)
	if err != nil || cmd.Annotations[BeforeDashes] == "" {
		return args
	}
	out := slices.Clone(args)
	for i := 0; i < len(out) && out[i] != "--"; i++ {
		switch {
		case cmdline.IsVariantFlag(out[i]):
			out[i] = " " + out[i]
		case takesValue(cmd, out[i]):
			i++
		}
	}
	return out
}

// Unshield removes the blanks that Shield added.
func Unshield(words []string) []string {
	out := slices.Clone(words)
	for i, w := range out {
		if cmdline.IsVariantFlag(strings.TrimPrefix(w, " ")) {
			out[i] = strings.TrimPrefix(w, " ")
		}
	}
	return out
}

// takesValue reports whether a word is a flag whose value is the next word.
func takesValue(cmd *cobra.Command, word string) bool {
	if len(word) < 2 || word[0] != '-' || strings.Contains(word, "=") {
		return false
	}
	f := cmd.Flag(strings.TrimPrefix(word, "--"))
	if word[1] != '-' {
		f = cmd.Flags().ShorthandLookup(word[1:2])
		if len(word) > 2 {
			return false // the value is glued to it, or it is a group of switches
		}
	}
	return f != nil && f.NoOptDefVal == ""
}

// A BadValue is an invalid value of a flag, found after parsing.
type BadValue struct {
	Cmd  *cobra.Command
	Flag string
	Err  error
}

// Error implements error.
func (e *BadValue) Error() string { return fmt.Sprintf("--%s: %v", e.Flag, e.Err) }

// A typedLine is a command line with an error in it.
type typedLine struct {
	cmd *cobra.Command
	// args are what follows "assay".
	args []string
}

// FlagError turns cobra's error about a flag into what to type instead. The usual cause
// are flags of go test in front of the dashes. args are what follows "assay".
// asks is for UnknownCommand.
func FlagError(cmd *cobra.Command, args []string, err error, asks Asks) error {
	l := typedLine{cmd, args}
	if word := l.firstWord(); l.cmd == l.cmd.Root() && word >= 0 {
		return UnknownCommand(l.cmd, l.args[word:], asks)
	}
	if e := l.forgotDashes(err); e != nil {
		return e
	}
	if e, ok := errors.AsType[*pflag.NotExistError](err); ok {
		return l.unknownFlag(e)
	}
	if e, ok := errors.AsType[*pflag.InvalidValueError](err); ok {
		return l.wrongValue(e.GetFlag().Name, fmt.Errorf("%s %w", cmp.Or(e.GetValue(), `""`), valueProblem(e)))
	}
	if e, ok := errors.AsType[*pflag.ValueRequiredError](err); ok {
		return assay.UsageError(assay.CodeFlags, fmt.Sprintf("--%s needs a value", e.GetFlag().Name), l.help())
	}
	return assay.UsageError(assay.CodeFlags, err.Error(), l.help())
}

// valueProblem returns what is wrong with a value. Types of assay have their own errors.
func valueProblem(e *pflag.InvalidValueError) error {
	switch e.GetFlag().Value.Type() {
	case "int", "float64":
		return errors.New("is not a number")
	case "bool":
		return errors.New("is neither true nor false")
	case "duration":
		return errors.Unwrap(e.Unwrap()) // without the value
	}
	return e.Unwrap()
}

// forgotDashes returns the error for a flag of go test before the dashes, nil if there is
// none.
func (l typedLine) forgotDashes(err error) error {
	if l.cmd.Annotations[BeforeDashes] == "" {
		return nil
	}
	typed := l.typed()
	unknown, _ := errors.AsType[*pflag.NotExistError](err)
	for i, a := range l.args {
		double := strings.HasPrefix(a, "--")
		switch {
		case a == "--":
			return nil
		case !strings.HasPrefix(a, "-") || takesValue(l.cmd, a) || i > 0 && takesValue(l.cmd, l.args[i-1]):
		case double && (unknown == nil || !strings.HasPrefix(a[2:], unknown.GetSpecifiedName())):
		default:
			if e := cmdline.ForgotDashes(a, typed); e != nil {
				return e
			}
		}
	}
	return nil
}

// typed returns the line for package cmdline.
func (l typedLine) typed() cmdline.Typed {
	return cmdline.Typed{Command: []string{"assay", l.cmd.Name()}, Args: l.args[min(l.firstWord()+1, len(l.args)):],
		TakesValue: func(flag string) bool { return takesValue(l.cmd, flag) }}
}

// firstWord returns the index of the command: the first argument that is no flag; -1 if
// there is none.
func (l typedLine) firstWord() int {
	for i := 0; i < len(l.args); i++ {
		switch a := l.args[i]; {
		case a == "--":
			return -1
		case takesValue(l.cmd.Root(), a):
			i++
		case !strings.HasPrefix(a, "-"):
			return i
		}
	}
	return -1
}

// unknownFlag suggests the flag that was meant.
func (l typedLine) unknownFlag(e *pflag.NotExistError) error {
	name := e.GetSpecifiedName()
	dash := "--"
	if group := e.GetSpecifiedShortnames(); group != "" {
		// "-budget", of which pflag has parsed the first letters: two dashes were meant.
		name, dash = l.groupOf(group), "-"
	}
	text := fmt.Sprintf("%s has no flag %s%s", l.cmd.Name(), dash, name)
	right := l.rightFlag(name)
	if right == "" {
		e := assay.UsageError(assay.CodeFlags, text, l.help())
		if instead := l.cmd.Annotations[InsteadOf+name]; instead != "" {
			e.Facts = []string{instead}
		}
		return e
	}
	wrong := dash + name
	return assay.UsageError(assay.CodeFlags, text+fmt.Sprintf("; did you mean --%s?", right), l.with(func(word string) string {
		if rest, ok := strings.CutPrefix(word, wrong); ok && (rest == "" || rest[0] == '=') {
			return "--" + right + rest
		}
		return word
	}))
}

// OtherNames is the annotation of flags with the names that other tools have for them.
const OtherNames = "other names"

// InsteadOf begins the annotations of a command, each with the name of another tool's flag,
// that say what to type in its place.
const InsteadOf = "instead of "

// rightFlag returns the flag that a wrong name means, "" if that is unknown.
func (l typedLine) rightFlag(wrong string) (right string) {
	var known []string
	list := func(f *pflag.Flag) {
		known = append(known, f.Name)
		if slices.Contains(f.Annotations[OtherNames], wrong) {
			right = f.Name
		}
	}
	l.cmd.Flags().VisitAll(list)
	l.cmd.InheritedFlags().VisitAll(list)
	return cmp.Or(right, printable.NearestName(wrong, known))
}

// groupOf returns the word, without dash and value, that ends in what pflag could not
// parse as one-letter flags.
func (l typedLine) groupOf(rest string) string {
	for _, a := range l.args {
		if strings.HasPrefix(a, "-") && strings.HasSuffix(a, rest) {
			rest = strings.TrimPrefix(a, "-")
			break
		}
	}
	name, _, _ := strings.Cut(rest, "=")
	return name
}

// wrongValue returns the error for a value of a flag. If the right value is known, the
// line to try has it.
func (l typedLine) wrongValue(flag string, err error) error {
	text := fmt.Sprintf("--%s: %v", flag, err)
	bad, ok := errors.AsType[*spec.BadValue](err)
	if !ok || bad.Right == "" {
		return assay.UsageError(assay.CodeFlags, text, l.help())
	}
	var previous string
	return assay.UsageError(assay.CodeFlags, text, l.with(func(word string) string {
		name, _, hasValue := strings.Cut(word, "=")
		defer func() { previous = word }()
		switch {
		case name == "--"+flag && hasValue:
			return name + "=" + bad.Right
		case previous == "--"+flag:
			return bad.Right
		}
		return word
	}))
}

// with returns the line with its words before the dashes changed.
func (l typedLine) with(change func(word string) string) string {
	words := append([]string{"assay"}, l.args...)
	for i := 1; i < len(words) && words[i] != "--"; i++ {
		words[i] = change(words[i])
	}
	return shell.Join(words)
}

// Line returns a command line of assay, quoted for a shell: the command with its flags,
// words, and after "--" the rest.
func Line(command string, flags, words, dashed []string) string {
	out := slices.Concat([]string{"assay", command}, flags, words)
	if len(dashed) > 0 {
		out = append(append(out, "--"), dashed...)
	}
	return shell.Join(out)
}

func (l typedLine) help() string { return l.cmd.CommandPath() + " --help" }

// ValueError turns a BadValue into an error with a line to try.
func ValueError(args []string, err error) error {
	if e, ok := errors.AsType[*BadValue](err); ok {
		return typedLine{e.Cmd, args}.wrongValue(e.Flag, e.Err)
	}
	return err
}

package shell

import (
	"slices"
	"strings"
)

// A Command is a command line of assay as a value, such as
//
//	assay compare --budget=1m0s old new -- -bench=.
//
// which is the form that records have. It is read by ParseCommand and printed by String.
type Command struct {
	Verb  string
	Flags []Flag
	Words []string // variants, revisions, or a study
	// Test are the words behind the dashes, for go test; nil if there are no dashes.
	Test []string
}

// A Flag is one of a command, without its dashes. Of one that With has set, and of a value
// with blanks, value and name are two words.
type Flag struct {
	Name, Value string
	valued, set bool
}

// settable are the flags that With sets, so that their values can be words of their own.
var settable = []string{"blocks", "budget", "layouts", "more", "overlay", "store"}

// switches are the flags without a value: a word with blanks behind any other is its value.
var switches = []string{"aa", "again", "all", "check", "check-layout", "dry", "events", "force", "help", "json", "no-wait", "offline", "pairs", "quiet",
	"recompute", "remote-load", "seal", "stdio", "strict", "summary", "trust", "update", "verify", "version"}

// ParseCommand reads a command line. It is false for one that is not of a command of assay.
func ParseCommand(line string) (c Command, ok bool) {
	words, err := Split(line)
	if err != nil || len(words) < 2 || words[0] != "assay" || !verb.MatchString(words[1]) {
		return c, false
	}
	c.Verb = words[1]
	if i := slices.Index(words, "--"); i > 0 {
		words, c.Test = words[:i], append([]string{}, words[i+1:]...)
	}
	for i := 2; i < len(words); i++ {
		name, is := strings.CutPrefix(words[i], "--")
		if !is {
			c.Words = append(c.Words, words[i])
			continue
		}
		f := Flag{}
		f.Name, f.Value, f.valued = strings.Cut(name, "=")
		if !f.valued && i+1 < len(words) &&
			(slices.Contains(settable, f.Name) || strings.ContainsAny(words[i+1], " \t\n") && !slices.Contains(switches, f.Name)) {
			i++
			f.Value, f.valued, f.set = words[i], true, true
		}
		c.Flags = append(c.Flags, f)
	}
	return c, true
}

// Value returns the value of a flag, and whether the command has it.
func (c Command) Value(flag string) (string, bool) {
	i := slices.IndexFunc(c.Flags, func(f Flag) bool { return f.Name == flag })
	if i < 0 {
		return "", false
	}
	return c.Flags[i].Value, true
}

// Sets reports whether With has set a flag.
func (c Command) Sets(flag string) bool {
	return slices.ContainsFunc(c.Flags, func(f Flag) bool { return f.Name == flag && f.set })
}

// With returns the command with another value of a flag, which then comes first.
func (c Command) With(flag, value string) Command {
	c.Flags = slices.DeleteFunc(slices.Clone(c.Flags), func(f Flag) bool { return f.Name == flag })
	c.Flags = slices.Insert(c.Flags, 0, Flag{Name: flag, Value: value, valued: true, set: true})
	return c
}

// Switch returns the command with a flag that has no value, which then comes first.
func (c Command) Switch(flag string) Command {
	c.Flags = slices.DeleteFunc(slices.Clone(c.Flags), func(f Flag) bool { return f.Name == flag })
	c.Flags = slices.Insert(c.Flags, 0, Flag{Name: flag})
	return c
}

// Study returns the study of a command that runs one, "" for another command.
func (c Command) Study() string {
	if (c.Verb == "run" || c.Verb == "tune") && len(c.Words) == 1 {
		return c.Words[0]
	}
	return ""
}

// WithStudy returns a command that runs another study.
func (c Command) WithStudy(name string) Command {
	c.Words = []string{name}
	return c
}

// String returns the command line, as it can be pasted.
func (c Command) String() string {
	words := []string{"assay", c.Verb}
	for _, f := range c.Flags {
		switch {
		case f.set:
			words = append(words, "--"+f.Name, f.Value)
		case f.valued:
			words = append(words, "--"+f.Name+"="+f.Value)
		default:
			words = append(words, "--"+f.Name)
		}
	}
	words = append(words, c.Words...)
	if c.Test != nil {
		words = append(append(words, "--"), c.Test...)
	}
	return Join(words)
}

// With returns a command line with another value of a flag: "assay compare --budget 5m a b"
// for "assay compare --budget=1m0s a b". A line that is none of assay stays as it is.
func With(line, flag, value string) string {
	c, ok := ParseCommand(line)
	if !ok {
		return line
	}
	return c.With(flag, value).String()
}

// Switch returns a command line with a flag that has no value: "assay run --trust a" for
// "assay run a". A line that is none of assay stays as it is.
func Switch(line, flag string) string {
	c, ok := ParseCommand(line)
	if !ok {
		return line
	}
	return c.Switch(flag).String()
}

// Tolerant returns a command line whose commands (--cmd, --cmd-a, --cmd-b) succeed whatever
// their exit status, which takes a shell; "" for a line that names none.
func Tolerant(line string) string {
	c, ok := ParseCommand(line)
	changed := false
	for i, f := range c.Flags {
		if ok && slices.Contains([]string{"cmd", "cmd-a", "cmd-b"}, f.Name) && f.Value != "" {
			c.Flags[i].Value, changed = "sh -c "+Quote(f.Value+" || true"), true
		}
	}
	if !changed {
		return ""
	}
	return c.String()
}

package main

import (
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// changedFlags are the flags that shape the question, as they were given.
func changedFlags(cmd *cobra.Command) []string {
	var out []string
	cmd.Flags().Visit(func(f *pflag.Flag) {
		switch f.Name {
		case "color", "quiet", "json", "output", "progress", "events", "summary", "all", "more", "store", "strict", "undecided", "aa", "fix", "undo", "no-wait", "trust":
			return
		}
		for _, v := range valuesOf(f) {
			out = append(out, flagWords(f, v)...)
		}
	})
	return out
}

// flagWords writes a flag as one word, or as two where the value has
// blanks: --cmd '{bin} script.lua' reads better than the whole in quotes.
func flagWords(f *pflag.Flag, value string) []string {
	switch {
	case f.Value.Type() == "bool":
		return []string{strings.TrimSuffix("--"+f.Name+"="+value, "=true")}
	case strings.ContainsAny(value, " \t\n"):
		return []string{"--" + f.Name, value}
	}
	return []string{"--" + f.Name + "=" + value}
}

// valuesOf are the values of a flag: several where each was a flag of its own.
func valuesOf(f *pflag.Flag) []string {
	if list, ok := f.Value.(pflag.SliceValue); ok {
		return list.GetSlice()
	}
	return []string{f.Value.String()}
}

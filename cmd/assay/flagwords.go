package main

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// changedFlags returns the given flags that shape the question, as words.
func changedFlags(cmd *cobra.Command) []string {
	return flagsBut(cmd, "color", "quiet", "json", "output", "progress", "events", "summary", "all", "more", "store", "strict", "undecided", "aa", "no-wait", "trust")
}

// flagsBut returns the given flags, less some, as words.
func flagsBut(cmd *cobra.Command, less ...string) []string {
	var out []string
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if slices.Contains(less, f.Name) {
			return
		}
		for _, v := range valuesOf(f) {
			out = append(out, flagWords(f, v)...)
		}
	})
	return out
}

// flagWords returns a flag as one word, or as two if the value has blanks: --cmd '{bin}
// script.lua' reads better than with quotes around all of it.
func flagWords(f *pflag.Flag, value string) []string {
	switch {
	case f.Value.Type() == "bool":
		return []string{strings.TrimSuffix("--"+f.Name+"="+value, "=true")}
	case strings.ContainsAny(value, " \t\n"):
		return []string{"--" + f.Name, value}
	}
	return []string{"--" + f.Name + "=" + value}
}

// valuesOf returns a flag's values: several if the flag was repeated.
func valuesOf(f *pflag.Flag) []string {
	if list, ok := f.Value.(pflag.SliceValue); ok {
		return list.GetSlice()
	}
	return []string{f.Value.String()}
}

package main

import (
	"io"
	"slices"
	"testing"

	"github.com/spf13/pflag"

	"github.com/seed-1318a441/assay/internal/shell"
)

// The flags of a printed command are read again with their values: also a value with blanks,
// which is a word of its own, unless the flag has none.
func TestFlagWordsAreReadAgain(t *testing.T) {
	root := newRoot(&console{stdout: io.Discard, stderr: io.Discard}, nil)
	for _, c := range root.Commands() {
		c.Flags().VisitAll(func(f *pflag.Flag) {
			value := "x y"
			if f.Value.Type() == "bool" {
				value = "true"
			}
			line := shell.Join(slices.Concat([]string{"assay", "compare"}, flagWords(f, value), []string{"a: b", "c"}))
			got, ok := shell.ParseCommand(line)
			if !ok || !slices.Equal(got.Words, []string{"a: b", "c"}) || len(got.Flags) != 1 || got.Flags[0].Name != f.Name || value == "x y" && got.Flags[0].Value != value {
				t.Errorf("%s: %q is read as %+v", c.Name(), line, got)
			}
		})
	}
}

package main

import (
	"testing"

	"github.com/seed-1318a441/assay/internal/usage"
)

// TestCompareCommand: the line that repeats a comparison names its commands as
// they were typed, each flag of --cmd on its own.
func TestCompareCommand(t *testing.T) {
	for _, test := range []struct {
		args []string
		want string
	}{
		{[]string{"go1.25.7", "go1.26.8", "--cmd", "{bin} a,b", "--cmd={bin} 'c d'", "--json", "--", "-race", "./cmd/x"},
			`assay compare --cmd '{bin} a,b' --cmd "{bin} 'c d'" go1.25.7 go1.26.8 -- -race ./cmd/x`},
		{[]string{"--cmd-b", "./new x", "--cmd-a", "./old", "--expect", "any", "--force", "--goarch", "386"},
			`assay compare --cmd-a=./old --cmd-b './new x' --expect=any --force --goarch=386`},
	} {
		cmd := newCompare(&console{})
		if err := cmd.ParseFlags(test.args); err != nil {
			t.Fatal(err)
		}
		variants, dashed := splitDash(cmd, cmd.Flags().Args())
		if got := usage.Line("compare", changedFlags(cmd), variants, dashed); got != test.want {
			t.Errorf("%q: got\n%s, want\n%s", test.args, got, test.want)
		}
	}
}

package main

import (
	"strings"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/seed-1318a441/assay/internal/shell"
)

// tries WORDS... checks that the message of the last command has this line to try, and
// runs it: a comparison as a plan that builds nothing, unless it reads files. Without
// words, the message has no line to try but a help.
func tries(ts *testscript.TestScript, neg bool, args []string) {
	var got string
	for line := range strings.Lines(ts.ReadFile("stderr")) {
		if rest, ok := strings.CutPrefix(strings.TrimSpace(line), "try: "); ok {
			got = rest
		}
	}
	if len(args) == 0 {
		if got != "" && !strings.HasSuffix(got, " --help") && got != "assay help" {
			ts.Fatalf("the line to try is %q, want none", got)
		}
		return
	}
	if want := shell.Join(args); got != want {
		ts.Fatalf("the line to try is %q, want %q", got, want)
	}
	words, err := shell.Split(got)
	ts.Check(err)
	if words[1] == "compare" && words[2] != "--help" && !strings.HasSuffix(got, ".txt") {
		words = append([]string{"assay", "plan", "--dry"}, words[2:]...)
	}
	ts.Check(ts.Exec(words[0], words[1:]...))
}

package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// helpOf returns what a command prints for --help.
func helpOf(t *testing.T, path string, flags ...string) string {
	t.Helper()
	var out bytes.Buffer
	args := append(append(strings.Fields(path)[1:], "--help"), flags...)
	if err := run(t.Context(), &out, t.Output(), args); err != nil {
		t.Fatalf("%s --help: %v", path, err)
	}
	return out.String()
}

// allCommands lists every command, and those below it.
func allCommands(c *cobra.Command) []*cobra.Command {
	all := []*cobra.Command{c}
	for _, below := range c.Commands() {
		all = append(all, allCommands(below)...)
	}
	return all
}

// No line of a help is wider than 80 columns. With --all it lists every flag, without it
// about a dozen.
func TestHelpFits(t *testing.T) {
	root := newRoot(&console{stdout: io.Discard, stderr: io.Discard}, nil)
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	for _, c := range allCommands(root) {
		short := helpOf(t, c.CommandPath())
		texts := []string{short}
		if c.Flags().Lookup(allFlags) != nil {
			texts = append(texts, helpOf(t, c.CommandPath(), "--all"))
		}
		for _, text := range texts {
			for line := range strings.Lines(text) {
				if line = strings.TrimSuffix(line, "\n"); len([]rune(line)) > 80 {
					t.Errorf("%s --help: %d columns: %s", c.CommandPath(), len([]rune(line)), line)
				}
			}
		}
		c.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if !f.Hidden && !strings.Contains(texts[len(texts)-1], "--"+f.Name) {
				t.Errorf("%s --help --all: there is no --%s", c.CommandPath(), f.Name)
			}
		})
		if n := strings.Count(short, "\n      --") + strings.Count(short, "\n  -"); n > 24 {
			t.Errorf("%s --help lists %d flags", c.CommandPath(), n)
		}
	}
}

// "assay help COMMAND --all" is "assay COMMAND --help --all".
func TestHelpOfAllFlags(t *testing.T) {
	var got bytes.Buffer
	if err := run(t.Context(), &got, t.Output(), []string{"help", "compare", "--all"}); err != nil {
		t.Fatal(err)
	}
	want := helpOf(t, "assay compare", "--all")
	if got.String() != want || !strings.Contains(want, "--patience") {
		t.Errorf("got\n%s\nwant\n%s", &got, want)
	}
	if short := helpOf(t, "assay compare"); strings.Contains(short, "--patience") || !strings.Contains(short, "--budget") {
		t.Errorf("the short help is\n%s", short)
	}
}

// The document of the command line names every command and every flag.
func TestDocumentIsWhole(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(repository(), "docs/cli.md"))
	if err != nil {
		t.Fatal(err)
	}
	root := newRoot(&console{stdout: io.Discard, stderr: io.Discard}, nil)
	for _, c := range root.Commands() {
		if !strings.Contains(string(text), "`"+c.CommandPath()) {
			t.Errorf("docs/cli.md: there is no %s", c.CommandPath())
		}
		c.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if !f.Hidden && !strings.Contains(string(text), "--"+f.Name) {
				t.Errorf("docs/cli.md: there is no --%s of %s", f.Name, c.Name())
			}
		})
	}
}

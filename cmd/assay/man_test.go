package main

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
	"github.com/spf13/pflag"
)

// Every command has a page with all of its flags, and what reads manuals has nothing to
// warn of.
func TestManIsWhole(t *testing.T) {
	root := newRoot(&console{stdout: io.Discard, stderr: io.Discard}, nil)
	dir := t.TempDir()
	if err := doc.GenManTree(root, manual(root), dir); err != nil {
		t.Fatal(err)
	}
	groff, err := exec.LookPath("groff")
	if err != nil {
		t.Log("groff is not here: the pages are not checked by it")
	}
	for _, c := range root.Commands() {
		if !c.IsAvailableCommand() {
			continue
		}
		page, err := os.ReadFile(filepath.Join(dir, strings.ReplaceAll(c.CommandPath(), " ", "-")+".1"))
		if err != nil {
			t.Error(err)
			continue
		}
		c.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if !f.Hidden && f.Name != "help" && !strings.Contains(strings.ReplaceAll(string(page), `\-`, "-"), "--"+f.Name) {
				t.Errorf("--%s of %s is not in the manual", f.Name, c.Name())
			}
		})
		if groff == "" {
			continue
		}
		cmd := exec.Command(groff, "-man", "-Tutf8", "-Kutf8", "-z")
		cmd.Stdin = bytes.NewReader(page)
		if out, err := cmd.CombinedOutput(); err != nil || len(out) > 0 {
			t.Errorf("%s: %v\n%s", c.Name(), err, out)
		}
	}
}

// The pages show long texts as they are written, of commands below commands too: a list of
// hub's members keeps its lines.
func TestManKeepsLines(t *testing.T) {
	root := newRoot(&console{stdout: io.Discard, stderr: io.Discard}, nil)
	manual(root)
	var whole func(c *cobra.Command)
	n := 0
	whole = func(c *cobra.Command) {
		for line := range strings.SplitSeq(c.Long, "\n") {
			if line != "" && !strings.HasPrefix(line, "    ") {
				t.Errorf("%s: %q is no code", c.CommandPath(), line)
			}
		}
		for _, below := range c.Commands() {
			n++
			whole(below)
		}
	}
	whole(root)
	if n < 30 {
		t.Errorf("saw %d commands", n)
	}
}

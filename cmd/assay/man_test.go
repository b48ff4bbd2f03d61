package main

import (
	"bytes"
	"io"
	"os/exec"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"github.com/seed-1318a441/assay/internal/manual"
)

// The manual names every command and every flag.
func TestManIsWhole(t *testing.T) {
	root := newRoot(&console{stdout: io.Discard, stderr: io.Discard}, nil)
	var b bytes.Buffer
	if err := manual.Write(&b, root); err != nil {
		t.Fatal(err)
	}
	page := b.String()
	for _, c := range root.Commands() {
		if !strings.Contains(page, "\n.SS "+manual.Escape(c.CommandPath())+"\n") && c.IsAvailableCommand() {
			t.Errorf("%s is not in the manual", c.CommandPath())
		}
		c.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if !f.Hidden && f.Name != "help" && !strings.Contains(page, `\-\-`+manual.Escape(f.Name)+`\fR`) {
				t.Errorf("--%s of %s is not in the manual", f.Name, c.Name())
			}
		})
	}
}

// What reads manuals has nothing to warn of.
func TestManIsWellFormed(t *testing.T) {
	groff, err := exec.LookPath("groff")
	if err != nil {
		t.Skip("needs groff")
	}
	var b bytes.Buffer
	if err := manual.Write(&b, newRoot(&console{stdout: io.Discard, stderr: io.Discard}, nil)); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(groff, "-man", "-ww", "-Tutf8", "-Kutf8", "-z")
	cmd.Stdin = &b
	if out, err := cmd.CombinedOutput(); err != nil || len(out) > 0 {
		t.Errorf("%v\n%s", err, out)
	}
}

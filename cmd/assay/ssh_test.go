//go:build unix

package main

import (
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/seed-1318a441/assay/internal/ssh/sshtest"
)

// TestSSH runs testdata/ssh: scripts that reach the machines bench1 and bench2 by ssh. Both
// are this computer, each with a HOME of its own.
func TestSSH(t *testing.T) {
	n := sshtest.New(t)
	for _, name := range []string{"bench1", "bench2"} {
		n.Machine(name, sshtest.Options{})
	}
	testScripts(t, "testdata/ssh", func(e *testscript.Env) {
		e.Setenv("PATH", n.Bin+string(filepath.ListSeparator)+e.Getenv("PATH"))
	})
}

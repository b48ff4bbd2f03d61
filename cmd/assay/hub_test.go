//go:build unix

package main

import (
	"net"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/seed-1318a441/assay/internal/slow"
)

// TestHub runs testdata/hub: scripts in which a hub, agents and users are processes of
// their own. HUB and HUB2 are addresses on which nobody listens.
func TestHub(t *testing.T) { testHub(t, "testdata/hub") }

// TestSlowHub runs that of a hub whose members are encrypted.
func TestSlowHub(t *testing.T) {
	slow.Test(t)
	testHub(t, "testdata/slowhub")
}

func testHub(t *testing.T, dir string) {
	testScripts(t, dir, func(e *testscript.Env) {
		for _, name := range []string{"HUB", "HUB2"} {
			e.Setenv(name, freeAddress(t))
		}
		e.Setenv("HOME", e.WorkDir+"/home")
		e.Setenv("XDG_CONFIG_HOME", "")
		e.Setenv("XDG_STATE_HOME", "")
	})
}

// freeAddress returns an address on which nobody listens.
func freeAddress(t testing.TB) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

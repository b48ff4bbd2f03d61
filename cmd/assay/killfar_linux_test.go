package main

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/seed-1318a441/assay/internal/slow"
	"github.com/seed-1318a441/assay/internal/ssh/sshtest"
)

// A run on a machine elsewhere, whose agent, whose connection and whose lab are killed
// again and again at any moment, has each complete block once when the line is typed as
// often as the lab was killed, and no block is lost.
//
// ASSAY_KILLS=200 kills so often.
func TestKillFar(t *testing.T) { testKillFar(t, kills(t, 3), 12) }

func TestSlowKillFar(t *testing.T) {
	slow.Test(t)
	testKillFar(t, kills(t, 12), 30)
}

func testKillFar(t *testing.T, times, blocks int) {
	t.Parallel()
	n := sshtest.New(t)
	far := n.Machine("bench1", sshtest.Options{})
	s := besieged(t, realAssay(t), blocks, []string{"--on=" + far.Address()}, "PATH="+n.Bin+string(filepath.ListSeparator)+os.Getenv("PATH"), lockVariable+"="+t.TempDir())
	s.victims = map[string]func() bool{
		"agent": func() (killed bool) {
			for _, pid := range far.Programs() {
				killed = syscall.Kill(pid, syscall.SIGKILL) == nil || killed
			}
			return killed
		},
		"connection": func() bool {
			if len(far.Programs()) == 0 {
				return false
			}
			far.Drop()
			return true
		},
	}
	made := s.kill(t, times)
	runs := s.end(t)
	until(t, "the end of the agents", func() bool { return len(far.Programs()) == 0 })
	// The last agent has swept what killed ones left. Its own lock file stays, for the next.
	for dir, most := range map[string]int{"tmp": 0, "alive": 1} {
		left, err := os.ReadDir(filepath.Join(far.Home, ".cache", "assay", dir))
		if err != nil || len(left) > most {
			t.Errorf("%d entries are left in %s over there, %v", len(left), dir, err)
		}
	}
	t.Logf("%v killed in %d runs", made, runs)
}

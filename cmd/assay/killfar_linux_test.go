package main

import (
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/seed-1318a441/assay/internal/record"
	"github.com/seed-1318a441/assay/internal/session"
	"github.com/seed-1318a441/assay/internal/ssh/sshtest"
)

// A run on a machine elsewhere, whose agent, whose connection and whose lab are killed
// again and again at any moment, has each complete block once when the line is typed as
// often as the lab was killed, and no block is lost.
//
// ASSAY_KILLS=200 kills so often.
func TestKillFar(t *testing.T) {
	n := sshtest.New(t)
	far := n.Machine("bench1", sshtest.Options{})
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	// What is sent must be assay itself: this test is assay by another name only.
	assay := filepath.Join(t.TempDir(), "assay")
	build := exec.Command("go", "build", "-o", assay, ".")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	write(t, dir, "go.mod", "module killed\n\ngo 1.24\n")
	write(t, dir, "x_test.go", killedTest)
	const blocks = 30
	start := func() *exec.Cmd {
		cmd := exec.Command(assay, "compare", "--on="+far.Address(), "GOGC=100", "GOGC=200", "--trial=2ms", "--blocks="+strconv.Itoa(blocks), "--budget=10h", "--pair=processes", "--", "-bench=Loop")
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "PATH="+n.Bin+string(filepath.ListSeparator)+os.Getenv("PATH"))
		return cmd
	}
	// complete counts the complete blocks of all runs, and checks the records.
	complete := func() (sum int, all []*record.Run) {
		runs, err := record.List(filepath.Join(dir, session.StoreDir))
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range runs {
			run, err := record.Read(os.DirFS(e.Dir))
			if err != nil {
				t.Fatal(err)
			}
			sum, all = sum+len(run.Blocks()), append(all, run)
		}
		return sum, all
	}
	rnd := rand.New(rand.NewPCG(7, 8))
	wanted, before := kills(t, 6), 0
	var made [3]atomic.Int64 // kills of agents, connections, labs
	for total := int64(0); total < int64(wanted); total = made[0].Load() + made[1].Load() + made[2].Load() {
		cmd := start()
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		ended := make(chan struct{})
		var killer sync.WaitGroup
		killer.Go(func() {
			for {
				select {
				case <-ended:
					return
				case <-time.After(time.Duration(300+rnd.IntN(2500)) * time.Millisecond):
				}
				switch what := rnd.IntN(3); what {
				case 0:
					for _, pid := range far.Programs() {
						if syscall.Kill(pid, syscall.SIGKILL) == nil {
							made[what].Add(1)
						}
					}
				case 1:
					if len(far.Programs()) > 0 {
						far.Drop()
						made[what].Add(1)
					}
				case 2:
					if cmd.Process.Kill() == nil {
						made[what].Add(1)
					}
				}
			}
		})
		_ = cmd.Wait() // killed, or at its end
		close(ended)
		killer.Wait()
		now, _ := complete()
		if now < before {
			t.Fatalf("%d complete blocks after the kills, %d before", now, before)
		}
		before = now
	}
	if out, err := start().CombinedOutput(); err != nil {
		t.Fatalf("at last: %v\n%s", err, out)
	}
	_, runs := complete()
	for _, run := range runs {
		decided := 0
		for i, b := range run.Blocks() {
			if b[0].Block != i+1 {
				t.Errorf("run %s has block %d in place %d", run.Plan.Run, b[0].Block, i+1)
			}
			if !b[0].Pilot {
				decided++
			}
		}
		if decided != blocks || run.End == nil {
			t.Errorf("run %s ended with %d blocks, want %d", run.Plan.Run, decided, blocks)
		}
	}
	until(t, "the end of the agents", func() bool { return len(far.Programs()) == 0 })
	t.Logf("%d agents, %d connections and %d labs killed in %d runs", made[0].Load(), made[1].Load(), made[2].Load(), len(runs))
}

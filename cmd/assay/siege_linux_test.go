package main

import (
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/seed-1318a441/assay/internal/record"
	"github.com/seed-1318a441/assay/internal/session"
)

// A siege is a run whose lab, and what the lab depends on, are killed again and again at
// any moment, while the line is typed as often as the lab was killed.
type siege struct {
	// dir is where the lab runs; start makes its command.
	dir   string
	start func() *exec.Cmd
	// victims kill something besides the lab, by their names; false says that there was
	// nothing to kill.
	victims map[string]func() bool
	blocks  int // that the run decides after
}

// kill kills so often in all, and returns how often each victim was. Each is killed once
// before one is killed twice.
func (s *siege) kill(t *testing.T, wanted int) map[string]int {
	t.Helper()
	rnd := rand.New(rand.NewPCG(7, 8))
	made, before := map[string]int{}, 0
	names := []string{"lab"}
	for name := range s.victims {
		names = append(names, name)
	}
	slices.Sort(names)
	rnd.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
	for sum := 0; sum < wanted; {
		cmd := s.start()
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
				name := names[sum%len(names)]
				if name == "lab" && cmd.Process.Kill() == nil || name != "lab" && s.victims[name]() {
					made[name]++
					sum++
				}
			}
		})
		_ = cmd.Wait() // killed, or at its end
		close(ended)
		killer.Wait()
		now := 0
		for _, run := range s.runs(t) {
			now += len(run.Blocks())
		}
		if now < before {
			t.Fatalf("%d complete blocks after the kills, %d before", now, before)
		}
		before = now
	}
	return made
}

// runs reads all runs, which checks their records.
func (s *siege) runs(t *testing.T) (all []*record.Run) {
	t.Helper()
	list, err := record.List(filepath.Join(s.dir, session.StoreDir))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range list {
		run, err := record.Read(os.DirFS(e.Dir))
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, run)
	}
	return all
}

// end lets the run come to its end, and checks that each of its blocks is there once.
func (s *siege) end(t *testing.T) (runs int) {
	t.Helper()
	if out, err := s.start().CombinedOutput(); err != nil {
		t.Fatalf("at last: %v\n%s", err, out)
	}
	all := s.runs(t)
	for _, run := range all {
		decided := 0
		for i, b := range run.Blocks() {
			if b[0].Block != i+1 {
				t.Errorf("run %s has block %d in place %d", run.Plan.Run, b[0].Block, i+1)
			}
			if !b[0].Pilot {
				decided++
			}
		}
		if decided != s.blocks || run.End == nil {
			t.Errorf("run %s ended with %d blocks, want %d", run.Plan.Run, decided, s.blocks)
		}
	}
	return len(all)
}

// besieged makes a siege of a comparison of two variants with short trials, of so many
// blocks. on are the flags that say where it is measured, env is added to the environment.
func besieged(t testing.TB, assay string, blocks int, on []string, env ...string) *siege {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	write(t, dir, "go.mod", "module killed\n\ngo 1.24\n")
	write(t, dir, "x_test.go", killedTest)
	s := &siege{dir: dir, blocks: blocks}
	args := append([]string{"compare"}, on...)
	args = append(args, "GOGC=100", "GOGC=200", "--trial=2ms", "--blocks="+strconv.Itoa(s.blocks), "--budget=10h", "--", "-bench=Loop", "-benchtime=5000000x")
	s.start = func() *exec.Cmd {
		cmd := exec.Command(assay, args...)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), env...)
		return cmd
	}
	return s
}

// realAssay builds assay: what is sent to another machine must be assay itself, and this
// test is assay by another name only.
func realAssay(t testing.TB) string {
	t.Helper()
	assay := filepath.Join(t.TempDir(), "assay")
	build := exec.Command("go", "build", "-o", assay, ".")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return assay
}

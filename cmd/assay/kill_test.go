package main

import (
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/seed-1318a441/assay/internal/record"
	"github.com/seed-1318a441/assay/internal/session"
	"github.com/seed-1318a441/assay/internal/slow"
)

// A real run that is killed with SIGKILL again and again ends when it is typed as
// often: every complete block is there once, torn ones were run anew, and nothing
// that was measured is lost. No process outlives it.
//
// ASSAY_KILLS=1000 kills it so often.
func TestKillRealRun(t *testing.T) { testKillRealRun(t, kills(t, 2)) }

func TestSlowKillRealRun(t *testing.T) {
	slow.Test(t)
	testKillRealRun(t, 20)
}

func testKillRealRun(t *testing.T, times int) {
	t.Parallel()
	assay := asAssay(t)
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	write(t, dir, "go.mod", "module killed\n\ngo 1.24\n")
	write(t, dir, "x_test.go", `package killed

import "testing"

func BenchmarkX(b *testing.B) {
	s := 0
	for i := 0; i < b.N; i++ {
		s += i
	}
	if s == -1 {
		b.Log(s)
	}
}
`)
	lock := t.TempDir()
	start := func() *exec.Cmd {
		cmd := exec.Command(assay, "compare", "GOGC=100", "GOGC=200", "--layouts=1", "--trial=2ms", "--blocks=50", "--budget=10h", "--seed=1")
		cmd.Dir, cmd.Env = dir, append(os.Environ(), lockVariable+"="+lock)
		return cmd
	}
	// blocks counts the complete blocks of every run and checks the records.
	blocks := func() map[string]int {
		runs, err := record.List(filepath.Join(dir, session.StoreDir))
		if err != nil {
			t.Fatal(err)
		}
		counts := map[string]int{}
		for _, e := range runs {
			run, err := record.Read(os.DirFS(e.Dir))
			if err != nil {
				t.Fatal(err)
			}
			counts[e.Run] = len(run.Blocks())
		}
		return counts
	}
	rnd := rand.New(rand.NewPCG(5, 6))
	before := map[string]int{}
	for kills := 0; kills < times; {
		cmd := start()
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		timer := time.AfterFunc(time.Duration(300+rnd.IntN(700))*time.Millisecond, func() { cmd.Process.Kill() })
		if cmd.Wait() != nil {
			kills++ // else it came to its end, and the next start is a new run
		}
		timer.Stop()
		until(t, "the end of all", func() bool { return len(within(dir, "")) == 0 })
		now := blocks()
		for run, n := range before {
			if now[run] < n {
				t.Fatalf("run %s has %d complete blocks after a kill, %d before", run, now[run], n)
			}
		}
		before = now
	}
	if out, err := start().CombinedOutput(); err != nil {
		t.Fatalf("resume: %v\n%s", err, out)
	}
	for run, n := range blocks() {
		if n != 50 {
			t.Errorf("run %s ended with %d blocks, want 50", run, n)
		}
	}
	runs, err := record.List(filepath.Join(dir, session.StoreDir))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range runs {
		if !e.Finished {
			t.Errorf("run %s was not gone on with", e.Run)
		}
	}
}

// kills is how often something is killed.
func kills(t *testing.T, usually int) int {
	said := os.Getenv("ASSAY_KILLS")
	if said == "" {
		return usually
	}
	n, err := strconv.Atoi(said)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// until waits for something, a long time.
func until(t testing.TB, what string, is func() bool) {
	t.Helper()
	for range 6000 {
		if is() {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Fatalf("waited for %s in vain", what)
}

// within are the processes that run in or below a folder, and have a text in their
// command line.
func within(dir, text string) (pids []string) {
	names, _ := filepath.Glob("/proc/[0-9]*/cwd")
	for _, name := range names {
		cwd, err := os.Readlink(name)
		line, _ := os.ReadFile(filepath.Join(filepath.Dir(name), "cmdline"))
		if err == nil && strings.HasPrefix(cwd, dir) && strings.Contains(string(line), text) {
			pids = append(pids, filepath.Dir(name))
		}
	}
	return pids
}

func write(t testing.TB, dir, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

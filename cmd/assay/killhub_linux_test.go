package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/seed-1318a441/assay/internal/record"
	"github.com/seed-1318a441/assay/internal/slow"
)

// A run on a machine of a hub, whose agent, whose hub and whose submitter are killed again
// and again at any moment, has each complete block once when the line is typed as often as
// the submitter was killed, and no block is lost.
//
// ASSAY_KILLS=1000 kills so often.
func TestKillHub(t *testing.T) { testKillHub(t, kills(t, 3)) }

func TestSlowKillHub(t *testing.T) {
	slow.Test(t)
	testKillHub(t, kills(t, 12))
}

func testKillHub(t *testing.T, times int) {
	t.Parallel()
	f := newFleet(t, "m4")
	s := f.besieged("--on=agent:m4")
	s.victims = map[string]func() bool{"agent": f.agents["m4"].kill, "hub": f.hub.kill}
	made := s.kill(t, times)
	runs := s.end(t)
	t.Logf("%v killed in %d runs", made, runs)
}

// During a run the hub's disk is wiped, and the agent is frozen for longer than its lease:
// nothing is lost or counted twice.
func TestSlowWipeAndFreezeHub(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	f := newFleet(t, "m4")
	s := f.besieged("--on=agent:m4")
	cmd := s.start()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	blocks := func() (n int) {
		for _, run := range s.runs(t) {
			n += len(run.Blocks())
		}
		return n
	}
	until(t, "the first blocks", func() bool { return blocks() >= 3 })
	f.hub.mu.Lock()
	_ = f.hub.process.Kill() // the guard waits until its disk is wiped
	until(t, "that the hub's disk can be wiped", func() bool { return os.RemoveAll(filepath.Join(f.dir, "state/assay/hub/store")) == nil })
	f.hub.mu.Unlock()
	at := blocks()
	until(t, "blocks after the disk was wiped", func() bool { return blocks() >= at+3 })
	f.agents["m4"].signal(syscall.SIGSTOP)
	time.Sleep(12 * time.Second) // longer than an agent stands still unnoticed
	f.agents["m4"].signal(syscall.SIGCONT)
	if err := cmd.Wait(); err != nil {
		t.Fatal(err)
	}
	s.end(t)
}

// Three machines at once for one study, and one of them for another one, while an agent
// and the hub are killed: each machine has its run, and one of them no more work than it
// was asked for.
func TestSlowThreeAgents(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	f := newFleet(t, "a", "b", "c")
	all, one := f.besieged("--on=agent:a", "--on=agent:b", "--on=agent:c"), f.besieged("--on=agent:a", "--priority=high")
	var said [2]bytes.Buffer
	var cmds []*exec.Cmd
	for i, s := range []*siege{all, one} {
		cmd := s.start()
		cmd.Env = append(cmd.Env, lockVariable+"="+t.TempDir()) // submitters on computers of their own
		cmd.Stdout, cmd.Stderr = &said[i], &said[i]
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		cmds = append(cmds, cmd)
	}
	until(t, "blocks on all machines", func() bool {
		runs := all.runs(t)
		return len(runs) == 3 && !slices.ContainsFunc(runs, func(r *record.Run) bool { return len(r.Blocks()) < 2 })
	})
	f.agents["a"].kill()
	f.agents["b"].kill()
	f.hub.kill()
	for i, cmd := range cmds {
		if err := cmd.Wait(); err != nil {
			t.Errorf("submitter %d: %v\n%s", i, err, &said[i])
		}
	}
	if n := len(all.runs(t)); n != 3 || len(one.runs(t)) != 1 {
		t.Errorf("got %d and %d runs, want 3 and 1", n, len(one.runs(t)))
	}
	if text := said[0].String(); !strings.Contains(text, "3 machines") {
		t.Errorf("got no answer over three machines:\n%s", text)
	}
	for _, s := range []*siege{all, one} {
		for _, run := range s.runs(t) {
			if run.End == nil {
				t.Errorf("run %s has not ended", run.Plan.Run)
			}
		}
	}
}

// A machine of a pool that is lost for longer than there is patience leaves its run as it
// is; a new one begins on another machine. The same line goes on with it there.
func TestSlowPoolMachineLost(t *testing.T) {
	slow.Test(t)
	t.Parallel()
	f := newFleet(t, "a", "b")
	s := f.besieged("--on=pool:quiet", "--patience=3s")
	cmd := s.start()
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &said
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	until(t, "the first blocks", func() bool {
		runs := s.runs(t)
		return len(runs) == 1 && len(runs[0].Blocks()) >= 2
	})
	first := s.runs(t)[0]
	lost := "a"
	if out, err := f.command("list", "machines", "agent:b").CombinedOutput(); err != nil {
		t.Fatal(err)
	} else if strings.Contains(string(out), " busy ") {
		lost = "b"
	}
	f.agents[lost].end()
	if err := cmd.Wait(); err != nil {
		t.Fatalf("%v\n%s", err, &said)
	}
	runs := s.runs(t)
	if len(runs) != 2 {
		t.Fatalf("%d runs, want 2:\n%s", len(runs), &said)
	}
	for _, run := range runs {
		if ended := run.End != nil; ended == (run.Plan.Run == first.Plan.Run) {
			t.Errorf("run %s has ended: %v", run.Plan.Run, ended)
		}
	}
	if runs[0].Platform.Host == runs[1].Platform.Host {
		t.Error("both runs are of one computer")
	}
	if text := said.String(); !strings.Contains(text, "a new run begins on another machine of quiet") {
		t.Errorf("it does not say so:\n%s", text)
	}
	last := runs[slices.IndexFunc(runs, func(r *record.Run) bool { return r.Plan.Run != first.Plan.Run })].Plan.Run
	explain := f.command("lab", "explain", last, "Loop", "--collect=code")
	explain.Dir = s.dir
	out, err := explain.CombinedOutput()
	if want := "assay: run " + last + " was measured on another machine: quiet, "; err != nil || !strings.Contains(string(out), want) {
		t.Errorf("an explanation on this computer: %v, and it does not say %q:\n%s", err, want, out)
	}
	if want := "--on=pool:quiet looks for the causes there\n"; !strings.Contains(string(out), want) {
		t.Errorf("it does not say %q:\n%s", want, out)
	}
}

package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/seed-1318a441/assay/internal/record"
)

// A guard keeps a process running: one that ends is started again, as a service manager
// does.
type guard struct {
	start func() *exec.Cmd

	mu      sync.Mutex
	process *os.Process
	ended   bool
	done    chan struct{}
}

// guarded starts the process, and again until the test ends.
func guarded(t *testing.T, start func() *exec.Cmd) *guard {
	t.Helper()
	g := &guard{start: start, done: make(chan struct{})}
	started := make(chan struct{})
	go func() {
		defer close(g.done)
		for first := true; ; first = false {
			cmd := g.start()
			g.mu.Lock()
			if g.ended {
				g.mu.Unlock()
				return
			}
			err := cmd.Start()
			g.process = cmd.Process
			g.mu.Unlock()
			if first {
				close(started)
			}
			if err != nil {
				t.Error(err)
				return
			}
			_ = cmd.Wait()
		}
	}()
	<-started
	t.Cleanup(func() {
		g.mu.Lock()
		g.ended = true
		g.mu.Unlock()
		g.kill()
		<-g.done
	})
	return g
}

// signal sends a signal to the process.
func (g *guard) signal(s syscall.Signal) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.process != nil && g.process.Signal(s) == nil
}

func (g *guard) kill() bool { return g.signal(syscall.SIGKILL) }

// A fleet is a hub with agents and a user, all of them processes of assay in folders of
// their own.
type fleet struct {
	t      *testing.T
	assay  string
	dir    string
	listen string
	hub    *guard
	agents map[string]*guard
}

// newFleet starts a hub, and an agent for each name.
func newFleet(t *testing.T, agents ...string) *fleet {
	t.Helper()
	f := &fleet{t: t, assay: realAssay(t), dir: t.TempDir(), listen: freeAddress(t), agents: map[string]*guard{}}
	f.hub = guarded(t, func() *exec.Cmd { return f.command("hub", "hub", "--listen="+f.listen) })
	until(t, "the hub", func() bool {
		_, err := os.Stat(filepath.Join(f.dir, "state/assay/hub/taken"))
		return err == nil
	})
	f.must("hub", "add", "user", "ci", "-o", filepath.Join(f.dir, "hub.join"))
	for _, name := range agents {
		f.must("hub", "add", "agent", name, "-o", filepath.Join(f.dir, name+".join"))
		f.agent(name)
	}
	for _, name := range agents {
		until(t, "the agent "+name, func() bool {
			out, err := f.command("list", "machines", "agent:"+name).CombinedOutput()
			return err == nil && strings.Contains(string(out), " free ")
		})
	}
	return f
}

// agent starts another process for a machine.
func (f *fleet) agent(name string) {
	f.agents[name] = guarded(f.t, func() *exec.Cmd {
		return f.command(name, "agent", "--join", filepath.Join(f.dir, name+".join"), "--dir", filepath.Join(f.dir, name))
	})
}

// env is the environment of a process. TMPDIR has the lock of the machine: each agent is a
// computer of its own, to the others.
func (f *fleet) env(name string) []string {
	tmp := filepath.Join(f.dir, "tmp-"+name)
	if err := os.MkdirAll(tmp, 0o755); err != nil {
		f.t.Fatal(err)
	}
	return []string{"TMPDIR=" + tmp, "XDG_STATE_HOME=" + filepath.Join(f.dir, "state"), "XDG_CONFIG_HOME=" + filepath.Join(f.dir, "config")}
}

func (f *fleet) command(name string, args ...string) *exec.Cmd {
	if args[0] == "machines" {
		args = append(args, "--hub="+filepath.Join(f.dir, "hub.join"))
	}
	cmd := exec.Command(f.assay, args...)
	cmd.Dir, cmd.Env = f.dir, append(os.Environ(), f.env(name)...)
	return cmd
}

func (f *fleet) must(args ...string) {
	f.t.Helper()
	if out, err := f.command("operator", args...).CombinedOutput(); err != nil {
		f.t.Fatalf("assay %s: %v\n%s", strings.Join(args, " "), err, out)
	}
}

// besieged makes a siege of a comparison on a machine.
func (f *fleet) besieged(machine string) *siege {
	f.t.Helper()
	return besieged(f.t, f.assay, 12, []string{"--on=agent:" + machine, "--hub=" + filepath.Join(f.dir, "hub.join")}, f.env("lab-"+machine)...)
}

// A run on a machine of a hub, whose agent, whose hub and whose submitter are killed again
// and again at any moment, has each complete block once when the line is typed as often as
// the submitter was killed, and no block is lost.
//
// ASSAY_KILLS=1000 kills so often.
func TestKillHub(t *testing.T) {
	f := newFleet(t, "m4")
	s := f.besieged("m4")
	s.victims = map[string]func() bool{"agent": f.agents["m4"].kill, "hub": f.hub.kill}
	made := s.kill(t, kills(t, 6))
	runs := s.end(t)
	t.Logf("%v killed in %d runs", made, runs)
}

// During a run the hub's disk is wiped, and the agent is frozen for longer than its lease:
// nothing is lost or counted twice.
func TestWipeAndFreezeHub(t *testing.T) {
	f := newFleet(t, "m4")
	s := f.besieged("m4")
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

// Three machines at once: two submitters on one of them, one on each of the others, while
// an agent and the hub are killed. Each run has its blocks.
func TestThreeAgents(t *testing.T) {
	f := newFleet(t, "a", "b", "c")
	var sieges []*siege
	var cmds []*exec.Cmd
	said := map[*exec.Cmd]*bytes.Buffer{}
	for _, machine := range []string{"a", "a", "b", "c"} {
		s := f.besieged(machine)
		cmd := s.start()
		cmd.Env = append(cmd.Env, "TMPDIR="+t.TempDir()) // builds of submitters do not wait for each other
		said[cmd] = &bytes.Buffer{}
		cmd.Stderr = said[cmd]
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		sieges, cmds = append(sieges, s), append(cmds, cmd)
	}
	time.Sleep(2 * time.Second)
	f.agents["a"].kill()
	time.Sleep(time.Second)
	f.hub.kill()
	for i, cmd := range cmds {
		if err := cmd.Wait(); err != nil {
			t.Errorf("submitter %d: %v\n%s", i, err, said[cmd])
		}
		for _, run := range sieges[i].runs(t) {
			if run.End == nil {
				t.Errorf("run %s has not ended", run.Plan.Run)
			}
		}
	}
	var seen []string
	for _, s := range sieges {
		list, err := record.List(filepath.Join(s.dir, ".assay"))
		if err != nil || len(list) != 1 || !list[0].Finished {
			t.Errorf("got %d runs, %v, want one that is finished", len(list), err)
		}
		for _, e := range list {
			seen = append(seen, e.Machine)
		}
	}
	t.Log(seen)
}

package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
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
func guarded(t testing.TB, start func() *exec.Cmd) *guard {
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
	t.Cleanup(g.end)
	return g
}

// end kills the process for good.
func (g *guard) end() {
	g.mu.Lock()
	g.ended = true
	g.mu.Unlock()
	g.kill()
	<-g.done
}

// signal sends a signal to the process.
func (g *guard) signal(s syscall.Signal) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.process != nil && g.process.Signal(s) == nil
}

// pid is the process's.
func (g *guard) pid() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.process.Pid
}

func (g *guard) kill() bool { return g.signal(syscall.SIGKILL) }

// A fleet is a hub with agents and a user, all of them processes of assay in folders of
// their own.
type fleet struct {
	t      testing.TB
	assay  string
	dir    string
	listen string
	hub    *guard
	agents map[string]*guard
}

// newFleet starts a hub, and an agent for each name.
func newFleet(t testing.TB, agents ...string) *fleet {
	t.Helper()
	needsComputers(t)
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

// agent starts a process for a machine, which is another computer to all that look: it has
// a machine ID of its own.
func (f *fleet) agent(name string) {
	id := filepath.Join(f.dir, name+".id")
	if err := os.WriteFile(id, fmt.Appendf(nil, "%032x\n", name), 0o644); err != nil {
		f.t.Fatal(err)
	}
	f.agents[name] = guarded(f.t, func() *exec.Cmd {
		cmd := f.command(name, "agent", "--join", filepath.Join(f.dir, name+".join"), "--dir", filepath.Join(f.dir, name), "--label=quiet")
		args := append([]string{"--mount", "sh", "-c", `mount --bind "$0" /etc/machine-id && exec "$@"`, id}, cmd.Args...)
		args[5] = cmd.Path
		apart := exec.Command("unshare", args...)
		apart.Dir, apart.Env = cmd.Dir, cmd.Env
		return apart
	})
}

// needsComputers skips a test where this process may not play several computers.
func needsComputers(t testing.TB) {
	t.Helper()
	out, err := exec.Command("unshare", "--mount", "sh", "-c", "mount --bind /dev/null /etc/machine-id").CombinedOutput()
	switch {
	case err == nil:
	case os.Getenv("ASSAY_TEST_ALL") != "":
		t.Fatalf("unshare --mount: %v\n%s", err, out)
	default:
		t.Skipf("needs the right to mount, with unshare: %v", err)
	}
}

// env is the environment of a process. Each agent is a computer of its own, to the
// others, with its own lock.
func (f *fleet) env(name string) []string {
	tmp := filepath.Join(f.dir, "tmp-"+name)
	if err := os.MkdirAll(tmp, 0o755); err != nil {
		f.t.Fatal(err)
	}
	return []string{"TMPDIR=" + tmp, lockVariable + "=" + tmp, "XDG_STATE_HOME=" + filepath.Join(f.dir, "state"), "XDG_CONFIG_HOME=" + filepath.Join(f.dir, "config")}
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

// besieged makes a siege of a comparison on machines.
func (f *fleet) besieged(flags ...string) *siege {
	f.t.Helper()
	return besieged(f.t, f.assay, 12, append(flags, "--hub="+filepath.Join(f.dir, "hub.join")), f.env("lab")...)
}

package machine

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/gofrs/flock"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/cache"
	"github.com/seed-1318a441/assay/internal/disk"
	"github.com/seed-1318a441/assay/internal/doctor/check"
	"github.com/seed-1318a441/assay/internal/host"
	"github.com/seed-1318a441/assay/internal/hub"
	"github.com/seed-1318a441/assay/internal/printable"
	"github.com/seed-1318a441/assay/internal/queue"
	"github.com/seed-1318a441/assay/internal/remote"
	"github.com/seed-1318a441/assay/internal/remote/blob"
)

// An Agent says how this computer joins a hub, to run the trials of others.
type Agent struct {
	// Join is the join file.
	Join string
	// Labels are words that pools ask for, Tools programs that trials may need, Pass
	// variables of the environment that trials get.
	Labels, Tools, Pass []string
	// Dir is where everything is kept; "" is the user's cache and state.
	Dir string
	// Keep is the size of the files that stay, in bytes; 0 is blob.Limit.
	Keep int64
}

// Run serves the machine until ctx ends. say gets what happens.
func (a Agent) Run(ctx context.Context, say func(string)) error {
	j, err := a.read()
	if err != nil {
		return err
	}
	if err := remote.KeepEnvironment(a.Pass); err != nil {
		return err
	}
	if missing := host.NewGlance(ctx, a.Tools).Missing; len(missing) > 0 {
		return assay.UsageError(assay.CodeRequire, fmt.Sprintf("--tool: %s is not on the PATH", strings.Join(missing, ", ")), "")
	}
	if os.Geteuid() == 0 {
		say("assay: the agent runs as root, and so does whatever the users of the hub submit: run it as a user of its own")
	}
	dir, c, err := a.folders(j)
	if err != nil {
		return err
	}
	leave, err := alone(ctx, dir, say)
	if err != nil {
		return err
	}
	defer leave()
	self, err := os.Executable()
	if err != nil {
		return fmt.Errorf("find assay's own program: %w", err)
	}
	blobs, err := blob.Open(filepath.Join(c.Dir, "blob"))
	if err != nil {
		return err
	}
	conn, err := hub.Connect(j, true, say)
	if err != nil {
		return assay.NewError(assay.ExitRefused, assay.CodeHub, printable.OneLine(err), nil, "")
	}
	defer conn.Close()
	agent, err := queue.NewAgent(ctx, queue.AgentOptions{Conn: conn, Computer: queue.ThisComputer(c, blobs, self), Blobs: blobs, Keep: a.Keep, Dir: dir,
		Labels: a.Labels, Tools: a.Tools, Pass: a.Pass, Say: say})
	if err != nil {
		return err
	}
	if !conn.IsConnected() {
		say("assay: the hub at " + strings.Join(j.URLs, ", ") + " does not answer yet; the agent waits for it")
	}
	return agent.Run(ctx)
}

// read reads the join file.
func (a Agent) read() (hub.Join, error) {
	j, err := hub.ReadJoin(a.Join)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return j, assay.UsageError(assay.CodeHubFile, "there is no join file "+disk.Tilde(a.Join), "on the hub's computer: assay hub add agent NAME, which writes one")
	case err != nil:
		return j, assay.UsageError(assay.CodeHubFile, printable.OneLine(err), "")
	case j.Role != hub.RoleAgent:
		return j, assay.UsageError(assay.CodeHubFile, fmt.Sprintf("the join file %s is of the %s %s, not of an agent", disk.Tilde(a.Join), j.Role, j.Name), "on the hub's computer: assay hub add agent NAME")
	}
	for _, l := range a.Labels {
		if !hub.IsName(l) {
			return j, assay.UsageError(assay.CodeFlags, fmt.Sprintf("--label: %s is no label: it has at most 32 of a to z, 0 to 9 and \"-\"", printable.Line(l, 100)), "")
		}
	}
	return j, nil
}

// folders returns where the agent keeps results, and its cache.
func (a Agent) folders(j hub.Join) (dir string, c *cache.Cache, err error) {
	if a.Dir != "" {
		if dir, err = filepath.Abs(a.Dir); err != nil { // trials run elsewhere
			return "", nil, fmt.Errorf("find the agent's folder: %w", err)
		}
		c = cache.New(filepath.Join(dir, "cache"))
	} else {
		state, err := disk.StateDir()
		if err != nil {
			return "", nil, err
		}
		dir, c = filepath.Join(state, "agent-"+j.Name), cache.New("")
	}
	if err := disk.MakePrivate(dir); err != nil {
		return "", nil, fmt.Errorf("make the agent's folder: %w", err)
	}
	return dir, c, nil
}

// aloneEvery is how often an agent looks whether another one of its folder has ended.
const aloneEvery = 200 * time.Millisecond

// alone waits until no other agent uses the folder: one that was stopped, or that its
// service manager believes dead, still has its job.
func alone(ctx context.Context, dir string, say func(string)) (leave func(), err error) {
	file := filepath.Join(dir, "pid")
	l := flock.New(filepath.Join(dir, "lock"))
	for told := false; ; told = true {
		ok, err := l.TryLock()
		if err != nil {
			return nil, fmt.Errorf("lock the agent's folder: %w", err)
		}
		if ok {
			break
		}
		if !told {
			pid, _ := strconv.Atoi(strings.TrimSpace(string(disk.Content(file))))
			say(fmt.Sprintf("assay: another agent uses %s: process %d; this one waits until it ends", disk.Tilde(dir), pid))
		}
		select {
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		case <-time.After(aloneEvery):
		}
	}
	_ = disk.WriteFile(file, []byte(strconv.Itoa(os.Getpid()))) // shown to those who wait
	return func() { l.Unlock() }, nil
}

// Check returns what the agent could do, a line each, without serving anybody.
func (a Agent) Check(ctx context.Context) (lines []string, err error) {
	j, err := a.read()
	if err != nil {
		return nil, err
	}
	dir, c, err := a.folders(j)
	if err != nil {
		return nil, err
	}
	add := func(what, format string, args ...any) {
		lines = append(lines, fmt.Sprintf("%-10s %s", what, printable.Clean(fmt.Sprintf(format, args...))))
	}
	glance := host.NewGlance(ctx, a.Tools)
	p := glance.Platform
	add("machine", "%s: %s, %s", j.Name, p, printable.Count(p.CPUs, "CPU"))
	conn, err := hub.Connect(j, false, func(string) {})
	if err != nil {
		add("hub", "%s cannot be reached: %s", strings.Join(j.URLs, ", "), printable.OneLine(err))
	} else {
		add("hub", "%s answers in %v", conn.ConnectedUrlRedacted(), rtt(conn).Round(10*time.Microsecond))
		conn.Close()
	}
	welcome, err := queue.ThisComputer(c, nil, "").Welcome(ctx)
	switch {
	case err != nil:
		add("trials", "cannot run: %s", printable.OneLine(err))
	case welcome.NoCPUs != nil:
		add("trials", "one after the other: %s", welcome.NoCPUs.Text)
	default:
		add("trials", "side by side on %s", printable.Count(len(welcome.CPUs), "CPU"))
	}
	add("folders", "%s, %s: %.0f GB free", disk.Tilde(dir), disk.Tilde(c.Dir), float64(welcome.Free)/1e9)
	some := func(what string, list []string) {
		if len(list) > 0 {
			add(what, "%s", strings.Join(list, ", "))
		}
	}
	some("labels", a.Labels)
	some("tools", a.Tools)
	some("variables", a.Pass)
	for _, tool := range glance.Missing {
		add("tools", "%s is not on the PATH", tool)
	}
	for _, f := range check.Inspect(ctx, p) {
		add("noise", "%s", f.Text)
	}
	if conn == nil {
		return lines, assay.NewError(assay.ExitRefused, assay.CodeNoHub, "the hub cannot be reached", nil, "")
	}
	return lines, nil
}

// rtt is the time to the hub and back.
func rtt(c *hub.Conn) time.Duration {
	d, err := c.RTT()
	if err != nil {
		return 0
	}
	return d
}

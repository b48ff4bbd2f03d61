package machine

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/errortest"
	"github.com/seed-1318a441/assay/internal/host"
	"github.com/seed-1318a441/assay/internal/hub"
	"github.com/seed-1318a441/assay/internal/hub/hubtest"
	"github.com/seed-1318a441/assay/internal/queue"
)

// apart keeps a test from what the user and the machine have: settings, caches and the lock
// of who measures.
func apart(t *testing.T) {
	t.Helper()
	for _, name := range []string{"HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME", host.LockVariable} {
		t.Setenv(name, t.TempDir())
	}
}

// wantRefused checks that an error is one of the user's, or of the hub's, and how it begins.
func wantRefused(t *testing.T, err error, code assay.Code, exit int, want string) {
	t.Helper()
	if got := errortest.Want(t, err, code, exit); !strings.HasPrefix(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// An agent needs a join file of an agent, and labels that pools can ask for.
func TestAgentReads(t *testing.T) {
	h := hubtest.NewLoopback(t, "m4")
	user, agent := h.JoinFile("ci"), h.JoinFile("m4")
	for _, c := range []struct {
		agent Agent
		code  assay.Code
		want  string
	}{
		{Agent{Join: "gone.join"}, assay.CodeHubFile, "there is no join file gone.join   [hub-file]\n  try: on the hub's computer: assay hub add agent NAME"},
		{Agent{Join: user}, assay.CodeHubFile, "the join file " + user + " is of the user ci, not of an agent"},
		{Agent{Join: agent, Labels: []string{"quiet", "Very Quiet"}}, assay.CodeFlags, "--label: Very Quiet is no label: "},
		{Agent{Join: "."}, assay.CodeHubFile, "the join file . is not a plain file"},
	} {
		_, err := c.agent.read()
		wantRefused(t, err, c.code, assay.ExitUsage, c.want)
		if _, err := c.agent.Check(t.Context()); err == nil {
			t.Errorf("%+v: the check finds nothing wrong", c.agent)
		}
		if err := c.agent.Run(t.Context(), func(string) {}); err == nil {
			t.Errorf("%+v: the agent has run", c.agent)
		}
	}
	if j, err := (Agent{Join: agent, Labels: []string{"quiet", "4-cpus"}}).read(); err != nil || j.Name != "m4" {
		t.Errorf("got %s, %v, want m4", j.Name, err)
	}
}

// An agent keeps what it must not lose in its folder, which nobody else can read, and has
// the user's cache unless that folder is named.
func TestAgentFolders(t *testing.T) {
	apart(t)
	here := t.TempDir()
	t.Chdir(here)
	for _, c := range []struct{ given, dir, cache string }{
		{"", filepath.Join(os.Getenv("XDG_STATE_HOME"), "assay", "agent-m4"), filepath.Join(os.Getenv("XDG_CACHE_HOME"), "assay")},
		{"mine", filepath.Join(here, "mine"), filepath.Join(here, "mine", "cache")},
	} {
		dir, cache, err := Agent{Dir: c.given}.folders(hub.Join{Name: "m4"})
		if err != nil || dir != c.dir || cache.Dir != c.cache {
			t.Fatalf("%q: got %s and %+v, %v, want %s and %s", c.given, dir, cache, err, c.dir, c.cache)
		}
		if info, err := os.Stat(dir); err != nil || info.Mode().Perm() != 0o700 {
			t.Errorf("%q: got %v, want a folder for its owner alone", c.given, err)
		}
	}
}

// Of two agents of one folder the second waits until the first has ended, and says once for
// which process; one that is ended meanwhile does not begin.
func TestOneAgentAFolder(t *testing.T) {
	dir := t.TempDir()
	leave, err := alone(t.Context(), dir, func(text string) { t.Errorf("the first says %q", text) })
	if err != nil {
		t.Fatal(err)
	}
	said := make(chan string, 10)
	say := func(text string) { said <- text }
	cause := errors.New("ended")
	ctx, cancel := context.WithCancelCause(t.Context())
	second := make(chan error, 1)
	go func() { _, err := alone(ctx, dir, say); second <- err }()
	if got, want := <-said, fmt.Sprintf("assay: another agent uses %s: process %d; this one waits until it ends", dir, os.Getpid()); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	time.Sleep(2 * aloneEvery) // it looks again meanwhile
	cancel(cause)
	if err := <-second; !errors.Is(err, cause) || len(said) > 0 {
		t.Errorf("got %v and %d more texts, want that the second was ended", err, len(said))
	}
	go func() {
		leave, err := alone(t.Context(), dir, say)
		if err == nil {
			leave()
		}
		second <- err
	}()
	<-said
	leave()
	if err := <-second; err != nil || len(said) > 0 {
		t.Errorf("got %v and %d more texts, want that the second begins after the first", err, len(said))
	}
}

// The check says what the agent could do, a line for each fact.
func TestCheck(t *testing.T) {
	apart(t)
	h := hubtest.NewLoopback(t, "m4")
	t.Setenv("ASSAY_TEST_TOKEN", "x")
	a := Agent{Join: h.JoinFile("m4"), Dir: t.TempDir(), Labels: []string{"quiet", "desk"}, Tools: []string{"go", "no-such-tool"}, Pass: []string{"ASSAY_TEST_TOKEN"}}
	lines, err := a.Check(t.Context())
	if err != nil {
		t.Errorf("got %v from a hub that answers", err)
	}
	for _, want := range []string{"machine    m4: ", "hub        nats://127.0.0.1:", "trials     ", "folders    " + a.Dir + ", " + a.Dir + "/cache: ",
		"labels     quiet, desk", "tools      go, no-such-tool",
		"variables  ASSAY_TEST_TOKEN", "tools      no-such-tool is not on the PATH"} {
		if !slices.ContainsFunc(lines, func(line string) bool { return strings.HasPrefix(line, want) }) {
			t.Errorf("got %q, want a line %q", lines, want)
		}
	}
}

// Without the hub the check has the other facts nevertheless, and then fails.
func TestCheckWithoutHub(t *testing.T) {
	apart(t)
	h := hubtest.NewLoopback(t, "m4")
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	url := "nats://" + l.Addr().String()
	l.Close()
	j := h.Joins["m4"]
	j.URLs = []string{url}
	h.Joins["m4"] = j
	lines, err := Agent{Join: h.JoinFile("m4"), Dir: t.TempDir()}.Check(t.Context())
	wantRefused(t, err, assay.CodeNoHub, assay.ExitRefused, "the hub cannot be reached")
	if len(lines) < 4 || !strings.HasPrefix(lines[1], "hub        "+url+" cannot be reached: ") || !strings.HasPrefix(lines[3], "folders    ") {
		t.Errorf("got %q, want that the hub cannot be reached, and the other facts", lines)
	}
}

// keepEnvironment puts the environment of the process back at the end of a test: an agent
// removes what its trials do not get.
func keepEnvironment(t *testing.T) {
	t.Helper()
	before := os.Environ()
	t.Cleanup(func() {
		os.Clearenv()
		for _, variable := range before {
			name, value, _ := strings.Cut(variable, "=")
			if err := os.Setenv(name, value); err != nil {
				t.Error(err)
			}
		}
	})
}

// An agent that runs is a machine of the hub with the labels, tools and variables that it was
// given, and ends well with its context. It leaves its trials no other variables.
func TestRun(t *testing.T) {
	apart(t)
	h := hubtest.NewLoopback(t, "m4")
	a := Agent{Join: h.JoinFile("m4"), Dir: t.TempDir(), Labels: []string{"quiet"}, Tools: []string{"go"}, Pass: []string{"ASSAY_TEST_TOKEN"}}
	c := h.Connect("ci")
	t.Setenv("ASSAY_TEST_TOKEN", "x")
	t.Setenv("ASSAY_TEST_SECRET", "y")
	keepEnvironment(t)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	done := make(chan error, 1)
	go func() { done <- a.Run(ctx, func(string) {}) }()
	for {
		members, err := queue.Members(t.Context(), c)
		if err != nil {
			t.Fatal(err)
		}
		if len(members) == 1 {
			m := members[0]
			if m.Name != "m4" || !reflect.DeepEqual([][]string{m.Labels, m.Tools, m.Pass}, [][]string{a.Labels, a.Tools, a.Pass}) ||
				m.Platform.CPUs < 1 || m.Version != assay.Version() {
				t.Errorf("got %+v, want m4 as it was started", m)
			}
			break
		}
		select {
		case err := <-done:
			t.Fatalf("the agent has ended: %v", err)
		case <-time.After(10 * time.Millisecond):
		}
	}
	if got := os.Getenv("ASSAY_TEST_TOKEN") + os.Getenv("ASSAY_TEST_SECRET"); got != "x" {
		t.Errorf("trials get %q of the two variables, want x of the first alone", got)
	}
	cancel()
	if err := <-done; err != nil {
		t.Errorf("got %v at the end", err)
	}
}

// A tool that an agent is to offer has to be there.
func TestRunWithoutTool(t *testing.T) {
	apart(t)
	h := hubtest.NewLoopback(t, "m4")
	a := Agent{Join: h.JoinFile("m4"), Dir: t.TempDir(), Tools: []string{"go", "no-such-tool", "nor-this"}}
	keepEnvironment(t)
	wantRefused(t, a.Run(t.Context(), func(string) {}), assay.CodeRequire, assay.ExitUsage, "--tool: no-such-tool, nor-this is not on the PATH")
}

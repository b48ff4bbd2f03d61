//go:build unix

package ssh

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/remote/wire"
	"github.com/seed-1318a441/assay/internal/ssh/sshtest"
)

// The test's own executable is what Dial sends; over there it is an agent that repeats
// what it reads.
func TestMain(m *testing.M) {
	if len(os.Args) == 3 && os.Args[1] == "agent" && os.Args[2] == "--stdio" {
		os.Exit(echo())
	}
	if os.Getenv("ASSAY_TEST_REPLACED") != "" {
		os.Exit(replaced())
	}
	if config := os.Getenv("ASSAY_TEST_DIAL"); config != "" {
		os.Exit(hold(config))
	}
	os.Exit(m.Run())
}

// hold connects, says so, and waits to be killed.
func hold(config string) int {
	conn, err := Dial(context.Background(), "ssh:bench1", Options{Config: config})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	fmt.Print("x")
	_, _ = conn.Read(make([]byte, 1))
	return 0
}

// echo is the agent. The file "agent" in its home says how it differs.
func echo() int {
	how, _ := os.ReadFile(filepath.Join(os.Getenv("HOME"), "agent"))
	switch string(how) {
	case "other":
		fmt.Print("assay-agent 999\n")
		return 0
	case "dies":
		fmt.Fprintln(os.Stderr, "assay: no such thing")
		return 3
	case "loud":
		fmt.Fprintln(os.Stderr, "I am the agent")
	}
	fmt.Print(wire.Magic)
	if _, err := io.Copy(os.Stdout, os.Stdin); err != nil {
		return 1
	}
	return 0
}

// A fixture is a network with one machine.
type fixture struct {
	*testing.T
	network *sshtest.Network
	machine *sshtest.Machine
	mu      sync.Mutex
	log     []string
}

func newFixture(t *testing.T, opt sshtest.Options) *fixture {
	t.Helper()
	n := sshtest.New(t)
	return &fixture{T: t, network: n, machine: n.Machine("bench1", opt)}
}

func (f *fixture) options() Options {
	return Options{Config: f.network.Config, Executable: own, Log: func(s string) {
		f.mu.Lock()
		defer f.mu.Unlock()
		f.log = append(f.log, s)
	}}
}

// own is the test itself, for its own platform only.
func own(goos, goarch string) (string, error) {
	if goos != runtime.GOOS || goarch != runtime.GOARCH {
		return "", noAgent(goos, goarch, "/opt", nil)
	}
	return os.Executable()
}

// dial connects, and closes with the test.
func (f *fixture) dial() *Conn {
	f.Helper()
	conn, err := Dial(f.Context(), f.machine.Address(), f.options())
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() { conn.Close() })
	return conn
}

// refused dials and wants an error with a code and words.
func (f *fixture) refused(address string, code assay.Code, words ...string) {
	f.Helper()
	conn, err := Dial(f.Context(), address, f.options())
	if err == nil {
		conn.Close()
	}
	f.check(err, code, words...)
}

func (f *fixture) check(err error, code assay.Code, words ...string) {
	f.Helper()
	e, ok := errors.AsType[*assay.Error](err)
	if !ok || e.Code != code {
		f.Fatalf("got %v, want an error with the code %s", err, code)
	}
	f.Logf("%v", err)
	for _, w := range words {
		if !strings.Contains(err.Error(), w) {
			f.Errorf("the error does not say %q", w)
		}
	}
}

// say sends a line and wants it back.
func say(t *testing.T, conn *Conn, text string) {
	t.Helper()
	if _, err := io.WriteString(conn, text+"\n"); err != nil {
		t.Fatal(err)
	}
	if got, err := bufio.NewReader(conn).ReadString('\n'); err != nil || got != text+"\n" {
		t.Fatalf("got %q, %v, want %q", got, err, text)
	}
}

// The first connection puts the executable there, the second finds it.
func TestDial(t *testing.T) {
	f := newFixture(t, sshtest.Options{})
	began := time.Now()
	conn := f.dial()
	t.Logf("connected in %v", time.Since(began))
	say(t, conn, "hello")
	s := conn.System()
	if s.Home != f.machine.Home || s.Bin != f.machine.Home+"/.cache/assay/bin" || s.GOOS == "" {
		t.Errorf("got %+v", s)
	}
	if err := conn.Close(); err != nil {
		t.Error(err)
	}
	if len(f.log) != 1 || !strings.Contains(f.log[0], "sends itself to bench1:") {
		t.Errorf("log: %q", f.log)
	}
	files, _ := os.ReadDir(s.Bin)
	if len(files) != 1 || !strings.HasPrefix(files[0].Name(), "assay-") {
		t.Errorf("in %s: %v", s.Bin, files)
	}
	began = time.Now()
	say(t, f.dial(), "again")
	t.Logf("connected in %v", time.Since(began))
	if len(f.log) != 1 {
		t.Errorf("log: %q", f.log)
	}
}

// Two machines with one user have two homes.
func TestTwoMachines(t *testing.T) {
	f := newFixture(t, sshtest.Options{})
	other := f.network.Machine("bench2", sshtest.Options{})
	one := f.dial()
	f.machine = other
	two := f.dial()
	say(t, one, "one")
	say(t, two, "two")
	if one.System().Home == two.System().Home {
		t.Errorf("both are in %s", one.System().Home)
	}
}

// What was cut off is not taken for the executable.
func TestDamagedExecutable(t *testing.T) {
	f := newFixture(t, sshtest.Options{})
	conn := f.dial()
	bin := conn.System().Bin
	conn.Close()
	files, _ := filepath.Glob(bin + "/assay-*")
	if err := os.Truncate(files[0], 1000); err != nil {
		t.Fatal(err)
	}
	say(t, f.dial(), "hello")
	if len(f.log) != 2 {
		t.Errorf("log: %q", f.log)
	}
}

func TestStderr(t *testing.T) {
	f := newFixture(t, sshtest.Options{})
	f.agent("loud")
	conn := f.dial()
	say(t, conn, "hello")
	// Two channels: what the agent wrote first may come last, and in pieces.
	const want = "I am the agent\n"
	var got string
	for end := time.Now().Add(15 * time.Minute); len(got) < len(want) && time.Now().Before(end); time.Sleep(time.Millisecond) {
		got = conn.Stderr()
	}
	if got != want {
		t.Errorf("got %q", got)
	}
}

// agent says how the agent differs.
func (f *fixture) agent(how string) {
	f.Helper()
	if err := os.WriteFile(filepath.Join(f.machine.Home, "agent"), []byte(how), 0o600); err != nil {
		f.Fatal(err)
	}
}

func TestCancel(t *testing.T) {
	f := newFixture(t, sshtest.Options{Force: "sleep 600"})
	ctx, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
	defer cancel()
	began := time.Now()
	_, err := Dial(ctx, f.machine.Address(), f.options())
	if !errors.Is(err, context.DeadlineExceeded) || time.Since(began) > 5*time.Minute {
		t.Errorf("got %v after %v", err, time.Since(began))
	}
}

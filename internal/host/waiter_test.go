//go:build unix

package host

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// A rival is one that waits for the machine. It sends those that it waits for, and got once
// it has the machine; it ends when told to.
type rival struct {
	told chan Occupant
	got  chan error
	stop chan struct{}
}

// startRival starts one, and returns when it waits for another.
func startRival(t *testing.T, pid int) *rival {
	t.Helper()
	w := &rival{make(chan Occupant, 9), make(chan error, 1), make(chan struct{})}
	go func() {
		release, err := Occupy(t.Context(), Occupant{PID: pid}, func(o Occupant) error { w.told <- o; return nil })
		w.got <- err
		if err == nil {
			<-w.stop
			release()
		}
	}()
	w.awaitTold(t, 0)
	return w
}

// awaitTold waits until it is told for whom it waits, 0 for anybody.
func (w *rival) awaitTold(t *testing.T, pid int) {
	t.Helper()
	select {
	case o := <-w.told:
		if pid != 0 && o.PID != pid {
			t.Errorf("it waits for %+v, want process %d", o, pid)
		}
	case err := <-w.got:
		t.Fatalf("it did not wait: %v", err)
	}
}

func occupy(t *testing.T, pid int) (release func() error) {
	t.Helper()
	release, err := Occupy(t.Context(), Occupant{PID: pid}, func(o Occupant) error { return fmt.Errorf("busy: %+v", o) })
	if err != nil {
		t.Fatal(err)
	}
	return release
}

// Who came first is next, and the others hear of each change.
func TestOccupyInOrder(t *testing.T) {
	dir := t.TempDir()
	t.Setenv(LockVariable, dir)
	release := occupy(t, 1)
	var queue []*rival
	for pid := 2; pid <= 4; pid++ {
		queue = append(queue, startRival(t, pid))
	}
	release()
	for i, w := range queue {
		if err := <-w.got; err != nil {
			t.Fatal(err)
		}
		for _, later := range queue[i+1:] {
			later.awaitTold(t, i+2)
			select {
			case <-later.got:
				t.Fatalf("two measure at once, or out of turn, after %d", i+2)
			default:
			}
		}
		close(w.stop)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, waiterPrefix+"*")); len(left) > 0 {
		t.Errorf("waiters are left: %q", left)
	}
}

// One that comes while others wait does not go before them, not even when the machine is
// free for a moment.
func TestOccupyDoesNotJumpTheQueue(t *testing.T) {
	dir := t.TempDir()
	t.Setenv(LockVariable, dir)
	first, err := joinQueue(dir) // and does not look yet
	if err != nil {
		t.Fatal(err)
	}
	later := startRival(t, 2)
	if err := first.leave(); err != nil {
		t.Fatal(err)
	}
	if err := <-later.got; err != nil {
		t.Error(err)
	}
	close(later.stop)
}

// The time since when one measures does not begin while it waits.
func TestOccupySince(t *testing.T) {
	t.Setenv(LockVariable, t.TempDir())
	long := Occupant{PID: 1, Since: time.Now().Add(-time.Hour)}
	release, err := Occupy(t.Context(), long, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer release()
	if o, ok := Occupied(); !ok || !o.Since.After(long.Since) {
		t.Errorf("occupied by %+v, %v: not since it has the machine", o, ok)
	}
}

// One that gave up waiting leaves nothing behind.
func TestOccupyGivesUp(t *testing.T) {
	dir := t.TempDir()
	t.Setenv(LockVariable, dir)
	defer occupy(t, 1)()
	ctx, cancel := context.WithCancel(t.Context())
	_, err := Occupy(ctx, Occupant{}, func(Occupant) error { cancel(); return nil })
	if left, _ := filepath.Glob(filepath.Join(dir, waiterPrefix+"*")); err == nil || len(left) > 0 {
		t.Errorf("%v; left %q", err, left)
	}
}

// TestHelperWaiter waits for the machine in a process of its own, and has it until it is
// killed.
func TestHelperWaiter(t *testing.T) {
	if os.Getenv("HOST_TEST_WAITER") == "" {
		t.Skip("a helper process")
	}
	_, err := Occupy(t.Context(), Occupant{PID: os.Getpid()}, func(Occupant) error { fmt.Println("waits"); return nil })
	fmt.Println("has the machine", err)
	io.Copy(io.Discard, os.Stdin)
}

// startProcess starts such a process, and waits until it says so.
func startProcess(t *testing.T, says string) (kill func()) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestHelperWaiter$")
	cmd.Env = append(os.Environ(), "HOST_TEST_WAITER=1")
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(stdout).ReadString('\n'); !strings.HasPrefix(line, says) {
		t.Fatalf("the process says %q, %v; want %q", line, err, says)
	}
	return func() {
		cmd.Process.Kill()
		cmd.Wait()
		stdin.Close()
	}
}

// One that is killed while it waits, or while it measures, holds nobody up.
func TestOccupyAfterKill(t *testing.T) {
	dir := t.TempDir()
	t.Setenv(LockVariable, dir)
	killHolder := startProcess(t, "has the machine")
	killWaiter := startProcess(t, "waits")
	last := startRival(t, 3)
	killWaiter()
	killHolder()
	if err := <-last.got; err != nil {
		t.Error(err)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, waiterPrefix+"*")); len(left) > 0 {
		t.Errorf("the killed waiter is left: %q", left)
	}
	close(last.stop)
}

// The folder of the lock is the same whatever the environment says of temporary files.
func TestLockDir(t *testing.T) {
	t.Setenv(LockVariable, "")
	t.Setenv("TMPDIR", "/one")
	one := lockDir()
	t.Setenv("TMPDIR", "/another")
	if another := lockDir(); one != another || one == "/one" {
		t.Errorf("got %s and %s", one, another)
	}
	t.Setenv(LockVariable, "/mine")
	if got := lockDir(); got != "/mine" {
		t.Errorf("got %s, want /mine", got)
	}
}

// A link with the name of a waiter is not followed, and stops nobody.
func TestWaiterFollowsNoLink(t *testing.T) {
	dir := t.TempDir()
	t.Setenv(LockVariable, dir)
	aim := filepath.Join(t.TempDir(), "mine")
	f, err := os.Create(aim)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := LockWhole(f); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(aim, filepath.Join(dir, waiterPrefix+"0")); err != nil {
		t.Fatal(err)
	}
	occupy(t, 1)()
}

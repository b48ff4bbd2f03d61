package check

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/seed-1318a441/assay/internal/host/system"
)

// fakeMachine makes the files of a machine with two CPUs whose governor is
// "powersaving" and whose turbo is on. That word is as long as "performance": the
// kernel takes a value whole, a file keeps what is not written over.
func fakeMachine(t *testing.T) Keeper {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("a process is told from another by /proc")
	}
	root := t.TempDir()
	for name, text := range map[string]string{
		cpuFile(0, "scaling_governor"): "powersaving\n", cpuFile(0, "scaling_available_governors"): "performance powersaving\n",
		cpuFile(1, "scaling_governor"): "powersaving\n", cpuFile(1, "scaling_available_governors"): "performance powersaving\n",
		noTurboFile: "0\n", "proc/sys/kernel/random/boot_id": "boot-1\n", "run/x": "",
	} {
		putFile(t, root, name, text)
	}
	return Keeper{root}
}

func cpuFile(cpu int, name string) string {
	return fmt.Sprintf("sys/devices/system/cpu/cpu%d/cpufreq/%s", cpu, name)
}

func putFile(t *testing.T, root, name, text string) {
	t.Helper()
	name = filepath.Join(root, name)
	if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, []byte(text), 0o644)); err != nil {
		t.Fatal(err)
	}
}

// set reads what is set: the governors and no_turbo.
func (k Keeper) set(t *testing.T) string {
	t.Helper()
	s := system.Files{FS: os.DirFS(k.Root)}
	return strings.Join([]string{s.Read(cpuFile(0, "scaling_governor")), s.Read(cpuFile(1, "scaling_governor")), s.Read(noTurboFile)}, " ")
}

const (
	asItWas = "powersaving powersaving 0"
	better  = "performance performance 1"
)

func (k Keeper) want(t *testing.T, what, want string) {
	t.Helper()
	if got := k.set(t); got != want {
		t.Errorf("%s: set is %q, want %q", what, got, want)
	}
}

func TestApplyAndRelease(t *testing.T) {
	k := fakeMachine(t)
	changed, err := k.Apply(false)
	if err != nil || len(changed) != 3 {
		t.Fatalf("changed %v, %v", changed, err)
	}
	k.want(t, "applied", better)
	if got := Describe(changed, false) + " -> " + Describe(changed, true); got != "governor powersaving (2 CPUs), turbo on -> governor performance (2 CPUs), turbo off" {
		t.Errorf("told as %q", got)
	}
	back, err := k.Release()
	if err != nil || len(back) != 3 {
		t.Fatalf("back %v, %v", back, err)
	}
	k.want(t, "released", asItWas)
	if left, err := k.Changed(); err != nil || left != nil {
		t.Errorf("the journal is left: %v, %v", left, err)
	}
}

func TestHoldAndUndo(t *testing.T) {
	k := fakeMachine(t)
	for range 2 { // to say it twice is no harm
		if _, err := k.Apply(true); err != nil {
			t.Fatal(err)
		}
	}
	if back, err := k.Repair(); err != nil || back != nil {
		t.Errorf("what is held was put back: %v, %v", back, err)
	}
	k.want(t, "held", better)
	// A run that begins and ends meanwhile leaves it.
	if _, err := k.Apply(false); err != nil {
		t.Fatal(err)
	}
	if back, err := k.Undo(); err != nil || back != nil {
		t.Errorf("undone under a run: %v, %v", back, err)
	}
	k.want(t, "the run goes on", better)
	if _, err := k.Release(); err != nil {
		t.Fatal(err)
	}
	k.want(t, "undone when the run had ended", asItWas)
	if back, err := k.Undo(); err != nil || back != nil {
		t.Errorf("nothing to undo: %v, %v", back, err)
	}
}

// Whoever sets something else meanwhile has the last word.
func TestOthersChangeIt(t *testing.T) {
	k := fakeMachine(t)
	if _, err := k.Apply(true); err != nil {
		t.Fatal(err)
	}
	putFile(t, k.Root, cpuFile(1, "scaling_governor"), "schedutil\n")
	if back, err := k.Undo(); err != nil || len(back) != 2 {
		t.Errorf("back %v, %v", back, err)
	}
	k.want(t, "undone", "powersaving schedutil 0")
}

func TestNothingToDo(t *testing.T) {
	k := fakeMachine(t)
	for cpu := range 2 {
		putFile(t, k.Root, cpuFile(cpu, "scaling_governor"), "performance\n")
	}
	putFile(t, k.Root, noTurboFile, "1\n")
	if changed, err := k.Apply(false); err != nil || changed != nil {
		t.Errorf("changed %v, %v", changed, err)
	}
	if _, err := os.Stat(filepath.Join(k.Root, journalDir)); err == nil {
		t.Error("a journal of nothing")
	}
}

// The settings went with the old boot: the journal is dropped, and nothing is written.
func TestBootDropsTheJournal(t *testing.T) {
	k := fakeMachine(t)
	if _, err := k.Apply(true); err != nil {
		t.Fatal(err)
	}
	putFile(t, k.Root, "proc/sys/kernel/random/boot_id", "boot-2\n")
	putFile(t, k.Root, noTurboFile, "0\n")
	if back, err := k.Undo(); err != nil || back != nil {
		t.Errorf("back %v, %v", back, err)
	}
	k.want(t, "after a start", "performance performance 0")
	if _, err := os.Stat(filepath.Join(k.Root, journalFile)); err == nil {
		t.Error("the journal is still there")
	}
}

// Where the old values cannot be written down, nothing is changed.
func TestNoJournalNoChange(t *testing.T) {
	for name, spoil := range map[string]func(k Keeper){
		"no folder":  func(k Keeper) { putFile(t, k.Root, journalDir, "a file") },
		"no file":    func(k Keeper) { os.MkdirAll(filepath.Join(k.Root, journalFile+".new"), 0o755) },
		"no rename":  func(k Keeper) { os.MkdirAll(filepath.Join(k.Root, journalFile), 0o755) },
		"no boot id": func(k Keeper) { os.Remove(filepath.Join(k.Root, "proc/sys/kernel/random/boot_id")) },
		"not ours":   func(k Keeper) { putFile(t, k.Root, journalFile, `{"boot":"boot-1","users":[],"settings":[],"more":1}`) },
		"tampered": func(k Keeper) {
			putFile(t, k.Root, journalFile, `{"boot":"boot-1","held":true,"users":[],"settings":[{"file":"etc/passwd","old":"x","new":"y"}]}`)
		},
	} {
		k := fakeMachine(t)
		spoil(k)
		if changed, err := k.Apply(false); err == nil {
			t.Errorf("%s: changed %v, want an error", name, changed)
		}
		k.want(t, name, asItWas)
	}
}

// Without permission the error says that only root may change settings, whatever was
// refused.
func TestNotAllowed(t *testing.T) {
	for _, err := range []error{syscall.EROFS, syscall.EACCES, syscall.EPERM, &os.PathError{Op: "open", Path: "run/assay", Err: syscall.EACCES}} {
		if got := notAllowed(err); !errors.Is(got, ErrNotAllowed) {
			t.Errorf("%v is %v", err, got)
		}
	}
	if got := notAllowed(syscall.ENOSPC); errors.Is(got, ErrNotAllowed) {
		t.Errorf("a full disk is %v", got)
	}
}

// A journal writes only what is on the list, and only values like those.
func TestAllowed(t *testing.T) {
	for _, s := range []Setting{
		{"etc/passwd", "a", "b"}, {"sys/devices/system/cpu/cpu0/cpufreq/../../../x", "a", "b"}, {noTurboFile, "0", "2"}, {noTurboFile, "0\n", "1"},
		{cpuFile(0, "scaling_governor"), "powersaving; x", "performance"}, {"/" + noTurboFile, "0", "1"}, {cpuFile(0, "scaling_max_freq"), "1", "2"},
	} {
		if s.allowed() {
			t.Errorf("%+v is allowed", s)
		}
	}
}

// A setting that does not take its value is left as it is, and does not keep the
// others from being set. Where none does, that is an error.
func TestRefusedSetting(t *testing.T) {
	k := fakeMachine(t)
	const stubborn = "averylonggovern" // the end of it stays behind "performance"
	putFile(t, k.Root, cpuFile(1, "scaling_governor"), stubborn+"\n")
	changed, err := k.Apply(false)
	if err != nil || len(changed) != 2 {
		t.Fatalf("changed %v, %v", changed, err)
	}
	k.want(t, "applied", "performance "+stubborn+" 1")
	if _, err := k.Release(); err != nil {
		t.Fatal(err)
	}
	k.want(t, "released", "powersaving "+stubborn+" 0")
	putFile(t, k.Root, cpuFile(0, "scaling_governor"), stubborn+"\n")
	putFile(t, k.Root, noTurboFile, "1\n")
	if changed, err := k.Apply(false); err == nil || len(changed) != 0 {
		t.Errorf("changed %v, %v", changed, err)
	}
	k.want(t, "all refused", stubborn+" "+stubborn+" 1")
}

// TestHelperKeeper is a process that changes settings of the fake machine in
// HOST_TEST_KEEPER: once, or again and again.
func TestHelperKeeper(t *testing.T) {
	root := os.Getenv("HOST_TEST_KEEPER")
	if root == "" {
		t.Skip("started by other tests")
	}
	k := Keeper{root}
	for again := os.Getenv("HOST_TEST_AGAIN") != ""; ; {
		if _, err := k.Apply(false); err != nil {
			fmt.Println("error:", err)
		}
		if !again {
			fmt.Println("applied")
			io.Copy(io.Discard, os.Stdin) // until the parent closes it
		}
		if _, err := k.Release(); err != nil {
			fmt.Println("error:", err)
		}
		if !again {
			return
		}
	}
}

// startKeeper starts such a process; ready waits until it has applied.
func startKeeper(t *testing.T, k Keeper, again bool) (cmd *exec.Cmd, end io.Closer) {
	t.Helper()
	cmd = exec.Command(os.Args[0], "-test.run=^TestHelperKeeper$")
	cmd.Env = append(os.Environ(), "HOST_TEST_KEEPER="+k.Root)
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if again {
		cmd.Env = append(cmd.Env, "HOST_TEST_AGAIN=1")
		cmd.Stdout = os.Stderr
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		return cmd, stdin
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(stdout).ReadString('\n'); line != "applied\n" {
		t.Fatalf("the process said %q, %v", line, err)
	}
	return cmd, stdin
}

func kill(cmd *exec.Cmd) {
	cmd.Process.Kill()
	cmd.Wait()
}

// Killed with SIGKILL between change and restore: the next one repairs.
func TestKilled(t *testing.T) {
	k := fakeMachine(t)
	cmd, _ := startKeeper(t, k, false)
	k.want(t, "applied by a process", better)
	if back, err := k.Repair(); err != nil || back != nil {
		t.Errorf("repaired under a living process: %v, %v", back, err)
	}
	kill(cmd)
	k.want(t, "killed", better)
	back, err := k.Repair()
	if err != nil || len(back) != 3 {
		t.Fatalf("back %v, %v", back, err)
	}
	k.want(t, "repaired", asItWas)
}

// Of two at a time the second does not take the first one's settings for the
// original ones, whichever ends first and however.
func TestTwoAtATime(t *testing.T) {
	k := fakeMachine(t)
	first, _ := startKeeper(t, k, false)
	second, end := startKeeper(t, k, false)
	kill(first)
	if back, err := k.Repair(); err != nil || back != nil {
		t.Errorf("repaired under the second: %v, %v", back, err)
	}
	k.want(t, "the first was killed", better)
	end.Close()
	if err := second.Wait(); err != nil {
		t.Error(err)
	}
	k.want(t, "the second has ended", asItWas)
}

// Killed at any moment, also while the journal is written.
func TestKilledAnywhere(t *testing.T) {
	k := fakeMachine(t)
	rnd := rand.New(rand.NewPCG(1, 2))
	for i := range 25 {
		cmd, _ := startKeeper(t, k, true)
		time.Sleep(time.Duration(15+rnd.IntN(60)) * time.Millisecond)
		kill(cmd)
		if _, err := k.Repair(); err != nil {
			t.Fatal(err)
		}
		k.want(t, "kill "+strconv.Itoa(i), asItWas)
	}
}

//go:build unix

package ssh

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/slow"
	"github.com/seed-1318a441/assay/internal/ssh/sshtest"
)

// original is the end of a forced command that runs what was asked for.
const original = `exec sh -c "$SSH_ORIGINAL_COMMAND"`

func TestUnknownHost(t *testing.T) {
	f := newFixture(t, sshtest.Options{})
	f.refused("ssh:no-such-machine.invalid", assay.CodeUnreachable, "no-such-machine.invalid")
}

func TestRefusedConnection(t *testing.T) {
	f := newFixture(t, sshtest.Options{})
	f.machine.Kill()
	f.refused(f.machine.Address(), assay.CodeUnreachable, "bench1 refuses connections")
	f.machine.Start()
	say(t, f.dial(), "hello")
}

func TestUnknownHostKey(t *testing.T) {
	f := newFixture(t, sshtest.Options{})
	f.network.Forget()
	f.refused(f.machine.Address(), assay.CodeHostKey, "ssh does not know the host key of bench1", "try: ssh bench1")
}

func TestChangedHostKey(t *testing.T) {
	f := newFixture(t, sshtest.Options{})
	f.machine.NewHostKey()
	f.refused(f.machine.Address(), assay.CodeHostKey, "another host key", f.network.KnownHosts()+":1", "try: ssh-keygen -f "+f.network.KnownHosts()+" -R '[127.0.0.1]:")
}

func TestPasswordAsked(t *testing.T) {
	f := newFixture(t, sshtest.Options{Lines: []string{"PubkeyAuthentication no", "PasswordAuthentication yes"}})
	f.refused(f.machine.Address(), assay.CodeLogin, "bench1 asks for a password", "try: ssh-copy-id bench1")
}

func TestKeyNotAccepted(t *testing.T) {
	f := newFixture(t, sshtest.Options{Lines: []string{"AuthorizedKeysFile none"}})
	f.refused(f.machine.Address(), assay.CodeLogin, "bench1 accepts none of your keys")
}

// What shells other than sh say to the probe.
func TestNoShell(t *testing.T) {
	for name, c := range map[string]struct{ force, want string }{
		"cmd":        {`printf "'sh' is not recognized as an internal or external command,\r\noperable program or batch file.\r\n" >&2; exit 1`, "runs Windows"},
		"powershell": {`echo "sh : The term 'sh' is not recognized as the name of a cmdlet, function, script file, or operable program." >&2; exit 1`, "runs Windows"},
		"git":        {`echo "fatal: unrecognized command '$SSH_ORIGINAL_COMMAND'" >&2; exit 128`, "unrecognized command 'sh'"},
		"nologin":    {`echo "This account is currently not available."; exit 1`, "This account is currently not available."},
		"silent":     {`exit 0`, "does not run sh for you"},
		"git bash":   {`uname() { echo MINGW64_NT-10.0; }; export PATH=/nowhere; cd /; eval "$(/bin/cat)"`, "runs Windows"},
		"endless":    {`exec yes noise`, "more than 64 kB"},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t, sshtest.Options{Force: c.force})
			f.refused(f.machine.Address(), assay.CodeNoShell, c.want)
		})
	}
}

func TestUnknownSystem(t *testing.T) {
	f := newFixture(t, sshtest.Options{System: "SunOS", Processor: "sun4v"})
	f.refused(f.machine.Address(), assay.CodeNoShell, `its system is "SunOS" on "sun4v"`)
}

func TestOtherProcessor(t *testing.T) {
	f := newFixture(t, sshtest.Options{System: "Linux", Processor: "s390x"})
	f.refused(f.machine.Address(), assay.CodeNoAgent, "linux/s390x", "GOOS=linux GOARCH=s390x go build")
}

// A login script may print, but not without end.
func TestBanner(t *testing.T) {
	f := newFixture(t, sshtest.Options{Force: `echo "Welcome to $HOME"; printf "no newline"; ` + original, Lines: []string{"Banner /etc/passwd"}})
	say(t, f.dial(), "hello")
	if len(f.log) != 3 || !strings.Contains(f.log[0], "login script on bench1 prints first") || !strings.Contains(f.log[2], "Welcome to") {
		t.Errorf("log: %q", f.log)
	}
}

func TestLongBanner(t *testing.T) {
	f := newFixture(t, sshtest.Options{Force: `case "$SSH_ORIGINAL_COMMAND" in *stdio*) head -c 70000 /dev/zero | tr "\0" x;; esac; ` + original})
	f.refused(f.machine.Address(), assay.CodeNoShell, "more than 64 kB", "xxx")
}

func TestDiskFull(t *testing.T) {
	f := newFixture(t, sshtest.Options{Force: "ulimit -f 1000; trap '' XFSZ; " + original})
	f.refused(f.machine.Address(), assay.CodeRemoteDisk, "the disk of bench1 is full", "MB in "+f.machine.Home)
	f.noLeftovers()
}

// The real thing, which takes root.
func TestDiskReallyFull(t *testing.T) {
	f := newFixture(t, sshtest.Options{})
	f.mount("size=1m")
	f.refused(f.machine.Address(), assay.CodeRemoteDisk, "the disk of bench1 is full", "No space left")
	f.noLeftovers()
}

// mount mounts a file system as the cache folder of the machine, or skips the test.
func (f *fixture) mount(options string) {
	f.Helper()
	dir := filepath.Join(f.machine.Home, ".cache")
	if err := os.Mkdir(dir, 0o777); err != nil {
		f.Fatal(err)
	}
	if out, err := exec.Command("mount", "-t", "tmpfs", "-o", options, "tmpfs", dir).CombinedOutput(); err != nil {
		f.Skipf("mount: %s", out)
	}
	f.Cleanup(func() { _ = exec.Command("umount", "-l", dir).Run() })
}

// noLeftovers wants no file in the folder of executables.
func (f *fixture) noLeftovers() {
	f.Helper()
	files, err := os.ReadDir(f.machine.Home + "/.cache/assay/bin")
	if err != nil || len(files) > 0 {
		f.Errorf("left there: %v, %v", files, err)
	}
}

func TestNoExec(t *testing.T) {
	f := newFixture(t, sshtest.Options{})
	f.mount("noexec")
	f.refused(f.machine.Address(), assay.CodeAgentFailed, "bench1 allows no programs to run in "+f.machine.Home)
}

func TestNotExecutable(t *testing.T) {
	f := newFixture(t, sshtest.Options{Force: `case "$SSH_ORIGINAL_COMMAND" in *stdio*) chmod -x "$HOME"/.cache/assay/bin/*;; esac; ` + original})
	f.refused(f.machine.Address(), assay.CodeAgentFailed, "bench1 allows no programs to run")
}

// An executable that needs a loader which the machine lacks, or one for another processor.
func TestWrongExecutable(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"loader":    {"#!/no/such/loader\n", "needs the C library"},
		"processor": {"\x7fELF\x02\x01\x01\x00nonsense", "is not for "},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t, sshtest.Options{})
			file := filepath.Join(t.TempDir(), "assay")
			if err := os.WriteFile(file, []byte(c.text), 0o777); err != nil {
				t.Fatal(err)
			}
			opt := f.options()
			opt.Executable = func(string, string) (string, error) { return file, nil }
			_, err := Dial(t.Context(), f.machine.Address(), opt)
			f.check(err, assay.CodeAgentFailed, c.want)
		})
	}
}

func TestCacheIsFile(t *testing.T) {
	f := newFixture(t, sshtest.Options{})
	if err := os.WriteFile(f.machine.Home+"/.cache", nil, 0o666); err != nil {
		t.Fatal(err)
	}
	f.refused(f.machine.Address(), assay.CodeRemoteDisk, "you cannot write to "+f.machine.Home)
}

func TestOtherVersion(t *testing.T) {
	f := newFixture(t, sshtest.Options{})
	f.agent("other")
	f.refused(f.machine.Address(), assay.CodeAgentVersion, `it says "assay-agent 999"`)
}

func TestAgentDies(t *testing.T) {
	f := newFixture(t, sshtest.Options{})
	f.agent("dies")
	f.refused(f.machine.Address(), assay.CodeAgentFailed, "status 3", "assay: no such thing")
}

// A key may be for the agent alone.
func TestForcedAgent(t *testing.T) {
	own, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	f := newFixture(t, sshtest.Options{Force: "exec " + own + " agent --stdio"})
	say(t, f.dial(), "hello")
	if _, err := os.Stat(f.machine.Home + "/.cache"); err == nil {
		t.Error("something was put there")
	}
}

// The connection ends while it is in use; then a new one works.
func TestConnectionLost(t *testing.T) {
	f := newFixture(t, sshtest.Options{})
	ends := map[string]func(){
		"connection": f.machine.Drop,
		"server":     func() { f.machine.Kill(); f.machine.Start() },
		"agent": func() {
			for _, pid := range f.machine.Programs() {
				_ = syscall.Kill(pid, syscall.SIGKILL)
			}
		},
	}
	for name, end := range ends {
		t.Run(name, func(t *testing.T) {
			f.T = t
			conn := f.dial()
			say(t, conn, "hello")
			ended := make(chan struct{})
			time.AfterFunc(100*time.Millisecond, func() { defer close(ended); end() })
			n, err := conn.Read(make([]byte, 100))
			<-ended // the server listens again
			f.check(err, assay.CodeConnectionLost, "the connection to bench1 was lost")
			if n != 0 {
				t.Errorf("read %d bytes", n)
			}
			_, err = conn.Write(make([]byte, 1<<20))
			f.check(err, assay.CodeConnectionLost)
			f.gone()
		})
	}
	f.T = t
	say(t, f.dial(), "hello")
}

// gone waits until no program runs on the machine.
func (f *fixture) gone() {
	f.Helper()
	for range 200 {
		if len(f.machine.Programs()) == 0 {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	f.Errorf("still there: %v", f.machine.Programs())
}

// The connection ends while the executable travels.
func TestLostWhileInstalling(t *testing.T) {
	f := newFixture(t, sshtest.Options{Force: `case "$SSH_ORIGINAL_COMMAND" in *new-*) head -c 100000 >/dev/null; kill -9 $PPID; sleep 1; exit;; esac; ` + original})
	f.refused(f.machine.Address(), assay.CodeConnectionLost, "the connection to bench1 was lost")
}

// An agent that does not end is left alone: Close comes back, and so does Read.
func TestConcurrentClose(t *testing.T) {
	f := newFixture(t, sshtest.Options{})
	conn := f.dial()
	say(t, conn, "hello")
	for _, pid := range f.machine.Programs() {
		_ = syscall.Kill(pid, syscall.SIGSTOP)
	}
	read := make(chan error)
	go func() {
		_, err := conn.Read(make([]byte, 100))
		read <- err
	}()
	conn.Close() // for ever, if it waited for them
	if err := <-read; !errors.Is(err, os.ErrClosed) {
		t.Errorf("Read: %v", err)
	}
	if _, err := io.WriteString(conn, "x"); !errors.Is(err, os.ErrClosed) {
		t.Errorf("Write: %v", err)
	}
}

// Who is killed leaves nothing behind over there.
func TestKilledClient(t *testing.T) {
	f := newFixture(t, sshtest.Options{})
	f.dial().Close()
	own, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(own)
	cmd.Env = append(os.Environ(), "ASSAY_TEST_DIAL="+f.network.Config)
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	if _, err := out.Read(make([]byte, 1)); err != nil {
		t.Fatal(err)
	}
	if len(f.machine.Programs()) == 0 {
		t.Error("no agent runs")
	}
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
	f.gone()
}

// A dead network is noticed.
func TestSlowFrozenServer(t *testing.T) {
	slow.Test(t)
	f := newFixture(t, sshtest.Options{})
	conn := f.dial()
	f.machine.Freeze()
	began := time.Now()
	_, err := conn.Read(make([]byte, 100))
	f.check(err, assay.CodeConnectionLost)
	t.Logf("noticed after %v", time.Since(began))
	f.refused(f.machine.Address(), assay.CodeUnreachable, "does not answer")
	f.machine.Thaw()
	say(t, f.dial(), "hello")
}

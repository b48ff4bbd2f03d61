package ssh

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/seed-1318a441/assay"

	"github.com/seed-1318a441/assay/internal/fault"
)

// A client runs the system's ssh for one machine. Its first command opens the connection,
// and the others share it.
type client struct {
	program string // ssh, found in the PATH
	address address
	config  string // a file for -F, "" for the user's
	dir     string // the folder of the control socket; "" where ssh knows none
}

// newClient finds ssh and makes the folder of its control socket.
func newClient(a address, config string) (*client, error) {
	program, err := exec.LookPath("ssh")
	if err != nil {
		return nil, assay.NewError(assay.ExitRefused, assay.CodeNoSSH, "there is no ssh on this machine to reach "+a.Name()+" with",
			[]string{err.Error()}, "sudo apt-get install openssh-client")
	}
	c := &client{program: program, address: a, config: config}
	// Windows' own ssh cannot share a connection.
	if runtime.GOOS != "windows" {
		if c.dir, err = socketDir(); err != nil {
			return nil, fmt.Errorf("make folder for ssh: %w", err)
		}
	}
	return c, nil
}

// longestSocketDir leaves room in the 104 bytes of a socket's address for "/c" and the 17
// characters that ssh appends.
const longestSocketDir = 104 - 1 - len("/c") - 17

// socketPrefix begins the names of folders of control sockets.
const socketPrefix = "assay-ssh-"

// socketDir makes a folder that only this user can enter.
func socketDir() (string, error) {
	sweepSocketDirs(os.TempDir())
	dir, err := os.MkdirTemp("", socketPrefix)
	if err == nil && len(dir) > longestSocketDir {
		os.Remove(dir)
		dir, err = os.MkdirTemp("/tmp", socketPrefix)
	}
	return dir, err
}

// sweepSocketDirs removes what killed processes left: folders that are old, and empty
// because ssh has removed its socket.
func sweepSocketDirs(in string) {
	entries, _ := os.ReadDir(in)
	for _, e := range entries {
		if info, err := e.Info(); strings.HasPrefix(e.Name(), socketPrefix) && err == nil && time.Since(info.ModTime()) > time.Hour {
			_ = os.Remove(filepath.Join(in, e.Name())) // fails where there is a socket
		}
	}
}

// linger is how long the connection stays open without a command, in seconds: what a
// killed assay leaves behind is gone after it.
const linger = "10"

// args returns the arguments for a command over there. They win over ssh_config.
func (c *client) args(command string) []string {
	var args []string
	if c.config != "" {
		args = append(args, "-F", c.config)
	}
	args = append(args, "-T", "-a", "-x",
		"-o", "BatchMode=yes",
		"-o", "LogLevel=ERROR",
		"-o", "ConnectTimeout=10",
		"-o", "ServerAliveInterval=5",
		"-o", "ServerAliveCountMax=3",
		"-o", "ClearAllForwardings=yes",
		"-o", "PermitLocalCommand=no",
		"-o", "RemoteCommand=none",
	)
	if c.dir != "" {
		args = append(args, "-o", "ControlMaster=auto", "-o", "ControlPath="+c.socket(), "-o", "ControlPersist="+linger)
	}
	return append(append(args, c.address.args()...), command)
}

// socket is the path of the control socket. A percent sign begins a token of ssh.
func (c *client) socket() string {
	return strings.ReplaceAll(filepath.Join(c.dir, "c"), "%", "%%")
}

// close ends the connection for all commands, and removes the folder.
func (c *client) close() {
	if c.dir == "" {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), grace)
	defer cancel()
	var args []string
	if c.config != "" {
		args = append(args, "-F", c.config)
	}
	args = append(args, "-o", "ControlPath="+c.socket(), "-O", "exit")
	cmd := exec.CommandContext(ctx, c.program, append(args, c.address.args()...)...)
	cmd.Env = environ()
	_ = cmd.Run() // there may be no connection any more
	os.RemoveAll(c.dir)
}

// environ is the environment of ssh, without the language: ssh then writes English, and
// does not take this computer's language to the other one, where it would be part of what
// is measured.
func environ() []string {
	var env []string
	for _, kv := range os.Environ() {
		if name, _, _ := strings.Cut(kv, "="); name != "LANG" && name != "LANGUAGE" && !strings.HasPrefix(name, "LC_") {
			env = append(env, kv)
		}
	}
	return env
}

// grace is how long ssh may take to end once its input has ended.
const grace = 2 * time.Second

// A command is a running ssh.
type command struct {
	stdin  io.WriteCloser
	stdout *os.File
	stderr *tail
	cmd    *exec.Cmd
	// done is closed when ssh has ended, with its status.
	done chan struct{}
	err  error
}

// start runs a command over there.
func (c *client) start(line string) (*command, error) {
	r, w, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("start ssh: %w", err)
	}
	defer w.Close()
	x := &command{stdout: r, stderr: new(tail), done: make(chan struct{}), cmd: exec.Command(c.program, c.args(line)...)}
	x.cmd.Env, x.cmd.Stdout, x.cmd.Stderr = environ(), w, x.stderr
	// A connection that stays open may hold what was its stderr.
	x.cmd.WaitDelay = 300 * time.Millisecond
	detach(x.cmd)
	if x.stdin, err = x.cmd.StdinPipe(); err == nil {
		err = x.cmd.Start()
	}
	if err != nil {
		r.Close()
		return nil, fmt.Errorf("start ssh: %w", err)
	}
	go func() {
		defer fault.Exit()
		x.err = x.cmd.Wait()
		close(x.done)
	}()
	return x, nil
}

// kill ends ssh at once, and whatever it has started here.
func (x *command) kill() { killGroup(x.cmd) }

// abort kills ssh, and unblocks who reads its output, which the connection may hold open.
func (x *command) abort() {
	x.kill()
	_ = x.stdout.SetReadDeadline(time.Unix(1, 0))
}

// end closes the input, and gives ssh time to end.
func (x *command) end() {
	x.stdin.Close()
	select {
	case <-x.done:
	case <-time.After(grace):
		x.kill()
		<-x.done
	}
	x.stdout.Close()
}

// status returns the exit status of ssh, which is that of the command over there, or 255
// where ssh itself failed. It waits for the end.
func (x *command) status() int {
	<-x.done
	if x.err == nil || errors.Is(x.err, exec.ErrWaitDelay) {
		return 0
	}
	if e, ok := errors.AsType[*exec.ExitError](x.err); ok {
		return e.ExitCode()
	}
	return -1
}

// sshFailed is the exit status of ssh if it could not do its part.
const sshFailed = 255

// run runs a command over there with an input, to its end, and returns the first of its
// output. The error is that of ctx.
func (c *client) run(ctx context.Context, line string, input io.Reader) (out string, x *command, err error) {
	x, err = c.start(line)
	if err != nil {
		return "", nil, err
	}
	stop := context.AfterFunc(ctx, x.abort)
	defer stop()
	go func() {
		defer fault.Exit()
		// The command's status says what went wrong if it does not read all.
		_, _ = io.Copy(x.stdin, input)
		x.stdin.Close()
	}()
	data, _ := io.ReadAll(io.LimitReader(x.stdout, mostNoise))
	x.end()
	if ctx.Err() != nil {
		return "", x, fmt.Errorf("connect to %s: %w", c.address.Name(), context.Cause(ctx))
	}
	return string(data), x, nil
}

// A tail keeps the end of what is written to it. It may be used in parallel.
type tail struct {
	mu   sync.Mutex
	text []byte
}

// longestTail is the length of a tail in bytes.
const longestTail = 64 << 10

// Write implements io.Writer.
func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.text = append(t.text, p...)
	if n := len(t.text) - longestTail; n > longestTail {
		t.text = append(t.text[:0], t.text[n:]...)
	}
	return len(p), nil
}

// String returns the end of what was written.
func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(t.text[max(0, len(t.text)-longestTail):])
}

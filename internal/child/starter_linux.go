//go:build !portable

package child

import (
	"os"
	"runtime"
	"sync"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// starterEnv, set to starterValue, makes a program that links this package a
// starter; file 3 is then its socket.
const (
	starterEnv   = "ASSAY_STARTER"
	starterValue = "socket-on-3"
)

// A starter must be small and must not run what its program is for, so it
// takes over before main does, in tests too.
func init() {
	if os.Getenv(starterEnv) == starterValue {
		unix.CloseOnExec(3)
		heedInterrupt()
		adopt()
		serve(3, smallMemory())
		os.Exit(0)
	}
}

// heedInterrupt has SIGINT end what this process starts, also where it is ignored: a
// shell has what it runs in the background ignore it, and programs inherit that. A
// server that is stopped by an interrupt would not stop.
func heedInterrupt() {
	var byDefault [8]uintptr // a sigaction of zeros, whatever its fields
	const maskSize = 8
	_, _, _ = unix.RawSyscall6(unix.SYS_RT_SIGACTION, uintptr(unix.SIGINT), uintptr(unsafe.Pointer(&byDefault)), 0, maskSize, 0, 0)
}

// serve does the jobs that come from sock, one after another, until it closes.
// The process may be one that is not all ours to shrink; m is nil then.
func serve(sock int, m *memory) {
	defer unix.Close(sock)
	buffer := make([]byte, 32<<10)
	for {
		m.rest(sock)
		message, files, err := receive(sock, buffer)
		if err != nil {
			return
		}
		j, err := decodeJob(message)
		if err != nil || len(files) != j.files() {
			return
		}
		if send(sock, supervise(j, files, sock, m).encode()) != nil {
			return
		}
	}
}

// A starter starts one job at a time.
type starter struct {
	// sock is the connection with it. Its end is the end of the starter and of
	// what it runs, so the end of assay is too.
	sock int
	jobs int // that it was given
	// ordered is set when it was told to end a job: an order that comes late
	// would be read as the next job.
	ordered bool
	buffer  [64 << 10]byte
}

// maxJobs bounds the age of a starter: its memory grows a little with each job.
const maxJobs = 4096

// idle are the starters that wait for a job. There are as many as there were
// jobs at a time.
var idle struct {
	sync.Mutex
	starters []*starter
}

// takeStarter returns one that nobody else uses.
func takeStarter() (*starter, error) {
	idle.Lock()
	defer idle.Unlock()
	if n := len(idle.starters); n > 0 {
		s := idle.starters[n-1]
		idle.starters = idle.starters[:n-1]
		return s, nil
	}
	return newStarter()
}

// release lets others use the starter, if it is still of use.
func (s *starter) release() {
	if s.ordered || s.jobs >= maxJobs {
		s.close()
		return
	}
	idle.Lock()
	defer idle.Unlock()
	idle.starters = append(idle.starters, s)
}

func (s *starter) close() { _ = unix.Close(s.sock) }

// order tells the starter to end its job early. A broken connection shows when
// the report is read.
func (s *starter) order(o order) {
	s.ordered = true
	_ = unix.Sendto(s.sock, []byte{byte(o)}, unix.MSG_NOSIGNAL, nil)
}

func newStarter() (*starter, error) {
	socks, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return nil, os.NewSyscallError("socketpair", err)
	}
	if launch(socks[1]) != nil {
		// This process then does what it can, with a larger floor under peaks.
		go func() {
			runtime.LockOSThread()
			serve(socks[1], nil)
		}()
	}
	return &starter{sock: socks[0]}, nil
}

// launch starts a starter at the other end of sock, which it closes here.
func launch(sock int) error {
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer null.Close()
	n := null.Fd()
	// This very file, also where another has been built in its place since.
	pid, _, err := syscall.StartProcess("/proc/self/exe", []string{"assay-starter"}, &syscall.ProcAttr{
		// With one P, the run time would take it away from every system call that
		// waits, and wake a thread up for that several times a trial.
		Env:   []string{starterEnv + "=" + starterValue, "GOMAXPROCS=2"},
		Files: []uintptr{n, n, n, uintptr(sock)},
		// A Ctrl-C is for assay alone, which then ends its trials in order.
		Sys: &syscall.SysProcAttr{Setpgid: true},
	})
	if err != nil {
		return err
	}
	_ = unix.Close(sock)
	go func() { _, _ = unix.Wait4(pid, nil, 0, nil) }()
	return nil
}

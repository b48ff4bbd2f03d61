//go:build !portable

package child

import (
	"os"
	"runtime"
	"sync"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/seed-1318a441/assay/internal/fault"
)

// starterEnv, set to starterValue, makes a program that links this package a starter; its
// socket is file 3.
const (
	starterEnv   = "ASSAY_STARTER"
	starterValue = "socket-on-3"
)

// A starter must be small and must not run the program's own code, so it takes over
// before main, in tests too.
func init() {
	if os.Getenv(starterEnv) == starterValue {
		unix.CloseOnExec(3)
		heedInterrupt()
		adopt()
		serve(3, smallMemory())
		os.Exit(0)
	}
}

// heedInterrupt lets SIGINT end what this process starts, even if it is ignored: a shell
// makes its background processes ignore it, and programs inherit that. A server stopped
// by an interrupt would not stop.
func heedInterrupt() {
	var byDefault [8]uintptr // a zero sigaction, whatever its fields
	const maskSize = 8
	_, _, _ = unix.RawSyscall6(unix.SYS_RT_SIGACTION, uintptr(unix.SIGINT), uintptr(unsafe.Pointer(&byDefault)), 0, maskSize, 0, 0)
}

// serve runs the jobs from sock, one after another, until it closes. m is nil if the
// process has other memory than a starter's.
func serve(sock int, m *memory) {
	defer unix.Close(sock)
	buffer := make([]byte, 32<<10)
	for {
		m.beforeJob(sock)
		message, files, err := receive(sock, buffer)
		if err != nil {
			return
		}
		j, err := decodeJob(message)
		if err != nil || len(files) != ownFiles {
			return
		}
		if send(sock, supervise(j, files, sock, m).encode()) != nil {
			return
		}
	}
}

// A starter starts one job at a time.
type starter struct {
	// sock is the connection with it. When it closes, as at the end of assay, the starter
	// and its process end.
	sock int
	jobs int // that it has received
	// ordered is set after an order to end a job: a late order would be read as the next
	// job.
	ordered bool
	buffer  [64 << 10]byte
}

// maxJobs is the maximum number of jobs of a starter: its memory grows a little with
// each.
const maxJobs = 4096

// idleStarters are the starters that wait for a job, as many as there were concurrent
// jobs.
var idleStarters struct {
	sync.Mutex
	starters []*starter
}

// takeStarter returns an unused starter.
func takeStarter() (*starter, error) {
	idleStarters.Lock()
	defer idleStarters.Unlock()
	if n := len(idleStarters.starters); n > 0 {
		s := idleStarters.starters[n-1]
		idleStarters.starters = idleStarters.starters[:n-1]
		return s, nil
	}
	return newStarter()
}

// release lets others use the starter, if it is still usable.
func (s *starter) release() {
	if s.ordered || s.jobs >= maxJobs {
		s.close()
		return
	}
	idleStarters.Lock()
	defer idleStarters.Unlock()
	idleStarters.starters = append(idleStarters.starters, s)
}

func (s *starter) close() { _ = unix.Close(s.sock) }

// order orders the starter to end its job early. A broken connection shows when the
// report is read.
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
		// This process then acts as the starter, with a larger floor under peaks.
		go func() {
			defer fault.Exit()
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
	// This very file, even if another has been built in its place since.
	pid, _, err := syscall.StartProcess("/proc/self/exe", []string{"assay-starter"}, &syscall.ProcAttr{
		// With one P, the runtime would take it away at every blocking system call,
		// waking up a thread several times a trial.
		Env:   []string{starterEnv + "=" + starterValue, "GOMAXPROCS=2"},
		Files: []uintptr{n, n, n, uintptr(sock)},
		// A Ctrl-C is for assay alone, which then ends its trials in order.
		Sys: &syscall.SysProcAttr{Setpgid: true},
	})
	if err != nil {
		return err
	}
	_ = unix.Close(sock)
	go func() {
		defer fault.Exit()
		_, _ = unix.Wait4(pid, nil, 0, nil)
	}()
	return nil
}

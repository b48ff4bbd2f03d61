package trial

import (
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"sync"
	"syscall"
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
		serveStarter()
		os.Exit(0)
	}
}

// starter is this process's; it is started by the first trial, and ends when
// its socket closes, which the end of this process does.
var starter struct {
	sync.Mutex
	socket *net.UnixConn
	jobs   int // that it was given
}

// maxJobs bounds the age of a starter: its memory grows a little with each job.
const maxJobs = 256

// start runs a job to its end through the starter, or itself where there can
// be none.
func start(j job, files [3]*os.File, orders <-chan order) report {
	socket, conn, err := callStarter(files)
	if err != nil {
		return supervise(j, files, orders)
	}
	defer conn.Close()
	for _, f := range files {
		_ = f.Close()
	}
	r, err := converse(conn, j, orders)
	if err != nil {
		dropStarter(socket)
		return report{Err: fmt.Sprintf("lost the process that starts trials: %v", err)}
	}
	return r
}

// converse sends the job and its orders and waits for the report.
func converse(conn net.Conn, j job, orders <-chan order) (r report, err error) {
	enc := json.NewEncoder(conn)
	if err := enc.Encode(j); err != nil {
		return r, err
	}
	done := make(chan struct{})
	defer close(done)
	go func() {
		for {
			select {
			case o := <-orders:
				_ = enc.Encode(o) // a broken connection shows when it is read
			case <-done:
				return
			}
		}
	}()
	err = json.NewDecoder(conn).Decode(&r)
	return r, err
}

// callStarter hands the files to the starter and returns the connection for
// the job that they belong to. A starter that has ended is started again.
func callStarter(files [3]*os.File) (socket *net.UnixConn, conn net.Conn, err error) {
	for range 2 {
		if socket, err = theStarter(); err != nil {
			return nil, nil, err
		}
		if conn, err = handOver(socket, files); err == nil {
			return socket, conn, nil
		}
		dropStarter(socket)
	}
	return nil, nil, err
}

func theStarter() (*net.UnixConn, error) {
	starter.Lock()
	defer starter.Unlock()
	if starter.socket != nil && starter.jobs >= maxJobs {
		// It ends when the jobs have that it still has.
		_ = starter.socket.Close()
		starter.socket = nil
	}
	if starter.socket == nil {
		socket, err := launchStarter()
		if err != nil {
			return nil, err
		}
		starter.socket, starter.jobs = socket, 0
	}
	starter.jobs++
	return starter.socket, nil
}

// dropStarter makes the next trial start another starter than that.
func dropStarter(socket *net.UnixConn) {
	starter.Lock()
	defer starter.Unlock()
	_ = socket.Close()
	if starter.socket == socket {
		starter.socket = nil
	}
}

func launchStarter() (*net.UnixConn, error) {
	mine, theirs, err := socketPair()
	if err != nil {
		return nil, err
	}
	defer theirs.Close()
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		_ = mine.Close()
		return nil, err
	}
	defer null.Close()
	// This very file, also where another has been built in its place since.
	p, err := os.StartProcess("/proc/self/exe", []string{"assay-starter"}, &os.ProcAttr{
		Env:   []string{starterEnv + "=" + starterValue, "GOMAXPROCS=1"}, // for less memory
		Files: []*os.File{null, null, null, theirs},
		// A Ctrl-C is for assay alone, which then ends its trials in order.
		Sys: &syscall.SysProcAttr{Setpgid: true},
	})
	if err != nil {
		_ = mine.Close()
		return nil, err
	}
	go func() { _, _ = p.Wait() }()
	return mine, nil
}

// handOver sends files and one end of a new connection, and returns the other.
func handOver(socket *net.UnixConn, files [3]*os.File) (net.Conn, error) {
	mine, theirs, err := socketPair()
	if err != nil {
		return nil, err
	}
	defer theirs.Close()
	rights := syscall.UnixRights(int(theirs.Fd()), int(files[0].Fd()), int(files[1].Fd()), int(files[2].Fd()))
	if _, _, err := socket.WriteMsgUnix([]byte{0}, rights, nil); err != nil {
		_ = mine.Close()
		return nil, err
	}
	return mine, nil
}

// socketPair makes a stream; the second end is for another process.
func socketPair() (*net.UnixConn, *os.File, error) {
	fds, err := syscall.Socketpair(syscall.AF_UNIX, syscall.SOCK_STREAM|syscall.SOCK_CLOEXEC, 0)
	if err != nil {
		return nil, nil, os.NewSyscallError("socketpair", err)
	}
	theirs := os.NewFile(uintptr(fds[1]), "socket")
	mine, err := unixConn(fds[0])
	if err != nil {
		_ = theirs.Close()
		return nil, nil, err
	}
	return mine, theirs, nil
}

func unixConn(fd int) (*net.UnixConn, error) {
	f := os.NewFile(uintptr(fd), "socket")
	defer f.Close()
	c, err := net.FileConn(f)
	if err != nil {
		return nil, err
	}
	return c.(*net.UnixConn), nil
}

// serveStarter starts what it is asked to until its socket closes, and returns
// when everything it started has ended.
func serveStarter() {
	findShrinkable()
	socket, err := unixConn(3)
	if err != nil {
		return
	}
	var jobs sync.WaitGroup
	for {
		fds, err := receive(socket)
		if err != nil {
			break
		}
		jobs.Go(func() { serveJob(fds) })
	}
	jobs.Wait()
}

// receive takes the four files of handOver.
func receive(socket *net.UnixConn) ([]int, error) {
	var b [1]byte
	oob := make([]byte, syscall.CmsgSpace(4*4))
	n, oobn, _, _, err := socket.ReadMsgUnix(b[:], oob)
	if err != nil {
		return nil, err
	}
	messages, err := syscall.ParseSocketControlMessage(oob[:oobn])
	if err != nil || n == 0 || len(messages) != 1 {
		return nil, errors.New("no files came")
	}
	fds, err := syscall.ParseUnixRights(&messages[0])
	if err == nil && len(fds) != 4 {
		err = errors.New("not four files came")
	}
	return fds, err
}

func serveJob(fds []int) {
	conn, err := unixConn(fds[0])
	if err != nil {
		return
	}
	defer conn.Close()
	var files [3]*os.File
	for i := range files {
		files[i] = os.NewFile(uintptr(fds[i+1]), "")
	}
	dec := json.NewDecoder(conn)
	var j job
	if err := dec.Decode(&j); err != nil {
		return
	}
	orders := make(chan order)
	ended := make(chan struct{})
	go func() {
		// The end of the connection is the end of assay, and so of the job.
		defer close(orders)
		for {
			var o order
			if dec.Decode(&o) != nil {
				return
			}
			select {
			case orders <- o:
			case <-ended:
				return
			}
		}
	}()
	r := supervise(j, files, orders)
	close(ended)
	_ = json.NewEncoder(conn).Encode(r)
}

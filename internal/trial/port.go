package trial

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"strconv"
	"sync/atomic"
	"time"

	gonet "github.com/shirou/gopsutil/v4/net"
	"github.com/shirou/gopsutil/v4/process"

	"github.com/seed-1318a441/assay/internal/printable"
)

// loopback is where the servers of trials listen.
const loopback = "127.0.0.1"

// vacateWithin is how long a port may stay in use after the server has ended: its
// remaining processes are killed by then, but the system may be slow.
const vacateWithin = time.Second

// The ports of servers, from firstPort on. They lie below those that systems give to
// outgoing connections (Linux: from 32768 on, others: from 49152 on): the load's own
// connections, or a stranger's, would take a port between two trials.
const (
	firstPort = 10_000
	ports     = 20_000
	portTries = 100
)

// portsGiven counts the ports that this process chose, from a random one on: processes at
// the same time seldom choose the same.
var portsGiven = func() *atomic.Uint32 {
	var n atomic.Uint32
	n.Store(rand.Uint32N(ports))
	return &n
}()

// FreePort returns a free TCP port on loopback, another one each time. Another program may
// take it before the server does.
func FreePort() (int, error) {
	for range portTries {
		if port := firstPort + int(portsGiven.Add(1)%ports); !portTaken(port) {
			return port, nil
		}
	}
	return 0, fmt.Errorf("find a free port: %d of those from %d to %d are taken", portTries, firstPort, firstPort+ports-1)
}

// address returns the address of a port on loopback.
func address(port int) string { return net.JoinHostPort(loopback, strconv.Itoa(port)) }

// portTaken reports whether something listens on the port. Trying to listen is not
// enough: some systems let a server listen on loopback beside one that listens
// everywhere.
func portTaken(port int) bool {
	if conn, err := net.DialTimeout("tcp4", address(port), time.Second); err == nil {
		_ = conn.Close()
		return true
	}
	l, err := net.Listen("tcp4", address(port))
	if err != nil {
		return true
	}
	_ = l.Close()
	return false
}

// staysTaken waits a moment for a port to become free, and reports whether it is still in
// use.
func staysTaken(port int) bool {
	for end := time.Now().Add(vacateWithin); portTaken(port); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			return true
		}
	}
	return false
}

// holder names the process that listens on a port: " (by pid 12, name)", or "" if
// unknown.
func holder(port int) string {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	pid, err := listener(ctx, port)
	if err != nil {
		return ""
	}
	name := "?"
	if p, err := process.NewProcessWithContext(ctx, pid); err == nil {
		name, _ = p.NameWithContext(ctx)
	}
	return fmt.Sprintf(" (by pid %d, %s)", pid, cmp.Or(printable.Brief(name), "?"))
}

// listener finds the process that listens on a port.
func listener(ctx context.Context, port int) (int32, error) {
	all, err := gonet.ConnectionsWithContext(ctx, "tcp")
	if err != nil {
		return 0, err
	}
	for _, c := range all {
		if c.Laddr.Port == uint32(port) && c.Status == "LISTEN" && c.Pid > 0 {
			return c.Pid, nil
		}
	}
	return 0, errors.New("nobody is known")
}

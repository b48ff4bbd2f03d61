//go:build !portable

package child

import (
	"context"

	"golang.org/x/sys/unix"
)

// SideBySide is true if processes can run in steps.
const SideBySide = true

// A Stepped is a process that runs from one write to its standard output to the next.
// That output is a pipe with room for one write: the process waits in a write until the
// previous one has been read.
type Stepped struct {
	trial  *task
	stdout int // our end of the pipe, -1 when it is closed
	text   [16 << 10]byte
}

// StartStepped starts a process, which at once runs to its second write. Its standard
// output goes only to Next: Command.Stdout is not used. The errors are those of Start.
func StartStepped(ctx context.Context, c Command) (*Stepped, error) {
	c.packets = true
	t, err := begin(ctx, c, false)
	if err != nil {
		return nil, err
	}
	s := &Stepped{trial: t, stdout: t.pipes[0]}
	t.pipes[0] = -1 // read here, not by the task
	return s, nil
}

// End waits until the process has ended and returns how, without its standard output. It
// may be called while another goroutine reads.
func (s *Stepped) End(ctx context.Context) (Exit, error) { return s.trial.end(ctx) }

// Next waits for one write of the process and returns it, valid until the next call; nil
// is the end.
func (s *Stepped) Next() []byte {
	for {
		n, err := unix.Read(s.stdout, s.text[:])
		if err == unix.EINTR {
			continue
		}
		if n <= 0 {
			return nil
		}
		return s.text[:n]
	}
}

// Await waits until there is something to read, and reports whether that is data and not
// the end.
func (s *Stepped) Await() bool {
	fds := []unix.PollFd{{Fd: int32(s.stdout), Events: unix.POLLIN}}
	for {
		if _, err := unix.Poll(fds, -1); err != unix.EINTR {
			return err == nil && fds[0].Revents&unix.POLLIN != 0
		}
	}
}

// Close closes the pipe: a write then ends the process. It may be called more than once.
func (s *Stepped) Close() {
	if s.stdout != -1 {
		_ = unix.Close(s.stdout)
		s.stdout = -1
	}
}

package child

import (
	"errors"
	"io/fs"
	"os"
	"time"
)

// ownFiles is the number of files of a job: standard input, output and errors.
const ownFiles = 3

// A job is what to start. Its files come separately.
type job struct {
	Path, Dir string
	Args, Env []string
	Counters  bool
	// Announce requests an announcement when it has been started.
	Announce bool
	CPUs     []int
}

// An announcement says that a job has been started. A pid of 0 means that the start
// failed, and a report follows at once.
type announcement struct {
	pid int
	at  time.Time // just before the start
}

// A report is the end of a job, without its output. Err says why the process could not be
// started.
type report struct {
	Exit
	Err string
}

// An order ends a job early, or requests its end.
type order byte

const (
	orderQuit      order = iota + 1 // the leader prints its stacks and ends
	orderKill                       // the whole group ends
	orderInterrupt                  // the leader gets SIGINT
	orderTerminate                  // the leader gets SIGTERM
)

// startError returns err without the path, which the caller adds. A missing folder and a
// missing program are the same error to the system.
func startError(err error, dir string) string {
	if dir != "" {
		if _, err := os.Stat(dir); err != nil {
			return err.Error()
		}
	}
	if p, ok := errors.AsType[*fs.PathError](err); ok {
		return p.Err.Error()
	}
	return err.Error()
}

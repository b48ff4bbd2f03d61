//go:build !linux || portable

package child

import (
	"os"
	"os/exec"
	"time"

	"github.com/seed-1318a441/assay/internal/fault"
)

// supervise starts a job with files as its stdin, stdout and stderr, closes them, waits,
// and kills the rest of the group. Until the leader has ended it obeys orders. It
// announces the start, or that it failed.
func supervise(j job, files [3]*os.File, orders <-chan order, begun chan<- announcement) report {
	start := time.Now()
	g, err := startGroup(command(j, files))
	for _, f := range files {
		_ = f.Close()
	}
	if err != nil {
		begun <- announcement{}
		return report{Err: startError(err, j.Dir)}
	}
	begun <- announcement{g.cmd.Process.Pid, start}
	gone, obeyed := make(chan struct{}), make(chan struct{})
	go func() {
		defer fault.Exit()
		defer close(obeyed)
		for {
			select {
			case <-gone:
				return
			case o := <-orders:
				g.obey(o)
			}
		}
	}()
	g.await()
	wall := time.Since(start)
	close(gone)
	<-obeyed // no order may reach another process with the same number
	g.finish()
	state := g.reap()

	return report{Exit: Exit{
		Start: start, Wall: wall, User: state.UserTime(), Sys: state.SystemTime(), PeakRSS: peakRSS(state), Usage: usageOf(state),
		Code: state.ExitCode(), Signal: signalOf(state),
	}}
}

func command(j job, files [3]*os.File) *exec.Cmd {
	cmd := &exec.Cmd{
		Path: j.Path, Args: append([]string{j.Path}, j.Args...), Dir: j.Dir, Env: j.Env,
		Stdin: files[0], Stdout: files[1], Stderr: files[2],
	}
	if cmd.Env == nil {
		cmd.Env = []string{} // nil would mean ours
	}
	return cmd
}

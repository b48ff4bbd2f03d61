package trial

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"runtime"
	"time"
)

// A job is what to start. Its files come separately.
type job struct {
	Path string   `json:"path"`
	Args []string `json:"args"`
	Dir  string   `json:"dir"`
	Env  []string `json:"env"`
}

// A report is the end of a job.
type report struct {
	Start   time.Time     `json:"start"`
	Wall    time.Duration `json:"wall"`
	User    time.Duration `json:"user"`
	Sys     time.Duration `json:"sys"`
	PeakRSS uint64        `json:"peak_rss"`
	Usage
	Counters map[string]float64 `json:"counters,omitempty"`
	Code     int                `json:"code"`
	Signal   string             `json:"signal,omitempty"`
	// Err says why the process could not be started.
	Err string `json:"err,omitempty"`
}

// An order ends a job early.
type order int

const (
	orderQuit order = iota + 1 // the leader prints its stacks and ends
	orderKill                  // the whole group ends
)

// supervise starts a job with files as its stdin, stdout and stderr, closes
// them, waits, and kills what is left of the group. Until the leader has ended
// it obeys orders; closed orders mean orderKill.
func supervise(j job, files [3]*os.File, orders <-chan order) report {
	// The signal that ends the child with its parent comes when the thread ends.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()

	shrink()
	start := time.Now()
	g, err := startGroup(command(j, files))
	for _, f := range files {
		_ = f.Close()
	}
	if err != nil {
		return report{Err: startError(err, j.Dir)}
	}
	floor := peakFloor()
	gone, obeyed := make(chan struct{}), make(chan struct{})
	go func() {
		g.obey(orders, gone)
		close(obeyed)
	}()
	g.await()
	wall := time.Since(start)
	close(gone)
	<-obeyed // no order may reach another process that got the number
	g.kill()
	state := g.reap()

	r := report{Start: start, Wall: wall, User: state.UserTime(), Sys: state.SystemTime(), Code: state.ExitCode(), Signal: signalOf(state)}
	r.Usage = usageOf(state)
	// At or below the floor the peak is this process's, not the child's.
	if peak := peakRSS(state); peak > floor {
		r.PeakRSS = peak
	}
	return r
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

// startError is err without the path, which the caller names. A missing
// folder and a missing program are the same error to the system.
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

// obey carries out orders until gone is closed.
func (g *group) obey(orders <-chan order, gone <-chan struct{}) {
	for {
		select {
		case <-gone:
			return
		case o, ok := <-orders:
			if ok && o == orderQuit {
				g.quit()
				continue
			}
			g.kill()
			if !ok {
				return
			}
		}
	}
}

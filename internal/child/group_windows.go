package child

import (
	"os"
	"os/exec"
	"unsafe"

	"golang.org/x/sys/windows"
)

// A group is a process in a job object. Its descendants stay in the object, which ends
// them all when it is closed, even by the end of this process. Processes started before
// the process is in the job escape.
type group struct {
	cmd *exec.Cmd
	job windows.Handle // 0 if it could not be created
}

func startGroup(cmd *exec.Cmd) (*group, error) {
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	g := &group{cmd: cmd}
	if job, err := newJob(uint32(cmd.Process.Pid)); err == nil {
		g.job = job
	}
	return g, nil
}

// newJob puts a process into a job object that ends with its last handle.
func newJob(pid uint32) (windows.Handle, error) {
	job, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return 0, err
	}
	var info windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION
	info.BasicLimitInformation.LimitFlags = windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE
	_, err = windows.SetInformationJobObject(job, windows.JobObjectExtendedLimitInformation,
		uintptr(unsafe.Pointer(&info)), uint32(unsafe.Sizeof(info)))
	if err == nil {
		err = assign(job, pid)
	}
	if err != nil {
		_ = windows.CloseHandle(job)
		return 0, err
	}
	return job, nil
}

func assign(job windows.Handle, pid uint32) error {
	h, err := windows.OpenProcess(windows.PROCESS_SET_QUOTA|windows.PROCESS_TERMINATE, false, pid)
	if err != nil {
		return err
	}
	defer windows.CloseHandle(h)
	return windows.AssignProcessToJobObject(job, h)
}

// obey ends the process, whatever the order: Windows has no signal that makes it print
// its stacks, and none for a process without a console of ours.
func (g *group) obey(order) { g.kill() }

// finish ends the rest of the job.
func (g *group) finish() { g.kill() }

func (g *group) kill() {
	if g.job != 0 {
		_ = windows.TerminateJobObject(g.job, 1)
	}
	_ = g.cmd.Process.Kill()
}

func (g *group) await() { _ = g.cmd.Wait() }

func (g *group) reap() *os.ProcessState {
	if g.job != 0 {
		_ = windows.CloseHandle(g.job)
	}
	return g.cmd.ProcessState
}

func signalOf(*os.ProcessState) string { return "" }

// peakRSS is unknown: Windows does not report it with the exit of a process.
func peakRSS(*os.ProcessState) uint64 { return 0 }

func usageOf(*os.ProcessState) Usage { return Usage{} }

func dup(f *os.File) (*os.File, error) {
	self := windows.CurrentProcess()
	var h windows.Handle
	if err := windows.DuplicateHandle(self, windows.Handle(f.Fd()), self, &h, 0, false, windows.DUPLICATE_SAME_ACCESS); err != nil {
		return nil, err
	}
	return os.NewFile(uintptr(h), f.Name()), nil
}

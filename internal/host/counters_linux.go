package host

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Counters reports whether the processor's counters (instructions, cycles, ...) are
// available for this user's processes. If not, why is a sentence with the reason and,
// where possible, the remedy.
func Counters() (ok bool, why string) {
	attr := unix.PerfEventAttr{
		Type: unix.PERF_TYPE_HARDWARE, Config: unix.PERF_COUNT_HW_INSTRUCTIONS,
		Size: uint32(unsafe.Sizeof(unix.PerfEventAttr{})),
		Bits: unix.PerfBitDisabled | unix.PerfBitExcludeKernel | unix.PerfBitExcludeHv,
	}
	file, err := unix.PerfEventOpen(&attr, 0, -1, -1, unix.PERF_FLAG_FD_CLOEXEC)
	if err == nil {
		_ = unix.Close(file)
		return true, ""
	}
	cpuinfo, _ := os.ReadFile("/proc/cpuinfo")
	return false, refusal(err, paranoia(), strings.Contains(string(cpuinfo), " hypervisor"))
}

// paranoia returns kernel.perf_event_paranoid, or -1, which allows everything, if it
// cannot be read.
func paranoia() int {
	text, err := os.ReadFile("/proc/sys/kernel/perf_event_paranoid")
	if err != nil {
		return -1
	}
	n, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		return -1
	}
	return n
}

// refusal explains the error of perf_event_open(2) for a count in user mode, which needs
// a paranoia of 2 at most.
func refusal(err error, paranoia int, virtual bool) string {
	switch err {
	case unix.EACCES, unix.EPERM:
		if paranoia > 2 {
			return fmt.Sprintf("kernel.perf_event_paranoid is %d: sudo sysctl kernel.perf_event_paranoid=2", paranoia)
		}
		return "perf_event_open is not allowed here, as in most containers: allow it in the seccomp profile"
	case unix.ENOSYS:
		return "this kernel is built without perf_event_open"
	case unix.ENOENT, unix.ENODEV, unix.EOPNOTSUPP:
		if virtual {
			return "no hardware counters in this virtual machine"
		}
		return "the kernel has no driver for the counters of this processor"
	}
	return "perf_event_open: " + err.Error()
}

package host

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Counters reports why the processor's counters (instructions, cycles, ...) are not
// available for this user's processes.
func Counters() Refusal {
	attr := unix.PerfEventAttr{
		Type: unix.PERF_TYPE_HARDWARE, Config: unix.PERF_COUNT_HW_INSTRUCTIONS,
		Size: uint32(unsafe.Sizeof(unix.PerfEventAttr{})),
		Bits: unix.PerfBitDisabled | unix.PerfBitExcludeKernel | unix.PerfBitExcludeHv,
	}
	file, err := unix.PerfEventOpen(&attr, 0, -1, -1, unix.PERF_FLAG_FD_CLOEXEC)
	if err == nil {
		_ = unix.Close(file)
		return Refusal{}
	}
	cpuinfo, _ := os.ReadFile("/proc/cpuinfo")
	return refusal(err, paranoia(), strings.Contains(string(cpuinfo), " hypervisor"))
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
func refusal(err error, paranoia int, virtual bool) Refusal {
	switch err {
	case unix.EACCES, unix.EPERM:
		if paranoia > 2 {
			const set = "sudo sysctl kernel.perf_event_paranoid="
			return Refusal{fmt.Sprintf("kernel.perf_event_paranoid is %d", paranoia), set + "2", set + strconv.Itoa(paranoia)}
		}
		return Refusal{Why: "perf_event_open is not allowed here, as in most containers", Cure: "allow it in the seccomp profile"}
	case unix.ENOSYS:
		return Refusal{Why: "this kernel is built without perf_event_open"}
	case unix.ENOENT, unix.ENODEV, unix.EOPNOTSUPP:
		if virtual {
			return Refusal{Why: "no hardware counters in this virtual machine"}
		}
		return Refusal{Why: "the kernel has no driver for the counters of this processor"}
	}
	return Refusal{Why: "perf_event_open: " + err.Error()}
}

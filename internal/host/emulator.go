package host

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// extraArchs lists the architectures that a system runs besides its own: in hardware, or
// with a translator that is part of the system.
var extraArchs = map[string][]string{
	"linux/amd64":   {"386"},
	"freebsd/amd64": {"386"},
	"windows/amd64": {"386"},
	"windows/arm64": {"386", "amd64"},
	"darwin/arm64":  {"amd64"},
	// Not every 64-bit Arm processor has the 32-bit instructions; only trying shows
	// which.
	"linux/arm64":    {"arm"},
	"linux/mips64":   {"mips"},
	"linux/mips64le": {"mipsle"},
}

// Architectures returns those whose programs a machine of a platform runs itself, its own
// first. Starting one can still fail.
func Architectures(goos, goarch string) []string {
	return append([]string{goarch}, extraArchs[goos+"/"+goarch]...)
}

// qemu has QEMU's names of the architectures that its user mode emulates.
var qemu = map[string]string{
	"386": "i386", "amd64": "x86_64", "arm": "arm", "arm64": "aarch64", "loong64": "loongarch64",
	"mips": "mips", "mipsle": "mipsel", "mips64": "mips64", "mips64le": "mips64el",
	"ppc64": "ppc64", "ppc64le": "ppc64le", "riscv64": "riscv64", "s390x": "s390x",
}

// Emulator returns the name of the emulator that a machine of a platform needs for
// programs of an architecture, such as "qemu-aarch64". It is "" if the machine runs them
// itself, or if there is none: QEMU emulates programs on Linux only.
func Emulator(goos, goarch, program string) string {
	name := qemu[program]
	if goos != "linux" || name == "" || slices.Contains(Architectures(goos, goarch), program) {
		return ""
	}
	return "qemu-" + name
}

// FindEmulator looks for an emulator on this machine. path is the program to put before
// the program that it runs, "" if the kernel does that by itself: Linux's binfmt_misc, by
// the names that distributions register.
func FindEmulator(name string) (path string, ok bool) {
	for _, program := range []string{name + "-static", name} {
		if found, err := exec.LookPath(program); err == nil {
			found, err = filepath.Abs(found)
			return found, err == nil
		}
	}
	text, err := os.ReadFile(filepath.Join("/proc/sys/fs/binfmt_misc", name))
	return "", err == nil && strings.HasPrefix(string(text), "enabled")
}

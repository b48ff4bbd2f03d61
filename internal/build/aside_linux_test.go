package build

import (
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// What is started aside runs on the CPUs given, at idle priority, and nothing else does.
func TestAside(t *testing.T) {
	var usable unix.CPUSet
	if err := unix.SchedGetaffinity(0, &usable); err != nil {
		t.Fatal(err)
	}
	cpu := 0
	for !usable.IsSet(cpu) {
		cpu++
	}
	state := func(cpus []int) (allowed, policy string) {
		err := aside(cpus, func() error {
			out, err := exec.Command("cat", "/proc/self/stat", "/proc/self/status").Output()
			line, status, _ := strings.Cut(string(out), "\n")
			policy = strings.Fields(line[strings.LastIndex(line, ")"):])[39] // proc_pid_stat(5): 41 of all
			_, allowed, _ = strings.Cut(status, "Cpus_allowed_list:")
			allowed, _, _ = strings.Cut(strings.TrimSpace(allowed), "\n")
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		return allowed, policy
	}
	before, normal := state(nil)
	if allowed, policy := state([]int{cpu}); allowed != strconv.Itoa(cpu) || policy != "5" {
		t.Errorf("CPUs %s, policy %s; want %d and 5, which is SCHED_IDLE", allowed, policy, cpu)
	}
	for range 20 {
		if allowed, policy := state(nil); allowed != before || policy != normal {
			t.Fatalf("afterwards CPUs %s, policy %s; want %s and %s as before", allowed, policy, before, normal)
		}
	}
	if err := aside([]int{1000}, func() error { return nil }); err == nil {
		t.Error("no error for a CPU that is not there")
	}
}

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// BenchmarkFleetAtRest is the memory of a hub with 20 agents that have nothing to do, and
// of an agent; and the CPU time that an agent takes while a trial sleeps beside it.
func BenchmarkFleetAtRest(b *testing.B) {
	var names []string
	for i := range 20 {
		names = append(names, fmt.Sprintf("m%d", i))
	}
	f := newFleet(b, names...)
	time.Sleep(20 * time.Second) // some beats
	hub, agent := f.hub.pid(), f.agents["m0"].pid()
	hubMB, agentMB := residentMB(b, hub), residentMB(b, agent)
	var busy, watched time.Duration
	for b.Loop() {
		cmd := f.command("lab", "compare", "--on=agent:m0", "--hub="+filepath.Join(f.dir, "hub.join"), "--cmd-a=sleep 6", "--cmd-b=sleep 6.0", "--expect=any", "--blocks=1", "--budget=10h", "--force")
		cmd.Dir = b.TempDir() // which is sent
		if err := cmd.Start(); err != nil {
			b.Fatal(err)
		}
		until(b, "a trial", func() bool { return len(within(f.dir, "sleep\x006")) > 0 })
		time.Sleep(time.Second) // of the trial
		before, began := cpuTime(b, agent), time.Now()
		time.Sleep(4 * time.Second)
		busy, watched = busy+cpuTime(b, agent)-before, watched+time.Since(began)
		if err := cmd.Wait(); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(hubMB, "hub-MB")
	b.ReportMetric(agentMB, "agent-MB")
	b.ReportMetric(residentMB(b, agent), "agent-after-MB")
	b.ReportMetric(100*busy.Seconds()/watched.Seconds(), "agent-CPU-%")
}

// residentMB is the memory of a process.
func residentMB(b *testing.B, pid int) float64 {
	b.Helper()
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		b.Fatal(err)
	}
	_, after, _ := strings.Cut(string(data), "VmRSS:")
	kb, err := strconv.ParseFloat(strings.Fields(after)[0], 64)
	if err != nil {
		b.Fatal(err)
	}
	return kb / 1000
}

// cpuTime is the CPU time of the threads of a process.
func cpuTime(b *testing.B, pid int) (sum time.Duration) {
	b.Helper()
	files, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/schedstat", pid))
	if err != nil || len(files) == 0 {
		b.Fatalf("process %d has no threads: %v", pid, err)
	}
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			continue // it has ended
		}
		n, err := strconv.ParseInt(strings.Fields(string(data))[0], 10, 64)
		if err != nil {
			b.Fatal(err)
		}
		sum += time.Duration(n)
	}
	return sum
}

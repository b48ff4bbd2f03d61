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
// of an agent, and the CPU time that an agent takes while a trial sleeps beside it.
func BenchmarkFleetAtRest(b *testing.B) {
	var names []string
	for i := range 20 {
		names = append(names, fmt.Sprintf("m%d", i))
	}
	f := newFleet(b, names...)
	time.Sleep(20 * time.Second) // some beats
	of := func(g *guard) int {
		g.mu.Lock()
		defer g.mu.Unlock()
		return g.process.Pid
	}
	agent := of(f.agents["m0"])
	b.ReportMetric(residentMB(b, of(f.hub)), "hub-MB")
	b.ReportMetric(residentMB(b, agent), "agent-MB")
	// Trials of a command that does nothing for a second.
	cmd := f.command("lab", "compare", "--on=agent:m0", "--hub="+filepath.Join(f.dir, "hub.join"), "--cmd-a=sleep 1", "--cmd-b=sleep 1.0", "--expect=any", "--blocks=4", "--budget=10h", "--force")
	if out, err := cmd.CombinedOutput(); err != nil { // what is sent once, and the survey
		b.Fatalf("%v\n%s", err, out)
	}
	for b.Loop() {
		before, began := cpuTime(b, agent), time.Now()
		out, err := f.command("lab", cmd.Args[1:]...).CombinedOutput()
		if err != nil {
			b.Fatalf("%v\n%s", err, out)
		}
		b.ReportMetric(100*(cpuTime(b, agent)-before).Seconds()/time.Since(began).Seconds(), "agent-CPU-%")
	}
	b.ReportMetric(residentMB(b, agent), "agent-after-MB")
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

// cpuTime is the CPU time of a process alone, in steps of 10 ms.
func cpuTime(b *testing.B, pid int) time.Duration {
	b.Helper()
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		b.Fatal(err)
	}
	_, after, _ := strings.Cut(string(data), ") ")
	fields := strings.Fields(after)
	var ticks int64
	for _, f := range fields[11:13] {
		n, err := strconv.ParseInt(f, 10, 64)
		if err != nil {
			b.Fatal(err)
		}
		ticks += n
	}
	return time.Duration(ticks) * 10 * time.Millisecond
}

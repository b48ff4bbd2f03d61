package cputime

import (
	"testing"
)

// What is the benchmark's, and what belongs to measuring it.
func TestReadStacks(t *testing.T) {
	const launched = ";testing.(*B).runN;testing.(*B).launch;runtime.goexit"
	const probed = ";testing.(*B).runN;testing.(*B).run1.func1;runtime.goexit"
	for _, c := range []struct {
		name, root, stack, want string // want is the outermost frame that is kept, "" for none
	}{
		{"benchmark", benchRoot, "m.work;example.com/m.BenchmarkX" + launched, "example.com/m.BenchmarkX"},
		{"its loop", benchRoot, "testing.(*B).Loop+;example.com/m.BenchmarkX" + launched, "example.com/m.BenchmarkX"},
		{"B.Loop: one run only", benchRoot, "m.work;example.com/m.BenchmarkX" + probed, "example.com/m.BenchmarkX"},
		{"sub-benchmark", benchRoot, "m.work;example.com/m.BenchmarkX.func1" + launched, "example.com/m.BenchmarkX.func1"},
		{"parallel", benchRoot, "m.work;example.com/m.BenchmarkX.func1;testing.(*B).RunParallel.func1;runtime.goexit", "example.com/m.BenchmarkX.func1"},
		{"of another package", benchRoot, "m.work;example.com/suite.Run" + launched, "example.com/suite.Run"},
		{"its goroutine", benchRoot, "m.work;example.com/m.serve;runtime.goexit", "example.com/m.serve"},
		{"of the standard library", "strings.BenchmarkIndex", "strings.Index;strings.BenchmarkIndex" + launched, "strings.BenchmarkIndex"},
		{"collector", benchRoot, "runtime.scanobject;runtime.gcDrain;runtime.gcBgMarkWorker;runtime.goexit", "runtime.gcBgMarkWorker"},
		{"scheduler", benchRoot, "runtime.futex;runtime.schedule;runtime.mcall", "runtime.mcall"},
		{"monitor", benchRoot, "runtime.usleep;runtime.sysmon;runtime.mstart1;runtime.mstart", "runtime.mstart"},
		{"collection before the run", benchRoot, "runtime.memclr;runtime.GC" + launched, ""},
		{"package testing", benchRoot, "testing.(*B).runN;testing.(*B).launch;runtime.goexit", ""},
		{"clock", benchRoot, "runtime.stopTheWorldGC;runtime.ReadMemStats;testing.(*B).StartTimer;example.com/m.BenchmarkX" + launched, ""},
		{"main goroutine", benchRoot, "fmt.Fprintf;testing.(*M).Run;main.main;runtime.main;runtime.goexit", ""},
		{"init", benchRoot, "example.com/m.init;runtime.doInit1;runtime.doInit;runtime.main;runtime.goexit", ""},
		{"profile's writer", benchRoot, "compress/flate.(*compressor).deflate;runtime/pprof.(*profileBuilder).build;runtime/pprof.profileWriter;runtime.goexit", ""},
		{"program", "", "main.work;main.main;runtime.main;runtime.goexit", "main.main"},
		{"program that uses package testing", "", "main.work;testing.Benchmark;main.main;runtime.main;runtime.goexit", "main.main"},
	} {
		all, err := readStacks(cpuProfile(map[string]int64{c.stack: 1}), c.root)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		if len(all) > 0 {
			got = all[0].frames[len(all[0].frames)-1].name
		}
		if got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}

// A sample at the entry of a preemption is the interrupted function's.
func TestPreemptedSamples(t *testing.T) {
	for stack, want := range map[string]string{
		"runtime.asyncPreempt;m.in+;m.work;m.main":                               "m.in",
		"runtime.asyncPreempt":                                                   "runtime.asyncPreempt",
		"runtime.mcall;runtime.asyncPreempt2;runtime.asyncPreempt;m.work;m.main": "runtime.mcall",
	} {
		all, err := readStacks(cpuProfile(map[string]int64{stack: 1}), "")
		if err != nil {
			t.Fatal(err)
		}
		if got := all[0].frames[0].name; got != want {
			t.Errorf("%s: got the leaf %s, want %s", stack, got, want)
		}
		if want == "m.in" && all[0].leaf != 2 {
			t.Errorf("got %d frames at the leaf, want 2", all[0].leaf)
		}
	}
}

// Where the benchmark has a run after its probe, the probe is left out, and so is
// what a benchmark does around its sub-benchmarks.
func TestProbeIsLeftOut(t *testing.T) {
	p := cpuProfile(map[string]int64{
		"m.setup;example.com/m.BenchmarkX;testing.(*B).runN;testing.(*B).run1.func1;runtime.goexit":      3,
		"m.work;example.com/m.BenchmarkX.func1;testing.(*B).runN;testing.(*B).run1.func1;runtime.goexit": 1,
		"m.work;example.com/m.BenchmarkX.func1;testing.(*B).runN;testing.(*B).launch;runtime.goexit":     5,
	})
	all, err := readStacks(p, benchRoot)
	if err != nil || len(all) != 1 || all[0].nanos != 5*tick {
		t.Errorf("got %v (%v), want the run of 5 samples alone", all, err)
	}
}

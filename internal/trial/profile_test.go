package trial

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/pprof/profile"

	assay "github.com/seed-1318a441/assay"
)

// A profiled trial has its profile beside its result, and leaves nothing behind.
func TestGoTestProfile(t *testing.T) {
	tmp := t.TempDir()
	t.Setenv("TMPDIR", tmp)
	t.Setenv("TMP", tmp) // on Windows
	for kind, want := range map[string]string{assay.CollectCPU: "cpu/nanoseconds", assay.CollectMem: "alloc_objects/count"} {
		g := goTest(t, 100, "Plain")
		g.Profile = kind
		g.TestFlags = []string{"-" + kind + "profile=" + filepath.Join(t.TempDir(), "own")} // gives way
		o := mustRun(t, g)
		if o.Status != assay.StatusOK || o.Observations("Plain", 100)[assay.MetricTime] <= 0 {
			t.Fatalf("%s: %s %s, observed %v", kind, o.Status, o.Reason, o.Observations("Plain", 100))
		}
		p, err := profile.ParseData(o.Profile)
		if err != nil {
			t.Fatal(err)
		}
		var types []string
		for _, s := range p.SampleType {
			types = append(types, s.Type+"/"+s.Unit)
		}
		if !strings.Contains(strings.Join(types, " "), want) {
			t.Errorf("%s: got a profile of %v, want %s", kind, types, want)
		}
		// Sampled at 512 KiB there would be next to no object of so short a trial.
		if kind == assay.CollectMem && (p.Period != 1 || len(p.Sample) == 0) {
			t.Errorf("got %d stacks at a rate of %d, want all at 1", len(p.Sample), p.Period)
		}
	}
	if left, _ := filepath.Glob(filepath.Join(os.TempDir(), "assay-profile-*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	if o := mustRun(t, goTest(t, 1, "Plain")); o.Profile != nil {
		t.Error("a trial that was not to be profiled has a profile")
	}
}

// A trial that leaves no profile has no result; one that fails fails as ever.
func TestGoTestWithoutProfile(t *testing.T) {
	g := goTest(t, 1, "Plain")
	g.Profile, g.Args = assay.CollectCPU, []string{"-test.cpuprofile="}
	if o := mustRun(t, g); o.Status != assay.StatusNoResult || o.Reason != "it left no profile: there is no file cpu.pprof" {
		t.Errorf("got %s %q", o.Status, o.Reason)
	}
	g = goTest(t, 1, "Exit3")
	g.Profile = assay.CollectMem
	if o := mustRun(t, g); o.Status != assay.StatusFailed || o.Reason != "exit status 3: giving up" || o.Profile != nil {
		t.Errorf("got %s %q", o.Status, o.Reason)
	}
	g.Profile = "heap"
	if _, err := g.Run(t.Context()); err == nil {
		t.Error("ran with a profile that does not exist")
	}
}

func TestReadProfile(t *testing.T) {
	dir := t.TempDir()
	for name, size := range map[string]int64{"empty": 0, "large": MaxProfile + 1} {
		f, err := os.Create(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		if err := f.Truncate(size); err != nil {
			t.Fatal(err)
		}
		f.Close()
	}
	for name, want := range map[string]string{"empty": "empty is empty", "large": "large has more than 64 MiB", "none": "there is no file none"} {
		if _, err := ReadProfile(filepath.Join(dir, name)); err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

package record

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/seed-1318a441/assay"
)

// extended is a run of two blocks, the first of which needed two attempts, and a
// longer one that goes on from it.
func extended(t *testing.T) (earlier *Run, r *Record) {
	t.Helper()
	old := create(t, 0)
	collected := &assay.Collected{Latency: &assay.Histogram{Values: []float64{1, 2}, Counts: []int{3, 4}}}
	for id := 1; id <= 9; id++ {
		tr := testTrial(id)
		switch {
		case id <= 2: // torn
			tr.Of = 3
		case id <= 5:
			tr.Block, tr.Attempt, tr.Position = 1, 2, id-2
		case id <= 8:
			tr.Block, tr.Position = 2, id-5
		default:
			tr.Block, tr.Position = 3, 1
		}
		raw := Raw{Stdout: fmt.Appendf(nil, "out %d", id)}
		if id == 4 {
			raw.Collected = collected
		}
		if id == 7 {
			tr.Status, tr.Observations = assay.StatusFailed, nil
		}
		if err := old.Append(tr, raw); err != nil {
			t.Fatal(err)
		}
	}
	old.Close()
	earlier, err := Read(Folder(old.Dir))
	if err != nil {
		t.Fatal(err)
	}
	p := testPlan()
	p.Run, p.Earlier = "efgh", "abcd"
	p.Variants = append(p.Variants, assay.Variant{Name: "newer"})
	if r, err = Extend(filepath.Dir(old.Dir), p, earlier.Platform, []byte("x"), earlier); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	return earlier, r
}

func TestExtendCopiesCompleteBlocks(t *testing.T) {
	earlier, r := extended(t)
	if got := r.NextID(); got != 7 {
		t.Fatalf("the next trial is %d, want 7: two blocks of three", got)
	}
	for i, tr := range r.Run().Trials {
		was := earlier.Trials[i+2]
		if tr.ID != i+1 || tr.Run != "abcd" || tr.Attempt != 1 || tr.Block != was.Block || tr.Position != was.Position || tr.Observations["things"] != was.Observations["things"] {
			t.Errorf("trial %d is %+v, was %+v", i+1, tr, was)
		}
	}
	c, ok, err := r.Run().Collected(2)
	if err != nil || !ok || len(c.Latency.Values) != 2 {
		t.Errorf("what trial 2 collected: %+v, %v, %v", c, ok, err)
	}
	if raw, err := r.Run().Printed(5); err != nil || string(raw.Stdout) != "out 7" {
		t.Errorf("the failed trial's output is %q, %v", raw.Stdout, err)
	}
	if _, err := r.Run().Printed(1); !errors.Is(err, ErrNothingPrinted) {
		t.Errorf("the output of a trial that went well is copied: %v", err)
	}
}

// A record that was extended goes on as any other: appended, read, verified,
// exported and imported; and one that goes on from it names who measured.
func TestExtendedRecordGoesOn(t *testing.T) {
	_, r := extended(t)
	for id := 7; id <= 9; id++ {
		tr := testTrial(id)
		tr.Start = tr.Start.Add(time.Hour)
		if err := r.Append(tr, Raw{}); err != nil {
			t.Fatal(err)
		}
	}
	r.Close()
	run, err := Read(Folder(r.Dir))
	if err != nil {
		t.Fatal(err)
	}
	if len(run.Blocks()) != 3 {
		t.Errorf("%d blocks, want 3", len(run.Blocks()))
	}
	var text bytes.Buffer
	if err := run.Export(&text); err != nil {
		t.Fatal(err)
	}
	if got := strings.Count(text.String(), "\nBenchmark"); got != 8 {
		t.Errorf("%d lines are exported, want 8: one trial failed\n%s", got, text.String())
	}
	p := testPlan()
	p.Run, p.Earlier = "ijkm", "efgh"
	next, err := Extend(filepath.Dir(r.Dir), p, run.Platform, nil, run)
	if err != nil {
		t.Fatal(err)
	}
	defer next.Close()
	if a, b := next.Run().Trials[0].Run, next.Run().Trials[8].Run; a != "abcd" || b != "efgh" {
		t.Errorf("trials were measured in %q and %q, want abcd and efgh", a, b)
	}
	again, err := Open(r.Dir)
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	if again.Cut != 0 || again.NextID() != 10 {
		t.Errorf("opened again: %d bytes cut, trial %d is next", again.Cut, again.NextID())
	}
}

// Whatever of an extension a kill leaves without a plan is no run.
func TestHalfAnExtensionIsNoRun(t *testing.T) {
	_, r := extended(t)
	r.Close()
	if err := os.Remove(filepath.Join(r.Dir, PlanFile)); err != nil {
		t.Fatal(err)
	}
	runs, err := List(filepath.Dir(r.Dir))
	if err != nil || len(runs) != 1 || runs[0].Run != "abcd" {
		t.Errorf("runs %v, %v; want the earlier one alone", runs, err)
	}
}

func TestWriteFile(t *testing.T) {
	r := create(t, 0)
	for _, text := range []string{"first", "second"} {
		if err := r.WriteFile("gates/s01-tests.txt", []byte(text)); err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(filepath.Join(r.Dir, "gates", "s01-tests.txt")); err != nil || string(got) != text {
			t.Errorf("got %q, %v, want %q", got, err, text)
		}
	}
	for _, name := range []string{"", "plan.json", "gates/", "gates", "gates/..", "gates/../plan.json", "gates/a/b", "/gates/x", `gates/a\b`, "gates/.x", "gates/c:x"} {
		if err := r.WriteFile(name, []byte("x")); err == nil {
			t.Errorf("%q is taken as a name", name)
		}
	}
}

func TestWriteFileFollowsNoLink(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("links need a privilege")
	}
	r := create(t, 0)
	outside := filepath.Join(t.TempDir(), "outside")
	if err := os.WriteFile(outside, []byte("kept"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := r.WriteFile("gates/x.txt", nil); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(r.Dir, "gates", "y.txt")
	if err := os.Symlink(outside, link); err != nil {
		t.Fatal(err)
	}
	if err := r.WriteFile("gates/y.txt", []byte("new")); err != nil {
		t.Fatal(err)
	}
	if got, _ := os.ReadFile(outside); string(got) != "kept" {
		t.Errorf("a file outside was written through a link: %q", got)
	}
	if got, _ := os.ReadFile(link); string(got) != "new" {
		t.Errorf("got %q", got)
	}
	if err := os.RemoveAll(filepath.Join(r.Dir, "gates")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(t.TempDir(), filepath.Join(r.Dir, "gates")); err != nil {
		t.Fatal(err)
	}
	if err := r.WriteFile("gates/z.txt", []byte("new")); err == nil {
		t.Error("a folder outside was written to through a link")
	}
}

//go:build unix

package record

import (
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/seed-1318a441/assay"
)

// fullStore makes the test binary append trials until the disk is full;
// fullCollected makes it so while the material of a trial is written.
const (
	fullStore     = "ASSAY_TEST_FULL_STORE"
	fullCollected = "ASSAY_TEST_FULL_COLLECTED"
)

func TestMain(m *testing.M) {
	if store := os.Getenv(fullStore); store != "" {
		os.Exit(fill(store))
	}
	os.Exit(m.Run())
}

// fill appends under a limit on the size of a file, which fails in the middle
// of a line as a full disk does.
func fill(store string) int {
	const limit = 2000
	r, err := Create(store, testPlan(), assay.Platform{}, nil)
	if err == nil {
		err = syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: limit, Max: limit})
	}
	for id := 1; err == nil && id < 100; id++ {
		raw := Raw{}
		if id == 4 && os.Getenv(fullCollected) != "" {
			raw.Collected = noisy()
		}
		err = r.Append(testTrial(id), raw)
	}
	os.Stderr.WriteString(err.Error())
	return 3
}

// noisy is more than the limit, however well it is packed.
func noisy() *assay.Collected {
	rnd := rand.New(rand.NewPCG(1, 2))
	c := new(assay.Collected)
	for range 1000 {
		c.Memory = append(c.Memory, assay.MemorySample{Bytes: rnd.Uint64()})
	}
	return c
}

// What a trial left comes before its line: without the one there is not the
// other, and the trial can be run again.
func TestFullDiskKeepsNoLineWithoutItsMaterial(t *testing.T) {
	store := t.TempDir()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), fullStore+"="+store, fullCollected+"=1")
	out, err := cmd.CombinedOutput()
	if err == nil || !strings.Contains(string(out), "keep what trial 4 collected") {
		t.Fatalf("got %v, %q; want an error that names the trial", err, out)
	}
	r, err := Open(filepath.Join(store, testPlan().Run))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if r.Cut != 0 || r.NextID() != 4 {
		t.Fatalf("%d bytes of a torn line, trial %d is next; want 0 and 4", r.Cut, r.NextID())
	}
	if err := r.Append(testTrial(4), Raw{}); err != nil {
		t.Errorf("with room again: %v", err)
	}
	if c, ok, err := r.Run().Collected(4); ok || err != nil {
		t.Errorf("trial 4 has what the attempt before it left: %v, %v", c, err)
	}
}

func TestFullDiskKeepsWholeLines(t *testing.T) {
	store := t.TempDir()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), fullStore+"="+store)
	out, err := cmd.CombinedOutput()
	if err == nil || !strings.Contains(string(out), "append trial") {
		t.Fatalf("got %v, %q; want an error that names the trial", err, out)
	}
	runs, err := List(store)
	if err != nil || len(runs) != 1 {
		t.Fatalf("list: %v, %v", runs, err)
	}
	r, err := Open(runs[0].Dir)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if r.Cut != 0 || len(r.Run().Trials) < 3 {
		t.Errorf("%d bytes of a torn line were left, %d trials kept", r.Cut, len(r.Run().Trials))
	}
	if err := r.Append(testTrial(r.NextID()), Raw{}); err != nil {
		t.Errorf("with room again: %v", err)
	}
}

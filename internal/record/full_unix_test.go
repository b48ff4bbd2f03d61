//go:build unix

package record

import (
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"github.com/seed-1318a441/assay"
)

// fullStore makes the test binary append trials until the disk is full.
const fullStore = "ASSAY_TEST_FULL_STORE"

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
		err = r.Append(testTrial(id), Raw{})
	}
	os.Stderr.WriteString(err.Error())
	return 3
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

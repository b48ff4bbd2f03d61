package record

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/seed-1318a441/assay"
)

// faultTrials are those of the run that has its operations fail.
const faultTrials = 6

// keepRun does with a record what a run does, from its first trial or from where it was
// cut off, and returns the number of trials that it was told were kept.
func keepRun(store string) (kept int, err error) {
	p := testPlan()
	r, err := Open(filepath.Join(store, p.Run))
	if errors.Is(err, fs.ErrNotExist) {
		r, err = Create(store, p, assay.Platform{GOOS: "linux"}, []byte("name = \"demo\"\n"))
	}
	if err != nil {
		return 0, err
	}
	defer r.Close()
	kept = len(r.Run().Trials)
	if err := r.Sign(make([]byte, keyLen)); err != nil {
		return kept, err
	}
	for id := kept + 1; id <= faultTrials; id++ {
		raw := Raw{Stdout: []byte("out"), Stderr: []byte("err")}
		if id == 2 {
			raw.Collected = &assay.Collected{Memory: []assay.MemorySample{{Bytes: 1}}}
		}
		if err := r.Append(testTrial(id), raw); err != nil {
			return kept, err
		}
		kept = id
		if id%3 == 0 {
			if err := r.Sync(); err != nil {
				return kept, err
			}
		}
	}
	if err := r.WriteFile(GatesDir+"/s01-tests.txt", []byte("log")); err != nil {
		return kept, err
	}
	if err := explainRun(r); err != nil {
		return kept, err
	}
	if err := r.WriteEnd(assay.End{Stop: "decided"}); err != nil {
		return kept, err
	}
	res := &assay.Result{Schema: assay.ResultSchema, Record: r.Run().Head(), Spent: assay.Spent{Stop: "decided"}}
	if err := r.WriteResult(res); err != nil {
		return kept, err
	}
	return kept, r.WriteReport(func(w io.Writer) error { _, err := io.WriteString(w, "report\n"); return err })
}

// explainRun adds to the evidence of a run.
func explainRun(r *Record) error {
	e, err := r.Evidence()
	if err != nil {
		return err
	}
	_, err = e.Append(assay.EvidenceTrial{Inquiry: e.NextInquiry(), Block: 1, N: 1, Variant: "old"}, []byte("profile"))
	if err == nil {
		err = e.Sync()
	}
	return errors.Join(err, e.Close())
}

// Every operation on a record fails once: with a full disk, after which the run ends and
// says so, and as a kill, after which nothing more is done. What was told to be kept is
// there, once; the same run goes on from it to the same record.
func TestEveryFault(t *testing.T) {
	if _, err := keepRun(t.TempDir()); err != nil {
		t.Fatal(err)
	}
	for _, kill := range []bool{false, true} {
		n := 0
		for failAt(t, n+1, kill) {
			n++
		}
		if t.Logf("kill %v: %d operations", kill, n); n < 100 {
			t.Errorf("kill %v: only %d operations", kill, n)
		}
	}
}

// failAt has operation n fail, and reports whether there is one.
func failAt(t *testing.T, n int, kill bool) bool {
	t.Helper()
	store, done, at := t.TempDir(), 0, ""
	injectFault = func(op, name string) error {
		done++
		switch {
		case done == n:
			at = fmt.Sprintf("operation %d, kill %v: %s %s", n, kill, op, name)
			return &os.PathError{Op: op, Path: name, Err: syscall.ENOSPC}
		case kill && done > n:
			return syscall.EIO
		}
		return nil
	}
	kept, err := keepRun(store)
	injectFault = nil
	if at == "" {
		return false
	}
	if err == nil {
		t.Errorf("%s: nobody was told", at)
	}
	run, err := Read(Folder(filepath.Join(store, testPlan().Run)))
	switch {
	case errors.Is(err, fs.ErrNotExist) && kept == 0: // no run yet
	case err != nil:
		t.Errorf("%s: the record cannot be read: %v", at, err)
	case len(run.Trials) < kept || len(run.Trials) > kept+1:
		t.Errorf("%s: the record has %d trials, %d were kept", at, len(run.Trials), kept)
	}
	if _, err := keepRun(store); err != nil {
		t.Errorf("%s: the run does not go on: %v", at, err)
		return true
	}
	run, res, err := readAll(filepath.Join(store, testPlan().Run))
	if err != nil || len(run.Trials) != faultTrials || res == nil || run.Torn {
		t.Errorf("%s: gone on with, the record is not whole: %v", at, err)
	}
	return true
}

//go:build unix

package record

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/seed-1318a441/assay"
)

// A link in the place of a file of a run folder is neither read through nor written
// through, and a pipe is not waited for.
func TestOnlyPlainFiles(t *testing.T) {
	for _, name := range []string{PlanFile, PlatformFile, StudyFile, TrialsFile, EndFile, ResultFile} {
		dir, _ := finished6(t)
		file := filepath.Join(dir, name)
		if err := os.Rename(file, filepath.Join(t.TempDir(), name)); err != nil {
			t.Fatal(err)
		}
		for what, put := range map[string]func() error{
			"a pipe":             func() error { return syscall.Mkfifo(file, 0o666) },
			"a link out of it":   func() error { return os.Symlink("/dev/zero", file) },
			"a link inside":      func() error { return os.Symlink(lockFile, file) },
			"a link to nothing":  func() error { return os.Symlink("nothing", file) },
			"a link to a folder": func() error { return os.Symlink(".", file) },
		} {
			if err := put(); err != nil {
				t.Fatal(err)
			}
			done := make(chan error)
			go func() { _, _, err := readAll(dir); List(filepath.Dir(dir)); done <- err }()
			select {
			case err := <-done:
				if err == nil || !errors.Is(err, ErrNotPlain) && !strings.Contains(err.Error(), ErrNotPlain.Error()) {
					t.Errorf("%s in the place of %s: %v", what, name, err)
				}
			case <-time.After(15 * time.Minute): // no read takes a millisecond
				t.Fatalf("%s in the place of %s is waited for", what, name)
			}
			if err := os.Remove(file); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// What a run writes stays in its folder, whatever was put there.
func TestNothingIsWrittenThroughLinks(t *testing.T) {
	outside := filepath.Join(t.TempDir(), "mine")
	if err := os.WriteFile(outside, []byte("mine"), 0o666); err != nil {
		t.Fatal(err)
	}
	r := create(t, 3)
	for _, name := range []string{CollectedName(4), EndFile, ResultFile, ExportFile, ReportFile, originFile} {
		file := filepath.Join(r.Dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(outside, file); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(outside, filepath.Join(filepath.Dir(file), "."+filepath.Base(file)+".new")); err != nil {
			t.Fatal(err)
		}
	}
	raw := Raw{Stdout: []byte("out"), Stderr: []byte("err"), Collected: &assay.Collected{Memory: []assay.MemorySample{{Bytes: 1}}}}
	if err := r.Append(testTrial(4), raw); err != nil {
		t.Fatal(err)
	}
	finish(t, r)
	if err := r.Sign(make([]byte, keyLen)); err != nil {
		t.Fatal(err)
	}
	r.Close()
	if err := errors.Join(os.Remove(filepath.Join(r.Dir, PrintedFile)), os.Symlink(outside, filepath.Join(r.Dir, PrintedFile))); err != nil {
		t.Fatal(err)
	}
	again, err := Open(r.Dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := again.Append(testTrial(5), raw); !errors.Is(err, ErrNotPlain) || again.NextID() != 5 {
		t.Errorf("what a trial printed, through a link: %v", err)
	}
	again.Close()
	if data, err := os.ReadFile(outside); string(data) != "mine" {
		t.Errorf("the file outside is now %q, %v", data, err)
	}
	if err := os.Remove(filepath.Join(r.Dir, lockFile)); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside+"2", filepath.Join(r.Dir, lockFile)); err != nil {
		t.Fatal(err)
	}
	if again, err := Open(r.Dir); err == nil {
		again.Close()
		t.Error("it was locked through a link")
	}
	if _, err := os.Lstat(outside + "2"); err == nil {
		t.Error("a file outside was made")
	}
}

// A run is known again by who has the key.
func TestSigned(t *testing.T) {
	dir := t.TempDir()
	key, err := Key(filepath.Join(dir, "new"))
	if err != nil {
		t.Fatal(err)
	}
	if again, err := Key(filepath.Join(dir, "new")); err != nil || string(again) != string(key) {
		t.Errorf("the key is another one the second time: %v", err)
	}
	other, err := Key(filepath.Join(dir, "other"))
	if err != nil {
		t.Fatal(err)
	}
	r := create(t, 1)
	signed := func(key []byte) bool {
		run, err := Read(Folder(r.Dir))
		if err != nil {
			t.Fatal(err)
		}
		return run.Signed(key)
	}
	if signed(key) || signed(nil) {
		t.Error("a run without a mark is somebody's")
	}
	if err := r.Sign(key); err != nil {
		t.Fatal(err)
	}
	if !signed(key) || signed(other) || signed(nil) {
		t.Error("the mark is not that of its maker alone")
	}
}

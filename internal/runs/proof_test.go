package runs

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/record"
)

// A result alone, and one in a list, are marked until they were computed from their trials
// here, and again when they were edited since.
func TestUncheckedIsMarked(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	store := t.TempDir()
	dir := filepath.Join(store, "run")
	if err := os.CopyFS(dir, os.DirFS("../../studies/queue-path/record")); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, record.ResultFile)
	alone := filepath.Join(t.TempDir(), "alone.json")
	marked := func() (lone, comment, list bool) {
		t.Helper()
		data, err := os.ReadFile(file)
		if err == nil {
			err = os.WriteFile(alone, data, 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
		is := func(w assay.Warning) bool { return w.Code == assay.CodeUnchecked }
		s, err := Open(store, alone)
		if err != nil {
			t.Fatal(err)
		}
		c, err := ReadForeign(alone)
		if err != nil {
			t.Fatal(err)
		}
		lines, err := Lines(store, time.Now())
		if err != nil || len(lines) != 2 {
			t.Fatalf("%d lines, %v", len(lines), err)
		}
		return slices.ContainsFunc(s.Result.Warnings, is), slices.ContainsFunc(c.Warnings, is), strings.Contains(lines[1], "(not checked)")
	}
	all := func(want bool, when string) {
		t.Helper()
		if lone, comment, list := marked(); lone != want || comment != want || list != want {
			t.Errorf("%s: marked alone %t, in a comment %t, in the list %t, want %t", when, lone, comment, list, want)
		}
	}
	all(true, "as it came")
	f, err := Read(dir, dir)
	if err != nil {
		t.Fatal(err)
	}
	r, err := f.Result()
	if err != nil {
		t.Fatal(err)
	}
	all(false, "computed here")
	r.Answer.Use = "another"
	data, err := record.EncodeResult(r)
	if err == nil {
		err = os.WriteFile(file, data, 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
	all(true, "edited")
}

// Who made a run is known on the computer where it was made alone.
func TestOrigin(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	f, err := Read("../../studies/queue-path/record", "queue-path")
	if err != nil {
		t.Fatal(err)
	}
	if text := describe(f); !strings.HasSuffix(text, "; origin unknown") {
		t.Errorf("got %q of a published record", text)
	}
}

// A file of a newer assay is not called damaged.
func TestNewerSchema(t *testing.T) {
	file := filepath.Join(t.TempDir(), "result.json")
	if err := os.WriteFile(file, []byte(`{"schema":99,"variants":[{}],"answer":{}}`), 0o644); err != nil {
		t.Fatal(err)
	}
	_, err := Open(t.TempDir(), file)
	_, strict := ReadForeign(file)
	for _, err := range []error{err, strict} {
		if err == nil || !strings.Contains(err.Error(), "was made by a newer assay") || !strings.Contains(err.Error(), upgrade) {
			t.Errorf("got %v, want that the file is of a newer assay", err)
		}
	}
}

package record

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/seed-1318a441/assay"
)

// old is a record as an older assay wrote it, with a result and a torn last line.
func old(t *testing.T) (dir string, lines []byte) {
	t.Helper()
	dir = t.TempDir()
	p := testPlan()
	p.Schema, p.StudyHash = unsealedSchema, "1234"
	res := &assay.Result{Schema: 1, Spent: assay.Spent{Stop: "decided"}}
	for name, v := range map[string]any{PlanFile: p, PlatformFile: assay.Platform{ID: "p"}, ResultFile: res} {
		data, err := json.MarshalIndent(v, "", "  ")
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), append(data, '\n'), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for id := 1; id <= 6; id++ {
		line, err := json.Marshal(testTrial(id))
		if err != nil {
			t.Fatal(err)
		}
		lines = append(append(lines, line...), '\n')
	}
	torn := append(bytes.Clone(lines), `{"trial":7,"blo`...)
	for name, data := range map[string][]byte{TrialsFile: torn, StudyFile: []byte("x")} {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir, lines
}

// A record of an older assay is refused until it is sealed; then it is whole, its lines
// have the bytes that they had, and the plan says when.
func TestSeal(t *testing.T) {
	dir, lines := old(t)
	_, err := Read(Folder(dir))
	fault, ok := errors.AsType[*Fault](err)
	if !ok || !fault.Unsealed {
		t.Fatalf("got %v, want a fault that tells of an older assay", err)
	}
	if _, err := Open(dir); err == nil {
		t.Error("it was opened to go on with it")
	}
	now := time.Date(2026, 11, 22, 1, 2, 3, 0, time.UTC)
	u, err := ReadUnsealed(dir)
	if err != nil || u.Result.Spent.Stop != "decided" {
		t.Fatalf("%+v, %v", u, err)
	}
	if err := u.Seal(now, &assay.End{Stop: "decided"}); err != nil {
		t.Fatal(err)
	}
	run, err := Read(Folder(dir))
	if err != nil {
		t.Fatal(err)
	}
	if !run.Plan.Sealed.Equal(now) || len(run.Trials) != 6 || run.End == nil || run.End.Trials != 6 || run.Plan.StudyHash == "1234" {
		t.Errorf("got sealed %v, %d trials, end %+v, study hash %s", run.Plan.Sealed, len(run.Trials), run.End, run.Plan.StudyHash)
	}
	sealed, err := os.ReadFile(filepath.Join(dir, TrialsFile))
	if err != nil {
		t.Fatal(err)
	}
	var bare []byte
	for line := range bytes.Lines(sealed) {
		text, _, ok := lineSeal.cut(line)
		if !ok {
			t.Fatalf("no chain value in %s", line)
		}
		bare = append(append(bare, text...), "}\n"...)
	}
	if !bytes.Equal(bare, lines) {
		t.Errorf("the lines are not what they were:\n%s\nwant\n%s", bare, lines)
	}
	if _, err := ReadUnsealed(dir); !errors.Is(err, ErrSealed) {
		t.Errorf("a second time: got %v, want ErrSealed", err)
	}
}

// A kill while a record is sealed leaves one that can be sealed.
func TestSealIsKilled(t *testing.T) {
	dir, lines := old(t)
	plan, err := os.ReadFile(filepath.Join(dir, PlanFile))
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		u, err := ReadUnsealed(dir)
		if err != nil {
			t.Fatal(err)
		}
		if err := u.Seal(time.Now(), nil); err != nil {
			t.Fatal(err)
		}
		if run, err := Read(Folder(dir)); err != nil || len(run.Trials) != 6 {
			t.Fatalf("%v", err)
		}
		// The plan comes last: before that it is what it was.
		if err := os.WriteFile(filepath.Join(dir, PlanFile), plan, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if data, err := os.ReadFile(filepath.Join(dir, TrialsFile)); err != nil || bytes.Count(data, []byte("\n")) != bytes.Count(lines, []byte("\n")) || strings.Count(string(data), lineSeal.before) != 6 {
		t.Errorf("%v\n%s", err, data)
	}
}

// A packed record stays packed, and a result is written where the old one was.
func TestSealPacked(t *testing.T) {
	dir, _ := old(t)
	pack(t, filepath.Join(dir, TrialsFile))
	pack(t, filepath.Join(dir, ResultFile))
	u, err := ReadUnsealed(dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := u.Seal(time.Now(), &assay.End{Stop: "decided"}); err != nil {
		t.Fatal(err)
	}
	run, err := Read(Folder(dir))
	if err != nil {
		t.Fatal(err)
	}
	if err := run.ReplaceResult(dir, &assay.Result{Schema: 1, Record: run.Head()}); err != nil {
		t.Fatal(err)
	}
	if res, err := run.StoredResult(); err != nil || res == nil {
		t.Errorf("got %v, %v", res, err)
	}
	for _, name := range []string{TrialsFile, ResultFile, ExportFile} {
		if _, err := os.Stat(filepath.Join(dir, name)); err == nil {
			t.Errorf("%s was written beside the packed one", name)
		}
	}
}

// What cannot be a record is not sealed.
func TestSealRefuses(t *testing.T) {
	for name, spoil := range map[string][2]string{
		"a gap":                  {`"trial":3`, `"trial":4`},
		"a broken line":          {`{"trial":2`, `{"trial:2`},
		"no such variant":        {`"variant":"new"`, `"variant":"other"`},
		"a block is there twice": {`"block":2`, `"block":1`},
	} {
		dir, _ := old(t)
		replaceIn(t, filepath.Join(dir, TrialsFile), spoil[0], spoil[1])
		_, err := ReadUnsealed(dir)
		wantFault(t, name, err, "trials.jsonl:")
	}
}

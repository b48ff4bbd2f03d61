package record

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/seed-1318a441/assay"
)

// A record of an older assay, without a chain, is refused.
func TestUnsealed(t *testing.T) {
	dir, _ := finished6(t)
	replaceIn(t, filepath.Join(dir, PlanFile), `"schema": 3`, `"schema": 1`)
	_, err := Read(Folder(dir))
	if fault, ok := errors.AsType[*Fault](err); !ok || !fault.Unsealed {
		t.Errorf("got %v, want a fault that tells of an older assay", err)
	}
	if _, err := Open(dir); err == nil {
		t.Error("it was opened to go on with it")
	}
}

// A packed result stays packed.
func TestReplacePacked(t *testing.T) {
	dir, run := finished6(t)
	pack(t, filepath.Join(dir, ResultFile))
	if err := os.Remove(filepath.Join(dir, ExportFile)); err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	if err := run.ReplaceResult(dir, &assay.Result{Schema: 1, Study: "again", Record: run.Head()}); err != nil {
		t.Fatal(err)
	}
	if res, err := run.StoredResult(); err != nil || res == nil || res.Study != "again" {
		t.Errorf("got %v, %v", res, err)
	}
	for _, name := range []string{ResultFile, ExportFile} {
		if _, err := os.Stat(filepath.Join(dir, name)); err == nil {
			t.Errorf("%s was written", name)
		}
	}
}

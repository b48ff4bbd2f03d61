package runs

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/record"
)

// older is a published record as an older assay left it: without an end, and with a plan
// without digests. It also returns the end and the result that it had.
func older(t *testing.T, study string) (dir string, end assay.End, r *assay.Result) {
	t.Helper()
	f, err := Read("../../studies/"+study, study)
	if err != nil {
		t.Fatal(err)
	}
	if r, err = f.StoredResult(); err != nil {
		t.Fatal(err)
	}
	dir = t.TempDir()
	for _, name := range []string{record.PlatformFile, record.StudyFile, record.TrialsFile, record.ResultFile} {
		copied(t, filepath.Join("../../studies", study, name), filepath.Join(dir, name))
	}
	plan, err := record.ReadPlan(record.Folder(filepath.Join("../../studies", study))) // with the names in its trials
	if err != nil {
		t.Fatal(err)
	}
	plan.Schema, plan.Files, plan.Sealed = 1, nil, time.Time{}
	data, err := json.MarshalIndent(plan, "", "  ")
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, record.PlanFile), append(data, '\n'), 0o666)
	}
	if err != nil {
		t.Fatal(err)
	}
	return dir, f.Ending, r
}

// A record of an older assay is refused, and after it was sealed its result is the one that
// it had: what does not follow from the trials is taken from there.
func TestSealKeepsResult(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	for _, study := range []string{"queue-path/record", "same-code/record/side-by-side", "interpreters/record/gogc"} {
		dir, end, want := older(t, study)
		_, err := Read(dir, "x")
		if e, ok := errors.AsType[*assay.Error](err); !ok || e.Try != "assay verify --seal x" {
			t.Errorf("%s: got %v, want to try --seal", study, err)
		}
		lines, bad := verified(t, Verifier{Seal: true}, dir)
		if bad || len(lines) == 0 || !strings.Contains(lines[0], "; its chain was added on "+time.Now().UTC().Format("2006-")) {
			t.Errorf("%s: got %q", study, lines)
			continue
		}
		f, err := Read(dir, "x")
		if err != nil {
			t.Fatal(err)
		}
		if f.Ending.Stop != end.Stop || f.Ending.Trials != len(f.Trials) || !reflect.DeepEqual(f.Ending.Noise, end.Noise) ||
			!SameJSON(f.Ending.Explanations, end.Explanations) || !SameJSON(f.Ending.Warnings, end.Warnings) {
			t.Errorf("%s: got the end %+v, want %+v", study, f.Ending, end)
		}
		got, err := f.Result()
		if err != nil {
			t.Fatal(err)
		}
		was := *want
		was.Record = got.Record
		if d, err := differenceOf(&was, got); d != "" || err != nil {
			t.Errorf("%s: %s, %v", study, d, err)
		}
		if err := Seal(dir); !errors.Is(err, record.ErrSealed) {
			t.Errorf("%s, a second time: got %v, want that it has a chain", study, err)
		}
	}
}

// Of an interrupted run there is nothing to keep, and it can be gone on with.
func TestSealInterrupted(t *testing.T) {
	dir, end, _ := older(t, "queue-path/record")
	if err := os.Remove(filepath.Join(dir, record.ResultFile)); err != nil {
		t.Fatal(err)
	}
	if err := Seal(dir); err != nil {
		t.Fatal(err)
	}
	f, err := Read(dir, "x")
	if err != nil || f.End != nil || len(f.Trials) != end.Trials {
		t.Errorf("got %+v, %v, want %d trials and no end", f, err, end.Trials)
	}
}

// A result that was edited before is not taken over: its verdicts are those of the trials.
func TestSealReplacesEditedResult(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	dir, _, _ := older(t, "queue-path/record")
	edit(t, filepath.Join(dir, record.ResultFile), `"verdict": "faster"`, `"verdict": "slower"`)
	if lines, bad := verified(t, Verifier{Seal: true}, dir); bad {
		t.Errorf("got %q", lines)
	}
	r, err := record.ReadResult(record.Folder(dir))
	if err != nil || r.Tables[0].Rows[0].Cells[0].Verdict != assay.Faster {
		t.Errorf("got %+v, %v, want faster", r, err)
	}
}

// Doubts about benchmarks, which do not follow from the trials, are taken over from the
// result; warnings that would follow from them are not.
func TestSealKeepsDoubts(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	dir, _, r := older(t, "queue-path/record")
	doubt := assay.Warning{Code: assay.CodeNoWork, Text: "it does no work", Facts: []string{"the loop is empty"}}
	r.Warnings = append(r.Warnings, assay.Warning{Code: assay.CodeUndecided, Text: "of other rules"}, doubt)
	data, err := json.Marshal(r)
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, record.ResultFile), data, 0o666)
	}
	if err != nil {
		t.Fatal(err)
	}
	if lines, bad := verified(t, Verifier{Seal: true}, dir); bad {
		t.Fatalf("got %q", lines)
	}
	f, err := Read(dir, "x")
	if err != nil {
		t.Fatal(err)
	}
	got, err := f.Result()
	if err != nil {
		t.Fatal(err)
	}
	last := len(got.Warnings) - 1
	undecided := slices.ContainsFunc(got.Warnings, func(w assay.Warning) bool { return w.Code == assay.CodeUndecided })
	if !reflect.DeepEqual(f.Ending.Warnings, []assay.Warning{doubt}) || !reflect.DeepEqual(got.Warnings[last], doubt) || undecided {
		t.Errorf("got the warnings %+v at the end and %+v in the result, want the doubt and what follows from the trials", f.Ending.Warnings, got.Warnings)
	}
}

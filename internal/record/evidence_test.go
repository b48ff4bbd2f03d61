package record

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/seed-1318a441/assay"
)

// testEvidence is a trial of an inquiry, without its ID.
func testEvidence(inquiry, block, position int) assay.EvidenceTrial {
	return assay.EvidenceTrial{Inquiry: inquiry, Kind: assay.CollectCPU, Benchmark: testPlan().Benchmarks[0].Benchmark, Variant: "old",
		Block: block, Position: position, N: 100, Start: time.Date(2026, 1, 2, 3, 4, 5, 6, time.UTC), Duration: time.Second,
		Status: assay.StatusOK, Values: map[string]float64{assay.MetricTime: 1.25e-6}}
}

// evidence opens that of a new run with three trials, of inquiries 1, 1 and 2; the
// second has no profile.
func evidence(t *testing.T) (dir string, e openedEvidence) {
	t.Helper()
	r := create(t, 3)
	r.Close()
	e = openAgain(t, r.Dir)
	for i, profile := range []string{"one", "", "three"} {
		if _, err := e.Append(testEvidence(i/2+1, 1, i%2+1), []byte(profile)); err != nil {
			t.Fatal(err)
		}
	}
	if err := e.Sync(); err != nil {
		t.Fatal(err)
	}
	return r.Dir, e
}

// openedEvidence is closed with its record.
type openedEvidence struct {
	*Evidence
	record *Record
}

func (e openedEvidence) Close() error { return errors.Join(e.Evidence.Close(), e.record.Close()) }

func openEvidence(dir string) (e openedEvidence, err error) {
	if e.record, err = Open(dir); err != nil {
		return e, err
	}
	if e.Evidence, err = e.record.Evidence(); err != nil {
		return e, errors.Join(err, e.record.Close())
	}
	return e, nil
}

func openAgain(t *testing.T, dir string) openedEvidence {
	t.Helper()
	e, err := openEvidence(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Close() })
	return e
}

func TestEvidenceIsReadAsWritten(t *testing.T) {
	dir, e := evidence(t)
	want := e.Trials()
	e.Close()
	got, err := ReadEvidence(Folder(dir))
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got.Trials(), want) || len(want) != 3 {
		t.Errorf("got %+v\nwant %+v", got.Trials(), want)
	}
	if got.Trials()[2].ID != 3 || got.Trials()[2].Profile != "evidence/0003.pprof" || got.NextInquiry() != 3 {
		t.Errorf("got %+v, next inquiry %d", got.Trials()[2], got.NextInquiry())
	}
	if data, err := got.Profile(got.Trials()[2]); string(data) != "three" || err != nil {
		t.Errorf("got profile %q, %v", data, err)
	}
	if _, err := got.Profile(got.Trials()[1]); err == nil {
		t.Error("a trial without a profile has one")
	}
	if _, err := got.Append(testEvidence(3, 1, 1), nil); err == nil {
		t.Error("evidence opened for reading was added to")
	}
	// The measured trials know nothing of it.
	if run, err := Read(Folder(dir)); err != nil || len(run.Trials) != 3 {
		t.Errorf("the run does not read as before: %v", err)
	}
}

// A kill in the middle of a write, or after it and before the sync, leaves a torn
// last line. It is cut off; its profile is written over.
func TestTornEvidence(t *testing.T) {
	for _, torn := range []string{`{"evidence":4,"inqu`, "\x00\x00\x00\n", `{"evidence":9}` + "\n"} {
		dir, e := evidence(t)
		e.Close()
		appendTo(t, filepath.Join(dir, EvidenceFile), torn)
		write(t, filepath.Join(dir, EvidenceName(4)), "half a pro")
		if e, err := ReadEvidence(Folder(dir)); err != nil || len(e.Trials()) != 3 {
			t.Fatalf("%q: %v", torn, err)
		}
		e = openAgain(t, dir)
		if e.NextInquiry() != 3 {
			t.Errorf("%q: next inquiry %d", torn, e.NextInquiry())
		}
		added, err := e.Append(testEvidence(3, 1, 1), []byte("four"))
		if err != nil {
			t.Fatal(err)
		}
		e.Close()
		read, err := ReadEvidence(Folder(dir))
		if err != nil || len(read.Trials()) != 4 || !reflect.DeepEqual(read.Trials()[3], added) {
			t.Errorf("%q: got %v, %v", torn, read.Trials(), err)
		}
		if data, err := read.Profile(added); string(data) != "four" || err != nil {
			t.Errorf("%q: got profile %q, %v", torn, data, err)
		}
	}
}

func appendTo(t *testing.T, name, text string) {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	write(t, name, string(data)+text)
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// A line in the middle that is not what it should be is named.
func TestBadEvidence(t *testing.T) {
	good := func(id int) string {
		return fmt.Sprintf(`{"evidence":%d,"inquiry":1,"kind":"cpu","block":1,"position":1,"n":1,"status":"ok"}`+"\n", id)
	}
	for bad, want := range map[string]string{
		"nonsense":                                             "invalid character",
		`{"evidence":3}`:                                       "it is numbered 3, want 2",
		`{"evidence":2,"inquiry":1}`:                           "above 0",
		strings.TrimSpace(good(2)[:39]):                        "unexpected end",
		profiled(good(2), "plan.json"):                         "its profile is not evidence/0002.pprof",
		profiled(good(2), "../../x"):                           "its profile is not evidence/0002.pprof",
		strings.Replace(good(2), `"block":1`, `"block":-1`, 1): "above 0",
	} {
		text := good(1) + strings.TrimSuffix(bad, "\n") + "\n" + good(3)
		_, err := ReadEvidence(fstest.MapFS{EvidenceFile: {Data: []byte(text)}})
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), EvidenceFile+":2:") {
			t.Errorf("%s: got error %v, want %s", bad, err, want)
		}
	}
}

func profiled(line, name string) string {
	return strings.Replace(line, `"status"`, fmt.Sprintf(`"profile":%q,"status"`, name), 1)
}

// Only one process adds to a run; one that has the record open adds under its lock.
func TestEvidenceLock(t *testing.T) {
	r := create(t, 3)
	e, err := r.Evidence()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := e.Append(testEvidence(e.NextInquiry(), 1, 1), nil); err != nil {
		t.Error(err)
	}
	if err := e.Close(); err != nil {
		t.Error(err)
	}
	if _, err := Open(r.Dir); !errors.Is(err, ErrLocked) {
		t.Errorf("closing evidence released the record: %v", err)
	}
}

// A line that cannot be written leaves whole lines only, and the next is written.
func TestEvidenceTooLarge(t *testing.T) {
	dir, e := evidence(t)
	if _, err := e.Append(testEvidence(3, 1, 1), make([]byte, MaxProfile+1)); err == nil {
		t.Error("a profile that is too large was kept")
	}
	if added, err := e.Append(testEvidence(3, 1, 1), []byte("4")); err != nil || added.ID != 4 {
		t.Errorf("got %d, %v", added.ID, err)
	}
	e.Close()
	write(t, filepath.Join(dir, EvidenceName(4)), strings.Repeat("x", MaxProfile+1))
	read, err := ReadEvidence(Folder(dir))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := read.Profile(read.Trials()[3]); err == nil {
		t.Error("a profile that is too large was read")
	}
}

// No link leads out of the run folder, neither in reading nor in writing.
func TestEvidenceFollowsNoLinks(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("links need a privilege")
	}
	dir, e := evidence(t)
	secret := filepath.Join(t.TempDir(), "secret")
	write(t, secret, "secret")
	link := func(name string) {
		os.Remove(filepath.Join(dir, name))
		if err := os.Symlink(secret, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	link(EvidenceName(3))
	link(EvidenceName(4))
	link("evidence/1-cpu-old.pprof")
	if data, err := e.Profile(e.Trials()[2]); err == nil {
		t.Errorf("read %q through a link", data)
	}
	if _, err := e.Append(testEvidence(3, 1, 1), []byte("four")); err != nil {
		t.Error(err)
	}
	if rel, err := e.WriteMerged("1-cpu-old", []byte("merged")); err != nil || rel != "evidence/1-cpu-old.pprof" {
		t.Errorf("got %q, %v", rel, err)
	}
	if err := e.Sync(); err != nil {
		t.Error(err)
	}
	e.Close()
	link(EvidenceFile)
	if _, err := openEvidence(dir); err == nil {
		t.Error("opened trials through a link")
	}
	if data, err := os.ReadFile(secret); string(data) != "secret" || err != nil {
		t.Errorf("a file outside was written: %q, %v", data, err)
	}
}

// The name of a merged profile fits a file; want is its beginning.
func TestMergedName(t *testing.T) {
	for name, want := range map[string]string{
		"1-cpu-old":              "1-cpu-old.pprof",
		"1-cpu-go1.27.2":         "1-cpu-go1.27.2.pprof",
		"1-mem-+a.pprof":         "1-mem-+a.pprof",
		"release/v1":             "release-v1-",
		"../plan":                "-plan-",
		"0001":                   "merged-0001-",
		"":                       "merged--",
		"nul":                    "merged-nul-",
		"a\x1b[31m\u202e":        "a-31m--",
		strings.Repeat("a", 300): strings.Repeat("a", 100) + "-",
	} {
		got := mergedName(name)
		if !strings.HasPrefix(got, want) || !strings.HasSuffix(got, ".pprof") || !fs.ValidPath(got) {
			t.Errorf("%q: got %q, want %q", name, got, want)
		}
	}
	if mergedName("a/b") == mergedName("a-b") || mergedName("a/b") == mergedName("a:b") {
		t.Error("different names became one")
	}
}

// A record whose evidence was packed is read, and not written to.
func TestPackedEvidence(t *testing.T) {
	dir, e := evidence(t)
	e.Close()
	pack(t, filepath.Join(dir, EvidenceFile))
	got, err := ReadEvidence(Folder(dir))
	if err != nil || len(got.Trials()) != 3 {
		t.Errorf("got %v", err)
	}
	if _, err := openEvidence(dir); err == nil || !strings.Contains(err.Error(), "gunzip") {
		t.Errorf("got %v, want the remedy", err)
	}
}

// What parses is written as the same lines.
func FuzzEvidence(f *testing.F) {
	f.Add([]byte(`{"evidence":1,"inquiry":1,"kind":"cpu","block":1,"position":1,"n":1,"status":"ok","values":{"sec/op":1e-9}}` + "\n"))
	f.Add([]byte(`{"evidence":1,"inquiry":2,"n":3,"block":1,"profile":"evidence/0001.pprof"}` + "\n{"))
	f.Fuzz(func(t *testing.T, data []byte) {
		e, err := ReadEvidence(fstest.MapFS{EvidenceFile: {Data: data}})
		if err != nil {
			return
		}
		first := lines(t, e.Trials())
		e, err = ReadEvidence(fstest.MapFS{EvidenceFile: {Data: first}})
		if err != nil {
			t.Fatalf("what was written does not read: %v", err)
		}
		if again := lines(t, e.Trials()); !bytes.Equal(again, first) {
			t.Errorf("got %q, want %q", again, first)
		}
	})
}

func lines(t *testing.T, trials []assay.EvidenceTrial) (out []byte) {
	t.Helper()
	for _, trial := range trials {
		line, err := evidenceLine(trial)
		if err != nil {
			t.Skip(err) // a year beyond 9999
		}
		out = append(out, line...)
	}
	return out
}

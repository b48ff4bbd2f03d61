package runs

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/cache"
	"github.com/seed-1318a441/assay/internal/record"
)

// verified is what a verifier says of a name.
func verified(t *testing.T, v Verifier, name string) (lines []string, bad bool) {
	t.Helper()
	v.Tell = func(line string) { lines = append(lines, line) }
	v.Report = func(w io.Writer, r *assay.Result) error {
		_, err := io.WriteString(w, "report of "+r.Run)
		return err
	}
	if found, err := v.Verify(name); err != nil || !found {
		t.Fatalf("%s: got %t, %v", name, found, err)
	}
	return lines, v.Bad
}

// What is whole has a line that says what it is: a run, all runs of a folder, a zip file, or
// a result alone, of which little can be said.
func TestVerify(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	store := t.TempDir()
	whole, cut := keep(t, store, demo("aaaa", 1), true), keep(t, store, demo("bbbb", 2), false)
	zip := filepath.Join(t.TempDir(), "a.zip")
	if err := os.WriteFile(zip, zipped(t, whole), 0o666); err != nil {
		t.Fatal(err)
	}
	alone := copied(t, filepath.Join(whole, record.ResultFile), filepath.Join(t.TempDir(), "alone.json"))
	const a, b = ": ok: run aaaa, 45 trials in 15 blocks, decided; origin unknown", ": ok: run bbbb, 9 trials in 3 blocks, cut off; origin unknown"
	for _, x := range []struct {
		name string
		want []string
	}{
		{"aaaa", []string{"aaaa" + a}}, {"last", []string{"bbbb" + b}}, {whole, []string{whole + a}}, {store, []string{whole + a, cut + b}}, {zip, []string{zip + a}},
		{filepath.Join(whole, record.ResultFile), []string{whole + a}},
		{alone, []string{alone + ": ok: whole, computed by assay " + assay.Version() + "; not checked, its trials are not here"}},
	} {
		if lines, bad := verified(t, Verifier{Store: store}, x.name); bad || !slices.Equal(lines, x.want) {
			t.Errorf("%s: got %q, bad %t, want %q", x.name, lines, bad, x.want)
		}
	}
	v := Verifier{Store: store, Tell: func(string) {}}
	if _, err := v.Verify("zzzz"); err == nil {
		t.Error("a run that does not exist was verified")
	}
	if found, err := v.Verify(t.TempDir()); err != nil || found {
		t.Errorf("an empty folder: got %t, %v, want that there is none", found, err)
	}
}

// What was changed has a line that says where, and what to do about it.
func TestVerifyFaults(t *testing.T) {
	whole := keep(t, t.TempDir(), demo("aaaa", 1), true)
	for what, x := range map[string]struct {
		file, old, new string
		want           []string
	}{
		"a trial":      {record.TrialsFile, `"trial":2`, `"trial":7`, []string{"trials.jsonl:", "[bad-record]"}},
		"the plan":     {record.PlanFile, `"seed"`, `"sead"`, []string{"plan.json: its digest does not fit", "[bad-record]"}},
		"the study":    {record.StudyFile, "demo", "dem0", []string{"study.toml: ", "[bad-record]"}},
		"the end":      {record.EndFile, "decided", "blocks", []string{"end.json: ", "[bad-record]"}},
		"the result":   {record.ResultFile, "faster", "slower", []string{"result.json: its digest does not fit", "[bad-record]"}},
		"a plan anew":  {record.PlanFile, `"schema": 3`, `"schema": 99`, []string{"newer assay", "try: " + upgrade}},
		"an older one": {record.PlanFile, `"schema": 3`, `"schema": 1`, []string{"older assay", "[bad-record]"}},
	} {
		t.Setenv("XDG_CACHE_HOME", t.TempDir())
		store := t.TempDir()
		if err := os.CopyFS(filepath.Join(store, "aaaa"), os.DirFS(whole)); err != nil {
			t.Fatal(err)
		}
		edit(t, filepath.Join(store, "aaaa", x.file), x.old, x.new)
		lines, bad := verified(t, Verifier{Store: store}, "aaaa")
		if !bad || len(lines) != 1 || !strings.HasPrefix(lines[0], "aaaa: ") {
			t.Errorf("%s: got %q, bad %t", what, lines, bad)
			continue
		}
		for _, w := range x.want {
			if !strings.Contains(lines[0], w) {
				t.Errorf("%s: got %q, want %q in it", what, lines[0], w)
			}
		}
	}
}

// A result that does not follow from the trials is told with the place and both values, and
// --recompute writes it and its report anew, with the verdicts that changed.
func TestRecompute(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	store := t.TempDir()
	dir := keep(t, store, demo("aaaa", 1), true)
	r, err := record.ReadResult(record.Folder(dir))
	if err != nil {
		t.Fatal(err)
	}
	r.Tables[0].Rows[0].Cells[0].Verdict = assay.Slower
	data, err := record.EncodeResult(r)
	if err != nil {
		t.Fatal(err)
	}
	report := filepath.Join(dir, record.ReportFile)
	for name, text := range map[string][]byte{filepath.Join(dir, record.ResultFile): data, report: []byte("old")} {
		if err := os.WriteFile(name, text, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	v := Verifier{Store: store}
	lines, bad := verified(t, v, "aaaa")
	want := `aaaa: result.json: tables[0].rows[0].cells[0].verdict is "slower", and its trials mean "faster"; ` +
		`the result is wrong, not the trials; --recompute writes it again from them   [bad-record] try: assay verify --recompute `
	if !bad || len(lines) != 1 || !strings.HasPrefix(lines[0], want) {
		t.Errorf("got %q, want %q", lines, want)
	}
	v.Recompute = true
	ok := "aaaa: ok: run aaaa, 45 trials in 15 blocks, decided; origin unknown"
	if lines, bad = verified(t, v, "aaaa"); bad || !slices.Equal(lines, []string{ok, "  Encode sec/op in new: faster, was slower"}) {
		t.Errorf("computed anew: got %q, bad %t", lines, bad)
	}
	if text, err := os.ReadFile(report); err != nil || string(text) != "report of aaaa" {
		t.Errorf("got the report %q, %v, want a new one", text, err)
	}
	before, err := os.Stat(filepath.Join(dir, record.ResultFile))
	if err != nil {
		t.Fatal(err)
	}
	if lines, bad = verified(t, v, "aaaa"); bad || !slices.Equal(lines, []string{ok}) {
		t.Errorf("a second time: got %q, bad %t", lines, bad)
	}
	if after, err := os.Stat(filepath.Join(dir, record.ResultFile)); err != nil || !os.SameFile(before, after) {
		t.Errorf("a result that was right was written again: %v", err)
	}
}

// Verdicts that changed are named by benchmark, metric and variant; what only one of the
// results has is no change.
func TestChangedVerdicts(t *testing.T) {
	at := func(bench, variant string, v assay.Verdict) assay.Comparison {
		return assay.Comparison{Variant: variant, Benchmark: assay.Benchmark{Name: bench}, Verdict: v}
	}
	of := func(whole assay.Verdict, cells ...assay.Comparison) *assay.Result {
		return &assay.Result{Tables: []assay.Table{{Metric: assay.Metric{Name: assay.MetricTime},
			Rows: []assay.Row{{Cells: cells}}, Geomean: []assay.Comparison{at("", "new", whole)}}}}
	}
	got := changedVerdicts(of(assay.Same, at("A", "new", assay.Faster), at("A", "other", assay.Same), at("gone", "new", assay.Slower)),
		of(assay.Faster, at("A", "new", assay.Unclear), at("A", "other", assay.Same), at("B", "new", assay.Slower)))
	if want := []string{"geomean sec/op in new: faster, was same", "A sec/op in new: unclear, was faster"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// A run is known as made here by the user whose key signed it, and by no other.
func TestMadeHere(t *testing.T) {
	home := t.TempDir()
	t.Setenv("XDG_CACHE_HOME", home)
	dir := keep(t, t.TempDir(), demo("aaaa", 1), true)
	key, err := record.Key(cache.New("").Dir)
	if err != nil {
		t.Fatal(err)
	}
	r, err := record.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(r.Sign(key), r.Close()); err != nil {
		t.Fatal(err)
	}
	for cacheHome, want := range map[string]string{home: "; made here by this user", t.TempDir(): "; origin unknown"} {
		t.Setenv("XDG_CACHE_HOME", cacheHome)
		f, err := Read(dir, "aaaa")
		if err != nil {
			t.Fatal(err)
		}
		if got := describe(f); got != "run aaaa, 45 trials in 15 blocks, decided"+want {
			t.Errorf("got %q, want it to end with %q", got, want)
		}
	}
}

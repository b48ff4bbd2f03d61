package main

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/design"
	"github.com/seed-1318a441/assay/internal/record"
	"github.com/seed-1318a441/assay/internal/runs"
	"github.com/seed-1318a441/assay/internal/sheet"
	"github.com/seed-1318a441/assay/internal/slow"
)

// publishedRuns are the run folders in studies/.
func publishedRuns(t testing.TB) (dirs []string) {
	t.Helper()
	for _, pattern := range []string{"studies/*/record*", "studies/*/record*/*"} {
		found, err := filepath.Glob(filepath.Join(repository(), pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, dir := range found {
			if runs.IsRun(dir) {
				dirs = append(dirs, dir)
			}
		}
	}
	if len(dirs) < 10 {
		t.Fatalf("%d published runs: is the pattern still right?", len(dirs))
	}
	return dirs
}

// Every published record is whole, and its result is the one that its trials mean by the
// rules of today: after a change of rules, make records. Those that take seconds are left
// to the slow test.
func TestPublishedRecords(t *testing.T) {
	for _, dir := range publishedRuns(t) {
		if _, err := os.Stat(filepath.Join(dir, record.TrialsFile)); err == nil {
			verifyPublished(t, dir)
		}
	}
}

func TestSlowPublishedRecords(t *testing.T) {
	slow.Test(t)
	for _, dir := range publishedRuns(t) {
		verifyPublished(t, dir)
	}
}

// No geomean of a published record lies outside the range of the rows that it is over,
// unless its interval excludes all of them: then it is the nearest end, and a note says so.
func TestPublishedGeomeans(t *testing.T) {
	seen := 0
	for _, dir := range publishedRuns(t) {
		run, err := runs.Read(dir, dir)
		if err != nil {
			t.Fatal(err)
		}
		r, err := run.StoredResult()
		if err != nil || r == nil {
			t.Fatalf("%s: %v", dir, err)
		}
		check := func(metric assay.Metric, whole assay.Comparison, cells []assay.Comparison) {
			lo, hi := assay.Change(math.Inf(1)), assay.Change(math.Inf(-1))
			for _, c := range cells {
				if c.Variant == whole.Variant && c.N > 0 {
					lo, hi = min(lo, c.Change), max(hi, c.Change)
				}
			}
			if whole.N == 0 || lo > hi {
				return
			}
			seen++
			const rounding = 1e-12
			if whole.Change >= lo-rounding && whole.Change <= hi+rounding {
				return
			}
			note := sheet.New(r, false, false).NoteOf(sheet.Entry{Metric: metric}, whole)
			if !sheet.AtEnd(whole) || !strings.Contains(note, sheet.EndWords) {
				t.Errorf("%s: %s of %s: %g %v, its rows are within %g and %g, note %q", dir, metric.Name, whole.Variant, float64(whole.Change), whole.Interval, float64(lo), float64(hi), note)
			}
		}
		for _, tab := range r.Tables {
			for _, g := range tab.Geomean {
				check(tab.Metric, g, sheet.AllCells(tab))
			}
			for _, s := range tab.Steps {
				if s.Whole != nil {
					check(tab.Metric, *s.Whole, s.Cells)
				}
			}
			for _, e := range tab.Effects {
				check(tab.Metric, e.Whole, e.Cells)
			}
		}
	}
	if seen < 200 {
		t.Errorf("%d geomeans, want at least 200", seen)
	}
}

func verifyPublished(t *testing.T, dir string) {
	t.Helper()
	run, err := runs.Read(dir, dir)
	if err == nil {
		err = run.Verify()
	}
	if err != nil {
		t.Errorf("%v\nwhere rules have changed: make records", err)
	}
}

// recordIn is a run folder in memory.
func recordIn(t *testing.T, dir string) fstest.MapFS {
	t.Helper()
	files := fstest.MapFS{}
	for _, name := range []string{"plan.json", "platform.json", "study.toml", "trials.jsonl", "end.json", "result.json"} {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		files[name] = &fstest.MapFile{Data: data}
	}
	return files
}

// resultIn is what a reader of a record gets, as JSON.
func resultIn(files fs.FS) (string, error) {
	run, err := runs.ReadIn(files, "run")
	if err != nil {
		return "", err
	}
	r, err := run.Result()
	if err != nil {
		return "", err
	}
	data, err := record.EncodeResult(r)
	return string(data), err
}

// A thousand bits turned over in trials.jsonl, plan.json and result.json, packed or not:
// each is refused, or the result is the same.
func TestFlips(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	plain := recordIn(t, filepath.Join(repository(), "studies/queue-path/record"))
	packed := fstest.MapFS{}
	for name, f := range plain {
		packed[name] = &fstest.MapFile{Data: f.Data}
	}
	for _, name := range []string{"trials.jsonl", "result.json"} {
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		z.Write(plain[name].Data)
		z.Close()
		packed[name+".gz"] = &fstest.MapFile{Data: b.Bytes()}
		delete(packed, name)
	}
	want, err := resultIn(plain)
	if err != nil {
		t.Fatal(err)
	}
	rnd := rand.New(rand.NewPCG(1, 2))
	for _, c := range []struct {
		what  string
		files fstest.MapFS
		names []string
		flips int
	}{
		{"plain", plain, []string{"trials.jsonl", "plan.json", "result.json"}, 1000},
		{"packed", packed, []string{"trials.jsonl.gz", "plan.json", "result.json.gz"}, 300},
	} {
		refused := 0
		for range c.flips {
			data := c.files[c.names[rnd.IntN(len(c.names))]].Data
			at, bit := rnd.IntN(len(data)), byte(1)<<rnd.IntN(8)
			data[at] ^= bit
			got, err := resultIn(c.files)
			switch {
			case err != nil:
				refused++
			case got != want:
				t.Errorf("%s: bit %d of byte %d changes the result", c.what, bit, at)
			}
			data[at] ^= bit
		}
		t.Logf("%s: %d of %d flips are refused, the others change nothing", c.what, refused, c.flips)
		if refused < c.flips*9/10 {
			t.Errorf("%s: only %d of %d flips are refused", c.what, refused, c.flips)
		}
	}
}

// Whatever a plan and its trials say, a result is computed or refused, without a panic.
// Values of published records are changed at random; digests and chain are made to fit, as
// a stranger can.
func FuzzDerive(f *testing.F) {
	var plans, trials [][]byte
	for _, dir := range publishedRuns(f) {
		lines := firstLines(f, filepath.Join(dir, record.TrialsFile))
		plan, err := os.ReadFile(filepath.Join(dir, record.PlanFile))
		if err != nil {
			f.Fatal(err)
		}
		plans, trials = append(plans, bare(f, plan)), append(trials, lines)
	}
	for seed := range uint64(60) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) {
		rnd := rand.New(rand.NewPCG(seed, 1))
		i := rnd.IntN(len(plans))
		lines := bytes.SplitAfter(trials[i], []byte("\n"))
		lines = lines[:min(len(lines), 20+rnd.IntN(200))]
		plan := plans[i]
		for range 1 + rnd.IntN(3) {
			if at := rnd.IntN(2 * len(lines)); at < len(lines) {
				lines[at] = spoiled(rnd, lines[at])
			} else {
				plan = spoiled(rnd, plan)
			}
		}
		dir := t.TempDir()
		for name, data := range chained(plan, lines) {
			if err := os.WriteFile(filepath.Join(dir, name), data, 0o666); err != nil {
				t.Fatal(err)
			}
		}
		run, err := runs.Read(dir, dir)
		if err != nil {
			return
		}
		if r, err := runs.Derive(run.Run, run.Ending); err == nil {
			record.EncodeResult(r) // a number may have no JSON
		}
	})
}

// firstLines reads the beginning of trials, packed or not.
func firstLines(t testing.TB, name string) []byte {
	t.Helper()
	f, err := os.Open(name)
	var r io.Reader = f
	if err != nil {
		if f, err = os.Open(name + ".gz"); err == nil {
			r, err = gzip.NewReader(f)
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(r, 200_000))
	if err != nil {
		t.Fatal(err)
	}
	return data[:bytes.LastIndexByte(data, '\n')+1]
}

// bare is a plan without the digest at its end.
func bare(t testing.TB, plan []byte) []byte {
	t.Helper()
	before, _, ok := bytes.Cut(plan, []byte(",\n  \"digest\": "))
	if !ok {
		t.Fatal("the plan has no digest")
	}
	return before
}

// digestOfFile is the digest of a file in a plan.
var digestOfFile = regexp.MustCompile(`"(platform\.json|study\.toml)": "[0-9a-f]{64}"`)

// chained is a record of a bare plan and of trials whose chain values do not count: with a
// hash of the study, digests and a chain that fit.
func chained(plan []byte, lines [][]byte) map[string][]byte {
	hash := func(text []byte) string { return fmt.Sprintf("%x", sha256.Sum256(text)) }
	files := map[string][]byte{record.PlatformFile: []byte("{}"), record.StudyFile: nil}
	var p assay.Plan
	if json.Unmarshal(append(bytes.Clone(plan), '}'), &p) == nil {
		plan = bytes.Replace(plan, fmt.Appendf(nil, `"study_hash": %q`, p.StudyHash), fmt.Appendf(nil, `"study_hash": %q`, design.StudyHash(&p.Study)), 1)
	}
	plan = digestOfFile.ReplaceAllFunc(plan, func(found []byte) []byte {
		name := string(digestOfFile.FindSubmatch(found)[1])
		return fmt.Appendf(nil, "%q: %q", name, hash(files[name]))
	})
	files[record.PlanFile] = fmt.Appendf(bytes.Clone(plan), ",\n  \"digest\": \"%s\"\n}\n", hash(plan))
	chain, trials := hash(plan)[:32], []byte(nil)
	for _, line := range lines {
		if text, _, ok := bytes.Cut(line, []byte(`,"chain":"`)); ok {
			chain = hash(append([]byte(chain), text...))[:32]
			trials = fmt.Appendf(append(trials, text...), ",\"chain\":\"%s\"}\n", chain)
		}
	}
	files[record.TrialsFile] = trials
	return files
}

// scalar is a value in JSON that is neither list nor object.
var scalar = regexp.MustCompile(`: ?("[^"]*"|-?[0-9][-0-9.e+]*|true|false)`)

// spoiled replaces a value of a JSON text by another one.
func spoiled(rnd *rand.Rand, text []byte) []byte {
	found := scalar.FindAllSubmatchIndex(text, -1)
	if len(found) == 0 {
		return text
	}
	at := found[rnd.IntN(len(found))][2:]
	numbers := []string{"0", "-1", "1", "2", "7", "1e300", "-1e300", "1e-300", "9223372036854775807", "0.5"}
	others := []string{`""`, `"control"`, `"x"`, "true", "null", "[]", "{}"}
	with := others[rnd.IntN(len(others))]
	if text[at[0]] != '"' && rnd.IntN(8) > 0 {
		with = numbers[rnd.IntN(len(numbers))]
	} else if rnd.IntN(2) == 0 { // a value from elsewhere in the same text
		from := found[rnd.IntN(len(found))][2:]
		with = string(text[from[0]:from[1]])
	}
	return slices.Concat(text[:at[0]], []byte(with), text[at[1]:])
}

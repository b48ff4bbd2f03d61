package record

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/seed-1318a441/assay"
)

// finished6 is a run of two blocks that ended, with its folder.
func finished6(t *testing.T) (dir string, run *Run) {
	t.Helper()
	r := create(t, 6)
	finish(t, r)
	r.Close()
	run, err := Read(Folder(r.Dir))
	if err != nil {
		t.Fatal(err)
	}
	return r.Dir, run
}

// readAll reads a run with its result, as commands do.
func readAll(dir string) (*Run, *assay.Result, error) {
	run, err := Read(Folder(dir))
	if err != nil {
		return nil, nil, err
	}
	res, err := run.StoredResult()
	return run, res, err
}

// wantFault checks that an error is a Fault whose text has a part.
func wantFault(t *testing.T, what string, err error, part string) {
	t.Helper()
	if _, ok := errors.AsType[*Fault](err); !ok || !strings.Contains(err.Error(), part) {
		t.Errorf("%s: got %v, want a fault with %q", what, err, part)
	}
}

// The end of a run comes back, and stands for the record; what goes on has none.
func TestEnd(t *testing.T) {
	dir, run := finished6(t)
	if run.End == nil || run.End.Stop != "decided" || run.End.Trials != 6 || run.Head() == run.chain {
		t.Fatalf("got end %+v, head %s after %s", run.End, run.Head(), run.chain)
	}
	res, err := run.StoredResult()
	if err != nil || res.Record != run.Head() {
		t.Errorf("got %+v, %v; want the result of record %s", res, err, run.Head())
	}
	r, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if err := r.Append(testTrial(7), Raw{}); err != nil {
		t.Fatal(err)
	}
	again, res, err := readAll(dir)
	if err != nil || again.End != nil || res != nil || again.Head() == run.Head() {
		t.Errorf("a run that goes on has end %+v, result %v, %v", again.End, res, err)
	}
}

// A kill at any moment leaves a record that reads: between the end and the result, and
// between the removal of both and the next trial.
func TestKillAroundTheEnd(t *testing.T) {
	dir, run := finished6(t)
	if err := os.Remove(filepath.Join(dir, ResultFile)); err != nil {
		t.Fatal(err)
	}
	again, res, err := readAll(dir)
	if err != nil || res != nil || again.Head() != run.Head() {
		t.Errorf("without its result: %v, %v", res, err)
	}
	end, err := os.ReadFile(filepath.Join(dir, EndFile))
	if err != nil {
		t.Fatal(err)
	}
	r, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Append(testTrial(7), Raw{}); err != nil {
		t.Fatal(err)
	}
	r.Close()
	// Power loss brings the end back that was removed before the trial.
	if err := os.WriteFile(filepath.Join(dir, EndFile), end, 0o666); err != nil {
		t.Fatal(err)
	}
	if again, _, err = readAll(dir); err != nil || again.End != nil || len(again.Trials) != 7 {
		t.Errorf("with the end of before: %+v, %v", again, err)
	}
}

// Every bit counts: whichever of a file of the record is turned over, nothing is read.
// That the last line may be torn is no way out: then the end does not fit.
func TestEveryBitCounts(t *testing.T) {
	dir, _ := finished6(t)
	files := []string{PlanFile, PlatformFile, StudyFile, TrialsFile, EndFile, ResultFile}
	fsys := fstest.MapFS{}
	for _, name := range files {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		fsys[name] = &fstest.MapFile{Data: data}
	}
	whole := func() error {
		run, err := Read(fsys)
		if err == nil {
			_, err = run.StoredResult()
		}
		return err
	}
	if err := whole(); err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		data := fsys[name].Data
		for bit := range 8 * len(data) {
			data[bit/8] ^= 1 << (bit % 8)
			if whole() == nil {
				t.Errorf("%s: bit %d of byte %d may be turned over", name, bit%8, bit/8)
			}
			data[bit/8] ^= 1 << (bit % 8)
		}
	}
}

// Lines that are moved, removed, repeated or taken from another run are refused, with
// the line and what is wrong.
func TestLinesOutOfPlace(t *testing.T) {
	_, run := finished6(t)
	foreign, err := sealTrials(strings.Repeat("0", chainLen), run.Trials)
	if err != nil {
		t.Fatal(err)
	}
	for name, spoil := range map[string]func(lines []string) []string{
		"swapped":         func(l []string) []string { l[3], l[4] = l[4], l[3]; return l },
		"blocks swapped":  func(l []string) []string { return append(append([]string{}, l[3:6]...), l[:3]...) },
		"removed":         func(l []string) []string { return append(append([]string{}, l[:2]...), l[3:]...) },
		"a block removed": func(l []string) []string { return l[3:] },
		"the end removed": func(l []string) []string { return l[:3] },
		"repeated":        func(l []string) []string { return append(l, l[5]) },
		"a block repeated": func(l []string) []string {
			for i, line := range l[3:6] {
				line = strings.Replace(line, fmt.Sprintf(`"trial":%d,"block":2`, i+4), fmt.Sprintf(`"trial":%d,"block":3`, i+7), 1)
				l = append(l, line)
			}
			return l
		},
		"a value edited": func(l []string) []string { l[1] = strings.Replace(l[1], `"things":3`, `"things":4`, 1); return l },
		"no chain": func(l []string) []string {
			l[5] = l[5][:strings.Index(l[5], lineSeal.before)] + "}\n"
			return l
		},
		"of another run": func(l []string) []string { l[0] = strings.SplitAfter(string(foreign), "\n")[0]; return l },
	} {
		dir, _ := finished6(t)
		file := filepath.Join(dir, TrialsFile)
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		lines := spoil(strings.SplitAfter(strings.TrimSuffix(string(data), "\n"), "\n"))
		text := strings.ReplaceAll(strings.Join(lines, "\n"), "\n\n", "\n") + "\n"
		if text == string(data) {
			t.Fatalf("%s: nothing was spoilt", name)
		}
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		_, err = Read(Folder(dir))
		wantFault(t, name, err, "")
	}
}

// reseal writes trials with a chain that fits, as someone does who knows the format.
func reseal(t *testing.T, dir string, run *Run, trials []assay.Trial) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, PlanFile))
	if err != nil {
		t.Fatal(err)
	}
	_, sum, err := checkDigest(PlanFile, data)
	if err != nil {
		t.Fatal(err)
	}
	lines, err := sealTrials(sum[:chainLen], trials)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, TrialsFile), lines, 0o666); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{EndFile, ResultFile} {
		if err := os.Remove(filepath.Join(dir, name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			t.Fatal(err)
		}
	}
}

// A valid chain is not enough: trials that do not belong to this plan, blocks with gaps,
// and copies are errors.
func TestTrialsThatCannotBe(t *testing.T) {
	for name, spoil := range map[string]func(trials []assay.Trial) []assay.Trial{
		"variant \"other\" is not":     func(ts []assay.Trial) []assay.Trial { ts[4].Variant = "other"; return ts },
		"with 7 iterations":            func(ts []assay.Trial) []assay.Trial { ts[4].N = 7; return ts },
		"block 9 begins":               func(ts []assay.Trial) []assay.Trial { ts[4].Block = 9; return ts },
		"position 1 is out of order":   func(ts []assay.Trial) []assay.Trial { ts[4].Position = 1; return ts },
		"attempt 1 of block 2 begins":  func(ts []assay.Trial) []assay.Trial { ts[3].Attempt = 2; return ts },
		"attempt 0 of block 2 begins":  func(ts []assay.Trial) []assay.Trial { return attempt2(ts, 0) },
		"not like the others":          func(ts []assay.Trial) []assay.Trial { ts[4].Pilot = true; return ts },
		"round 0":                      func(ts []assay.Trial) []assay.Trial { ts[4].Round = 0; return ts },
		"binary 00 is not one":         func(ts []assay.Trial) []assay.Trial { ts[4].Binary = "00"; return ts },
		"trial is numbered 5, want 4":  func(ts []assay.Trial) []assay.Trial { return append(ts[:3:3], ts[4:]...) },
		"trial 9 is a copy of trial 6": func(ts []assay.Trial) []assay.Trial { return withCopy(ts, 3) },
		"block 2 begins, block 1 was":  func(ts []assay.Trial) []assay.Trial { return renumbered(ts[3:]) },
		"block 3 begins, block 2 was":  func(ts []assay.Trial) []assay.Trial { return renumbered(append(ts[:3:3], withCopy(ts, 1)[6:]...)) },
	} {
		dir, run := finished6(t)
		trials := spoil(append([]assay.Trial{}, run.Trials...))
		reseal(t, dir, run, trials)
		_, err := Read(Folder(dir))
		wantFault(t, name, err, name)
	}
	dir, run := finished6(t)
	reseal(t, dir, run, run.Trials)
	if _, err := Read(Folder(dir)); err != nil {
		t.Errorf("the trials as they were: %v", err)
	}
	// The first three attempts of the second block ended before their first trials.
	reseal(t, dir, run, attempt2(run.Trials, 4))
	if run, err := Read(Folder(dir)); err != nil || len(run.Blocks()) != 2 {
		t.Errorf("attempts without a trial: %v", err)
	}
}

// attempt2 returns the trials with the second block's as that attempt.
func attempt2(ts []assay.Trial, attempt int) []assay.Trial {
	ts = slices.Clone(ts)
	for i := range ts[3:6] {
		ts[3+i].Attempt = attempt
	}
	return ts
}

// withCopy appends the second block as the third, its numbers put right; shift moves the
// time of its trials but the last so many.
func withCopy(ts []assay.Trial, shift int) []assay.Trial {
	for i, t := range ts[3:6] {
		t.Block = 3
		if i < 2 {
			t.Start = t.Start.Add(time.Duration(shift) * time.Hour)
		}
		ts = append(ts, t)
	}
	return renumbered(ts)
}

func renumbered(ts []assay.Trial) []assay.Trial {
	for i := range ts {
		ts[i].ID = i + 1
	}
	return ts
}

// A plan that was changed is no plan of the run, even if its digest fits.
func TestChangedPlan(t *testing.T) {
	for _, c := range []struct {
		name, want string
		change     func(p *assay.Plan)
		reseal     bool
	}{
		{"edited", "plan.json: its digest does not fit", func(p *assay.Plan) { p.Seed = 7 }, false},
		{"study edited", "plan.json: study_hash", func(p *assay.Plan) { p.Study.Decide.Confidence = 0.5 }, true},
		{"sealed anew", "trials.jsonl:1: its chain value does not fit", func(p *assay.Plan) { p.Seed = 7 }, true},
		{"planned twice", `plan.json: variant "new" is planned twice`, func(p *assay.Plan) { p.Variants = append(p.Variants, p.Variants[1]) }, true},
		{"no such workload", "plan.json: benchmark", func(p *assay.Plan) { p.Benchmarks[0].Workload = 3 }, true},
	} {
		dir, run := finished6(t)
		c.change(run.Plan)
		data, _, err := sealFile(PlanFile, run.Plan)
		if err != nil {
			t.Fatal(err)
		}
		if !c.reseal {
			old, err := os.ReadFile(filepath.Join(dir, PlanFile))
			if err != nil {
				t.Fatal(err)
			}
			data = append(data[:len(data)-digestLen-len(digestSeal.after)], old[len(old)-digestLen-len(digestSeal.after):]...)
		}
		if err := os.WriteFile(filepath.Join(dir, PlanFile), data, 0o666); err != nil {
			t.Fatal(err)
		}
		_, err = Read(Folder(dir))
		wantFault(t, c.name, err, c.want)
		if _, err := Open(dir); err == nil {
			t.Errorf("%s: the run was opened to go on with it", c.name)
		}
		runs, err := List(filepath.Dir(dir))
		if err != nil || len(runs) != 1 || c.name != "sealed anew" && c.name != "planned twice" && c.name != "no such workload" && runs[0].Fault == nil {
			t.Errorf("%s: the list has no fault: %+v, %v", c.name, runs, err)
		}
	}
}

// A run that has a plan and no trial yet is checked, too.
func TestChangedBeforeTheFirstTrial(t *testing.T) {
	for file, change := range map[string][2]string{PlanFile: {`"seed": 0`, `"seed": 1`}, PlatformFile: {`"linux"`, `"plan9"`}, StudyFile: {"demo", "dema"}} {
		r := create(t, 0)
		r.Close()
		replaceIn(t, filepath.Join(r.Dir, file), change[0], change[1])
		_, err := Open(r.Dir)
		wantFault(t, file, err, file)
		if runs, err := List(filepath.Dir(r.Dir)); err != nil || len(runs) != 1 || runs[0].Fault == nil {
			t.Errorf("%s: the list has no fault: %+v, %v", file, runs, err)
		}
	}
}

// A result alone is whole, or it is not read; in its folder it is of this record.
func TestResultOfAnotherRecord(t *testing.T) {
	dir, _ := finished6(t)
	other, _ := finished6(t)
	replaceIn(t, filepath.Join(other, ResultFile), `"stop": "decided"`, `"stop": "budget"`)
	_, _, err := readAll(other)
	wantFault(t, "edited", err, "result.json: its digest does not fit")

	res, err := ReadResult(Folder(dir))
	if err != nil {
		t.Fatal(err)
	}
	res.Record = strings.Repeat("0", chainLen)
	data, err := EncodeResult(res)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, ResultFile), data, 0o666); err != nil {
		t.Fatal(err)
	}
	_, _, err = readAll(dir)
	wantFault(t, "of another record", err, "result.json: it was computed from another record")
	if runs, err := List(filepath.Dir(dir)); err != nil || runs[0].Fault == nil {
		t.Errorf("the list has no fault: %+v, %v", runs, err)
	}
}

// What a trial collected is that, or an error which says so.
func TestChangedCollected(t *testing.T) {
	r := create(t, 0)
	for id := 1; id <= 2; id++ {
		if err := r.Append(testTrial(id), Raw{Collected: testCollected()}); err != nil {
			t.Fatal(err)
		}
	}
	r.Close()
	run, err := Read(Folder(r.Dir))
	if err != nil {
		t.Fatal(err)
	}
	if _, ok, err := run.Collected(1); !ok || err != nil {
		t.Fatalf("as it was: %v, %v", ok, err)
	}
	first, second := filepath.Join(r.Dir, CollectedName(1)), filepath.Join(r.Dir, CollectedName(2))
	data, err := os.ReadFile(first)
	if err != nil {
		t.Fatal(err)
	}
	data[4] ^= 1 // the time in the header of gzip: what is in it stays
	if err := errors.Join(os.WriteFile(first, data, 0o666), os.Remove(second)); err != nil {
		t.Fatal(err)
	}
	for id := 1; id <= 2; id++ {
		if _, _, err := run.Collected(id); !errors.Is(err, ErrCollected) {
			t.Errorf("trial %d: got %v, want ErrCollected", id, err)
		}
	}
}

// A line that is endless is refused before it fills the memory.
func TestLongLine(t *testing.T) {
	r := create(t, 1)
	r.Close()
	f, err := os.OpenFile(filepath.Join(r.Dir, TrialsFile), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Write(bytes.Repeat([]byte(" "), maxTrialLine+2)); err != nil {
		t.Fatal(err)
	}
	f.Close()
	_, err = Read(Folder(r.Dir))
	wantFault(t, "a long line", err, "trials.jsonl:2: the line is longer than 16 MiB")

	long := create(t, 0)
	tr := testTrial(1)
	tr.Reason = strings.Repeat("x", 1<<20)
	if err := long.Append(tr, Raw{}); err != nil {
		t.Fatal(err)
	}
	if run, err := Read(Folder(long.Dir)); err != nil || len(run.Trials[0].Reason) != 1<<20 {
		t.Errorf("a line of 1 MiB: %v", err)
	}
}

// writePlan makes a folder with a plan and what is written with it.
func writePlan(dir string) (chain string, err error) {
	p := testPlan()
	platform := []byte("{}\n")
	p.Files = map[string]string{PlatformFile: digest(platform), StudyFile: digest(nil)}
	data, sum, err := sealFile(PlanFile, p)
	return sum[:chainLen], errors.Join(err, os.WriteFile(filepath.Join(dir, PlatformFile), platform, 0o666), os.WriteFile(filepath.Join(dir, StudyFile), nil, 0o666),
		os.WriteFile(filepath.Join(dir, PlanFile), data, 0o666))
}

// What reads as trials is written as the same bytes, chain included: a line has one form.
// Whatever stands in the objects, nothing that is read panics.
func FuzzTrials(f *testing.F) {
	object, err := json.Marshal(testTrial(1))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(append(object, '\n'))
	f.Add([]byte(`{"trial":1,"block":1,"attempt":1,"of":1,"position":1,"round":1,"variant":"old","benchmark":{"package":"p","name":"X/a-2"},"n":100,"start":"2026-01-01T00:00:00Z","duration_ns":1,"status":"ok","observations":{"sec/op":7.12e-9},"unknown":[1]}` + "\n"))
	dir := f.TempDir()
	start, err := writePlan(dir)
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, objects []byte) {
		var lines, line []byte
		chain := start
		for object := range bytes.Lines(objects) {
			if object = bytes.TrimSuffix(object, []byte("\n")); len(object) > 0 {
				line, chain = sealLine(chain, object)
				lines = append(lines, line...)
			}
		}
		if err := os.WriteFile(filepath.Join(dir, TrialsFile), lines, 0o666); err != nil {
			t.Fatal(err)
		}
		run, err := Read(Folder(dir))
		if err != nil {
			return
		}
		once, err := sealTrials(start, run.Trials)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, TrialsFile), once, 0o666); err != nil {
			t.Fatal(err)
		}
		again, err := Read(Folder(dir))
		if err != nil {
			t.Fatalf("what was written does not read: %v\n%s", err, once)
		}
		if twice, err := sealTrials(start, again.Trials); err != nil || !bytes.Equal(once, twice) {
			t.Errorf("written again it differs: %v\n%s%s", err, once, twice)
		}
	})
}

// A text that opens as sealed is sealed again to the same bytes, and no text panics.
func FuzzSeal(f *testing.F) {
	line, _ := sealLine("", []byte(`{"trial":1}`))
	f.Add(line)
	file, _, err := sealFile(PlanFile, testPlan())
	if err != nil {
		f.Fatal(err)
	}
	f.Add(file)
	end, _, err := sealEnd("", assay.End{Stop: "decided"})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(end)
	f.Fuzz(func(t *testing.T, data []byte) {
		if text, sum, ok := lineSeal.cut(data); ok && link("", text) == string(sum) {
			if again, _ := sealLine("", append(bytes.Clone(text), '}')); !bytes.Equal(again, data) {
				t.Errorf("got %q, want %q", again, data)
			}
		}
		if text, sum, err := checkDigest("x", data); err == nil {
			if again := string(digestSeal.add(bytes.Clone(text), sum)); again != string(data) {
				t.Errorf("got %q, want %q", again, data)
			}
		}
		if res, err := DecodeResult("x", data); err == nil {
			once, err := EncodeResult(res)
			if err != nil {
				return // a number that JSON has no form for
			}
			again, err := DecodeResult("x", once)
			if err != nil {
				t.Fatal(err)
			}
			if twice, err := EncodeResult(again); err != nil || !bytes.Equal(once, twice) {
				t.Errorf("written again it differs: %v\n%s%s", err, once, twice)
			}
		}
	})
}

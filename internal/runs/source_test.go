package runs

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/record"
)

// copied copies a file.
func copied(t *testing.T, from, to string) string {
	t.Helper()
	data, err := os.ReadFile(from)
	if err == nil {
		err = os.WriteFile(to, data, 0o666)
	}
	if err != nil {
		t.Fatal(err)
	}
	return to
}

// A run goes by its id, its folder, its result in that folder, or the folder that has no
// other; a result alone comes without its run.
func TestOpen(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	store := t.TempDir()
	dir := keep(t, store, demo("aaaa", 1), true)
	alone := copied(t, filepath.Join(dir, record.ResultFile), filepath.Join(t.TempDir(), "alone.json"))
	for _, x := range []struct {
		what, name, ref string
		run             bool
	}{
		{"an id", "aaaa", filepath.ToSlash(dir), true},
		{"the newest", "last", filepath.ToSlash(dir), true},
		{"a folder", dir, filepath.ToSlash(dir), true},
		{"a folder of one", store, filepath.ToSlash(dir), true},
		{"a result in its folder", filepath.Join(dir, record.ResultFile), filepath.ToSlash(dir), true},
		{"a result alone", alone, alone, false},
	} {
		s, err := Open(store, x.name)
		if err != nil || s.Ref != x.ref || (s.Run != nil) != x.run || s.Result.Run != "aaaa" || s.Result.Ref != x.ref {
			t.Errorf("%s: got %+v, %v, want %s with its run: %t", x.what, s, err, x.ref, x.run)
		}
	}
	text := filepath.Join(t.TempDir(), "x.json")
	if err := os.WriteFile(text, []byte(`{"schema":1}`), 0o666); err != nil {
		t.Fatal(err)
	}
	broken := copied(t, alone, filepath.Join(t.TempDir(), "broken.json"))
	edit(t, broken, `"aaaa"`, `"aaab"`)
	for name, code := range map[string]assay.Code{"none.json": assay.CodeNoRun, "zzzz": assay.CodeNoRun, text: assay.CodeNoRun,
		filepath.Join(dir, record.StudyFile): assay.CodeNoRun, broken: assay.CodeBadRecord} {
		_, err := Open(store, name)
		if e, ok := errors.AsType[*assay.Error](err); !ok || e.Code != code {
			t.Errorf("%s: got %v, want [%s]", name, err, code)
		}
	}
}

// A folder of several runs is no run, and the error lists them; read as several it gives
// each with the name of its folder.
func TestFolderOfSeveral(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	store := t.TempDir()
	a, b := keep(t, store, demo("aaaa", 1), true), keep(t, store, demo("bbbb", 2), true)
	if err := os.Mkdir(filepath.Join(store, "notes"), 0o777); err != nil {
		t.Fatal(err)
	}
	_, err := Open("none", store)
	if c, ok := errors.AsType[*Choice](err); !ok || c.Folder != store || !slices.Equal(c.Runs, []string{filepath.ToSlash(a), filepath.ToSlash(b)}) {
		t.Errorf("got %v, want a choice of both", err)
	}
	list, err := OpenAll("none", store)
	if err != nil || len(list) != 2 || list[0].Sub != "aaaa" || list[1].Sub != "bbbb" || list[1].Result.Run != "bbbb" {
		t.Errorf("got %+v, %v, want both", list, err)
	}
	edit(t, filepath.Join(a, record.TrialsFile), `"n":100`, `"n":101`)
	_, err = OpenAll("none", store)
	if e, ok := errors.AsType[*assay.Error](err); !ok || e.Code != assay.CodeBadRecord {
		t.Errorf("a record that was edited: got %v, want [%s]", err, assay.CodeBadRecord)
	}
}

// Arguments name runs, folders of runs and machines; folders without a run are listed, and
// are an error where there is nothing else.
func TestSources(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	store, empty := t.TempDir(), t.TempDir()
	keep(t, store, demo("aaaa", 1), true)
	keep(t, store, demo("bbbb", 2), true)
	out, none, err := Sources(store, []string{"bbbb", empty, "box=" + store})
	var got [][2]string
	for _, s := range out {
		got = append(got, [2]string{s.Machine, s.Result.Run})
	}
	if want := [][2]string{{"", "bbbb"}, {"box", "aaaa"}, {"box", "bbbb"}}; err != nil || !reflect.DeepEqual(got, want) || !slices.Equal(none, []string{empty}) {
		t.Errorf("got %q without %q, %v, want %q without %q", got, none, err, want, empty)
	}
	_, _, err = Sources(store, []string{empty})
	if e, ok := errors.AsType[*assay.Error](err); !ok || e.Code != assay.CodeNoRun {
		t.Errorf("only an empty folder: got %v", err)
	}
}

// A name stands before the first sign, unless the whole is a path that exists.
func TestSplitName(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.Mkdir("a=b", 0o777); err != nil {
		t.Fatal(err)
	}
	for in, want := range map[string][2]string{"box=7k2m": {"box", "7k2m"}, "7k2m": {"", "7k2m"}, "=7k2m": {"", "=7k2m"}, "a=b": {"", "a=b"},
		"a=c": {"a", "c"}, "x=y=z": {"x", "y=z"}, "box=": {"box", ""}, "": {"", ""}} {
		if name, run := SplitName(in); name != want[0] || run != want[1] {
			t.Errorf("%q: got %q and %q, want %q", in, name, run, want)
		}
	}
}

package runs

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/record"
)

// laid writes files into a folder, by their names.
func laid(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		name = filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// A command that runs the study of a record finds it beside the run where the path of the
// record leads to none or to another; any other command stays as it is.
func TestStudyHere(t *testing.T) {
	const text = "name = \"codec\"\n"
	for _, x := range []struct {
		what          string
		files         map[string]string
		dir, in, want string
	}{
		{"above the run", map[string]string{"s/study.toml": text}, "s/record/main", "assay run --budget=5m studies/x", "assay run --budget=5m s"},
		{"edited since", map[string]string{"s/study.toml": "# new\nname   = \"codec\"\nbudget = 1\n"}, "s/record", "assay run studies/x", "assay run s"},
		{"a file of another name", map[string]string{"s/tune.toml": text, "s/study.toml": "name = \"other\"\n"}, "s/record",
			"assay tune studies/x/tune.toml", "assay tune s/tune.toml"},
		{"where the record says", map[string]string{"s/study.toml": text, "old/study.toml": text}, "s/record", "assay run old", "assay run old"},
		{"another study where the record says", map[string]string{"s/study.toml": text, "old/study.toml": "name = \"other\"\n"}, "s/record", "assay run old", "assay run s"},
		{"another study above", map[string]string{"s/study.toml": "name = \"codec2\"\n"}, "s/record", "assay run old", "assay run old"},
		{"too far above", map[string]string{"s/study.toml": text}, "s/a/b/c/d", "assay run old", "assay run old"},
		{"no study", map[string]string{"s/study.toml": text}, "s/record", "assay compare old new", "assay compare old new"},
		{"an archive", map[string]string{"study.toml": text}, "", "assay run old", "assay run old"},
		{"a name to quote", map[string]string{"my study/study.toml": text}, "my study/record", "assay run old", "assay run 'my study'"},
	} {
		t.Run(x.what, func(t *testing.T) {
			t.Chdir(t.TempDir())
			laid(t, ".", x.files)
			f := &Found{Run: &record.Run{Plan: &assay.Plan{Study: assay.Study{Name: "codec"}}, Study: []byte(text)}, Dir: filepath.FromSlash(x.dir)}
			if got := f.studyHere(x.in); got != x.want {
				t.Errorf("got %q, want %q", got, x.want)
			}
		})
	}
}

// A command that shows two profiles names them where they are, and is left out where one of
// them is not.
func TestProfilesHere(t *testing.T) {
	t.Chdir(t.TempDir())
	laid(t, "runs/x", map[string]string{"evidence/0001.pprof": "a", "evidence/0002.pprof": "b"})
	f := &Found{Run: &record.Run{}, Dir: filepath.FromSlash("runs/x")}
	const command, one, two = "go tool pprof -top -diff_base=/old/1 /old/2", "evidence/0001.pprof", "evidence/0002.pprof"
	for _, x := range []struct{ command, base, variant, want string }{
		{command, one, two, "go tool pprof -top -diff_base=runs/x/evidence/0001.pprof runs/x/evidence/0002.pprof"},
		{command, one, "evidence/0003.pprof", ""},
		{command, "", two, ""},
		{"pprof", one, two, ""},
		{"go 'tool", one, two, ""},
	} {
		if got := f.profilesHere(x.command, x.base, x.variant); got != x.want {
			t.Errorf("%+v: got %q", x, got)
		}
	}
	f.Dir = ""
	if got := f.profilesHere(command, one, two); got != "" {
		t.Errorf("in an archive: got %q", got)
	}
}

// What a reader gets calls the run as the user did, and what it was made of stays as it was.
func TestForReader(t *testing.T) {
	t.Chdir(t.TempDir())
	laid(t, "s", map[string]string{"study.toml": "x", "record/a": "", "record/b": ""})
	f := &Found{Run: &record.Run{Plan: &assay.Plan{Study: assay.Study{Name: "codec"}}, Study: []byte("x")}, Dir: filepath.FromSlash("s/record"), Ref: "s/record"}
	cpu := &assay.CPUChange{Command: "go tool pprof -diff_base=old/a old/b", BaseFile: "a", VariantFile: "b"}
	allocs := &assay.AllocChange{Command: "go tool pprof -diff_base=old/a old/c", BaseFile: "a", VariantFile: "c"}
	more := assay.Warning{Code: assay.CodeUndecided, Facts: []string{"wide", "2 more"}, Try: "assay run --more 5m old"}
	stored := assay.Result{Run: "7k2m", Command: "assay run old", Warnings: []assay.Warning{more}, Explanations: []assay.Explanation{{CPU: cpu, Allocs: allocs}}}
	r := stored
	f.forReader(&r)
	if r.Ref != "s/record" || r.Command != "assay run s" {
		t.Errorf("got run %q by %q, want s/record by the study above it", r.Ref, r.Command)
	}
	if w := r.Warnings[0]; w.Try != "" || w.Facts[1] != "--more 5m would add to run 7k2m, where it was measured" {
		t.Errorf("got the advice %+v, want none to go on with a run that is elsewhere", w)
	}
	if e := r.Explanations[0]; e.CPU.Command != "go tool pprof -diff_base=s/record/a s/record/b" || e.Allocs.Command != "" {
		t.Errorf("got commands %q and %q, want one for the profiles that are here", e.CPU.Command, e.Allocs.Command)
	}
	if stored.Warnings[0].Try != more.Try || stored.Explanations[0].CPU != cpu || cpu.Command != "go tool pprof -diff_base=old/a old/b" || allocs.Command == "" {
		t.Errorf("the stored result was changed: %+v", stored)
	}
	f.Dir = filepath.Join(DefaultStore, "7k2m")
	r = stored
	f.forReader(&r)
	if r.Warnings[0].Try != more.Try {
		t.Errorf("where it was measured: got the advice %q, want %q", r.Warnings[0].Try, more.Try)
	}
}

// A path is told from the name of a run by its slash.
func TestPathRef(t *testing.T) {
	for in, want := range map[string]string{"x": "./x", filepath.Join("a", "b"): "a/b", "/a": "/a", "./x": "./x"} {
		if got := pathRef(in); got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
}

package spec

import (
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/seed-1318a441/assay"
)

const stepsOfDir = "[[phase]]\nid = \"A\"\n[steps]\nbase = { rev = \"v1\" }\nmodule = \"x.org/m\"\ndir = \"steps\"\n"

// files is a file system of texts by name.
func files(texts map[string]string) fs.FS {
	m := fstest.MapFS{}
	for name, text := range texts {
		m[name] = &fstest.MapFile{Data: []byte(text), Mode: 0o644}
	}
	return m
}

func TestFiles(t *testing.T) {
	s, err := Parse("s.toml", []byte(stepsOfDir+"[report]\nintro = \"./intro.md\"\n"))
	if err != nil {
		t.Fatal(err)
	}
	fsys := files(map[string]string{
		"intro.md":                   "\ufeff# Go\r\n\r\nsee other.md\r\n\r\n",
		"steps/02_fast-path.md":      "---\nname = \"two\"\nversion = \"v1.2.0\"\n---",
		"steps/01-new-scanner.md":    "+++\nrev = \"arc/01\"\nphase = \"A\"\nwatch = [\"Decode\"]\n+++\n\nReads the text *once*.\n\n+++\nmore\n",
		"steps/10-last.md":           "+++ \r\nrev = \"arc/10\"\r\n+++\r\nText.\r\n",
		"steps/README.md":            "about the steps",
		"steps/notes.txt":            "not a step",
		"steps/.hidden.md":           "nor this",
		"steps/old/01-not-looked.md": "nor this",
	})
	if err := Files(s, fsys); err != nil {
		t.Fatal(err)
	}
	wantVariants := []assay.Variant{{Name: "v1", Rev: "v1"}, {Name: "new scanner", Rev: "arc/01"}, {Name: "two", Module: "x.org/m@v1.2.0"}, {Name: "last", Rev: "arc/10"}}
	wantList := []assay.Step{
		{Variant: "new scanner", Phase: "A", Watch: []string{"Decode"}, Story: "Reads the text *once*.\n\n+++\nmore"},
		{Variant: "two"}, {Variant: "last", Story: "Text."},
	}
	if !reflect.DeepEqual(s.Variants, wantVariants) || !reflect.DeepEqual(s.Steps.List, wantList) {
		t.Errorf("got  %+v, %+v\nwant %+v, %+v", s.Variants, s.Steps.List, wantVariants, wantList)
	}
	if want := "# Go\n\nsee other.md\n"; s.Report.Intro != want {
		t.Errorf("intro %q, want %q", s.Report.Intro, want)
	}
	before := *s
	if err := Files(s, files(nil)); err != nil || !reflect.DeepEqual(*s, before) {
		t.Errorf("files read twice: %v", err)
	}
	back, err := Parse("s.toml", Format(s))
	if err == nil {
		err = Files(back, fsys)
	}
	if err != nil || !reflect.DeepEqual(back, s) {
		t.Errorf("%v\ngot  %+v\nwant %+v", err, back, s)
	}
}

// TestFilesOfNone: a study that names no file needs no file system.
func TestFilesOfNone(t *testing.T) {
	for _, text := range []string{tomlArc[:strings.Index(tomlArc, "[report]")], mere, "[[variant]]\nname = 'a'\n[report]\nintro = 'About go.mod.'\n"} {
		s, err := Parse("s.toml", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if err := Files(s, nil); err != nil {
			t.Error(err)
		}
	}
}

func TestFileErrors(t *testing.T) {
	one := func(text string) map[string]string { return map[string]string{"steps/01-a.md": text} }
	for _, test := range []struct {
		name  string
		files map[string]string
		want  string
	}{
		{"no folder", nil, `read steps: there is no such folder below the study's folder   [study-value]`},
		{"a file", map[string]string{"steps": "x"}, `read steps: it is no folder   [study-value]`},
		{"no step", map[string]string{"steps/README.md": ""}, `read steps: it has no step, which is a file such as 01-new-scanner.md   [study-value]`},
		{"empty", one(""), "steps/01-a.md:1:1: step begins with no front matter: a line +++, keys such as rev, and a line +++   [study-syntax]\n  try: +++ alone in the first line"},
		{"no end", one("+++\nrev = \"a\"\n"), `steps/01-a.md:1:1: front matter does not end: no second line +++   [study-syntax]`},
		{"other fence", one("---\nrev = \"a\"\n+++\n"), `steps/01-a.md:1:1: front matter does not end: no second line ---   [study-syntax]`},
		{"YAML", one("---\ntags: []\nname: new scanner\n---\n"), `steps/01-a.md:2:1: front matter looks like YAML, and is TOML here   [study-syntax]`},
		{"YAML with try", one("---\n\nname: new scanner\r\n---\n"), "steps/01-a.md:3:1: front matter looks like YAML, and is TOML here   [study-syntax]\n  try: name = \"new scanner\""},
		{"unknown key", one("+++\nrev = \"a\"\nphas = \"A\"\n+++\n"), `steps/01-a.md:3:1: unknown key "phas" in the front matter of a step; did you mean "phase"?   [study-key]`},
		{"phase", one("+++\nrev = \"a\"\nphase = \"B\"\n+++\n"), `steps/01-a.md:3:9: phase = "B" is no id of a [[phase]]   [study-value]`},
		{"story", one("+++\nstory = \"B\"\n+++\n"), `steps/01-a.md:2:1: put the story below the front matter, not in "story"   [study-key]`},
		{"run", one("+++\nrun = [\"x\"]\n+++\n"), `steps/01-a.md:2:7: run = […] is for a [[workload]] of kind = "command" or "service"; Go benchmarks have no command line   [study-value]`},
		{"twice", map[string]string{"steps/01-a.md": "+++\n+++\n", "steps/02-b.md": "+++\nname = \"a\"\n+++\n"}, `steps/02-b.md:2:8: name = "a" is used twice   [study-value]`},
		{"base", map[string]string{"steps/01-v1.md": "+++\n+++\n"}, `steps/01-v1.md:1:1: step has no name, and "v1", which would be its name, is used twice   [study-value]`},
		{"reserved", map[string]string{"steps/3-control.md": "+++\n+++\n"}, `steps/3-control.md:1:1: step has no name of its own, and "control" is reserved for the base's second appearance   [study-value]`},
		{"large", one(strings.Repeat("x", 1<<20+1)), `read steps/01-a.md: it is larger than 1 MiB   [study-value]`},
		{"file name", map[string]string{"steps/\x1b[31m.md": "+++\n+++\n"}, `read "steps/\x1b[31m.md": its name cannot be printed   [study-value]`},
	} {
		t.Run(test.name, func(t *testing.T) {
			s, err := Parse("s.toml", []byte(stepsOfDir))
			if err != nil {
				t.Fatal(err)
			}
			checkUsage(t, Files(s, files(test.files)), test.want)
		})
	}
	s, err := Parse("s.toml", []byte("[[variant]]\nname = 'a'\n[report]\nintro = 'intro.md'\n"))
	if err != nil {
		t.Fatal(err)
	}
	checkUsage(t, Files(s, files(nil)), `read intro.md: there is no such file below the study's folder   [study-value]`)
	checkUsage(t, Files(s, files(map[string]string{"intro.md/x": ""})), `read intro.md: it is no file   [study-value]`)

	many := map[string]string{}
	for i := range maxSteps + 1 {
		many["steps/"+strings.Repeat("x", i+1)+".md"] = "+++\n+++\n"
	}
	if s, err = Parse("s.toml", []byte(stepsOfDir)); err != nil {
		t.Fatal(err)
	}
	checkUsage(t, Files(s, files(many)), `read steps: it has more than 200 steps   [study-value]`)
}

// TestFilesStayInside: through an os.Root, no link leads out of the folder.
func TestFilesStayInside(t *testing.T) {
	dir, outside := t.TempDir(), filepath.Join(t.TempDir(), "secret.md")
	if err := os.WriteFile(outside, []byte("secret"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside, filepath.Join(dir, "intro.md")); err != nil {
		t.Skip(err) // Windows asks for a right
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	s := &assay.Study{Report: assay.Report{Intro: "intro.md"}}
	if err := Files(s, root.FS()); err == nil || s.Report.Intro != "intro.md" {
		t.Errorf("got %v, intro %q", err, s.Report.Intro)
	} else {
		checkExit(t, err)
	}
}

func TestFileTitle(t *testing.T) {
	for name, want := range map[string]string{
		"steps/01-new-scanner.md": "new scanner", "10_a_b.md": "a b", "2. pool buffers.md": "pool buffers", "03.md": "03", "007-.md": "007-", "64bit.md": "64bit", "---.md": "---",
	} {
		if got := fileTitle(name); got != want {
			t.Errorf("fileTitle(%q) = %q, want %q", name, got, want)
		}
	}
}

// FuzzFiles: no file of a step ends the program, and every error is one for the
// user.
func FuzzFiles(f *testing.F) {
	f.Add("+++\nrev = 'a'\nphase = 'A'\n+++\nstory")
	f.Add("---\nname: x\n---\n")
	f.Add("\ufeff+++\r\nversion = 'v1.0.0'\r\nenv.GOGC = 1\r\n+++\r\n\xff\x00")
	f.Fuzz(func(t *testing.T, text string) {
		s, err := Parse("s.toml", []byte(stepsOfDir))
		if err != nil {
			t.Fatal(err)
		}
		if err := Files(s, files(map[string]string{"steps/1-x.md": text})); err != nil {
			checkExit(t, err)
			return
		}
		s.Steps.Dir = "" // the same as a list
		roundTrip(t, s)
	})
}

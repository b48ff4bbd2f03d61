package output

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/errortest"
	"github.com/seed-1318a441/assay/internal/markdown"
	"github.com/seed-1318a441/assay/internal/page"
	"github.com/seed-1318a441/assay/internal/record"
	"github.com/seed-1318a441/assay/internal/runs"
)

// published is the run of a study of one benchmark, "literal" against "append".
func published(t *testing.T) runs.Source {
	t.Helper()
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	run, err := runs.Read("../../studies/queue-path/record", "queue-path")
	if err != nil {
		t.Fatal(err)
	}
	r, err := run.Result()
	if err != nil {
		t.Fatal(err)
	}
	return runs.Source{Ref: "queue-path", Result: r, Run: run.Run}
}

// elsewhere is the same result as if another machine had measured it, without its record.
func elsewhere(s runs.Source) runs.Source {
	r := *s.Result
	r.Run, r.Platform.ID, r.Platform.Host, r.Platform.CPU = "other", "other", "", "Another CPU"
	return runs.Source{Ref: "other.json", Result: &r}
}

// reported puts sources side by side.
func reported(t *testing.T, embed page.Embed, sources ...runs.Source) *Report {
	t.Helper()
	m, err := Merge(sources)
	if err != nil {
		t.Fatal(err)
	}
	return &Report{Merged: m, Sources: sources, Embed: embed}
}

func encoded(t *testing.T, o *Report, format string) []byte {
	t.Helper()
	text, err := o.Encode(format)
	if err != nil {
		t.Fatalf("%s: %v", format, err)
	}
	return text
}

// Every format has the result in its own form, which readers of that form accept.
func TestEncodeOneMachine(t *testing.T) {
	s := published(t)
	o := reported(t, page.EmbedFive, s)
	back, err := record.DecodeResult("result.json", encoded(t, o, JSON))
	if err != nil || back.Run != s.Result.Run || back.Answer.Use != "literal" {
		t.Errorf("JSON: got %+v, %v, want the run and the advice to use literal", back, err)
	}
	if text := string(encoded(t, o, Markdown)); !strings.HasPrefix(text, "### assay: ") || !strings.HasSuffix(text, markdown.Marker("queue-path")+"\n") {
		t.Errorf("Markdown: got %q", text)
	}
	lines := strings.Split(string(encoded(t, o, CSV)), "\n")
	if !strings.HasPrefix(lines[0], "metric,unit,") ||
		!strings.HasPrefix(lines[1], "sec/op,s,github.com/seed-1318a441/assay/studies/queue-path,MakeQueuePath,literal,append,append,") {
		t.Errorf("CSV: got %q", lines[:2])
	}
	if text := string(encoded(t, o, HTML)); !strings.Contains(text, "<html") || !strings.Contains(text, "Queue path") || !strings.Contains(text, s.Result.Run) {
		t.Errorf("HTML: got %d bytes without the names of study and run", len(text))
	}
	name := filepath.Join(t.TempDir(), "x.txt")
	if err := Write(name, encoded(t, o, Benchfmt)); err != nil {
		t.Fatal(err)
	}
	samples, _, err := runs.ReadFiles([]string{name}, "", "")
	if err != nil || samples.Base != "append" || !slices.Contains(samples.Variants, "literal") {
		t.Errorf("Go benchmark format: got %+v, %v, want variants append and literal", samples, err)
	}
}

// Of a result without its record there is no output that needs the trials.
func TestEncodeWithoutRecord(t *testing.T) {
	s := published(t)
	s.Run = nil
	o := reported(t, page.EmbedFive, s)
	_, err := o.Encode(Benchfmt)
	errortest.Want(t, err, assay.CodeOutput, assay.ExitUsage)
	for _, format := range []string{HTML, Markdown, CSV, JSON} {
		if len(encoded(t, o, format)) == 0 {
			t.Errorf("%s: got nothing", format)
		}
	}
}

// Of two machines there are all of both, or an error that says how many there are.
func TestEncodeSeveralMachines(t *testing.T) {
	s := published(t)
	o := reported(t, page.EmbedFive, s, elsewhere(s))
	var m assay.Merged
	if err := json.Unmarshal(encoded(t, o, JSON), &m); err != nil || len(m.Machines) != 2 || m.Machines[0].Result.Run != s.Result.Run || m.Machines[1].Result.Run != "other" {
		t.Errorf("JSON: got %d machines, %v", len(m.Machines), err)
	}
	if text := string(encoded(t, o, Markdown)); !strings.HasPrefix(text, "### assay: `queue-path` on 2 machines\n") {
		t.Errorf("Markdown: got %.80q", text)
	}
	if text := string(encoded(t, o, HTML)); !strings.Contains(text, "Another CPU") || !strings.Contains(text, s.Result.Platform.CPU) {
		t.Error("HTML: the page lacks a machine")
	}
	for _, format := range []string{CSV, Benchfmt} {
		_, err := o.Encode(format)
		if text := errortest.Want(t, err, assay.CodeOutput, assay.ExitUsage); !strings.Contains(text, "these are 2") {
			t.Errorf("%s: got %q, want the number of runs", format, text)
		}
	}
}

// All files of -o are written, each by its suffix; with a bad one there is an error.
func TestWriteAll(t *testing.T) {
	s := published(t)
	dir := t.TempDir()
	csv, md := filepath.Join(dir, "x.csv"), filepath.Join(dir, "x.md")
	if err := WriteAll([]string{csv, md}, s.Result, s.Run); err != nil {
		t.Fatal(err)
	}
	for name, begin := range map[string]string{csv: "metric,unit,", md: "### assay: "} {
		if text, err := os.ReadFile(name); err != nil || !strings.HasPrefix(string(text), begin) {
			t.Errorf("%s: got %.40q, %v, want it to begin with %q", name, text, err, begin)
		}
	}
	page := filepath.Join(dir, "x.html")
	errortest.Want(t, WriteAll([]string{page, filepath.Join(dir, "x.pdf")}, s.Result, s.Run), assay.CodeOutput, assay.ExitUsage)
	if _, err := os.Stat(page); err == nil {
		t.Error("a file was written beside one that is impossible")
	}
	if err := WriteAll(nil, nil, nil); err != nil {
		t.Errorf("no file: got %v", err)
	}
}

// A page has the study, the platform and commands without the author's paths; samples and
// replays as far as they are wanted.
func TestPageOfRun(t *testing.T) {
	s := published(t)
	run := s.Result.Run
	for embed, x := range map[page.Embed]struct {
		files   []string
		replays int
	}{
		page.EmbedFive: {[]string{"study.toml", run + "-environment.json"}, 1},
		page.EmbedAll:  {[]string{"study.toml", run + "-results.txt", run + "-environment.json"}, 1},
		page.EmbedNone: {[]string{"study.toml", run + "-environment.json"}, 0},
	} {
		p, err := reported(t, embed, s).Page()
		if err != nil {
			t.Fatal(err)
		}
		var files, commands []string
		for _, f := range p.Files {
			files = append(files, f.Name)
		}
		for _, c := range p.Commands {
			commands = append(commands, c.Line)
		}
		if !slices.Equal(files, x.files) || len(p.Replays) != x.replays {
			t.Errorf("%s: got files %q and %d replays, want %q and %d", embed, files, len(p.Replays), x.files, x.replays)
		}
		if want := []string{"assay run .", "assay show " + run + "-result.json", "assay explain " + run}; !slices.Equal(commands, want) {
			t.Errorf("%s: got commands %q, want %q", embed, commands, want)
		}
		if len(p.Series) == 0 || len(p.Method) == 0 || p.Files[0].Text != string(s.Run.Study) {
			t.Errorf("%s: got %d series, %d facts and study %q", embed, len(p.Series), len(p.Method), p.Files[0].Text)
		}
	}
}

// A page of two machines has what belongs to the run of each at its own place; a result
// without its record adds nothing.
func TestPageOfTwo(t *testing.T) {
	s := published(t)
	p, err := reported(t, page.EmbedFive, elsewhere(s), s).Page()
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Series) == 0 || p.Series[0].Machine != 1 || len(p.Replays) != 1 || p.Replays[0].Machine != 1 {
		t.Errorf("got series %+v and replays of machine %+v, want them of the second machine", p.Series, p.Replays)
	}
	if len(p.Files) != 1 || p.Files[0].Name != s.Result.Run+"-environment.json" || len(p.Commands) != 1 {
		t.Errorf("got files %+v and commands %+v, want the platform of the run, and how to repeat the first", p.Files, p.Commands)
	}
}

// A machine's source is the one with its run, its time and its platform, in whichever
// order they come.
func TestSourceOf(t *testing.T) {
	at := func(run string, day int, platform string) *assay.Result {
		return &assay.Result{Run: run, Created: time.Date(2026, 1, day, 0, 0, 0, 0, time.UTC), Platform: assay.Platform{ID: platform}}
	}
	list := []*assay.Result{at("a", 1, "x"), at("a", 2, "x"), at("a", 1, "y"), at("b", 1, "x")}
	o := &Report{}
	for _, r := range list {
		o.Sources = append(o.Sources, runs.Source{Result: r})
	}
	for i, r := range list {
		if got := o.sourceOf(assay.Machine{Result: *r}); got.Result != r {
			t.Errorf("result %d: got that of %+v", i, got.Result)
		}
	}
}

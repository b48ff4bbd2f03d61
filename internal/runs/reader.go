package runs

import (
	"bytes"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/analysis/answer"
	"github.com/seed-1318a441/assay/internal/shell"
)

// A record names its run, its study and its profiles as they were called where it was
// measured. Whoever reads it elsewhere cannot paste that.

// maxUp is the number of folders above a run's in which its study is looked for.
const maxUp = 3

// forReader changes the commands of a result so that they work here: they call the run
// as the user did, find the study beside the run if the record's path to it leads nowhere,
// and show only profiles that are there.
func (f *Found) forReader(r *assay.Result) {
	r.Ref = f.Ref
	r.Command = f.studyHere(r.Command)
	r.Warnings = slices.Clone(r.Warnings)
	for i := range r.Warnings {
		if w := &r.Warnings[i]; filepath.Dir(filepath.Clean(f.Dir)) == DefaultStore {
			w.Try = f.studyHere(w.Try)
		} else {
			*w = answer.Elsewhere(r, *w)
		}
	}
	r.Explanations = slices.Clone(r.Explanations)
	for i := range r.Explanations {
		e := &r.Explanations[i]
		if e.CPU != nil {
			cpu := *e.CPU
			cpu.Command, e.CPU = f.profilesHere(cpu.Command, cpu.BaseFile, cpu.VariantFile), &cpu
		}
		if e.Allocs != nil {
			allocs := *e.Allocs
			allocs.Command, e.Allocs = f.profilesHere(allocs.Command, allocs.BaseFile, allocs.VariantFile), &allocs
		}
	}
}

// profilesHere returns the command that shows two profiles, "" if they are not in the run
// folder.
func (f *Found) profilesHere(command, base, variant string) string {
	words, err := shell.Split(command)
	n := len(words)
	if err != nil || n < 2 || f.Dir == "" {
		return ""
	}
	for _, name := range []string{base, variant} {
		if _, err := os.Stat(filepath.Join(f.Dir, filepath.FromSlash(name))); err != nil || name == "" {
			return ""
		}
	}
	dir := filepath.ToSlash(f.Dir)
	words[n-2], words[n-1] = "-diff_base="+path.Join(dir, base), path.Join(dir, variant)
	return shell.Join(words)
}

// studyHere returns a command that runs the study of the run. If its path leads to no such
// study, the study above the run folder takes its place.
func (f *Found) studyHere(command string) string {
	c, _ := shell.ParseCommand(command)
	if f.Dir == "" || c.Study() == "" || f.isStudy(c.Study()) {
		return command
	}
	file := "study.toml"
	if strings.HasSuffix(c.Study(), ".toml") {
		file = path.Base(filepath.ToSlash(c.Study()))
	}
	dir := f.Dir
	for range maxUp {
		dir = filepath.Join(dir, "..")
		if found := filepath.Join(dir, file); f.isStudy(found) {
			if file == "study.toml" {
				found = dir
			}
			return c.WithStudy(filepath.ToSlash(found)).String()
		}
	}
	return command
}

// isStudy reports whether a file, or the study.toml of a folder, is the study of the run:
// the same text, or one with the same name, which was edited since.
func (f *Found) isStudy(name string) bool {
	if info, err := os.Stat(name); err == nil && info.IsDir() {
		name = filepath.Join(name, "study.toml")
	}
	text, err := os.ReadFile(name)
	named := regexp.MustCompile(`(?m)^name\s*=\s*"` + regexp.QuoteMeta(f.Plan.Study.Name) + `"`)
	return err == nil && (bytes.Equal(text, f.Study) || named.Match(text))
}

// pathRef returns a path by which commands find a run folder.
func pathRef(dir string) string {
	ref := filepath.ToSlash(dir)
	if !strings.Contains(ref, "/") {
		ref = "./" + ref
	}
	return ref
}

// A Choice is the error for a folder of several runs where one is wanted.
type Choice struct {
	// Folder is the folder as the user named it, Runs are the paths of the runs in it.
	Folder string
	Runs   []string
}

// Error implements error.
func (e *Choice) Error() string { return e.Folder + " contains several runs" }

// onlyRun returns the path of the only run in a folder of runs; name itself if it names
// something else. The error is a *Choice if there are several.
func onlyRun(name string) (string, error) {
	info, err := os.Stat(name)
	if err != nil || !info.IsDir() || IsRun(name) || !strings.ContainsAny(name, `/\.`) {
		return name, nil
	}
	below, err := runsBelow(name)
	switch {
	case err != nil || len(below) == 0:
		return name, err
	case len(below) == 1:
		return pathRef(below[0]), nil
	}
	for i := range below {
		below[i] = pathRef(below[i])
	}
	return name, &Choice{Folder: name, Runs: below}
}

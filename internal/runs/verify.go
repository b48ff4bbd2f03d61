package runs

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/printable"
	"github.com/seed-1318a441/assay/internal/record"
	"github.com/seed-1318a441/assay/internal/shell"
)

// A Verifier checks records against themselves, and their results against the trials.
type Verifier struct {
	// Store is the folder of the runs.
	Store string
	// Recompute writes results anew where they do not follow from the trials, lists the
	// verdicts that changed, and writes their reports with Report.
	Recompute bool
	Report    func(io.Writer, *assay.Result) error
	// Tell takes a line for each record: what it is, or what is wrong with it.
	Tell func(line string)
	// Bad is true once something was wrong.
	Bad bool
}

// Verify verifies what a name stands for: a run, a file, or the runs in the folders of a
// folder. It reports whether there are any. The error says that the name means nothing.
func (v *Verifier) Verify(name string) (found bool, err error) {
	info, err := os.Stat(name)
	switch {
	case err == nil && !info.IsDir():
		v.file(name)
		return true, nil
	case err == nil && IsRun(name):
		v.folder(filepath.Clean(name), name)
		return true, nil
	case err == nil && strings.ContainsAny(name, `/\.`):
		below, err := runsBelow(name)
		for _, dir := range below {
			v.folder(dir, filepath.ToSlash(dir))
		}
		return len(below) > 0, err
	}
	e, err := FindEntry(v.Store, name)
	if err == nil {
		v.folder(e.Dir, e.Run)
	}
	return true, err
}

// file verifies a run folder in a zip file, or a result. It verifies the run of a result
// in a run folder; of any other it checks that it is whole.
func (v *Verifier) file(name string) {
	data, err := os.ReadFile(name)
	switch dir := filepath.Dir(name); {
	case err != nil:
		v.tell(name, err, "")
	case IsArchive(data):
		run, err := ReadArchive(name, data)
		v.check(name, run, err)
	case IsRun(dir) && strings.TrimSuffix(filepath.Base(name), ".gz") == record.ResultFile:
		v.folder(dir, filepath.ToSlash(dir))
	default:
		r, err := DecodeResult(name, data)
		if err != nil {
			v.tell(name, err, "")
			return
		}
		v.tell(name, nil, "whole, computed by assay "+VersionName(r.Assay)+"; not checked, its trials are not here")
	}
}

// folder verifies a run folder, after computing its result anew if that is wanted.
func (v *Verifier) folder(dir, ref string) {
	run, err := Read(dir, ref)
	var changed []string
	if err == nil && v.Recompute {
		changed, err = run.Recompute(v.Report)
	}
	v.check(ref, run, err)
	for _, line := range changed {
		v.Tell("  " + line)
	}
}

// check reports whether a run could be read and its result follows from its trials.
func (v *Verifier) check(ref string, run *Found, err error) {
	if err == nil {
		err = run.Verify()
	}
	if err != nil {
		v.tell(ref, err, "")
		return
	}
	v.tell(ref, nil, describe(run))
}

// describe says in a few words what a whole record is.
func describe(run *Found) string {
	text := fmt.Sprintf("run %s, %s in %s, ", run.Plan.Run, printable.Count(len(run.Trials), "trial"), printable.Count(len(run.Blocks()), "block")) +
		cmp.Or(string(run.Ending.Stop), "cut off")
	if run.madeHere() {
		return text + "; made here by this user"
	}
	return text + "; origin unknown"
}

// tell reports a run in a line.
func (v *Verifier) tell(ref string, err error, ok string) {
	if err == nil {
		v.Tell(ref + ": ok: " + ok)
		return
	}
	v.Bad = true
	line := printable.OneLine(err)
	if e, told := errors.AsType[*assay.Error](err); told {
		line = strings.Join(e.Facts, "; ") + "   [" + string(e.Code) + "]"
		if e.Code != assay.CodeBadRecord {
			line = printable.OneLine(e)
		} else if e.Try != "assay verify "+shell.Quote(ref) {
			line += " " + e.Remedy()
		}
	}
	v.Tell(ref + ": " + line)
}

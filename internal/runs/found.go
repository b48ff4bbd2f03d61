package runs

import (
	"cmp"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/cache"
	"github.com/seed-1318a441/assay/internal/printable"
	"github.com/seed-1318a441/assay/internal/record"
	"github.com/seed-1318a441/assay/internal/shell"
)

// A Found is a run read from its folder, with a complete record.
type Found struct {
	*record.Run
	// Ending is the run's end, the zero value if it was interrupted.
	Ending assay.End
	// Dir is the run folder, "" for a run read from an archive.
	Dir string
	// Ref is the run's name on the command line.
	Ref string
}

// DefaultStore is the folder of the runs that commands find by their ids.
const DefaultStore = ".assay"

// FindEntry finds a run by the name that a user typed, or the only run in a folder. The
// error for a folder of several is a *Choice.
func FindEntry(store, name string) (record.Entry, error) {
	name, err := onlyRun(name)
	if err != nil {
		return record.Entry{}, err
	}
	e, err := record.Find(store, name)
	if err != nil {
		return e, notFound(store, name, err)
	}
	return e, nil
}

// notFound returns the error for a name that no run has; a *Misnamed if one has a similar
// name.
func notFound(store, name string, err error) error {
	e := assay.UsageError(assay.CodeNoRun, err.Error(), "assay list")
	runs, err := record.List(store)
	switch {
	case err != nil, strings.ContainsAny(name, `/\.`):
		return e
	case len(runs) == 0:
		e.Try = "assay compare --help"
		return e
	}
	known := []string{"last"}
	for _, r := range runs {
		known = append(known, r.Study, r.Run)
	}
	if right := printable.NearestName(name, known); right != "" && right != name {
		return &Misnamed{Err: e, Name: name, Right: right}
	}
	return e
}

// A Misnamed is the error for a name that is nearly that of a run or a study.
type Misnamed struct {
	// Err says that there is no run of this name.
	Err *assay.Error
	// Name is the name as typed, Right the one that was probably meant.
	Name, Right string
}

// Error implements error.
func (e *Misnamed) Error() string { return e.Err.Error() }

// Unwrap returns the *assay.Error.
func (e *Misnamed) Unwrap() error { return e.Err }

// Find finds and reads a run.
func Find(store, name string) (*Found, error) {
	e, err := FindEntry(store, name)
	if err != nil {
		return nil, err
	}
	ref := e.Run
	if strings.ContainsAny(name, `/\.`) || filepath.Clean(store) != DefaultStore {
		ref = pathRef(e.Dir)
	}
	return Read(e.Dir, ref)
}

// Read reads a run folder.
func Read(dir, ref string) (*Found, error) {
	f, err := ReadIn(record.Folder(dir), ref)
	if err == nil {
		f.Dir = dir
	}
	return f, err
}

// ReadIn reads a run from fsys.
func ReadIn(fsys fs.FS, ref string) (*Found, error) {
	run, err := record.Read(fsys)
	if err != nil {
		return nil, BadRecord(ref, err)
	}
	nameLevels(run)
	f := &Found{Run: run, Ref: ref}
	if run.End != nil {
		f.Ending = *run.End
	}
	return f, nil
}

// Result returns the stored result of the run if it follows from the trials, else an
// error. An interrupted run has none: its result is computed from its trials so far. A
// result verified on this machine before is not computed again.
func (f *Found) Result() (*assay.Result, error) {
	stored, err := f.stored()
	if err != nil || stored != nil && f.known(stored) {
		return stored, err
	}
	computed, err := f.checked(stored)
	if err == nil && stored != nil {
		Remember(cache.New(""), f.Head(), stored)
	}
	return computed, err
}

// stored returns the result in the folder, nil if there is none.
func (f *Found) stored() (*assay.Result, error) {
	stored, err := f.StoredResult()
	if err != nil {
		return nil, BadRecord(f.Ref, err)
	}
	return stored, nil
}

// checked recomputes the result, and compares it with the stored one if there is one.
func (f *Found) checked(stored *assay.Result) (*assay.Result, error) {
	computed, err := Derive(f.Run, f.Ending)
	if err != nil {
		return nil, BadRecord(f.Ref, err)
	}
	if stored == nil {
		return computed, nil
	}
	d, err := differenceOf(stored, computed)
	if err != nil || d == "" {
		return computed, err
	}
	e := BadRecord(f.Ref, &record.Fault{File: record.ResultFile, Text: d})
	e.Facts = append(e.Facts, "the result is wrong, not the trials; --recompute writes it again from them")
	if stored.Assay != assay.Version() {
		e.Facts = append(e.Facts, fmt.Sprintf("it was computed by another version, assay %s; this is assay %s, whose rules may differ", VersionName(stored.Assay), assay.Version()))
	}
	e.Suggest("assay verify --recompute " + shell.Quote(f.Ref))
	return nil, e
}

// Verify recomputes the result, even if it was verified before.
func (f *Found) Verify() error {
	stored, err := f.stored()
	if err != nil {
		return err
	}
	_, err = f.checked(stored)
	return err
}

// holds reports whether the folder has this result in today's form, computed by any version.
func (f *Found) holds(r *assay.Result) bool {
	stored, err := f.StoredResult()
	if err != nil || stored == nil {
		return false
	}
	d, err := differenceOf(stored, r)
	return err == nil && d == "" && f.HasEncoded(stored)
}

// ReportFile is the name of the file with a run's whole result as text.
func ReportFile(store, run string) string { return filepath.Join(store, run, record.ReportFile) }

// IsRun reports whether a folder has the plan of a run.
func IsRun(dir string) bool {
	_, err := fs.Stat(record.Folder(dir), record.PlanFile)
	return err == nil
}

// Recompute rewrites the result of a run if the stored one does not follow from its
// trials, or is in the form of an older assay, and lists the verdicts that changed. It rewrites the report with write.
func (f *Found) Recompute(write func(io.Writer, *assay.Result) error) (changed []string, err error) {
	r, err := Derive(f.Run, f.Ending)
	if err == nil && f.End != nil && !f.holds(r) { // an interrupted run has none
		if stored, err := f.StoredResult(); err == nil && stored != nil {
			changed = changedVerdicts(stored, r)
		}
		err = f.ReplaceResult(f.Dir, r)
	}
	if err != nil {
		return nil, BadRecord(f.Ref, err)
	}
	return changed, record.ReplaceReport(f.Dir, func(w io.Writer) error { return write(w, r) })
}

// changedVerdicts lists the comparisons with the base of which two results of one record
// have other verdicts.
func changedVerdicts(stored, now *assay.Result) (out []string) {
	type cell struct {
		metric, variant string
		benchmark       assay.Benchmark
	}
	each := func(r *assay.Result, see func(cell, assay.Verdict)) {
		for _, tab := range r.Tables {
			list := slices.Clone(tab.Geomean)
			for _, row := range tab.Rows {
				list = append(list, row.Cells...)
			}
			for _, c := range list {
				see(cell{tab.Metric.Name, c.Variant, c.Benchmark}, c.Verdict)
			}
		}
	}
	before := map[cell]assay.Verdict{}
	each(stored, func(c cell, v assay.Verdict) { before[c] = v })
	each(now, func(c cell, v assay.Verdict) {
		if old, ok := before[c]; ok && old != v {
			out = append(out, fmt.Sprintf("%s %s in %s: %s, was %s", cmp.Or(c.benchmark.Name, "geomean"), c.metric, c.variant, v, old))
		}
	})
	return out
}

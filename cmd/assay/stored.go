package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/build"
	"github.com/seed-1318a441/assay/internal/record"
	"github.com/seed-1318a441/assay/internal/shell"
)

// A foundRun is a run that was read from its folder, and whose record is whole.
type foundRun struct {
	*record.Run
	// end is what the run says at its end, nothing where it was cut off.
	end assay.End
	// dir is the run folder, "" for one that was read from an archive. ref is what one
	// types for the run.
	dir, ref string
}

// findEntry finds what a user types for a run.
func findEntry(store, name string) (record.Entry, error) {
	e, err := record.Find(store, name)
	if err != nil {
		try := "assay list"
		if runs, err := record.List(store); err == nil && len(runs) == 0 {
			try = "assay compare go1.25.7 go1.26.8 -- -bench=."
		}
		return e, assay.UsageError("no-run", err.Error(), try)
	}
	return e, nil
}

// findRun finds and reads a run.
func findRun(store, name string) (*foundRun, error) {
	e, err := findEntry(store, name)
	if err != nil {
		return nil, err
	}
	ref := e.Run
	if strings.ContainsAny(name, `/\`) {
		ref = name
	}
	return readRun(e.Dir, ref)
}

// readRun reads a run folder.
func readRun(dir, ref string) (*foundRun, error) {
	f, err := readRunIn(record.Folder(dir), ref)
	if err == nil {
		f.dir = dir
	}
	return f, err
}

// readRunIn reads a run from any files.
func readRunIn(fsys fs.FS, ref string) (*foundRun, error) {
	run, err := record.Read(fsys)
	if err != nil {
		return nil, badRecord(ref, err)
	}
	return &foundRun{Run: run, end: endOf(run), ref: ref}, nil
}

// result is the result of the run: the stored one, if it is what its trials mean, else an
// error. Where none is stored, since the run was cut off, it is that of what there is.
// What was found whole on this machine before is not computed again.
func (f *foundRun) result() (*assay.Result, error) {
	stored, err := f.stored()
	if err != nil || stored != nil && f.known(stored) {
		return stored, err
	}
	computed, err := f.checked(stored)
	if err == nil && stored != nil {
		rememberResult(f.Head(), stored)
	}
	return computed, err
}

// stored is the result that the folder holds, nil where it has none.
func (f *foundRun) stored() (*assay.Result, error) {
	stored, err := f.StoredResult()
	if err != nil {
		return nil, badRecord(f.ref, err)
	}
	return stored, nil
}

// checked computes the result anew, and compares it with the stored one, if there is one.
func (f *foundRun) checked(stored *assay.Result) (*assay.Result, error) {
	computed, err := derive(f.Run, f.end)
	if err != nil {
		return nil, badRecord(f.ref, err)
	}
	if stored == nil {
		return computed, nil
	}
	d, err := differenceOf(stored, computed)
	if err != nil || d == "" {
		return computed, err
	}
	e := badRecord(f.ref, &record.Fault{File: record.ResultFile, Text: d})
	e.Facts = append(e.Facts, "what is wrong is the result, not the trials; --recompute writes it anew from them")
	if stored.Assay != assay.Version() {
		e.Facts = append(e.Facts, fmt.Sprintf("it was computed by another version, assay %s; this is assay %s, whose rules may differ", orUnknown(stored.Assay), assay.Version()))
	}
	e.Try = "assay verify --recompute " + shell.Quote(f.ref)
	return nil, e
}

func orUnknown(s string) string {
	if s == "" {
		return "(unknown)"
	}
	return s
}

// badRecord says that a record does not fit together, and what to do.
func badRecord(ref string, err error) *assay.Error {
	e := &assay.Error{Exit: assay.ExitRefused, Warning: assay.Warning{Code: "bad-record", Text: "the record of " + ref + " is not as it was written",
		Facts: []string{oneLine(err)}, Try: "assay verify " + shell.Quote(ref) + "   (a copy that verifies, or another measurement, is needed)"}}
	if f, ok := errors.AsType[*record.Fault](err); ok && f.Unsealed {
		e.Text = "the record of " + ref + " has no chain to check it by"
		e.Try = "assay verify --seal " + shell.Quote(ref)
	} else if !ok && !errors.Is(err, record.ErrCollected) {
		e.Text = "the record of " + ref + " cannot be read"
	}
	return e
}

// A proof says that a result was computed from its record on this machine. It is kept in
// the cache, not with the record: a stranger's record cannot bring it along.
type proof struct {
	// Result is the digest of the result, Assay the version that computed it.
	Result string `json:"result"`
	Assay  string `json:"assay"`
}

const proofName = "verified"

func proofOf(r *assay.Result) (proof, error) {
	sum, err := record.ResultDigest(r)
	return proof{Result: sum, Assay: assay.Version()}, err
}

func (f *foundRun) known(stored *assay.Result) bool {
	want, err := proofOf(stored)
	var got proof
	return err == nil && build.New("").Load(f.Head(), proofName, &got) && got == want
}

// rememberResult keeps the proof of a result that was computed from the record with that
// head. One that cannot be kept costs time only.
func rememberResult(head string, r *assay.Result) {
	if p, err := proofOf(r); err == nil {
		_ = build.New("").Store(head, proofName, p)
	}
}

// isRun reports whether a folder has the plan of a run.
func isRun(dir string) bool {
	_, err := fs.Stat(record.Folder(dir), record.PlanFile)
	return err == nil
}

// sourceOf reads what an argument names: a run of the store, a run folder, or a file with
// a result.
func sourceOf(store, name string) (source, error) {
	info, err := os.Stat(name)
	switch {
	case err == nil && !info.IsDir():
		return sourceOfFile(name)
	case err == nil && isRun(name):
		return sourceOfFolder(name, "")
	case filepath.Ext(name) == ".json":
		return source{}, assay.UsageError("no-run", "there is no file "+name, "assay run -o "+name)
	}
	run, err := findRun(store, name)
	if err != nil {
		return source{}, err
	}
	return run.source("")
}

// sourceOfFile reads a result, with its run where it lies in the folder of one, or a zip
// file of a run folder.
func sourceOfFile(name string) (source, error) {
	dir, base := filepath.Split(name)
	if dir = filepath.Clean(dir); isRun(dir) && strings.TrimSuffix(base, ".gz") == record.ResultFile {
		return sourceOfFolder(dir, "")
	}
	data, err := os.ReadFile(name)
	if err != nil {
		return source{}, assay.UsageError("no-run", err.Error(), "")
	}
	if isArchive(data) {
		run, err := archivedRun(name, data)
		if err != nil {
			return source{}, err
		}
		return run.source("")
	}
	result, err := decodeResult(name, data)
	return source{ref: name, result: result}, err
}

// archivedRun reads a run folder from the data of a zip file.
func archivedRun(name string, data []byte) (*foundRun, error) {
	fsys, err := openArchive(data)
	if err != nil {
		return nil, assay.UsageError("no-run", fmt.Sprintf("%s: %v", name, err), "")
	}
	return readRunIn(fsys, name)
}

// sourceOfFolder reads a run folder; sub is its name in a folder of several.
func sourceOfFolder(dir, sub string) (source, error) {
	ref := filepath.ToSlash(dir)
	if !strings.Contains(ref, "/") {
		ref = "./" + ref
	}
	run, err := readRun(dir, ref)
	if err != nil {
		return source{}, err
	}
	return run.source(sub)
}

func (f *foundRun) source(sub string) (source, error) {
	r, err := f.result()
	return source{ref: f.ref, sub: sub, result: r, run: f.Run}, err
}

// decodeResult reads a result from a file of that name.
func decodeResult(name string, data []byte) (*assay.Result, error) {
	var is struct {
		Schema   int               `json:"schema"`
		Variants []json.RawMessage `json:"variants"`
		Answer   json.RawMessage   `json:"answer"`
	}
	switch err := json.Unmarshal(data, &is); {
	case err != nil:
		return nil, assay.UsageError("no-run", fmt.Sprintf("%s is no result: %v", name, err), "assay run -o result.json")
	case is.Schema == 0 || len(is.Variants) == 0 || is.Answer == nil:
		return nil, assay.UsageError("no-run", name+" is no result of a run", "assay run -o result.json")
	case is.Schema > assay.ResultSchema:
		return nil, assay.UsageError("no-run", fmt.Sprintf("%s: schema %d was written by a newer assay (this one knows %d)", name, is.Schema, assay.ResultSchema), "")
	}
	r, err := record.DecodeResult(filepath.Base(name), data)
	if err != nil {
		return nil, badResult(name, err)
	}
	return r, nil
}

// badResult says of a result without its record that it is not whole.
func badResult(name string, err error) *assay.Error {
	e := badRecord(name, err)
	e.Text, e.Try = "the result "+name+" is not as it was written", "assay show RUN --json > "+shell.Quote(name)+"   (RUN is the run that it is of)"
	return e
}

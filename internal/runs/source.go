package runs

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/analysis"
	"github.com/seed-1318a441/assay/internal/analysis/answer"
	"github.com/seed-1318a441/assay/internal/record"
)

// A Source is a result to report, with its run.
type Source struct {
	// Machine is the user's name for the machine, "" for none.
	Machine string
	// Sub is the name of a run folder inside a folder of several.
	Sub string
	// Ref is the run's name on the command line.
	Ref    string
	Result *assay.Result
	// Run is nil if there is only a result.
	Run *record.Run
}

// Open reads a run of the store, a run folder or the only one in a folder, or a file with a
// result.
func Open(store, name string) (Source, error) {
	info, err := os.Stat(name)
	switch {
	case err == nil && !info.IsDir():
		return sourceOfFile(name)
	case err == nil && IsRun(name):
		return sourceOfFolder(name, "")
	case err == nil:
		if name, err = onlyRun(name); err != nil {
			return Source{}, err
		}
	case filepath.Ext(name) == ".json":
		return Source{}, assay.UsageError(assay.CodeNoRun, "there is no file "+name, "assay run -o "+name)
	}
	run, err := Find(store, name)
	if err != nil {
		return Source{}, err
	}
	return run.source("")
}

// sourceOfFile reads a result, or a zip file of a run folder. A result in a run folder
// comes with its run.
func sourceOfFile(name string) (Source, error) {
	dir, base := filepath.Split(name)
	if dir = filepath.Clean(dir); IsRun(dir) && strings.TrimSuffix(base, ".gz") == record.ResultFile {
		return sourceOfFolder(dir, "")
	}
	data, err := os.ReadFile(name)
	if err != nil {
		return Source{}, assay.UsageError(assay.CodeNoRun, err.Error(), "")
	}
	if IsArchive(data) {
		run, err := ReadArchive(name, data)
		if err != nil {
			return Source{}, err
		}
		return run.source("")
	}
	result, err := DecodeResult(name, data)
	if err == nil {
		markAlone(result)
		result.Ref = name
		for i, w := range result.Warnings {
			result.Warnings[i] = answer.Elsewhere(result, w)
		}
	}
	return Source{Ref: name, Result: result}, err
}

// ReadArchive reads a run folder from the data of a zip file.
func ReadArchive(name string, data []byte) (*Found, error) {
	fsys, err := openArchive(data)
	if err != nil {
		return nil, assay.UsageError(assay.CodeNoRun, fmt.Sprintf("%s: %v", name, err), "")
	}
	return ReadIn(fsys, name)
}

// sourceOfFolder reads a run folder. sub is its name in a folder of several.
func sourceOfFolder(dir, sub string) (Source, error) {
	run, err := Read(dir, pathRef(dir))
	if err != nil {
		return Source{}, err
	}
	return run.source(sub)
}

func (f *Found) source(sub string) (Source, error) {
	r, err := f.Result()
	if err == nil {
		f.forReader(r)
	}
	return Source{Ref: f.Ref, Sub: sub, Result: r, Run: f.Run}, err
}

// runsBelow lists the run folders in a folder. It does not follow links.
func runsBelow(dir string) (out []string, err error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, assay.UsageError(assay.CodeNoRun, err.Error(), "")
	}
	for _, e := range entries {
		if sub := filepath.Join(dir, e.Name()); e.IsDir() && IsRun(sub) {
			out = append(out, sub)
		}
	}
	return out, nil
}

// DecodeResult decodes a result. name is its file, for errors.
func DecodeResult(name string, data []byte) (*assay.Result, error) {
	var is struct {
		Schema   int               `json:"schema"`
		Variants []json.RawMessage `json:"variants"`
		Answer   json.RawMessage   `json:"answer"`
	}
	switch err := json.Unmarshal(data, &is); {
	case err != nil:
		return nil, assay.UsageError(assay.CodeNoRun, fmt.Sprintf("%s is no result: %v", name, err), "assay run -o result.json")
	case is.Schema > assay.ResultSchema:
		return nil, badResult(name, record.Newer(filepath.Base(name), is.Schema, assay.ResultSchema))
	case is.Schema == 0 || len(is.Variants) == 0 || is.Answer == nil:
		return nil, assay.UsageError(assay.CodeNoRun, name+" is no result of a run", "assay run -o result.json")
	}
	r, err := record.DecodeResult(filepath.Base(name), data)
	if err != nil {
		return nil, badResult(name, err)
	}
	return r, nil
}

// OpenAll reads what Open reads, a folder of run folders, or the runs of a group. A folder
// without runs yields none.
func OpenAll(store, name string) ([]Source, error) {
	if info, err := os.Stat(name); err == nil && info.IsDir() && !IsRun(name) && strings.ContainsAny(name, `/\.`) {
		below, err := runsBelow(name)
		var out []Source
		for _, dir := range below {
			s, err := sourceOfFolder(dir, filepath.Base(dir))
			if err != nil {
				return nil, err
			}
			out = append(out, s)
		}
		return out, err
	}
	return OpenGroup(store, name)
}

// Sources reads the runs and results that arguments name, each with a name in front if
// that is given. It lists the folders without runs; that all are empty is an error.
func Sources(store string, args []string) (out []Source, empty []string, err error) {
	for _, a := range args {
		machine, name := SplitName(a)
		list, err := OpenAll(store, name)
		if err != nil {
			return nil, nil, err
		}
		if len(list) == 0 {
			empty = append(empty, name)
		}
		for _, s := range list {
			if machine != "" {
				s.Machine = machine
			}
			out = append(out, s)
		}
	}
	if len(out) == 0 {
		return nil, nil, assay.UsageError(assay.CodeNoRun, empty[0]+" contains no run", "assay list")
	}
	return out, empty, nil
}

// Merge puts the results that arguments name side by side, each with the name of its
// machine in front if that is given. A group stands for its runs.
func Merge(store string, args []string) (*assay.Merged, error) {
	var sources []Source
	for _, a := range args {
		name, run := SplitName(a)
		list, err := OpenGroup(store, run)
		if err != nil {
			return nil, err
		}
		if len(list) == 1 {
			list[0].Machine = name
		}
		sources = append(sources, list...)
	}
	return MergeSources(sources)
}

// MergeSources puts results side by side, and answers over all machines.
func MergeSources(sources []Source) (*assay.Merged, error) {
	var parts []analysis.Part
	for _, s := range sources {
		p := analysis.Part{Name: s.Machine, Result: *s.Result}
		if s.Run != nil {
			p.Plan, p.Blocks = s.Run.Plan, s.Run.Blocks()
		}
		parts = append(parts, p)
	}
	return analysis.Merge(parts)
}

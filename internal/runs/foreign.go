package runs

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/record"
)

// ReadForeign reads an untrusted result: that of a run folder or of an archive of one,
// recomputed, or a single result file.
func ReadForeign(name string) (*assay.Result, error) {
	if info, err := os.Stat(name); err == nil && info.IsDir() {
		run, err := Read(name, name)
		if err != nil {
			return nil, err
		}
		return run.Result()
	}
	data, err := ReadAtMost(name, maxArchive)
	switch {
	case err != nil:
		return nil, refusedResult(name, err)
	case IsArchive(data):
		run, err := ReadArchive(name, data)
		if err != nil {
			return nil, err
		}
		return run.Result()
	}
	return ReadStrict(name, data)
}

func refusedResult(name string, err error) error {
	return assay.UsageError(assay.CodeBadResult, fmt.Sprintf("%s: %v", name, err), "assay compare main . -o result.json")
}

// MaxObjects is the maximum number of objects in a single result file. A comparison is
// one: it allows a thousand benchmarks of a dozen variants, and a comment about as many
// takes seconds.
const MaxObjects = 50_000

// ReadStrict reads a result that must have this version's schema and no unknown keys.
func ReadStrict(name string, data []byte) (*assay.Result, error) {
	if !json.Valid(data) {
		return nil, refusedResult(name, errors.New("it is no JSON"))
	}
	if n := bytes.Count(data, []byte("{")); n > MaxObjects {
		return nil, refusedResult(name, fmt.Errorf("it has %d objects, more than %d", n, MaxObjects))
	}
	var is struct{ Schema int }
	if json.Unmarshal(data, &is) == nil && is.Schema > assay.ResultSchema {
		return nil, badResult(name, record.Newer(filepath.Base(name), is.Schema, assay.ResultSchema))
	}
	text, err := record.OpenResult(filepath.Base(name), data)
	if err != nil {
		return nil, badResult(name, err)
	}
	r := new(assay.Result)
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	switch err := d.Decode(r); {
	case err != nil:
		return nil, refusedResult(name, err)
	case r.Schema != assay.ResultSchema:
		return nil, refusedResult(name, fmt.Errorf("schema %d, this assay reads %d", r.Schema, assay.ResultSchema))
	case len(r.Variants) == 0:
		return nil, refusedResult(name, errors.New("it has no variants"))
	}
	markAlone(r)
	return r, nil
}

// ReadAtMost reads a file of at most most bytes.
func ReadAtMost(name string, most int64) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, most+1))
	if err != nil {
		return nil, err
	}
	if int64(len(data)) > most {
		return nil, fmt.Errorf("larger than %d MB", most>>20)
	}
	return data, nil
}

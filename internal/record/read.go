package record

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"

	"github.com/seed-1318a441/assay"
)

// A Run is what a run folder holds.
type Run struct {
	Plan     *assay.Plan
	Platform assay.Platform
	// Study is the text of study.toml.
	Study []byte
	// Trials in the order of the record, torn attempts included.
	Trials []assay.Trial
	// Torn is true when the last line of trials.jsonl was cut short.
	Torn bool

	whole int64 // bytes of trials.jsonl that are whole lines
	fsys  fs.FS // where it was read from; nil for a run made otherwise
}

// Blocks are the complete blocks, in order.
func (r *Run) Blocks() [][]assay.Trial { return assay.Complete(r.Trials) }

// Read reads a run folder. A torn last line is left out and told in Torn; any
// other broken line is an error that names it.
func Read(fsys fs.FS) (*Run, error) {
	r := &Run{fsys: fsys}
	var err error
	if r.Plan, err = ReadPlan(fsys); err != nil {
		return nil, err
	}
	if err := readJSON(fsys, PlatformFile, &r.Platform); err != nil {
		return nil, err
	}
	if r.Study, err = fs.ReadFile(fsys, StudyFile); err != nil {
		return nil, fmt.Errorf("read record: %w", err)
	}
	return r, r.readTrials(fsys)
}

// ReadPlan reads the plan of a run alone.
func ReadPlan(fsys fs.FS) (*assay.Plan, error) {
	p := new(assay.Plan)
	if err := readJSON(fsys, PlanFile, p); err != nil {
		return nil, err
	}
	if p.Schema > assay.PlanSchema {
		return nil, fmt.Errorf("read %s: schema %d was written by a newer assay (this one knows %d)", PlanFile, p.Schema, assay.PlanSchema)
	}
	return p, nil
}

// ReadResult reads the stored result of a run.
func ReadResult(fsys fs.FS) (*assay.Result, error) {
	res := new(assay.Result)
	if err := readJSON(fsys, ResultFile, res); err != nil {
		return nil, err
	}
	if res.Schema > assay.ResultSchema {
		return nil, fmt.Errorf("read %s: schema %d was written by a newer assay (this one knows %d)", ResultFile, res.Schema, assay.ResultSchema)
	}
	return res, nil
}

func readJSON(fsys fs.FS, name string, v any) error {
	data, err := readFile(fsys, name)
	if err != nil {
		return fmt.Errorf("read record: %w", err)
	}
	if err := json.Unmarshal(data, v); err != nil {
		return fmt.Errorf("read %s: %w", name, err)
	}
	return nil
}

func (r *Run) readTrials(fsys fs.FS) error {
	data, err := readFile(fsys, TrialsFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil // created, but nothing measured yet
	}
	if err != nil {
		return fmt.Errorf("read record: %w", err)
	}
	for n := 1; len(data) > 0; n++ {
		line, rest, whole := bytes.Cut(data, []byte("\n"))
		var t assay.Trial
		err := json.Unmarshal(line, &t)
		switch {
		case !whole || (err != nil && len(rest) == 0):
			// Power loss can leave a last line of the right length filled with
			// zeros, so a whole but unreadable last line is torn as well.
			r.Torn = true
			return nil
		case err != nil:
			return fmt.Errorf("%s:%d: read trial: %w", TrialsFile, n, err)
		case t.ID != n:
			return fmt.Errorf("%s:%d: trial is numbered %d, want %d", TrialsFile, n, t.ID, n)
		}
		r.Trials = append(r.Trials, t)
		r.whole += int64(len(line)) + 1
		data = rest
	}
	return nil
}

// Verify checks a record for what must hold of every one: known variants and
// benchmarks, contiguous blocks, positions without gaps. It returns all
// faults found.
func (r *Run) Verify() []error {
	var faults []error
	bad := func(t assay.Trial, format string, args ...any) {
		faults = append(faults, fmt.Errorf("%s:%d: %s", TrialsFile, t.ID, fmt.Sprintf(format, args...)))
	}
	planned := map[assay.Benchmark]int{}
	for _, b := range r.Plan.Benchmarks {
		planned[b.Benchmark] = b.N
	}
	done, attempts := 0, map[int]int{}
	for i, t := range r.Trials {
		if _, ok := r.Plan.Variant(t.Variant); !ok {
			bad(t, "variant %q is not in the plan", t.Variant)
		}
		if n, ok := planned[t.Benchmark]; !ok || n != t.N {
			bad(t, "benchmark %q with %d iterations is not in the plan", t.Benchmark, t.N)
		}
		starts := i == 0 || r.Trials[i-1].Block != t.Block || r.Trials[i-1].Attempt != t.Attempt
		switch {
		case starts && t.Block != done+1:
			bad(t, "block %d begins, block %d was expected", t.Block, done+1)
		case starts && t.Attempt != attempts[t.Block]+1:
			bad(t, "attempt %d of block %d begins, attempt %d was expected", t.Attempt, t.Block, attempts[t.Block]+1)
		case starts && t.Position != 1, !starts && t.Position != r.Trials[i-1].Position+1:
			bad(t, "position %d is out of order", t.Position)
		}
		attempts[t.Block] = t.Attempt
		if t.Position == t.Of {
			done = t.Block
		}
	}
	return faults
}

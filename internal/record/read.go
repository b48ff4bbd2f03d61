package record

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"regexp"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/design"
)

// A Run is the content of a run folder.
type Run struct {
	Plan     *assay.Plan
	Platform assay.Platform
	// Study is the text of study.toml.
	Study []byte
	// Trials in the order of the record, including torn attempts.
	Trials []assay.Trial
	// Torn is true if the last line of trials.jsonl was incomplete.
	Torn bool
	// End is the run's end; nil if it has none, or was continued.
	End *assay.End

	planSum  string // digest of the plan
	chain    string // of the last whole line; at first, of the plan
	endChain string // of End
	whole    int64  // bytes of trials.jsonl that are whole lines
	fsys     fs.FS  // where it was read from; nil for a run made otherwise
}

// Head returns the chain value of the whole record: the plan, every trial, and the end if
// there is one. A result has the Head of the record it was computed from.
func (r *Run) Head() string {
	if r.End != nil {
		return r.endChain
	}
	return r.chain
}

// Looks returns the number of looks that the run had before the next trial, see
// assay.Trial.Looks.
func (r *Run) Looks() (n int) {
	if r.Plan.Schema < assay.PlanSchemaLooks {
		return 0
	}
	n = r.Plan.Looks
	if len(r.Trials) > 0 {
		n = max(n, r.Trials[len(r.Trials)-1].Looks)
	}
	if r.End != nil && r.End.Stop.Planned() {
		n++
	}
	return n
}

// Blocks returns the complete blocks, in order.
func (r *Run) Blocks() [][]assay.Trial { return assay.Complete(r.Trials) }

// Read reads a run folder and checks it: the digests of the plan and of the files written
// with it, the chain of the trials, that no block or trial is missing, repeated or out of
// order, and the end. The error of a failed check is a *Fault. A torn last line is no
// fault: it is dropped.
func Read(fsys fs.FS) (*Run, error) {
	r := &Run{fsys: fsys}
	var sum string
	var err error
	if r.Plan, sum, err = readPlan(fsys); err != nil {
		return nil, err
	}
	if err := checkPlan(r.Plan); err != nil {
		return nil, err
	}
	platform, err := readListed(fsys, PlatformFile, r.Plan)
	if err != nil {
		return nil, err
	}
	if err := decode(PlatformFile, platform, &r.Platform); err != nil {
		return nil, err
	}
	if r.Study, err = readListed(fsys, StudyFile, r.Plan); err != nil {
		return nil, err
	}
	end, err := readEnd(fsys)
	if err != nil {
		return nil, err
	}
	r.planSum, r.chain = sum, sum[:chainLen]
	if err := r.readTrials(fsys, end); err != nil {
		return nil, err
	}
	return r, nil
}

// ErrNewer means that a file is of a newer assay than this one.
var ErrNewer = errors.New("made by a newer assay")

// Newer is the error for a file whose schema this assay does not know.
func Newer(name string, schema, known int) error {
	return fmt.Errorf("read %s: %w: its schema is %d, this assay %s knows %d", name, ErrNewer, schema, assay.Version(), known)
}

// ReadPlan reads only the plan of a run, and checks its digest and the hash of its study.
func ReadPlan(fsys fs.FS) (*assay.Plan, error) {
	p, _, err := readPlan(fsys)
	return p, err
}

// runName is the name of a run, which is also that of its folder.
var runName = regexp.MustCompile(`^[a-z0-9]{1,40}$`)

func readPlan(fsys fs.FS) (p *assay.Plan, sum string, err error) {
	data, err := readFile(fsys, PlanFile)
	if err != nil {
		return nil, "", fmt.Errorf("read record: %w", err)
	}
	p = new(assay.Plan)
	if err := decode(PlanFile, data, p); err != nil {
		return nil, "", err
	}
	switch {
	case p.Schema > assay.PlanSchema:
		return nil, "", Newer(PlanFile, p.Schema, assay.PlanSchema)
	case p.Schema < assay.PlanSchemaSealed:
		return nil, "", &Fault{File: PlanFile, Unsealed: true,
			Text: fmt.Sprintf("schema %d was written by an older assay: nothing shows whether its trials were changed", p.Schema)}
	}
	if _, sum, err = checkDigest(PlanFile, data); err != nil {
		return nil, "", err
	}
	if !runName.MatchString(p.Run) {
		return nil, "", &Fault{File: PlanFile, Text: fmt.Sprintf("run %q is no name of a run", p.Run)}
	}
	if _, ok := design.Asked(p); !ok {
		return nil, "", &Fault{File: PlanFile, Text: fmt.Sprintf("study_hash %q is not that of its study", p.StudyHash)}
	}
	ownLines(&p.Command, p.Warnings)
	return p, sum, nil
}

// readListed reads a file whose digest is in the plan.
func readListed(fsys fs.FS, name string, p *assay.Plan) ([]byte, error) {
	data, err := readFile(fsys, name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, &Fault{File: name, Text: "it is missing"}
	case err != nil:
		return nil, fmt.Errorf("read record: %w", err)
	case digest(data) != p.Files[name]:
		return nil, &Fault{File: name, Text: "it is not the file that the run began with: " + PlanFile + " has another digest of it"}
	}
	return data, nil
}

// readJSON reads a file of a run folder.
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

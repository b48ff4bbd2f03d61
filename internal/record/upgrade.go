package record

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/design"
)

// unsealedSchema is the schema of plans of records without digests and chain.
const unsealedSchema = 1

// An Unsealed is a record measured before records had digests and a chain.
type Unsealed struct {
	*Run
	// Result is the result in the folder, nil for none.
	Result *assay.Result

	dir     string
	plan    []byte
	objects [][]byte // the trials as they stand in the record
}

// ReadUnsealed reads the folder of a record without a chain, and makes the checks of Read
// that need none. If there is nothing to seal the error is ErrSealed.
func ReadUnsealed(dir string) (*Unsealed, error) {
	fsys := Folder(dir)
	u := &Unsealed{dir: dir, Run: &Run{Plan: new(assay.Plan), fsys: fsys}}
	var err error
	if u.plan, err = readFile(fsys, PlanFile); err != nil {
		return nil, fmt.Errorf("read record: %w", err)
	}
	if err := decode(PlanFile, u.plan, u.Plan); err != nil {
		return nil, err
	}
	if u.Plan.Schema != unsealedSchema {
		return nil, ErrSealed
	}
	if err := errors.Join(checkPlan(u.Plan), readJSON(fsys, PlatformFile, &u.Platform)); err != nil {
		return nil, err
	}
	if u.Study, err = readFile(fsys, StudyFile); err != nil {
		return nil, fmt.Errorf("read record: %w", err)
	}
	if err := u.readTrials(); err != nil {
		return nil, err
	}
	u.Result = new(assay.Result)
	if err := readJSON(fsys, ResultFile, u.Result); errors.Is(err, fs.ErrNotExist) {
		u.Result = nil
	} else if err != nil {
		return nil, err
	}
	return u, nil
}

// ErrSealed is returned for a record that has a chain already.
var ErrSealed = errors.New("the record has a chain already")

// readTrials reads the trials without a torn last one.
func (u *Unsealed) readTrials() error {
	f, err := openFile(u.fsys, TrialsFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("read record: %w", err)
	}
	defer f.Close()
	check, j := newChecker(u.Plan), newJournal(f, "")
	for {
		line, err := j.next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return j.fault(err)
		}
		object := bytes.Clone(bytes.TrimSpace(line))
		if text, _, sealed := lineSeal.cut(line); sealed { // a kill ended an earlier Seal
			object = append(bytes.Clone(text), '}')
		}
		var t assay.Trial
		if err := json.Unmarshal(object, &t); err != nil && j.last() {
			return nil
		} else if err = errors.Join(err, check.add(t)); err != nil {
			return j.fault(err)
		}
		u.Trials, u.objects = append(u.Trials, t), append(u.objects, object)
	}
}

// Seal adds a chain value to every line, whose other bytes stay as they are, and to the
// plan the digests and the present time, since nothing shows what happened before. It
// recomputes the hash of the study. end is nil for an interrupted run. The plan comes
// last: until then the record stays unsealed.
func (u *Unsealed) Seal(now time.Time, end *assay.End) error {
	f, unlock, err := lockFolder(u.dir)
	if err != nil {
		return err
	}
	defer unlock()
	// Until the lock another assay may have added trials.
	u.Trials, u.objects = nil, nil
	if err := u.readTrials(); err != nil {
		return err
	}
	plan, sum, err := u.sealedPlan(now)
	if err != nil {
		return err
	}
	chain := sum[:chainLen]
	var lines, line []byte
	for _, object := range u.objects {
		line, chain = sealLine(chain, object)
		lines = append(lines, line...)
	}
	if err := f.rewrite(TrialsFile, lines); err != nil {
		return err
	}
	if end != nil {
		end.Trials = len(u.Trials)
		data, _, err := sealEnd(chain, *end)
		if err == nil {
			err = f.replace(EndFile, data)
		}
		if err != nil {
			return err
		}
	}
	return f.rewrite(PlanFile, plan)
}

// sealedPlan returns the plan with Seal's additions; everything else stays byte by byte.
func (u *Unsealed) sealedPlan(now time.Time) (data []byte, sum string, err error) {
	var indented bytes.Buffer // as assay writes it: nothing changes
	if err := json.Indent(&indented, u.plan, "", "  "); err != nil {
		return nil, "", &Fault{File: PlanFile, Text: err.Error()}
	}
	text, whole := bytes.CutSuffix(bytes.TrimSpace(indented.Bytes()), []byte("\n}"))
	text, begins := bytes.CutPrefix(text, fmt.Appendf(nil, "{\n  \"schema\": %d,", unsealedSchema))
	if !whole || !begins {
		return nil, "", &Fault{File: PlanFile, Text: "its schema does not come first"}
	}
	if _, ok := design.Asked(u.Plan); !ok {
		hash := func(h string) []byte { return fmt.Appendf(nil, "\n  \"study_hash\": %q,", h) }
		text = bytes.Replace(text, hash(u.Plan.StudyHash), hash(design.StudyHash(&u.Plan.Study)), 1)
	}
	platform, err := readFile(u.fsys, PlatformFile)
	if err != nil {
		return nil, "", err
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "{\n  \"schema\": %d,%s,\n  \"files\": {\n    %q: %q,\n    %q: %q\n  },\n  \"sealed\": %q", assay.PlanSchemaSealed, text,
		PlatformFile, digest(platform), StudyFile, digest(u.Study), now.UTC().Format(time.RFC3339))
	sum = digest(b.Bytes())
	return digestSeal.add(b.Bytes(), sum), sum, nil
}

// ReplaceResult rewrites the result of a run, and the trials in the Go benchmark format
// if they are there. The error is ErrLocked if another process has the run open.
func (r *Run) ReplaceResult(dir string, res *assay.Result) error {
	f, unlock, err := lockFolder(dir)
	if err != nil {
		return err
	}
	defer unlock()
	data, err := EncodeResult(res)
	if err != nil {
		return err
	}
	if err := f.rewrite(ResultFile, data); err != nil || !f.has(ExportFile) {
		return err
	}
	return f.replaceBy(ExportFile, r.Export)
}

// ReplaceReport rewrites the result as text in the folder of a run that has one.
func ReplaceReport(dir string, write func(io.Writer) error) error {
	f, err := openFolder(dir)
	if err != nil {
		return err
	}
	defer f.Close()
	if !f.has(ReportFile) {
		return nil
	}
	return f.replaceBy(ReportFile, write)
}

// rewrite replaces a file of a run folder, or its packed form if that exists.
func (f folder) rewrite(name string, data []byte) error {
	if !f.has(name + packed) {
		return f.replace(name, data)
	}
	var buf bytes.Buffer
	z, err := gzip.NewWriterLevel(&buf, gzip.BestCompression)
	if err != nil {
		return err
	}
	_, err = z.Write(data)
	if err := errors.Join(err, z.Close()); err != nil {
		return err
	}
	return f.replace(name+packed, buf.Bytes())
}

package record

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"regexp"
	"strings"

	"github.com/seed-1318a441/assay"
)

// EvidenceDir is the folder of a run with the evidence of its explanations.
const EvidenceDir = "evidence"

// EvidenceFile has the trials run for explanations, relative to the run folder.
const EvidenceFile = EvidenceDir + "/" + TrialsFile

// MaxProfile is the maximum size of a profile in bytes: a record may be untrusted.
const MaxProfile = 64 << 20

// EvidenceName returns the file of a trial's profile, relative to the run folder.
func EvidenceName(id int) string { return fmt.Sprintf("%s/%04d.pprof", EvidenceDir, id) }

// Evidence is what explains the differences in a run: trials with an instrument, and
// their profiles. It is append-only, and no verdict uses it. An interrupted inquiry
// leaves its trials, which later ones do not use, since each has its own number.
type Evidence struct {
	trials   []assay.EvidenceTrial
	fsys     fs.FS
	lines    tail     // its file is nil if it is open for reading only
	unsynced []string // profiles
}

// Evidence opens the run's evidence to add to it. Close it before the record.
func (r *Record) Evidence() (*Evidence, error) {
	e, err := ReadEvidence(Folder(r.Dir))
	if err != nil {
		return nil, err
	}
	e.lines.folder = r.folder
	if err := e.open(); err != nil {
		return nil, errors.Join(fmt.Errorf("open evidence: %w", err), e.Close())
	}
	return e, nil
}

// open opens the file of trials, to append after its whole lines.
func (e *Evidence) open() error {
	f := e.lines.folder
	if err := f.mkdir(EvidenceDir); err != nil {
		return err
	}
	if f.has(EvidenceFile+packed) && !f.has(EvidenceFile) {
		return fmt.Errorf("it is packed: gunzip %s to go on with it", EvidenceFile+packed)
	}
	_, err := e.lines.open()
	return err
}

// ReadEvidence reads the evidence of a run folder, if any, without a torn last line. The
// error names any other invalid line. Nothing can be added to the result.
func ReadEvidence(fsys fs.FS) (*Evidence, error) {
	e := &Evidence{fsys: fsys, lines: tail{name: EvidenceFile}}
	data, err := readFile(fsys, EvidenceFile)
	if errors.Is(err, fs.ErrNotExist) {
		return e, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read evidence: %w", err)
	}
	for n := 1; len(data) > 0; n++ {
		line, rest, whole := bytes.Cut(data, []byte("\n"))
		t, err := evidenceTrial(line, n)
		if !whole || err != nil && len(rest) == 0 { // see Run.readTrials
			return e, nil
		}
		if err != nil {
			return nil, fmt.Errorf("%s:%d: read evidence: %w", EvidenceFile, n, err)
		}
		e.trials = append(e.trials, t)
		e.lines.whole += int64(len(line)) + 1
		data = rest
	}
	return e, nil
}

// evidenceTrial parses line n.
func evidenceTrial(line []byte, n int) (t assay.EvidenceTrial, err error) {
	switch err := json.Unmarshal(line, &t); {
	case err != nil:
		return t, err
	case t.ID != n:
		return t, fmt.Errorf("it is numbered %d, want %d", t.ID, n)
	case t.Inquiry < 1 || t.Block < 1 || t.N < 1:
		return t, errors.New("its inquiry, block and number of operations have to be above 0")
	case t.Profile != "" && t.Profile != EvidenceName(n):
		return t, fmt.Errorf("its profile is not %s", EvidenceName(n))
	}
	return t, nil
}

// Trials returns all trials in order, including those of interrupted inquiries.
func (e *Evidence) Trials() []assay.EvidenceTrial { return e.trials }

// NextInquiry returns the number for the next inquiry.
func (e *Evidence) NextInquiry() int {
	last := 0
	for _, t := range e.trials {
		last = max(last, t.Inquiry)
	}
	return last + 1
}

// errReading means that evidence was not opened for writing.
var errReading = errors.New("add evidence: it was opened for reading only")

// Append keeps a trial's profile, if any, and its line, and returns it with ID and
// Profile.
func (e *Evidence) Append(t assay.EvidenceTrial, profile []byte) (assay.EvidenceTrial, error) {
	if e.lines.file == nil {
		return t, errReading
	}
	t.ID, t.Profile = len(e.trials)+1, ""
	if len(profile) > 0 {
		t.Profile = EvidenceName(t.ID)
		if err := e.write(t.Profile, profile); err != nil {
			return t, err
		}
	}
	line, err := evidenceLine(t)
	if err == nil {
		err = e.lines.append(line)
	}
	if err != nil {
		return t, fmt.Errorf("append evidence %d: %w", t.ID, err)
	}
	e.trials = append(e.trials, t)
	return t, nil
}

// evidenceLine returns a trial's line.
func evidenceLine(t assay.EvidenceTrial) ([]byte, error) {
	line, err := json.Marshal(t)
	return append(line, '\n'), err
}

// write creates a file of the run folder. It replaces one of a trial whose line a kill
// prevented, and never writes through a link.
func (e *Evidence) write(name string, data []byte) error {
	if len(data) > MaxProfile {
		return fmt.Errorf("write %s: it has more than %d MiB", name, MaxProfile>>20)
	}
	if err := e.lines.folder.put(name, data); err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	e.unsynced = append(e.unsynced, name)
	return nil
}

// Profile reads the profile of a trial in pprof's format.
func (e *Evidence) Profile(t assay.EvidenceTrial) ([]byte, error) {
	if t.Profile == "" || t.Profile != EvidenceName(t.ID) {
		return nil, fmt.Errorf("read profile: evidence %d has none", t.ID)
	}
	data, err := readFile(e.fsys, t.Profile)
	if err != nil {
		return nil, fmt.Errorf("read profile: %w", err)
	}
	return data, nil
}

// Sync makes everything written so far survive a power loss.
func (e *Evidence) Sync() error {
	if e.lines.file == nil {
		return errReading
	}
	for _, name := range e.unsynced {
		f, err := e.lines.folder.open(name, os.O_RDWR) // Windows syncs only files open for writing
		if err == nil {
			err = errors.Join(e.lines.folder.sync(f, name), f.Close())
		}
		if err != nil {
			return fmt.Errorf("sync evidence: %w", err)
		}
	}
	e.unsynced = nil
	if err := e.lines.sync(); err != nil {
		return fmt.Errorf("sync evidence: %w", err)
	}
	return nil
}

// pprofSuffix ends the name of every profile in the evidence.
const pprofSuffix = ".pprof"

// WriteMerged keeps a profile merged from several trials, and returns its file in the run
// folder. The name is for readers, such as "1-cpu-old"; invalid characters are replaced.
func (e *Evidence) WriteMerged(name string, data []byte) (rel string, err error) {
	if e.lines.file == nil {
		return "", errReading
	}
	rel = EvidenceDir + "/" + mergedName(name)
	return rel, e.write(rel, data)
}

var (
	unfit = regexp.MustCompile(`[^A-Za-z0-9_+.-]+`)
	// taken matches the names of trials' profiles, and device names of Windows.
	reservedName = regexp.MustCompile(`(?i)^(\d*|con|prn|aux|nul|(com|lpt)\d)(\.|$)`)
)

// maxName is the maximum length of a file's name in bytes, well below any system's.
const maxName = 100

// mergedName returns a name valid for a file. A changed name gets a hash of the original,
// so that different names stay different.
func mergedName(name string) string {
	name = strings.TrimSuffix(name, pprofSuffix)
	fit := strings.TrimLeft(unfit.ReplaceAllString(name, "-"), ".")
	if reservedName.MatchString(fit) {
		fit = "merged-" + fit
	}
	if fit = fit[:min(len(fit), maxName)]; fit != name {
		sum := sha256.Sum256([]byte(name))
		fit = fmt.Sprintf("%s-%x", fit, sum[:4])
	}
	return fit + pprofSuffix
}

// Close closes the files. The system writes what was not synced.
func (e *Evidence) Close() error { return e.lines.close() }

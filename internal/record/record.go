// Package record reads and writes run folders. It writes measurements so that nothing is
// lost or counted twice, and reads them back through fs.FS.
//
//	.assay/<run id>/
//	  study.toml plan.json platform.json
//	  trials.jsonl          one line a trial
//	  end.json              why it ended, and what else its trials do not say
//	  printed.tar.gz        what the trials' processes printed
//	  collected/<trial>.json.gz  what else a trial left, for pictures
//	  gates/                logs of the gates that steps have to keep
//	  evidence/             what explanations rest on: trials of their own, profiles
//	  results.txt           the same in the Go benchmark format
//	  result.json           what every output prints
//	  report.txt            the same as text
//
// A trial's line is written before the next trial starts; the file is synced at the end
// of each block. result.json and results.txt are derived and may be rewritten; everything
// else is append-only. A run that extends an earlier one begins with a copy of its trials
// (Extend).
//
// A record is checked for consistency. plan.json has digests of the files written with
// it, and its own. With that begins a chain through the lines of trials.jsonl to
// end.json. Read returns an error if something does not match. Callers must check whether
// result.json follows from the trials. Package record knows nothing of verdicts (package
// analysis) or of running (package lab). docs/format.md describes each file.
package record

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/disk"
)

// Names of the files in a run folder.
const (
	StudyFile    = "study.toml"
	PlanFile     = "plan.json"
	PlatformFile = "platform.json"
	TrialsFile   = "trials.jsonl"
	ResultFile   = "result.json"
	ExportFile   = "results.txt"
	ReportFile   = "report.txt"
	CollectedDir = "collected"
	lockFile     = "lock"
)

// ErrLocked means that another assay is writing to the run.
var ErrLocked = errors.New("another assay is writing to this run")

// A Record is a run folder open for writing, once at a time. Close releases it.
type Record struct {
	// Dir is the run folder.
	Dir string
	// Cut is the number of bytes of a torn last line removed by Open.
	Cut int64

	run    *Run
	folder folder
	unlock func() error
	trials tail
	prints printedFile
	stale  bool // result.json has been removed since it was written
}

// Create creates the run folder of a plan in a store and opens it. A folder that holds a
// run already is an error: its trials would be lost.
func Create(store string, plan *assay.Plan, platform assay.Platform, study []byte) (*Record, error) {
	return makeFolder(store, plan, platform, study, nil)
}

// makeFolder creates a run folder whose trials begin with those of an earlier run.
func makeFolder(store string, plan *assay.Plan, platform assay.Platform, study []byte, trials []assay.Trial) (*Record, error) {
	dir := filepath.Join(store, plan.Run)
	f, err := newFolder(store, plan.Run)
	if err != nil {
		return nil, fmt.Errorf("create record: %w", err)
	}
	defer f.Close()
	machine, err := json.MarshalIndent(platform, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("write %s: %w", PlatformFile, err)
	}
	machine = append(machine, '\n')
	listed := *plan
	listed.Files = map[string]string{PlatformFile: digest(machine), StudyFile: digest(study)}
	data, sum, err := sealFile(PlanFile, listed)
	if err != nil {
		return nil, err
	}
	lines, err := sealTrials(sum[:chainLen], trials)
	if err != nil {
		return nil, err
	}
	// The plan comes last: a folder without one is not a run, and is ignored.
	for _, file := range []struct {
		name string
		data []byte
	}{{TrialsFile, lines}, {PlatformFile, machine}, {StudyFile, study}, {PlanFile, data}} {
		if err := f.replace(file.name, file.data); err != nil {
			return nil, err
		}
	}
	return Open(dir)
}

// sealTrials returns the lines of trials that follow a chain value.
func sealTrials(chain string, trials []assay.Trial) (lines []byte, err error) {
	for _, t := range trials {
		object, err := json.Marshal(t)
		if err != nil {
			return nil, fmt.Errorf("write trial %d: %w", t.ID, err)
		}
		var line []byte
		line, chain = sealLine(chain, object)
		lines = append(lines, line...)
	}
	return lines, nil
}

// newFolder creates the folder of a run in a store, and the store, which it keeps out of
// the user's commits. A folder without a plan, left by a kill, is used again.
func newFolder(store, run string) (f folder, err error) {
	if err := os.MkdirAll(filepath.Join(store, run), 0o777); err != nil {
		return f, err
	}
	s, err := openFolder(store)
	if err != nil {
		return f, err
	}
	defer s.Close()
	if !s.has(disk.IgnoreFile) {
		err = s.replace(disk.IgnoreFile, []byte(disk.IgnoreAll))
	}
	if err = errors.Join(err, s.syncNames()); err != nil {
		return f, err
	}
	if f, err = openFolder(filepath.Join(store, run)); err != nil {
		return f, err
	}
	if f.has(PlanFile) || f.has(PlanFile+packed) {
		return f, errors.Join(fmt.Errorf("%s holds a run already", f.root.Name()), f.Close())
	}
	return f, nil
}

// Open opens a run folder to append to it, and cuts off a torn last line left by a kill.
// The error is ErrLocked if another process has the run open.
func Open(dir string) (*Record, error) {
	f, unlock, err := lockFolder(dir)
	if err != nil {
		return nil, err
	}
	r := &Record{Dir: dir, folder: f, unlock: unlock}
	if err := r.open(); err != nil {
		r.Close()
		return nil, err
	}
	return r, nil
}

// lockFolder opens a run folder, closed to other processes until unlock.
func lockFolder(dir string) (f folder, unlock func() error, err error) {
	if f, err = openFolder(dir); err != nil {
		return f, nil, fmt.Errorf("open %s: %w", dir, err)
	}
	release, err := f.lock()
	if err != nil {
		return f, nil, errors.Join(err, f.Close())
	}
	return f, func() error { return errors.Join(release(), f.Close()) }, nil
}

// open reads the record and opens its trials to append to them.
func (r *Record) open() (err error) {
	dir := r.Dir
	if r.folder.has(TrialsFile+packed) && !r.folder.has(TrialsFile) { // nothing can be appended
		return fmt.Errorf("open record: %s is packed: gunzip %s to go on with it", dir, TrialsFile+packed)
	}
	if r.run, err = Read(Folder(dir)); err != nil {
		return err
	}
	r.trials = tail{folder: r.folder, name: TrialsFile, whole: r.run.whole}
	if r.Cut, err = r.trials.open(); err != nil {
		return fmt.Errorf("open record: %w", err)
	}
	r.prints = newPrints(r.folder)
	for _, t := range r.run.Trials {
		r.prints.keep(t)
	}
	return nil
}

// Run returns the content of the record, including appended trials.
func (r *Record) Run() *Run { return r.run }

// NextID returns the ID for the next trial.
func (r *Record) NextID() int { return len(r.run.Trials) + 1 }

// Raw is what a trial leaves besides its line. Empty parts are not stored.
type Raw struct {
	// Stdout and Stderr of the process; for a service, those of its load generator.
	Stdout, Stderr []byte
	// Server is the output of a service's server.
	Server []byte
	// Collected is nil if nothing was collected.
	Collected *assay.Collected
}

// Append writes what a trial left, and then its line, with Printed and Collected set.
func (r *Record) Append(t assay.Trial, raw Raw) error {
	if t.ID != r.NextID() {
		return fmt.Errorf("append trial %d: %d is next", t.ID, r.NextID())
	}
	if err := r.reopen(); err != nil {
		return err
	}
	var err error
	if t.Printed, err = r.prints.add(t.ID, raw); err != nil {
		return fmt.Errorf("keep what trial %d printed: %w", t.ID, err)
	}
	if t.Collected, err = r.writeCollected(t.ID, raw.Collected); err != nil {
		return fmt.Errorf("keep what trial %d collected: %w", t.ID, err)
	}
	object, err := json.Marshal(t)
	if err != nil {
		return fmt.Errorf("append trial %d: %w", t.ID, err)
	}
	line, chain := sealLine(r.run.chain, object)
	if err := r.trials.append(line); err != nil {
		return fmt.Errorf("append trial %d: %w", t.ID, err)
	}
	r.run.chain = chain
	r.prints.keep(t)
	r.run.Trials = append(r.run.Trials, t)
	return nil
}

// reopen removes what the next trial would make stale: the result. The end stays, which a
// kill before that trial would leave right: its trials know how many looks came before them.
func (r *Record) reopen() error {
	if r.stale {
		return nil
	}
	r.stale, r.run.End = true, nil
	if err := r.folder.remove(ResultFile); err != nil {
		return fmt.Errorf("drop outdated %s: %w", ResultFile, err)
	}
	return nil
}

// Sync makes the trials written so far survive a power loss.
func (r *Record) Sync() error {
	if err := errors.Join(r.prints.sync(), r.trials.sync()); err != nil {
		return fmt.Errorf("sync record: %w", err)
	}
	return nil
}

// WriteResult writes result.json and results.txt, which are derived from the rest.
func (r *Record) WriteResult(res *assay.Result) error {
	r.stale = false
	data, err := EncodeResult(res)
	if err != nil {
		return err
	}
	if err := r.folder.replace(ResultFile, data); err != nil {
		return err
	}
	return r.folder.replaceBy(ExportFile, r.run.Export)
}

// WriteReport writes the result as text beside it.
func (r *Record) WriteReport(write func(io.Writer) error) error {
	return r.folder.replaceBy(ReportFile, write)
}

// Close releases the run folder.
func (r *Record) Close() error {
	return errors.Join(r.trials.close(), r.prints.close(), r.unlock())
}

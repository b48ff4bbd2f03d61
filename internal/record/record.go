// Package record is the run folder: it writes what was measured so that
// nothing is lost or counted twice, and reads it back through fs.FS.
//
//	.assay/<run id>/
//	  study.toml plan.json platform.json
//	  trials.jsonl          one line a trial
//	  end.json              why it ended, and what else its trials do not say
//	  raw/<trial>.out .err  what the process printed; .server what a server did
//	  collected/<trial>.json.gz  what else a trial left, for pictures
//	  gates/                logs of the gates that steps have to keep
//	  evidence/             what explanations rest on: trials of their own, profiles
//	  results.txt           the same in the Go benchmark format
//	  result.json           what every output prints
//
// A trial's line is written before the next trial starts; the file is synced
// at the end of each block. result.json and results.txt are derived and may be
// written anew; everything else is append-only. A run that goes on from an earlier
// one begins with a copy of its trials (Extend).
//
// A record is checked against itself: plan.json has digests of the files written with
// it, and one of its own, at which the chain begins that runs through the lines of
// trials.jsonl to end.json. Read refuses what does not fit. Whether result.json is what
// the trials mean is for its callers to compute. Package record knows nothing
// of verdicts (package analysis) or of running (package lab). docs/format.md
// describes each file.
package record

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/gofrs/flock"

	"github.com/seed-1318a441/assay"
)

// Names of the files in a run folder.
const (
	StudyFile    = "study.toml"
	PlanFile     = "plan.json"
	PlatformFile = "platform.json"
	TrialsFile   = "trials.jsonl"
	ResultFile   = "result.json"
	ExportFile   = "results.txt"
	RawDir       = "raw"
	CollectedDir = "collected"
	lockFile     = "lock"
)

// ErrLocked is returned when another assay is writing to the run.
var ErrLocked = errors.New("another assay is writing to this run")

// A Record is a run folder open for writing. Only one can be open at a time;
// Close releases it.
type Record struct {
	// Dir is the run folder.
	Dir string
	// Cut is the number of bytes of a torn last line that Open cut off.
	Cut int64

	run    *Run
	unlock func() error
	trials *os.File
	size   int64 // length of trials.jsonl up to the last whole line
	stale  bool  // result.json and end.json have been removed since they were written
}

// Create makes the run folder of a plan in a store and opens it. The study
// text is kept beside the plan.
func Create(store string, plan *assay.Plan, platform assay.Platform, study []byte) (*Record, error) {
	return makeFolder(store, plan, platform, study, nil)
}

// makeFolder makes a run folder whose trials begin with those of an earlier run.
func makeFolder(store string, plan *assay.Plan, platform assay.Platform, study []byte, trials []assay.Trial) (*Record, error) {
	dir := filepath.Join(store, plan.Run)
	if err := os.MkdirAll(filepath.Join(dir, RawDir), 0o777); err != nil {
		return nil, fmt.Errorf("create record: %w", err)
	}
	if err := ignoreInGit(store); err != nil {
		return nil, fmt.Errorf("create record: %w", err)
	}
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
	// The plan comes last: a folder without one is no run, and is passed over.
	for _, f := range []struct {
		name string
		data []byte
	}{{TrialsFile, lines}, {PlatformFile, machine}, {StudyFile, study}, {PlanFile, data}} {
		if err := writeFile(filepath.Join(dir, f.name), f.data); err != nil {
			return nil, err
		}
	}
	return Open(dir)
}

// sealTrials are the lines of trials behind a chain value.
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

// ignoreInGit keeps a store out of the user's commits without touching a file
// of theirs.
func ignoreInGit(store string) error {
	name := filepath.Join(store, ".gitignore")
	if _, err := os.Stat(name); err == nil {
		return nil
	}
	return writeFile(name, []byte("*\n"))
}

// Open opens a run folder to go on writing. A torn last line of trials.jsonl,
// as a kill in the middle of a write leaves it, is cut off and told in Cut.
// The error is ErrLocked when another process has the run open.
func Open(dir string) (*Record, error) {
	unlock, err := lockFolder(dir)
	if err != nil {
		return nil, err
	}
	r := &Record{Dir: dir, unlock: unlock}
	if err := r.open(); err != nil {
		r.Close()
		return nil, err
	}
	return r, nil
}

// lockFolder keeps other processes from writing to a run.
func lockFolder(dir string) (unlock func() error, err error) {
	lock := flock.New(filepath.Join(dir, lockFile))
	switch ok, err := lock.TryLock(); {
	case err != nil:
		return nil, fmt.Errorf("lock %s: %w", dir, err)
	case !ok:
		return nil, fmt.Errorf("open %s: %w", dir, ErrLocked)
	}
	return lock.Unlock, nil
}

// open reads the record and opens its trials, to go on with them.
func (r *Record) open() (err error) {
	dir := r.Dir
	if isPacked(Folder(dir)) {
		return fmt.Errorf("open record: %s is packed: gunzip %s to go on with it", dir, TrialsFile+packed)
	}
	if r.run, err = Read(Folder(dir)); err != nil {
		return err
	}
	if r.trials, err = os.OpenFile(filepath.Join(dir, TrialsFile), os.O_RDWR|os.O_CREATE, 0o666); err != nil {
		return fmt.Errorf("open record: %w", err)
	}
	return r.cutTorn()
}

// cutTorn shortens trials.jsonl to its whole lines.
func (r *Record) cutTorn() error {
	info, err := r.trials.Stat()
	if err != nil {
		return fmt.Errorf("open record: %w", err)
	}
	r.size = r.run.whole
	if r.Cut = info.Size() - r.size; r.Cut > 0 {
		if err := r.trials.Truncate(r.size); err != nil {
			return fmt.Errorf("cut torn line: %w", err)
		}
	}
	_, err = r.trials.Seek(r.size, io.SeekStart)
	return err
}

// Run is what the record holds so far, appended trials included.
func (r *Record) Run() *Run { return r.run }

// NextID is the ID that the next trial must carry.
func (r *Record) NextID() int { return len(r.run.Trials) + 1 }

// Raw is what a trial left beside its line. Empty parts are not stored.
type Raw struct {
	// Stdout and Stderr of the process, of a service those of its load generator.
	Stdout, Stderr []byte
	// Server is what a service's server printed.
	Server []byte
	// Collected is nil where there is nothing.
	Collected *assay.Collected
}

// Append writes what a trial left and then its line, which continues the chain. A line
// that could not be written whole (disk full) is taken back, so that the file keeps
// holding whole lines only.
func (r *Record) Append(t assay.Trial, raw Raw) error {
	if t.ID != r.NextID() {
		return fmt.Errorf("append trial %d: %d is next", t.ID, r.NextID())
	}
	if err := r.reopen(); err != nil {
		return err
	}
	var err error
	if t.Collected, err = r.writeRaw(t.ID, raw); err != nil {
		return err
	}
	object, err := json.Marshal(t)
	if err != nil {
		return fmt.Errorf("append trial %d: %w", t.ID, err)
	}
	line, chain := sealLine(r.run.chain, object)
	if _, err := r.trials.Write(line); err != nil {
		return errors.Join(fmt.Errorf("append trial %d: %w", t.ID, err), r.takeBack())
	}
	r.size += int64(len(line))
	r.run.chain = chain
	r.run.Trials = append(r.run.Trials, t)
	return nil
}

// reopen removes what the next trial would outdate: the result and the end.
func (r *Record) reopen() error {
	if r.stale {
		return nil
	}
	r.stale, r.run.End = true, nil
	for _, name := range []string{ResultFile, EndFile} {
		if err := remove(filepath.Join(r.Dir, name)); err != nil {
			return fmt.Errorf("drop outdated %s: %w", name, err)
		}
	}
	return nil
}

func (r *Record) takeBack() error {
	if err := r.trials.Truncate(r.size); err != nil {
		return fmt.Errorf("take back torn line: %w", err)
	}
	_, err := r.trials.Seek(r.size, io.SeekStart)
	return err
}

// RawName is where a trial's output is kept, relative to the run folder and
// without its suffix (.out, .err or .server).
func RawName(id int) string { return fmt.Sprintf("%s/%04d", RawDir, id) }

// rawSuffixes are those of a process's output and errors, and of a server's output.
var rawSuffixes = [...]string{".out", ".err", ".server"}

// writeRaw keeps what a trial left, and returns the digest of what it collected. What
// is there already is of a trial whose line a kill kept from being written; it goes.
func (r *Record) writeRaw(id int, raw Raw) (collected string, err error) {
	base := filepath.Join(r.Dir, filepath.FromSlash(RawName(id)))
	for _, f := range []struct {
		suffix string
		data   []byte
	}{{rawSuffixes[0], raw.Stdout}, {rawSuffixes[1], raw.Stderr}, {rawSuffixes[2], raw.Server}} {
		if err := replace(base+f.suffix, f.data); err != nil {
			return "", fmt.Errorf("keep output of trial %d: %w", id, err)
		}
	}
	if collected, err = r.writeCollected(id, raw.Collected); err != nil {
		return "", fmt.Errorf("keep what trial %d collected: %w", id, err)
	}
	return collected, nil
}

// replace writes a file, or removes it where there is nothing to write.
func replace(name string, data []byte) error {
	if len(data) > 0 {
		return os.WriteFile(name, data, 0o666)
	}
	return remove(name)
}

// Sync makes the trials written so far survive a power loss.
func (r *Record) Sync() error {
	if err := r.trials.Sync(); err != nil {
		return fmt.Errorf("sync record: %w", err)
	}
	return nil
}

// WriteResult writes result.json and results.txt, which are derived from the
// rest and replace what was there.
func (r *Record) WriteResult(res *assay.Result) error {
	r.stale = false
	data, err := EncodeResult(res)
	if err != nil {
		return err
	}
	if err := writeFile(filepath.Join(r.Dir, ResultFile), data); err != nil {
		return err
	}
	f, err := os.CreateTemp(r.Dir, ExportFile+".*")
	if err != nil {
		return fmt.Errorf("write %s: %w", ExportFile, err)
	}
	defer os.Remove(f.Name())
	err = errors.Join(Export(f, r.run), f.Chmod(0o644))
	if err := errors.Join(err, f.Close()); err != nil {
		return fmt.Errorf("write %s: %w", ExportFile, err)
	}
	return os.Rename(f.Name(), filepath.Join(r.Dir, ExportFile))
}

// Close releases the run folder.
func (r *Record) Close() error {
	var err error
	if r.trials != nil {
		err = r.trials.Close()
	}
	return errors.Join(err, r.unlock())
}

// writeFile replaces a file so that a reader sees the old or the new one,
// never a half.
func writeFile(name string, data []byte) error {
	f, err := os.CreateTemp(filepath.Dir(name), "."+filepath.Base(name)+".*")
	if err != nil {
		return fmt.Errorf("write %s: %w", filepath.Base(name), err)
	}
	defer os.Remove(f.Name())
	_, err = f.Write(data)
	if err == nil {
		err = errors.Join(f.Chmod(0o644), f.Sync()) // CreateTemp makes it private
	}
	if err := errors.Join(err, f.Close()); err != nil {
		return fmt.Errorf("write %s: %w", filepath.Base(name), err)
	}
	return os.Rename(f.Name(), name)
}

package record

import (
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"

	"github.com/seed-1318a441/assay"
)

// Extend makes the run folder of a plan that goes on from an earlier run
// (Plan.Earlier) and opens it. Its trials.jsonl begins with the complete blocks of
// the earlier one, the trials numbered from 1 again; Trial.Run says which run
// measured each and keeps what it printed. Copied with the new numbers is what the
// trials left for pictures (collected/), and what those printed that messages may
// point at: the failed, and commands with their output. What cannot be read is left
// out.
//
// The copies are on disk before the plan is written: a kill in the middle leaves a
// folder that is no run. The error says what could not be written.
func Extend(store string, plan *assay.Plan, platform assay.Platform, study []byte, earlier *Run) (*Record, error) {
	f, err := newFolder(store, plan.Run)
	if err != nil {
		return nil, fmt.Errorf("extend record: %w", err)
	}
	defer f.Close()
	trials, err := f.copyTrials(earlier)
	if err != nil {
		return nil, fmt.Errorf("extend record: %w", err)
	}
	return makeFolder(store, plan, platform, study, trials)
}

// copyTrials copies what the trials of an earlier run left, and returns them as they stand
// in the longer record.
func (f folder) copyTrials(earlier *Run) (trials []assay.Trial, err error) {
	prints := printedFile{folder: f}
	defer func() { err = errors.Join(err, prints.sync(), prints.close()) }()
	for i, old := range slices.Concat(earlier.Blocks()...) {
		t := copied(old, i+1, earlier.Plan.Run)
		whole, err := f.copyFile(CollectedName(t.ID), earlier, CollectedName(old.ID))
		if err != nil {
			return nil, err
		}
		if !whole {
			t.Collected = ""
		}
		if old.Status != assay.StatusOK || old.Output != "" {
			// Without what it printed, only a log is missing.
			if raw, err := earlier.Printed(old.ID); err == nil {
				if t.Printed, err = prints.add(t.ID, raw); err != nil {
					return nil, err
				}
				prints.keep(t)
			}
		}
		trials = append(trials, t)
	}
	return trials, nil
}

// copied is an earlier run's trial as it stands in a longer record. What took its
// place was one attempt, whichever of the earlier run's it was.
func copied(t assay.Trial, id int, run string) assay.Trial {
	t.ID, t.Attempt, t.Printed = id, 1, nil
	if t.Run == "" {
		t.Run = run
	}
	return t
}

// copyFile copies a file of an earlier run if it is there.
func (f folder) copyFile(name string, earlier *Run, from string) (done bool, err error) {
	if earlier.fsys == nil {
		return false, nil
	}
	old, err := earlier.fsys.Open(from)
	if err != nil {
		return false, nil // most trials have none, and only pictures lack it
	}
	defer old.Close()
	data, err := io.ReadAll(io.LimitReader(old, maxCollected))
	if err != nil {
		return false, nil
	}
	if err := f.mkdir(path.Dir(name)); err != nil {
		return false, err
	}
	return true, f.put(name, data)
}

// GatesDir is the folder of a run in which the logs of gates are.
const GatesDir = "gates"

// WriteFile keeps a file of the run that is neither a trial nor derived, such as
// "gates/s01-tests.txt", and replaces what is there. The name is that of a file in
// GatesDir, with slashes; no link leads out of the run folder. The error says that
// the name is not one, or what could not be written.
func (r *Record) WriteFile(name string, data []byte) error {
	base, ok := strings.CutPrefix(name, GatesDir+"/")
	if !ok || base == "" || strings.HasPrefix(base, ".") || strings.ContainsAny(base, "/\\:\x00") {
		return fmt.Errorf("write %q: it is no name of a file in %s/", name, GatesDir)
	}
	if err := r.folder.mkdir(GatesDir); err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	if err := r.folder.put(name, data); err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	return nil
}

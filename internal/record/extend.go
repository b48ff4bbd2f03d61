package record

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/seed-1318a441/assay"
)

// Extend creates the run folder of a plan that extends an earlier run (Plan.Earlier) and
// opens it. Its trials.jsonl begins with the complete blocks of the earlier run, numbered
// from 1 again. Trial.Run names the run that measured each and keeps its output. Extend
// also copies collected/ and the output that messages may refer to, of failed trials and
// of commands, and skips unreadable files. The plan comes last: a kill leaves a folder
// that is not a run.
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
	extended := *plan
	extended.Looks = earlier.Looks()
	return makeFolder(store, &extended, platform, study, trials)
}

// copyTrials copies the files of an earlier run's trials, and returns the trials.
func (f folder) copyTrials(earlier *Run) (trials []assay.Trial, err error) {
	prints := newPrints(f)
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
			// Without the output, only a log is missing.
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

// copied returns an earlier run's trial for a longer record, with one attempt per block.
func copied(t assay.Trial, id int, run string) assay.Trial {
	t.ID, t.Attempt, t.Printed = id, 1, nil
	if t.Run == "" {
		t.Run = run
	}
	return t
}

// copyFile copies a file of an earlier run if it exists.
func (f folder) copyFile(name string, earlier *Run, from string) (done bool, err error) {
	if earlier.fsys == nil {
		return false, nil
	}
	data, err := readFile(earlier.fsys, from)
	if err != nil {
		return false, nil // most trials have none, and only pictures need it
	}
	if err := f.mkdir(path.Dir(name)); err != nil {
		return false, err
	}
	return true, f.put(name, data)
}

// GatesDir is the folder of a run with the logs of gates.
const GatesDir = "gates"

// WriteFile keeps a file that is neither a trial nor derived, such as
// "gates/s01-tests.txt", and replaces an existing one. The name is that of a file in
// GatesDir, with slashes; no link leads out of the run folder.
func (r *Record) WriteFile(name string, data []byte) error {
	base, ok := strings.CutPrefix(name, GatesDir+"/")
	if !ok || base == "" || strings.HasPrefix(base, ".") || strings.ContainsAny(base, "/\\:\x00") {
		return fmt.Errorf("write %q: it is no name of a file in %s/", name, GatesDir)
	}
	err := r.folder.mkdir(GatesDir)
	if err == nil {
		err = r.folder.put(name, data)
	}
	if err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	return nil
}

package record

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
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
	dir := filepath.Join(store, plan.Run)
	if err := os.MkdirAll(filepath.Join(dir, RawDir), 0o777); err != nil {
		return nil, fmt.Errorf("extend record: %w", err)
	}
	var trials []assay.Trial
	for i, t := range slices.Concat(earlier.Blocks()...) {
		whole, err := copyFiles(dir, i+1, earlier, t)
		if err != nil {
			return nil, fmt.Errorf("extend record: %w", err)
		}
		t = copied(t, i+1, earlier.Plan.Run)
		if !whole {
			t.Collected = ""
		}
		trials = append(trials, t)
	}
	return makeFolder(store, plan, platform, study, trials)
}

// copied is an earlier run's trial as it stands in a longer record. What took its
// place was one attempt, whichever of the earlier run's it was.
func copied(t assay.Trial, id int, run string) assay.Trial {
	t.ID, t.Attempt = id, 1
	if t.Run == "" {
		t.Run = run
	}
	return t
}

// copyFiles copies what a trial left, as it is. It reports whether what it collected is
// there.
func copyFiles(dir string, id int, earlier *Run, t assay.Trial) (collected bool, err error) {
	if collected, err = copyFile(dir, CollectedName(id), earlier, CollectedName(t.ID)); err != nil {
		return false, err
	}
	if t.Status == assay.StatusOK && t.Output == "" {
		return collected, nil
	}
	for _, suffix := range rawSuffixes {
		if _, err := copyFile(dir, RawName(id)+suffix, earlier, RawName(t.ID)+suffix); err != nil {
			return false, err
		}
	}
	return collected, nil
}

// copyFile copies a file of an earlier run if it is there.
func copyFile(dir, name string, earlier *Run, from string) (done bool, err error) {
	if earlier.fsys == nil {
		return false, nil
	}
	f, err := earlier.fsys.Open(from)
	if err != nil {
		return false, nil // most trials have none, and only pictures and logs lack it
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxCollected))
	if err != nil {
		return false, nil
	}
	name = filepath.Join(dir, filepath.FromSlash(name))
	if err := os.Mkdir(filepath.Dir(name), 0o777); err != nil && !errors.Is(err, fs.ErrExist) {
		return false, err
	}
	return true, os.WriteFile(name, data, 0o666)
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
	root, err := os.OpenRoot(r.Dir)
	if err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	defer root.Close()
	if err := root.Mkdir(GatesDir, 0o777); err != nil && !errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("write %s: %w", name, err)
	}
	// What is there goes first, so that a link is not written through.
	if err := root.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("write %s: %w", name, err)
	}
	if err := root.WriteFile(name, data, 0o666); err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	return nil
}

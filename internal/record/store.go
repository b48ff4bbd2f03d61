package record

import (
	"cmp"
	"crypto/rand"
	"encoding/base32"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/seed-1318a441/assay"
)

// An Entry is one run in a store's list.
type Entry struct {
	Run       string
	Study     string
	StudyHash string
	Dir       string
	Created   time.Time
	// Platform is that of the measurements, as far as it identifies a machine: its ID and
	// its Host.
	Platform assay.Platform
	// Machine is the label of the host that was measured, Group joins the runs of one
	// command on Machines hosts; all zero for a run of its own.
	Machine, Group string
	Machines       int
	// Finished is true if the run ended by its own rule; then Answer is its answer.
	Finished bool
	Answer   assay.Answer
	// Head is the record that the result is of, Digest the result's digest.
	Head, Digest string
	// Variants are the names, the base first; Workloads are those that they ran.
	Variants  []string
	Workloads []assay.Workload
	// Fault says that the record was modified, as far as that shows without its trials;
	// nil if not. If the plan cannot be read Run is the name of the folder.
	Fault error

	number int // Plan.Number
}

// Next draws the id of a store's next run, eight base-32 characters, and its number, one
// more than the largest. Two of 1,200 runs have equal ids once in a million.
func Next(store string) (id string, number int, err error) {
	runs, err := List(store)
	if err != nil {
		return "", 0, err
	}
	for _, e := range runs {
		number = max(number, e.number)
	}
	alphabet := base32.NewEncoding("abcdefghijkmnpqrstuvwxyz23456789").WithPadding(base32.NoPadding)
	for range 1000 {
		var b [5]byte
		rand.Read(b[:])
		id := alphabet.EncodeToString(b[:])
		if _, err := os.Lstat(filepath.Join(store, id)); errors.Is(err, fs.ErrNotExist) {
			return id, number + 1, nil
		}
	}
	return "", 0, fmt.Errorf("no free run id in %s: remove old runs", store)
}

// List returns the runs of a store in the order of their creation, whatever the clock
// said. It ignores folders without a plan, left by a kill before the first trial.
func List(store string) ([]Entry, error) {
	dirs, err := os.ReadDir(store)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("list runs: %w", err)
	}
	var out []Entry
	for _, d := range dirs {
		if !d.IsDir() {
			continue
		}
		if e, ok := entry(filepath.Join(store, d.Name())); ok {
			out = append(out, e)
		}
	}
	slices.SortFunc(out, func(a, b Entry) int {
		return cmp.Or(cmp.Compare(a.number, b.number), a.Created.Compare(b.Created), cmp.Compare(a.Run, b.Run))
	})
	return out, nil
}

func entry(dir string) (Entry, bool) {
	fsys := Folder(dir)
	p, err := ReadPlan(fsys)
	if errors.Is(err, fs.ErrNotExist) {
		return Entry{}, false
	}
	e := Entry{Run: filepath.Base(dir), Dir: dir, Fault: err}
	if p == nil {
		// It is listed with what the plan says, and with the fault.
		if p = new(assay.Plan); readJSON(fsys, PlanFile, p) != nil || p.Run == "" {
			return e, true
		}
	}
	e.Run, e.Study, e.StudyHash, e.Created, e.number = p.Run, p.Study.Name, p.StudyHash, p.Created, p.Number
	e.Workloads = p.Study.Workloads
	e.Machine, e.Group, e.Machines = p.Machine, p.Group, p.Machines
	for _, v := range p.Variants {
		switch {
		case v.Name == assay.ControlName:
		case v.Name == p.Study.Base:
			e.Variants = slices.Insert(e.Variants, 0, v.Name)
		default:
			e.Variants = append(e.Variants, v.Name)
		}
	}
	var platform assay.Platform
	if readJSON(fsys, PlatformFile, &platform) == nil {
		e.Platform = assay.Platform{ID: platform.ID, Host: platform.Host}
	}
	var fault error
	if fault = e.readAnswer(fsys); e.Fault == nil {
		e.Fault = cmp.Or(checkListed(fsys, p), fault)
	}
	return e, true
}

// checkListed checks the files written with the plan.
func checkListed(fsys fs.FS, p *assay.Plan) error {
	for _, name := range []string{PlatformFile, StudyFile} {
		if _, err := readListed(fsys, name, p); err != nil {
			return err
		}
	}
	return nil
}

// readAnswer reads the answer of a run, which has ended by its own rule if there is one:
// Append removes results. The error is one that is visible without the trials.
func (e *Entry) readAnswer(fsys fs.FS) error {
	res, err := ReadResult(fsys)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	}
	if e.Digest, err = ResultDigest(res); err != nil {
		return err
	}
	e.Answer, e.Head, e.Finished = res.Answer, res.Record, res.Spent.Stop != "" && res.Spent.Stop != assay.StopInterrupted
	end, err := readEnd(fsys)
	if err == nil && (end == nil || end.chain != res.Record) {
		err = foreignResult(res.Record)
	}
	return err
}

// Find resolves a name for a run: "" or "last", "last~2", a run id or a unique prefix of
// one, the name of a study (its newest run), or the path of a run folder.
func Find(store, name string) (Entry, error) {
	if strings.ContainsAny(name, `/\`) || name == "." {
		if e, ok := entry(name); ok {
			return e, nil
		}
		return Entry{}, fmt.Errorf("%s is not a run folder (it has no readable %s)", name, PlanFile)
	}
	runs, err := List(store)
	if err != nil {
		return Entry{}, err
	}
	if len(runs) == 0 {
		return Entry{}, fmt.Errorf("no run in %s yet", store)
	}
	if back, ok := atEnd(name); ok {
		if back >= len(runs) {
			return Entry{}, fmt.Errorf("%s: there are only %d runs in %s", name, len(runs), store)
		}
		return runs[len(runs)-1-back], nil
	}
	for _, e := range slices.Backward(runs) {
		if e.Run == name || e.Study == name {
			return e, nil
		}
	}
	var begin []string
	var found Entry
	for _, e := range runs {
		if strings.HasPrefix(e.Run, name) {
			begin, found = append(begin, e.Run), e
		}
	}
	switch len(begin) {
	case 0:
		return Entry{}, fmt.Errorf("no run or study is called %q in %s", name, store)
	case 1:
		return found, nil
	default:
		return Entry{}, fmt.Errorf("%d runs in %s begin with %q: %s", len(begin), store, name, strings.Join(begin[:min(len(begin), 5)], ", "))
	}
}

// atEnd parses "", "last" and "last~N".
func atEnd(name string) (back int, ok bool) {
	if name == "" || name == "last" {
		return 0, true
	}
	n, found := strings.CutPrefix(name, "last~")
	if !found {
		return 0, false
	}
	back, err := strconv.Atoi(n)
	return back, err == nil && back >= 0
}

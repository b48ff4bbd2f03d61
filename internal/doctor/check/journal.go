package check

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"syscall"

	"github.com/seed-1318a441/assay/internal/host"
	"github.com/seed-1318a441/assay/internal/host/system"
)

// Where a Keeper notes the old settings, relative to its root. Everybody may read it, so
// that a user can see what root has left behind.
const (
	journalDir  = "run/assay"
	journalFile = journalDir + "/settings.json"
	lockFile    = journalDir + "/lock"
)

// A journal is a Keeper's notes.
type journal struct {
	// Boot identifies the boot of the machine that the settings belong to.
	Boot string `json:"boot"`
	// Held settings stay although no process needs them.
	Held     bool        `json:"held,omitempty"`
	Users    []processID `json:"users"`
	Settings []Setting   `json:"settings"`
}

// A processID distinguishes a process from a later one with the same number.
type processID struct {
	PID   int    `json:"pid"`
	Start string `json:"start"` // in ticks since boot
}

func self() processID { return processID{os.Getpid(), startOf(os.Getpid())} }

// startOf returns when a process began, "" if there is none: the 22nd field of its stat,
// counted after its name, which may contain anything (proc(5)).
func startOf(pid int) string {
	text := system.Here.Read(fmt.Sprintf("proc/%d/stat", pid))
	f := strings.Fields(text[strings.LastIndexByte(text, ')')+1:])
	const start = 22 - 3
	if len(f) <= start || f[0] == "Z" {
		return "" // a zombie no longer needs anything
	}
	return f[start]
}

func (p processID) alive() bool { return p.Start != "" && startOf(p.PID) == p.Start }

// join notes that this process needs the settings, or that they are held.
func (j *journal) join(hold bool) {
	if hold {
		j.Held = true
		return
	}
	j.leave(self())
	j.Users = append(j.Users, self())
}

func (j *journal) leave(p processID) {
	j.Users = slices.DeleteFunc(slices.Clone(j.Users), func(q processID) bool { return q == p })
}

// note notes settings before they are changed. For a setting in the journal it keeps the
// value from before the first change.
func (j *journal) note(settings []Setting) {
	for _, s := range settings {
		if !slices.ContainsFunc(j.Settings, func(t Setting) bool { return t.File == s.File }) {
			j.Settings = append(j.Settings, s)
		}
	}
}

// needed reports whether some process still needs the settings.
func (j *journal) needed() bool {
	return j.Held || slices.ContainsFunc(j.Users, processID.alive)
}

// A lockedRoot is the root of a system while the lock is held.
type lockedRoot struct {
	root  *os.Root
	files system.Files
}

// locked calls do while no other assay changes settings. The lock ends with the process
// that holds it.
func (k Keeper) locked(do func(*lockedRoot) error) error {
	root, err := os.OpenRoot(k.Root)
	if err != nil {
		return err
	}
	defer root.Close()
	if err := root.MkdirAll(journalDir, 0o755); err != nil {
		return notAllowed(err)
	}
	lock, err := root.OpenFile(lockFile, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return notAllowed(err)
	}
	defer lock.Close()
	if err := host.LockWhole(lock); err != nil {
		return fmt.Errorf("lock %s: %w", lockFile, err)
	}
	return do(&lockedRoot{root, system.Files{FS: root.FS()}})
}

func notAllowed(err error) error {
	if errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS) {
		return fmt.Errorf("%w: %v", ErrNotAllowed, err)
	}
	return err
}

// current returns the journal without dead processes, an empty one if there is none. If
// all of them are dead it first restores their settings.
func (r *lockedRoot) current() (j *journal, back []Setting, err error) {
	boot := r.boot()
	if boot == "" {
		return nil, nil, errors.New("the boot id is unknown, so assay cannot recognise an old journal")
	}
	if j, err = r.load(); err != nil {
		return nil, nil, err
	}
	if j != nil && !j.needed() {
		if back, err = r.putBack(j); err != nil {
			return nil, back, err
		}
		j = nil
	}
	if j == nil {
		j = &journal{Boot: boot}
	}
	j.Users = slices.DeleteFunc(j.Users, func(p processID) bool { return !p.alive() })
	return j, back, nil
}

func (r *lockedRoot) boot() string { return r.files.Read("proc/sys/kernel/random/boot_id") }

// load reads the journal. It returns nil if there is none, or if it is from before the
// last boot: the settings ended with that.
func (r *lockedRoot) load() (*journal, error) {
	data, err := r.root.ReadFile(journalFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, notAllowed(err)
	}
	j := new(journal)
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(j); err != nil {
		return nil, fmt.Errorf("read /%s: %w", journalFile, err)
	}
	if j.Boot != r.boot() {
		_ = r.root.Remove(journalFile) // a user without permission leaves it to one with
		return nil, nil
	}
	for _, s := range j.Settings {
		if !s.allowed() {
			return nil, fmt.Errorf("read /%s: assay never sets %q from %q to %q", journalFile, s.File, s.Old, s.New)
		}
	}
	return j, nil
}

// store writes the journal so that a kill at any moment leaves either the old or the new
// one.
func (r *lockedRoot) store(j *journal) error {
	if len(j.Settings) == 0 {
		err := r.root.Remove(journalFile)
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		return err
	}
	data, err := json.MarshalIndent(j, "", "\t")
	if err != nil {
		return err
	}
	const next = journalFile + ".new"
	f, err := r.root.OpenFile(next, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o644)
	if err != nil {
		return notAllowed(err)
	}
	_, err = f.Write(append(data, '\n'))
	if err := errors.Join(err, f.Sync(), f.Close()); err != nil {
		return fmt.Errorf("save the old settings: %w", err)
	}
	if err := r.root.Rename(next, journalFile); err != nil {
		return err
	}
	dir, err := r.root.Open(journalDir)
	if err != nil {
		return err
	}
	return errors.Join(dir.Sync(), dir.Close())
}

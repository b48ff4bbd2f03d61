package check

import (
	"errors"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/seed-1318a441/assay/internal/host/system"
)

// A Keeper changes settings of this machine during a measurement, and restores them. It
// changes two things, both through Linux's files: the frequency governor, to
// "performance", and turbo, to off.
//
// Before a change it notes the old content of the file in a journal that other processes
// find. The next assay that starts repairs the settings of one that was killed. Two that
// run at the same time share the journal, so that neither takes the other's settings for
// the original ones. The journal is in /run: like the settings, it belongs to the
// machine, not to a user, and does not survive a reboot.
type Keeper struct {
	// Root is the root of the system's files: "/" except in tests.
	Root string
}

// A Setting is a kernel file changed by a Keeper.
type Setting struct {
	File string `json:"file"` // from the root, without the leading slash
	Old  string `json:"old"`
	New  string `json:"new"`
}

// ErrNotAllowed means that this user may not change settings of the machine.
var ErrNotAllowed = errors.New("only root may change the settings of the machine")

// allowed lists all files and values that are ever written. A tampered journal can write
// nothing else.
var allowed = []struct{ file, value *regexp.Regexp }{
	{regexp.MustCompile(`^sys/devices/system/cpu/cpu[0-9]{1,4}/cpufreq/scaling_governor$`), regexp.MustCompile(`^[a-z_]{1,15}$`)},
	{regexp.MustCompile(`^(` + noTurboFile + `|` + boostFile + `)$`), regexp.MustCompile(`^[01]$`)},
}

func (s Setting) allowed() bool {
	for _, a := range allowed {
		if a.file.MatchString(s.File) {
			return a.value.MatchString(s.Old) && a.value.MatchString(s.New)
		}
	}
	return false
}

// Apply changes what would spoil a measurement and can be restored. With hold the change
// stays until Undo. Otherwise it stays until Release, or until Repair finds that this
// process is dead. It returns what is changed, by this call or by an earlier assay;
// nothing if no change is needed. If the old values cannot be noted, it changes nothing.
func (k Keeper) Apply(hold bool) (changed []Setting, err error) {
	if k.nothingToDo() {
		return nil, nil // anybody may find that out
	}
	err = k.locked(func(r *lockedRoot) error {
		j, _, err := r.current()
		if err != nil {
			return err
		}
		wanted := r.settingsToChange()
		if len(wanted) == 0 && len(j.Settings) == 0 {
			return nil
		}
		j.join(hold)
		j.note(wanted)
		if err := r.store(j); err != nil {
			return err
		}
		refused := r.set(wanted)
		j.Settings = slices.DeleteFunc(j.Settings, func(s Setting) bool { return refused[s.File] != nil })
		changed = j.Settings
		if len(refused) == 0 {
			return nil
		}
		err = r.store(j)
		for _, why := range refused {
			if len(changed) > 0 {
				break // if only some failed, the others are still useful
			}
			return errors.Join(err, notAllowed(why))
		}
		return err
	})
	return changed, err
}

// Release ends this process's need for the settings. The last process restores them; they
// are returned.
func (k Keeper) Release() (back []Setting, err error) {
	return k.leave(func(j *journal) { j.leave(self()) })
}

// Undo restores what Apply with hold changed. If a run still needs the settings they stay
// until it ends, and nothing is returned.
func (k Keeper) Undo() (back []Setting, err error) {
	return k.leave(func(j *journal) { j.Held = false })
}

// Repair restores the settings of dead processes. It costs almost nothing if there is no
// journal.
func (k Keeper) Repair() (back []Setting, err error) {
	j, err := k.peek()
	if err != nil || j == nil || j.needed() {
		return nil, err
	}
	return k.leave(func(*journal) {})
}

// Changed lists the settings that are currently changed, by any process. It only reads.
func (k Keeper) Changed() ([]Setting, error) {
	j, err := k.peek()
	if err != nil || j == nil {
		return nil, err
	}
	return j.Settings, nil
}

// nothingToDo reports whether nothing is changed, and nothing needs a change.
func (k Keeper) nothingToDo() bool {
	j, err := k.peek()
	if err != nil || j != nil {
		return false
	}
	return len((&lockedRoot{files: system.Files{FS: os.DirFS(k.Root)}}).settingsToChange()) == 0
}

// peek reads the journal without the lock; nil if there is none.
func (k Keeper) peek() (*journal, error) {
	root, err := os.OpenRoot(k.Root)
	if err != nil {
		return nil, nil // no files of Linux: nothing can be changed
	}
	defer root.Close()
	return (&lockedRoot{root, system.Files{FS: root.FS()}}).load()
}

// leave removes processes from the journal, and restores everything when none is left.
func (k Keeper) leave(who func(*journal)) (back []Setting, err error) {
	if j, err := k.peek(); j == nil {
		return nil, err
	}
	err = k.locked(func(r *lockedRoot) error {
		j, old, err := r.current()
		if back = old; err != nil || len(j.Settings) == 0 {
			return err
		}
		who(j)
		if j.needed() {
			return r.store(j)
		}
		back, err = r.putBack(j)
		return err
	})
	return back, err
}

// set writes the new values and returns those that were refused, and why. A refused
// setting has its old value again.
func (r *lockedRoot) set(settings []Setting) (refused map[string]error) {
	refused = map[string]error{}
	for _, s := range settings {
		if err := r.write(s.File, s.New); err != nil {
			refused[s.File] = err
			_ = r.write(s.File, s.Old) // it most likely still has it
		}
	}
	return refused
}

// putBack writes the old values, except to files with another value by now: somebody has
// changed them since. The journal goes when everything is restored.
func (r *lockedRoot) putBack(j *journal) (back []Setting, err error) {
	var stuck []Setting
	for _, s := range slices.Backward(j.Settings) {
		if r.files.Read(s.File) != s.New {
			continue
		}
		if e := r.write(s.File, s.Old); e != nil {
			stuck, err = append(stuck, s), notAllowed(e)
			continue
		}
		back = append(back, s)
	}
	if len(stuck) > 0 {
		slices.Reverse(stuck)
		j.Settings = stuck
		return back, errors.Join(err, r.store(j))
	}
	slices.Reverse(back)
	return back, r.root.Remove(journalFile)
}

// settingsToChange lists the settings to change; files in the journal are already as they
// should be.
func (r *lockedRoot) settingsToChange() (out []Setting) {
	for _, file := range r.files.Names("sys/devices/system/cpu/cpu[0-9]*/cpufreq/scaling_governor") {
		can := strings.Fields(r.files.Read(strings.TrimSuffix(file, "scaling_governor") + "scaling_available_governors"))
		if old := r.files.Read(file); old != "performance" && slices.Contains(can, "performance") {
			out = append(out, Setting{File: file, Old: old, New: "performance"})
		}
	}
	if t := turbo(r.files); t.on {
		out = append(out, Setting{File: t.file, Old: r.files.Read(t.file), New: t.off})
	}
	return slices.DeleteFunc(out, func(s Setting) bool { return !s.allowed() })
}

// write sets a kernel file and checks that it accepted the value.
func (r *lockedRoot) write(file, value string) error {
	f, err := r.root.OpenFile(file, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = f.WriteString(value + "\n")
	if err := errors.Join(err, f.Close()); err != nil {
		return err
	}
	if got := r.files.Read(file); got != value {
		return fmt.Errorf("%s holds %q after %q was written", file, got, value)
	}
	return nil
}

// Describe returns a short text of what settings were, or with changed what they are now:
// "governor powersave (8 CPUs), turbo on".
func Describe(settings []Setting, changed bool) string {
	var words []string
	count := map[string]int{}
	for _, s := range settings {
		value := s.Old
		if changed {
			value = s.New
		}
		word := "governor " + value
		switch {
		case s.File == noTurboFile && value == "1", s.File == boostFile && value == "0":
			word = "turbo off"
		case s.File == noTurboFile, s.File == boostFile:
			word = "turbo on"
		}
		if count[word]++; count[word] == 1 {
			words = append(words, word)
		}
	}
	for i, w := range words {
		if strings.HasPrefix(w, "governor") {
			words[i] += fmt.Sprintf(" (%d CPUs)", count[w])
		}
	}
	return strings.Replace(strings.Join(words, ", "), "(1 CPUs)", "(1 CPU)", 1)
}

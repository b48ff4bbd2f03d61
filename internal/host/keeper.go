package host

import (
	"errors"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
)

// A Keeper changes settings of this machine for the time of a measurement, and puts
// back what was. It changes two things, both by files of Linux: the frequency
// governor, to "performance", and turbo, to off.
//
// What a file held is written down before it is changed, in a journal that other
// processes find: who is killed is repaired by the next assay that starts, and two
// that run at the same time share one journal, so that neither takes the other's
// settings for the original ones. The journal lies in /run: the settings belong to
// the machine, not to a user, and like /run they do not survive its next start.
type Keeper struct {
	// Root is where the files of the system are: "/" but in tests.
	Root string
}

// A Setting is a file of the kernel that a Keeper has changed.
type Setting struct {
	File string `json:"file"` // from the root, without the leading slash
	Old  string `json:"old"`
	New  string `json:"new"`
}

// ErrNotAllowed says that this user may not change settings of the machine.
var ErrNotAllowed = errors.New("only root may change the settings of the machine")

// allowed is all that is ever written to, and with what: a journal that somebody has
// tampered with writes nothing else.
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

// Apply changes what would spoil a measurement and can be put back. With hold it
// stays until Undo, else until Release, or until this process is dead and Repair
// finds that. It returns what is changed, by this call or by another assay before:
// nothing where nothing needs it. Where the old values cannot be written down,
// nothing is changed.
func (k Keeper) Apply(hold bool) (changed []Setting, err error) {
	if k.nothingToDo() {
		return nil, nil // which anybody may find
	}
	err = k.locked(func(r *room) error {
		j, _, err := r.current()
		if err != nil {
			return err
		}
		wanted := r.wanted()
		if len(wanted) == 0 && len(j.Settings) == 0 {
			return nil
		}
		j.join(hold)
		j.add(wanted)
		if err := r.store(j); err != nil {
			return err
		}
		refused := r.set(wanted)
		j.Settings = slices.DeleteFunc(j.Settings, func(s Setting) bool { return refused[s.File] != nil })
		changed = j.Settings
		if len(refused) == 0 {
			return nil
		}
		return errors.Join(r.store(j), errOf(refused, len(changed) == 0))
	})
	return changed, err
}

// errOf is one of the refusals where nothing could be changed: that one of several
// cannot is no reason to go without the others.
func errOf(refused map[string]error, all bool) error {
	if !all {
		return nil
	}
	for _, err := range refused {
		return notAllowed(err)
	}
	return nil
}

// Release ends this process's need of the settings. The last one puts them back,
// and they are returned.
func (k Keeper) Release() (back []Setting, err error) {
	return k.leave(func(j *journal) { j.part(self()) })
}

// Undo puts back what Apply set to hold. Where a run still needs the settings, they
// stay until it ends, and nothing is returned.
func (k Keeper) Undo() (back []Setting, err error) {
	return k.leave(func(j *journal) { j.Held = false })
}

// Repair puts back what processes left that are dead. It costs next to nothing where
// there is no journal.
func (k Keeper) Repair() (back []Setting, err error) {
	j, err := k.peek()
	if err != nil || j == nil || j.needed() {
		return nil, err
	}
	return k.leave(func(*journal) {})
}

// Changed lists what is changed at present, by whomever; it only reads.
func (k Keeper) Changed() ([]Setting, error) {
	j, err := k.peek()
	if err != nil || j == nil {
		return nil, err
	}
	return j.Settings, nil
}

// nothingToDo reports whether nothing is changed, nor need be.
func (k Keeper) nothingToDo() bool {
	j, err := k.peek()
	if err != nil || j != nil {
		return false
	}
	root, err := os.OpenRoot(k.Root)
	if err != nil {
		return true // no files of Linux
	}
	defer root.Close()
	return len((&room{root, system{root.FS()}}).wanted()) == 0
}

// peek reads the journal without the lock; nil where there is none.
func (k Keeper) peek() (*journal, error) {
	root, err := os.OpenRoot(k.Root)
	if err != nil {
		return nil, nil // no files of Linux: nothing can be changed
	}
	defer root.Close()
	return (&room{root, system{root.FS()}}).load()
}

// leave has somebody leave the journal, and puts everything back when nobody is left
// in it.
func (k Keeper) leave(who func(*journal)) (back []Setting, err error) {
	if j, err := k.peek(); j == nil {
		return nil, err
	}
	err = k.locked(func(r *room) error {
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

// set writes the new values and says which were refused, and why. The old value of
// one that was is back already.
func (r *room) set(settings []Setting) (refused map[string]error) {
	refused = map[string]error{}
	for _, s := range settings {
		if err := r.write(s.File, s.New); err != nil {
			refused[s.File] = err
			_ = r.write(s.File, s.Old) // it most likely still holds it
		}
	}
	return refused
}

// putBack writes the old values, but of files that hold something else by now:
// somebody has made up his mind since. The journal goes when all is back.
func (r *room) putBack(j *journal) (back []Setting, err error) {
	var stuck []Setting
	for _, s := range slices.Backward(j.Settings) {
		if r.files.read(s.File) != s.New {
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

// wanted lists the settings that would be better otherwise; a file that the journal
// has already is as it should be.
func (r *room) wanted() (out []Setting) {
	for _, file := range r.files.names("sys/devices/system/cpu/cpu[0-9]*/cpufreq/scaling_governor") {
		can := strings.Fields(r.files.read(strings.TrimSuffix(file, "scaling_governor") + "scaling_available_governors"))
		if old := r.files.read(file); old != "performance" && slices.Contains(can, "performance") {
			out = append(out, Setting{File: file, Old: old, New: "performance"})
		}
	}
	if t := turbo(r.files); t.on {
		out = append(out, Setting{File: t.file, Old: r.files.read(t.file), New: t.off})
	}
	return slices.DeleteFunc(out, func(s Setting) bool { return !s.allowed() })
}

// write sets a file of the kernel and looks whether it took the value.
func (r *room) write(file, value string) error {
	f, err := r.root.OpenFile(file, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = f.WriteString(value + "\n")
	if err := errors.Join(err, f.Close()); err != nil {
		return err
	}
	if got := r.files.read(file); got != value {
		return fmt.Errorf("%s holds %q after %q was written", file, got, value)
	}
	return nil
}

// Describe says in a few words what settings were, or with changed what they became:
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

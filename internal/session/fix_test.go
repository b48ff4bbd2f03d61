package session

import (
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/disk/disktest"
	"github.com/seed-1318a441/assay/internal/doctor/check"
	"github.com/seed-1318a441/assay/internal/errortest"
)

const (
	governorFile = "sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"
	journalFile  = "run/assay/settings.json"
)

// slowMachine makes the files of a machine with one CPU that saves power. The word is as
// long as the one that takes its place, as the kernel would have it.
func slowMachine(t *testing.T) (root string) {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("settings are changed on Linux")
	}
	root = t.TempDir()
	disktest.Write(t, root, map[string]string{governorFile: "powersaving\n",
		strings.TrimSuffix(governorFile, "governor") + "available_governors": "performance powersaving\n",
		"proc/sys/kernel/random/boot_id":                                     "boot-1\n", "run/x": ""})
	return root
}

// governor reads the setting.
func governor(t *testing.T, root string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(root, governorFile))
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(data))
}

// Settings stay changed from Fix to Undo, which says what it has put back.
func TestFixAndUndo(t *testing.T) {
	root := slowMachine(t)
	if text, err := Undo(root); err != nil || text != "nothing to put back" {
		t.Errorf("before: got %q, %v", text, err)
	}
	for range 2 { // it may be asked for twice
		if changed, err := Fix(root); err != nil || !changed || governor(t, root) != "performance" {
			t.Fatalf("got %t, %v, %s, want the governor changed", changed, err, governor(t, root))
		}
	}
	if text, err := Undo(root); err != nil || text != "put back: governor powersaving (1 CPU)" || governor(t, root) != "powersaving" {
		t.Errorf("got %q, %v, %s, want it put back", text, err, governor(t, root))
	}
	disktest.Write(t, root, map[string]string{governorFile: "performance\n"})
	if changed, err := Fix(root); err != nil || changed {
		t.Errorf("got %t, %v where there is nothing to change", changed, err)
	}
}

// A run with --fix has the settings changed for its time; Undo leaves them to it.
func TestFixForARun(t *testing.T) {
	root, h := slowMachine(t), &heard{}
	c := &Config{Root: root, Progress: NewProgress(h), Options: Options{Fix: true}}
	back, err := c.fixSettings()
	if err != nil || governor(t, root) != "performance" {
		t.Fatalf("got %v, %s, want the governor changed", err, governor(t, root))
	}
	if text, err := Undo(root); err != nil || !strings.HasPrefix(text, "a run needs it still") || governor(t, root) != "performance" {
		t.Errorf("undo: got %q, %v", text, err)
	}
	if back(); governor(t, root) != "powersaving" {
		t.Errorf("after the run: got %s", governor(t, root))
	}
	if want := "assay: for this run: governor performance (1 CPU); it was governor powersaving (1 CPU)"; len(h.said) != 1 || h.said[0] != want {
		t.Errorf("said %q, want %q", h.said, want)
	}
	c.Fix = false
	if back, err = c.fixSettings(); err != nil || governor(t, root) != "powersaving" {
		t.Errorf("without --fix: got %v, %s", err, governor(t, root))
	}
	back()
}

// What a killed assay has left is put back before anything else, once.
func TestRepair(t *testing.T) {
	root := slowMachine(t)
	if got := Repair(root); got != nil {
		t.Errorf("got %+v where nothing was changed", got)
	}
	if _, err := (check.Keeper{Root: root}).Apply(false); err != nil {
		t.Fatal(err)
	}
	if got := Repair(root); got != nil || governor(t, root) != "performance" {
		t.Errorf("got %+v, %s while the run goes on", got, governor(t, root))
	}
	name := filepath.Join(root, journalFile)
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	killed := regexp.MustCompile(`"start":\s*"\d+"`).ReplaceAll(data, []byte(`"start":"1"`)) // of a process before this one
	disktest.Write(t, root, map[string]string{journalFile: string(killed)})
	got := Repair(root)
	if len(got) != 1 || got[0].Code != assay.CodeRepaired || !strings.HasSuffix(got[0].Text, "governor powersaving (1 CPU)") || governor(t, root) != "powersaving" {
		t.Errorf("got %+v, %s, want what was killed put back", got, governor(t, root))
	}
	if got := Repair(root); got != nil {
		t.Errorf("got %+v the second time", got)
	}
}

// A refusal keeps what may be typed to a user who is not root; another error is told as it
// is.
func TestFixError(t *testing.T) {
	text := errortest.Want(t, fixError(check.ErrNotAllowed, "sudo x"), assay.CodeFix, assay.ExitRefused)
	if !strings.HasPrefix(text, check.ErrNotAllowed.Error()) || !strings.Contains(text, "try: sudo x") {
		t.Errorf("got %s", text)
	}
	text = errortest.Want(t, fixError(os.ErrClosed, "sudo x"), assay.CodeFix, assay.ExitRefused)
	if !strings.Contains(text, "stay as they are") || strings.Contains(text, "sudo") {
		t.Errorf("got %s", text)
	}
	if err := fixError(nil, "x"); err != nil {
		t.Errorf("got %v for no error", err)
	}
}

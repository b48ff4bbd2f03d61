package inquiry

import (
	"errors"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/disk/disktest"
	"github.com/seed-1318a441/assay/internal/errortest"
)

// twoVariants is a study in a folder.
func twoVariants(dir string, w assay.Workload) *assay.Study {
	s := &assay.Study{Name: "m", Dir: dir, Variants: []assay.Variant{{Name: "old"}, {Name: "new"}}, Workloads: []assay.Workload{w}}
	s.SetDefaults()
	return s
}

// The settings that trials run with are told by name, of a secret never the value.
func TestSettingsApart(t *testing.T) {
	p := &assay.Plan{Study: assay.Study{Base: "old"}, Variants: []assay.Variant{
		{Name: "old", Env: map[string]string{"GOGC": "100", "SAME": "1", "LESS": "x"}, Secrets: map[string]string{"TOKEN": "a"}},
		{Name: "new", Env: map[string]string{"GOGC": "50", "MORE": "y", "SAME": "1"}, Secrets: map[string]string{"TOKEN": "b"}},
		{Name: "alike", Env: map[string]string{"GOGC": "100", "SAME": "1", "LESS": "x"}, Secrets: map[string]string{"TOKEN": "a"}},
	}}
	if got, want := settingsApart(p, "new"), `GOGC=100 became GOGC=50, LESS=x is not set, MORE=y is new, TOKEN=[secret a] became TOKEN=[secret b]`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got := settingsApart(p, "alike"); got != "" {
		t.Errorf("got %s, want nothing", got)
	}
}

// A new explanation takes the place of one of the same comparison; others stay, behind it.
func TestReplaced(t *testing.T) {
	of := func(name, variant, text string) assay.Explanation {
		return assay.Explanation{Benchmark: assay.Benchmark{Name: name}, Variant: variant, Text: []string{text}}
	}
	earlier := []assay.Explanation{of("Sum", "new", "was"), of("Sum", "other", "stays"), of("Decode", "new", "stays")}
	got := replaced(earlier, []assay.Explanation{of("Sum", "new", "is")})
	if want := []assay.Explanation{of("Sum", "new", "is"), of("Sum", "other", "stays"), of("Decode", "new", "stays")}; !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if earlier[0].Text[0] != "was" {
		t.Error("the earlier explanations were changed")
	}
}

// The folder of a run's study is the one that the user names, else that of its command, else
// the current one; a folder that is not here is an error.
func TestStudyDir(t *testing.T) {
	dir := t.TempDir()
	disktest.Write(t, dir, map[string]string{"a/study.toml": "", "a/other.toml": "", "b/x": ""})
	t.Chdir(dir)
	for _, c := range []struct{ command, given, want string }{
		{"assay run a", "", "a"},
		{"assay run --budget=1m a/other.toml", "", "a"},
		{"assay tune a", "", "a"},
		{"assay run a", "b", "b"},
		{"assay compare a b", "", "."},
		{"assay run", "", "."},
	} {
		got, err := studyDir(&assay.Plan{Run: "7k2m", Command: c.command}, c.given)
		if want := filepath.Join(dir, c.want); err != nil || !sameFolder(t, got, want) {
			t.Errorf("%s, %q: got %q, %v, want %q", c.command, c.given, got, err, want)
		}
	}
	_, err := studyDir(&assay.Plan{Run: "7k2m", Command: "assay run gone/study.toml"}, "")
	if text := errortest.Want(t, err, assay.CodeNoStudy, assay.ExitUsage); !strings.Contains(text, "assay run gone/study.toml") {
		t.Errorf("got %s", text)
	}
}

// sameFolder reports whether two paths are one folder, whatever links lead there.
func sameFolder(t *testing.T, a, b string) bool {
	t.Helper()
	x, err := filepath.EvalSymlinks(a)
	y, err2 := filepath.EvalSymlinks(b)
	return errors.Join(err, err2) == nil && x == y
}

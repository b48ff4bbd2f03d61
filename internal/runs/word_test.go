package runs

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// write writes files, each with a result, into a new folder and goes there.
func write(t *testing.T, names ...string) {
	t.Helper()
	t.Chdir(t.TempDir())
	for _, name := range names {
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte("BenchmarkX 1 10 ns/op\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// A word is of results if it is a file, or a folder of nothing else that assay knows.
func TestIsResults(t *testing.T) {
	write(t, "base/run0.txt", "deep/a/run0", "pkg/x_test.go", "pkg/run.txt", "tree/cmd/x.go", "module/go.mod", "run/plan.json", "repo/.git/config", ".hidden/x", "hidden/.x", "file")
	for word, want := range map[string]bool{
		"base": true, "base/": true, "old=base": true, "deep": true, "file": true, "base/*.txt": true, "old=base/*": true, "-": true, "old=-": true, "missing.txt": true,
		"pkg": false, ".": false, "./": false, "tree": false, "module": false, "run": false, "repo": false, "hidden": false, "missing": false, "sort missing.txt": false, "base/*.json": false, "GOGC=file": false,
	} {
		if got := IsResults(word); got != want {
			t.Errorf("%s: %t, want %t", word, got, want)
		}
	}
}

// A folder is one variant; a pattern in quotes is given back as the files.
func TestFoldersOfResults(t *testing.T) {
	write(t, "base/run0.txt", "base/more/run1", "base/.x", "head/run0.txt", "[odd]")
	for _, words := range [][]string{{"base", "head/"}, {"old=base", "new=head"}} {
		s, _, err := ReadFiles(words, "", "")
		if err != nil {
			t.Fatal(err)
		}
		_, first := SplitLabel("base")
		if words[0] != "base" {
			first = "old"
		}
		if len(s.Variants) != 2 || s.Variants[0] != first || !slices.Equal(s.Names, []string{"base", "head"}) || len(s.Samples[0].Values) != 2 {
			t.Errorf("%q: %q of %q, %+v", words, s.Variants, s.Names, s.Samples[0])
		}
	}
	pattern, expanded := Unexpanded([]string{"old=base/*.txt", "[odd]", "head/*"})
	if want := []string{"old=base/run0.txt", "[odd]", "head/run0.txt"}; pattern != "old=base/*.txt" || !slices.Equal(expanded, want) {
		t.Errorf("%q, %q", pattern, expanded)
	}
	if pattern, _ := Unexpanded([]string{"[odd]", "none*"}); pattern != "" {
		t.Errorf("%q is a pattern", pattern)
	}
}

package internal

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"
)

// Every part of make test runs, also after one that fails; the summary says how
// each ended, and the whole fails.
func TestEveryPartRuns(t *testing.T) {
	if _, err := exec.LookPath("make"); err != nil {
		t.Skip("needs make")
	}
	script, err := os.ReadFile("../.ci/parts")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for name, text := range map[string]string{"Makefile": "a:\n\t@echo one\nb:\n\t@false\nc:\n\t@echo three\n", ".ci/parts": string(script)} {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	run := func(parts ...string) (string, int) {
		cmd := exec.Command("sh", append([]string{filepath.Join(dir, ".ci/parts")}, parts...)...)
		cmd.Env = append(os.Environ(), "MAKEFLAGS=", "MAKE=make")
		out, _ := cmd.Output()
		return string(out), cmd.ProcessState.ExitCode()
	}
	got, status := run("a", "b", "c")
	want := `^== a\none\n== b\n== c\nthree\n\npass  a +\d+ min \d\d s\nFAIL  b +\d+ min \d\d s\npass  c +\d+ min \d\d s\n$`
	if !regexp.MustCompile(want).MatchString(got) || status != 1 {
		t.Errorf("got status %d and\n%s", status, got)
	}
	if _, status := run("a", "c"); status != 0 {
		t.Errorf("got status %d where nothing failed", status)
	}
}

package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/seed-1318a441/assay/internal/slow"
)

// A fence is a code block of a Markdown file.
type fence struct {
	kind  string // the word behind the opening backquotes
	above string // the last line before it that is not blank
	lines []string
}

// fences reads the code blocks of a document.
func fences(t *testing.T, name string) []fence {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	var all []fence
	above, open := "", false
	for line := range strings.Lines(string(text)) {
		line = strings.TrimRight(line, " \n")
		kind, mark := strings.CutPrefix(line, "```")
		switch {
		case mark && open:
			open, above = false, ""
		case mark:
			open, all = true, append(all, fence{kind: kind, above: above})
		case open:
			f := &all[len(all)-1]
			f.lines = append(f.lines, line)
		case line != "":
			above = line
		}
	}
	return all
}

// assayProgram is a folder for PATH in which the test binary is called assay, which
// makes it be assay (TestMain).
func assayProgram(t *testing.T) string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.Symlink(self, filepath.Join(dir, "assay")); err != nil {
		t.Skipf("no symbolic links here: %v", err)
	}
	return dir
}

// documentEnv is what documented commands run in: a terminal of that width, bin first
// in the PATH.
func documentEnv(t *testing.T, bin string, columns int) []string {
	t.Helper()
	env := os.Environ()
	for k, v := range goSettings(t) {
		env = append(env, k+"="+v)
	}
	path := bin + string(filepath.ListSeparator) + os.Getenv("PATH")
	return append(env, "PATH="+path, "XDG_CACHE_HOME="+testCache, fmt.Sprintf("COLUMNS=%d", columns))
}

// TestSlowTutorial runs the commands of docs/tutorial.md as a reader would, about two
// minutes: all must succeed, and what the document shows of their output must be of
// the kind that they print. Figures are the machine's business.
func TestSlowTutorial(t *testing.T) {
	slow.Test(t)
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("no shell here")
	}
	blocks := fences(t, filepath.Join(repository(), "docs", "tutorial.md"))
	dir, outputs := t.TempDir(), t.TempDir()
	env := documentEnv(t, assayProgram(t), 80)
	if out, err := fetch(env, dir, blocks); err != nil {
		t.Skipf("the tutorial's module cannot be fetched from here: %v\n%s", err, out)
	}
	script, commands := shellScript(blocks, outputs)
	cmd := exec.CommandContext(t.Context(), "sh", "-c", script)
	cmd.Dir, cmd.Env = dir, env
	if err := cmd.Run(); err != nil {
		failed := cmd.ProcessState.ExitCode() - 1
		if failed < 0 || failed >= len(commands) {
			t.Fatal(err)
		}
		t.Fatalf("%s\n%s", commands[failed], wrote(t, outputs, failed))
	}
	checkShown(t, blocks, outputs)
	for _, name := range []string{"report.html", "study.html"} {
		page, err := os.ReadFile(filepath.Join(dir, "btree-tutorial", name))
		if err != nil || !strings.Contains(string(page), `id="assay-data"`) {
			t.Errorf("%s is no page: %d bytes, %v", name, len(page), err)
		}
	}
}

// fetch gets the modules that go get is called for, so that no network is told from a
// fault.
func fetch(env []string, dir string, blocks []fence) ([]byte, error) {
	args := []string{"mod", "download"}
	for _, f := range blocks {
		for _, line := range f.lines {
			if words := strings.Fields(line); len(words) > 2 && words[0] == "go" && words[1] == "get" {
				args = append(args, words[len(words)-1])
			}
		}
	}
	cmd := exec.Command("go", args...)
	cmd.Dir, cmd.Env = dir, append(slices.Clip(env), "GO111MODULE=on")
	return cmd.CombinedOutput()
}

// shellScript runs the commands one after the other in one shell, each with its output
// in a file; the first that fails ends it, with its number from 1 as the exit status.
func shellScript(blocks []fence, outputs string) (script string, commands []string) {
	var b strings.Builder
	for _, f := range blocks {
		if f.kind != "sh" {
			continue
		}
		for _, line := range f.lines {
			fmt.Fprintf(&b, "{ %s\n} >'%s/%d' 2>&1 || exit %d\n", line, outputs, len(commands), len(commands)+1)
			commands = append(commands, line)
		}
	}
	return b.String(), commands
}

func wrote(t *testing.T, outputs string, command int) string {
	t.Helper()
	out, err := os.ReadFile(filepath.Join(outputs, fmt.Sprint(command)))
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// checkShown compares the first words of lines: every one that a block of output has
// at its left edge must begin a line of what the commands above it printed.
func checkShown(t *testing.T, blocks []fence, outputs string) {
	t.Helper()
	printed, next := "", 0
	for _, f := range blocks {
		if f.kind == "sh" {
			printed = ""
			for range f.lines {
				printed += wrote(t, outputs, next)
				next++
			}
			continue
		}
		for _, line := range f.lines {
			if w := firstWord.FindString(line); w != "" && !varies[w] && !strings.Contains("\n"+printed, "\n"+w) {
				t.Errorf("no line of the output begins with %q, as in %q:\n%s", w, line, printed)
			}
		}
	}
	if next < 10 {
		t.Errorf("%d commands: is the pattern still right?", next)
	}
}

var (
	firstWord = regexp.MustCompile(`^[^\s.]\S*`)
	// varies are words of the machine, or that wrap with its name.
	varies = map[string]bool{"run": true, "linux/amd64": true, "noise": true}
)

// fromRecord is the comment above an output that can be had again from a published
// record.
var fromRecord = regexp.MustCompile(`^<!-- (assay .*) -->$`)

// What the documents show of the published records must be what assay prints of them,
// line by line; "..." stands for lines left out.
func TestShownRecords(t *testing.T) {
	bin, seen := assayProgram(t), 0
	env := documentEnv(t, bin, 90)
	for _, name := range documents(t) {
		for _, f := range fences(t, name) {
			m := fromRecord.FindStringSubmatch(f.above)
			if m == nil {
				continue
			}
			seen++
			printed := printedLines(t, bin, env, m[1])
			for _, line := range f.lines {
				if line != "..." && line != "" && !slices.Contains(printed, line) {
					t.Errorf("%s: %q does not print\n%s", name, m[1], line)
				}
			}
		}
	}
	if seen < 5 {
		t.Errorf("%d outputs of records, want at least 5: is the pattern still right?", seen)
	}
}

func printedLines(t *testing.T, bin string, env []string, command string) []string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), filepath.Join(bin, "assay"), strings.Fields(command)[1:]...)
	cmd.Dir, cmd.Env = repository(), env
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v", command, err)
	}
	lines := strings.Split(string(out), "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return lines
}

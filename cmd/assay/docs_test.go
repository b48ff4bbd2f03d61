package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/seed-1318a441/assay/internal/usage"
)

// The program must accept every command line in a code block of a document: the test
// parses the command, its flags and their values as if they were typed.
func TestDocumentedCommandsParse(t *testing.T) {
	seen := 0
	for _, name := range documents(t) {
		for _, f := range fences(t, name) {
			for _, line := range f.lines {
				if args, ok := documentedCommand(line); ok {
					seen++
					checkParses(t, name, line, args)
				}
			}
		}
	}
	if seen < 10 {
		t.Errorf("found %d command lines, want at least 10: is the pattern still right?", seen)
	}
}

// checkParses reports a command line of a document that the program would refuse.
func checkParses(t *testing.T, document, line string, args []string) {
	t.Helper()
	root := newRoot(&console{stdout: t.Output(), stderr: t.Output()}, args)
	cmd, rest, err := root.Find(usage.Shield(root, args))
	if err != nil || cmd == root {
		t.Errorf("%s: %q: no such command: %v", document, line, err)
		return
	}
	if err := cmd.ParseFlags(rest); err != nil {
		t.Errorf("%s: %q: %v", document, line, err)
	}
}

// documents are the README, docs, and what stands beside the studies.
func documents(t *testing.T) []string {
	t.Helper()
	names := []string{filepath.Join(repository(), "README.md")}
	for _, pattern := range []string{"docs/*.md", "studies/*/README.md"} {
		found, err := filepath.Glob(filepath.Join(repository(), pattern))
		if err != nil || len(found) == 0 {
			t.Fatalf("%s: %d documents, %v", pattern, len(found), err)
		}
		names = append(names, found...)
	}
	return names
}

var (
	remark = regexp.MustCompile(`\s{2,}\S.*$|\s+#.*$`) // what explains a command, behind it
	word   = regexp.MustCompile(`'[^']*'|\S+`)
)

// documentedCommand reads a line of a code block as a command of assay.
func documentedCommand(line string) (args []string, ok bool) {
	line = strings.TrimPrefix(strings.TrimSpace(line), "$ ")
	if !strings.HasPrefix(line, "assay ") || strings.ContainsAny(line, "[…·") || strings.HasPrefix(line, "assay:") {
		return nil, false
	}
	line = remark.ReplaceAllString(line, "")
	for _, w := range word.FindAllString(line, -1)[1:] {
		if w == ">" || w == "|" || w == "&&" {
			break
		}
		args = append(args, strings.Trim(w, "'"))
	}
	return args, len(args) > 0
}

// A document that quotes a script has it whole: TestScript runs the script.
func TestDocumentedScripts(t *testing.T) {
	name := filepath.Join(repository(), "docs", "automation.md")
	for _, f := range fences(t, name) {
		if f.above != "<!-- automation/decide.sh -->" {
			continue
		}
		want, err := os.ReadFile(filepath.Join(repository(), "docs", "automation", "decide.sh"))
		if got := strings.Join(f.lines, "\n") + "\n"; err != nil || got != string(want) {
			t.Errorf("%s quotes\n%s%v, and the script is\n%s", name, got, err, want)
		}
		return
	}
	t.Errorf("%s quotes no script", name)
}

var (
	link    = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	dropped = regexp.MustCompile(`[^\p{L}\p{N} _-]`)
)

// Every link of a document to a file of ours must lead to one, and to a heading in it
// where it names one.
func TestDocumentedLinks(t *testing.T) {
	for _, name := range documents(t) {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range link.FindAllStringSubmatch(string(text), -1) {
			file, heading, _ := strings.Cut(m[1], "#")
			if strings.Contains(file, "://") {
				continue
			}
			if file = filepath.Join(filepath.Dir(name), file); strings.HasPrefix(m[1], "#") {
				file = name
			}
			if _, err := os.Stat(file); err != nil || heading != "" && !slices.Contains(anchors(t, file), heading) {
				t.Errorf("%s: nothing is at %s", name, m[1])
			}
		}
	}
}

// anchors are the names of the headings of a document, as GitHub makes them.
func anchors(t *testing.T, name string) []string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "#") {
			title := strings.ToLower(strings.TrimSpace(strings.TrimLeft(line, "#")))
			all = append(all, strings.ReplaceAll(dropped.ReplaceAllString(title, ""), " ", "-"))
		}
	}
	return all
}

// Each promise of the documents on security names tests, or files of them, that exist.
func TestPromisesHaveTests(t *testing.T) {
	root := repository()
	tests := map[string]bool{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		data, err := os.ReadFile(path)
		for _, m := range regexp.MustCompile(`(?m)^func ((?:Test|Fuzz)\w+)\(`).FindAllStringSubmatch(string(data), -1) {
			tests[m[1]] = true
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for name, least := range map[string]int{"SECURITY.md": 15, "docs/fleet.md": 9, "docs/github.md": 9} {
		data, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
		if err != nil {
			t.Fatal(err)
		}
		rows, in := 0, false
		for line := range strings.Lines(string(data)) {
			cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
			last := strings.TrimSpace(cells[len(cells)-1])
			switch {
			case !strings.HasPrefix(line, "|"):
				in = false
			case last == "test":
				in = true
			case in && !strings.HasPrefix(line, "|--"):
				rows++
				for _, m := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(last, -1) {
					if _, err := os.Stat(filepath.Join(root, filepath.FromSlash(m[1]))); err != nil && !tests[m[1]] {
						t.Errorf("%s: there is no test %s", name, m[1])
					}
				}
				if last == "" {
					t.Errorf("%s: no test holds%s", name, cells[0])
				}
			}
		}
		if rows < least {
			t.Errorf("%s: %d promises with tests, want at least %d", name, rows, least)
		}
	}
}

package main

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// Every command line that a document shows must be one that the program takes:
// its command, its flags and their values are parsed as they would be typed.
func TestDocumentedCommandsParse(t *testing.T) {
	seen := 0
	for _, name := range []string{"../../README.md", "../../docs/cli.md", "../../docs/methodology.md", "../../docs/format.md",
		"../../docs/services.md", "../../docs/milestones.md", "../../docs/tutorial.md", "../../docs/bisect.md", "../../studies/arc/README.md", "../../studies/go-toml/README.md", "../../studies/bisect/README.md", "../../docs/load.md", "../../studies/dolt-greentea/README.md", "../../studies/sql-server/README.md", "../../studies/web-server/README.md",
		"../../studies/small-malloc/README.md", "../../studies/queue-path/README.md", "../../studies/interpreters/README.md"} {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			args, ok := documentedCommand(line)
			if !ok {
				continue
			}
			seen++
			root := newRoot(&console{stdout: t.Output(), stderr: t.Output()}, args)
			cmd, rest, err := root.Find(args)
			if err != nil || cmd == root {
				t.Errorf("%s: %q: no such command: %v", name, line, err)
				continue
			}
			if err := cmd.ParseFlags(rest); err != nil {
				t.Errorf("%s: %q: %v", name, line, err)
			}
		}
	}
	if seen < 10 {
		t.Errorf("found %d command lines, want at least 10: is the pattern still right?", seen)
	}
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
	// Prose that begins with the name of the program is no command.
	prose := []string{"answers", "is", "builds", "prints", "says", "has", "does", "and", "measures", "decides", "with", "runs", "reads"}
	return args, len(args) > 0 && !slices.Contains(prose, args[0])
}

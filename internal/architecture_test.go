package internal

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// docs/architecture.md names folders and files that are there, and the test of imports has
// its table of levels.
func TestArchitectureIsTrue(t *testing.T) {
	text, err := os.ReadFile("../docs/architecture.md")
	if err != nil {
		t.Fatal(err)
	}
	places := regexp.MustCompile("`((?:internal|cmd|web|docs|studies)/[A-Za-z0-9_./*-]+)`").FindAllStringSubmatch(string(text), -1)
	if len(places) < 100 {
		t.Fatalf("%d places are named: is the pattern still right?", len(places))
	}
	for _, p := range places {
		found, err := filepath.Glob(filepath.Join("..", p[1]))
		if err != nil || len(found) == 0 {
			t.Errorf("docs/architecture.md names %s, which is not there", p[1])
		}
	}
	rows := regexp.MustCompile(`(?m)^\| (\d+) \| [^|]+ \| (.*) \|$`).FindAllStringSubmatch(string(text), -1)
	listed := map[string]string{}
	for _, row := range rows {
		for name := range strings.SplitSeq(row[2], ", ") {
			listed[name] = row[1]
		}
	}
	for pkg, level := range levels {
		name := strings.TrimPrefix(pkg, "internal/")
		if name == "" {
			name = "the root package"
		}
		if got, want := listed[name], strconv.Itoa(level); got != want {
			t.Errorf("docs/architecture.md has %s at level %q, the imports say %s", name, got, want)
		}
	}
}

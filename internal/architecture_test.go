package internal

import (
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// docs/architecture.md names folders and files that are there, and has a subject for each
// package.
func TestArchitectureIsTrue(t *testing.T) {
	data, err := os.ReadFile("../docs/architecture.md")
	if err != nil {
		t.Fatal(err)
	}
	text := string(data)
	places := regexp.MustCompile("`((?:internal|cmd|web|docs|studies)/[A-Za-z0-9_./*-]+)`").FindAllStringSubmatch(text, -1)
	if len(places) < 30 {
		t.Fatalf("%d places are named: is the pattern still right?", len(places))
	}
	for _, p := range places {
		found, err := filepath.Glob(filepath.Join("..", p[1]))
		if err != nil || len(found) == 0 {
			t.Errorf("docs/architecture.md names %s, which is not there", p[1])
		}
	}
	_, subjects, _ := strings.Cut(text, "| subject |")
	subjects, _, _ = strings.Cut(subjects, "\n\n")
	for pkg := range levels {
		if name, ok := strings.CutPrefix(pkg, "internal/"); ok && !strings.HasPrefix(name, "explain/") && !strings.HasPrefix(name, "host/") && name != "doctor/check" &&
			!strings.Contains(subjects, "`"+path.Base(name)+"`") {
			t.Errorf("docs/architecture.md has no subject for %s", pkg)
		}
	}
}

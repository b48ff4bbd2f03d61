package spec

import (
	"os"
	"strings"
	"testing"
)

// TestDocumentedStudies: the examples of docs/format.md are studies, at most
// their variants are missing.
func TestDocumentedStudies(t *testing.T) {
	text, err := os.ReadFile("../../docs/format.md")
	if err != nil {
		t.Fatal(err)
	}
	blocks := strings.Split(string(text), "```toml\n")[1:]
	if len(blocks) < 3 {
		t.Fatalf("found %d examples, want three or more", len(blocks))
	}
	for _, b := range blocks {
		b, _, _ := strings.Cut(b, "```")
		if !strings.Contains(b, "[[variant]]") && !strings.Contains(b, "[[factor]]") && !strings.Contains(b, "[by]") && !strings.Contains(b, "[steps]") {
			b += "\n[[variant]]\nname = \"a\"\n"
		}
		if _, err := Parse("format.md", []byte(b)); err != nil {
			t.Errorf("%v in\n%s", err, b)
		}
	}
}

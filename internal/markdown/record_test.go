package markdown

import (
	"strings"
	"testing"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/record"
)

// Comments on published results have their answer, their benchmarks and tables in which no
// row has more cells than the head, and fit GitHub.
func TestCommentsOnStudies(t *testing.T) {
	for dir, rows := range map[string][]string{
		"queue-path/record":          {"| allocs/op | 2 | 1 | **−50.0 %** (exact) | ▼ less |"},
		"small-malloc/record":        {"| `sizespec` |", "| `Alloc16` |", "- `nosizespec`: same code as go1.26.8"},
		"interpreters/record/gogc":   {"| `GOGC=50` | **+26 %** [+15, +39] | ▲ slower |"},
		"interpreters/record/two-ps": {"| `all-off` |", "lua/cmd/glua.loop-counter` |"},
		"dolt-greentea/record/aa":    {"| `threads=1` | `greentea` | `greentea-again` |", "| p99.9 | too few: 10 requests beyond it needed, 1 seen |"},
		"web-server/record/main":     {"| `list-folder` | `GOGC=100` | `GOGC=50` | `GOGC=200` | `GOGC=400` |", "server starts, interleaved"},
		"arc/record/main":            {"|  | **total, against the base** |"},
	} {
		r, err := record.ReadResult(record.Folder("../../studies/" + dir))
		if err != nil {
			t.Fatal(err)
		}
		var b strings.Builder
		if err := Write(&b, r, Options{}); err != nil {
			t.Fatal(err)
		}
		text := b.String()
		for _, line := range append(rows, answersOf(r)...) {
			if !strings.Contains(text, line) {
				t.Errorf("%s: got\n%s\nwant %q in it", dir, text, line)
			}
		}
		if len(text) > MaxSize || !strings.HasSuffix(text, "\n"+Marker(r.Study)+"\n") {
			t.Errorf("%s: %d bytes, want at most %d, with the name of the study last", dir, len(text), MaxSize)
		}
		wholeTables(t, dir, text)
	}
}

// answersOf are the lines of an answer as a comment has them.
func answersOf(r *assay.Result) (out []string) {
	for _, line := range r.Answer.Text {
		out = append(out, Prose(line))
	}
	return out
}

// wholeTables checks that no row of a table has more cells than its head.
func wholeTables(t *testing.T, what, text string) {
	t.Helper()
	head, tables := 0, 0
	for line := range strings.Lines(text) {
		n := strings.Count(line, " | ")
		switch {
		case !strings.HasPrefix(line, "| "):
			head = 0
		case head == 0:
			head, tables = n, tables+1
		case n > head:
			t.Errorf("%s: %d cells below a head of %d: %s", what, n+1, head+1, line)
		}
	}
	if tables == 0 {
		t.Errorf("%s: no table in\n%s", what, text)
	}
}

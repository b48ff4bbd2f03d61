package report

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/seed-1318a441/assay"
)

// JSON prints a result, of one machine or of several, as indented JSON with a
// newline at its end: the same result gives the same bytes. Characters that a
// terminal may obey are written as \u escapes.
func JSON[T assay.Result | assay.Merged](w io.Writer, r *T) error {
	b, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return fmt.Errorf("write result: %w", err)
	}
	_, err = io.WriteString(w, escapeControls(string(b))+"\n")
	return err
}

// escapeControls escapes what encoding/json leaves as it is: DEL, the C1
// controls (U+009B starts an escape sequence) and the bidirectional marks. They
// can stand only inside strings, where the escape means the same.
func escapeControls(text string) string {
	var b strings.Builder
	for _, r := range text {
		if r >= 0x7f && r <= 0x9f || r >= 0x200e && r <= 0x200f || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 {
			fmt.Fprintf(&b, `\u%04x`, r)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

package report

import (
	"encoding/json"
	"fmt"
	"io"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/printable"
)

// JSON prints a result, of one machine or of several, as indented JSON with a
// newline at its end: the same result gives the same bytes. Characters that a
// terminal may obey are written as \u escapes.
func JSON[T assay.Result | assay.Merged](w io.Writer, r *T) error {
	b, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return fmt.Errorf("write result: %w", err)
	}
	_, err = w.Write(append(printable.JSON(b), '\n'))
	return err
}

package sheet

import (
	"encoding/json"
	"fmt"
	"io"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/printable"
	"github.com/seed-1318a441/assay/internal/record"
)

// WriteJSON prints a result, of one machine or of several, as indented JSON with a newline at
// its end: the same result gives the same bytes. That of one machine is the file that
// record.EncodeResult makes.
func WriteJSON[T assay.Result | assay.Merged](w io.Writer, r *T) error {
	b, err := encode(r)
	if err != nil {
		return fmt.Errorf("write result: %w", err)
	}
	_, err = w.Write(b)
	return err
}

func encode(r any) ([]byte, error) {
	if one, ok := r.(*assay.Result); ok {
		return record.EncodeResult(one)
	}
	b, err := json.MarshalIndent(r, "", "  ")
	return append(printable.JSON(b), '\n'), err
}

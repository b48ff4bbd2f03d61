package load

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/seed-1318a441/assay/internal/printable"
)

// maxJSON is the maximum size of a JSON document, in bytes.
const maxJSON = 64 << 20

// readAssay reads the JSON of a Result, as printed by "assay load".
func readAssay(src *bufio.Reader) (r Result, err error) {
	return r, decodeJSON(src, &r)
}

// readJSON reads a report in JSON.
func readJSON[T interface{ result() (Result, error) }](src *bufio.Reader) (Result, error) {
	var report T
	if err := decodeJSON(src, &report); err != nil {
		return Result{}, err
	}
	return report.result()
}

// decodeJSON reads one JSON document of bounded size.
func decodeJSON(src io.Reader, v any) error {
	b, err := io.ReadAll(io.LimitReader(src, maxJSON+1))
	switch {
	case err != nil:
		return fmt.Errorf("cannot be read: %w", err)
	case len(b) > maxJSON:
		return fmt.Errorf("is more than %d MiB of JSON", maxJSON>>20)
	}
	if err := json.Unmarshal(b, v); err != nil {
		return errors.New("is not the JSON that was expected: " + printable.Brief(err.Error()))
	}
	return nil
}

package record

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"github.com/seed-1318a441/assay"
)

// Limits of a collected/<ID>.json.gz: a record may be untrusted, and gzip unpacks one
// byte to a thousand. An entry of "{}" takes 200 bytes of memory. An hour of load with a
// collection every 20 ms has 200,000 entries.
const (
	maxCollected        = 64 << 20 // bytes of JSON
	maxCollectedEntries = 1 << 20
)

// CollectedName returns the file of a trial's assay.Collected in the run folder.
func CollectedName(id int) string { return fmt.Sprintf("%s/%04d.json.gz", CollectedDir, id) }

// ErrCollected is the error of a file in collected/ that is missing or not its trial's.
var ErrCollected = errors.New("it differs from what the trial wrote")

// Collected reads what a trial collected beside its observations; ok is false if nothing.
// The error says that the file is torn, too large or invalid, or is ErrCollected.
func (r *Run) Collected(id int) (c assay.Collected, ok bool, err error) {
	if r.fsys == nil {
		return c, false, nil
	}
	name, sum := CollectedName(id), ""
	if id >= 1 && id <= len(r.Trials) {
		sum = r.Trials[id-1].Collected
	}
	data, err := readFile(r.fsys, name)
	switch missing := errors.Is(err, fs.ErrNotExist); {
	case missing && sum == "":
		return c, false, nil
	case missing:
		return c, false, fmt.Errorf("%w: %s is missing", ErrCollected, name)
	case err != nil && sum != "":
		return c, false, fmt.Errorf("%w: %s: %w", ErrCollected, name, err)
	case err != nil:
		return c, false, fmt.Errorf("read record: %w", err)
	case sum != "" && digest(data)[:chainLen] != sum:
		return c, false, fmt.Errorf("%w: the digest of %s does not fit", ErrCollected, name)
	}
	if c, err = decodeCollected(bytes.NewReader(data)); err != nil {
		return assay.Collected{}, false, fmt.Errorf("read %s: %w", name, err)
	}
	return c, true, nil
}

func decodeCollected(r io.Reader) (c assay.Collected, err error) {
	z, err := gzip.NewReader(r)
	if err != nil {
		return c, err
	}
	data, err := io.ReadAll(io.LimitReader(z, maxCollected+1))
	if err != nil {
		return c, err
	}
	if err := fits(data); err != nil {
		return c, err
	}
	if err := json.Unmarshal(data, &c); err != nil {
		return c, err
	}
	return c, checkHistogram(c.Latency)
}

// fits reports whether data, in JSON, is within the limits.
func fits(data []byte) error {
	switch {
	case len(data) > maxCollected:
		return fmt.Errorf("it is longer than %d MiB", maxCollected>>20)
	case bytes.Count(data, []byte("{")) > maxCollectedEntries:
		return fmt.Errorf("it has more than %d entries", maxCollectedEntries)
	}
	return nil
}

// checkHistogram checks the guarantees of assay.Histogram.
func checkHistogram(h *assay.Histogram) error {
	if h == nil {
		return nil
	}
	if len(h.Values) != len(h.Counts) {
		return fmt.Errorf("a histogram has %d values and %d counts", len(h.Values), len(h.Counts))
	}
	total := 0
	for i, n := range h.Counts {
		if i > 0 && h.Values[i] <= h.Values[i-1] {
			return errors.New("the values of a histogram do not ascend")
		}
		if total += n; n < 0 || total < 0 {
			return errors.New("a histogram has impossible counts")
		}
	}
	return nil
}

// writeCollected keeps c, or removes the existing file if c is nil or too large to be
// read again: only pictures need it. It returns the first 128 bits of the file's digest.
func (r *Record) writeCollected(id int, c *assay.Collected) (sum string, err error) {
	name := CollectedName(id)
	if c == nil {
		return "", r.folder.remove(name)
	}
	data, err := json.Marshal(c)
	if err != nil {
		return "", err
	}
	if fits(data) != nil {
		return "", r.folder.remove(name)
	}
	var buf bytes.Buffer
	z := gzip.NewWriter(&buf)
	_, err = z.Write(data)
	if err := errors.Join(err, z.Close()); err != nil {
		return "", err
	}
	if err := r.folder.mkdir(CollectedDir); err != nil {
		return "", err
	}
	return digest(buf.Bytes())[:chainLen], r.folder.put(name, buf.Bytes())
}

package record

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"

	"github.com/seed-1318a441/assay"
)

// maxTrialLine is the maximum length of a line of trials.jsonl in bytes: the record may
// be untrusted. Lines have a few hundred bytes, or 100 kB with thousands of values.
const maxTrialLine = 16 << 20

// A journal reads trials.jsonl line by line and follows its chain.
type journal struct {
	r    *bufio.Reader
	long []byte // for a line longer than r's buffer
	n    int    // lines read

	// A record may have a million lines: a line's chain value must not allocate.
	hash  hash.Hash
	sum   [sha256.Size]byte
	value [chainLen]byte // of the current line
	chain [chainLen]byte // of the last valid line
}

func newJournal(r io.Reader, chain string) *journal {
	j := &journal{r: bufio.NewReaderSize(r, 1<<16), hash: sha256.New()}
	copy(j.chain[:], chain)
	return j
}

// next reads a line with its end, valid until the next call. The error is io.EOF after
// the last line, and with one that lacks its end.
func (j *journal) next() ([]byte, error) {
	line, err := j.r.ReadSlice('\n')
	j.n++
	if !errors.Is(err, bufio.ErrBufferFull) {
		return line, err
	}
	j.long = append(j.long[:0], line...)
	for errors.Is(err, bufio.ErrBufferFull) {
		if line, err = j.r.ReadSlice('\n'); len(j.long)+len(line) > maxTrialLine {
			return nil, &Fault{File: TrialsFile, Line: j.n, Text: fmt.Sprintf("the line is longer than %d MiB", maxTrialLine>>20)}
		}
		j.long = append(j.long, line...)
	}
	return j.long, err
}

// last reports whether nothing follows the current line.
func (j *journal) last() bool {
	_, err := j.r.Peek(1)
	return errors.Is(err, io.EOF)
}

// trial parses a whole line that must continue the chain. The error says why it does not.
func (j *journal) trial(line []byte) (t assay.Trial, err error) {
	text, sum, ok := lineSeal.cut(line)
	if !ok {
		return t, errors.New("it does not end with its chain value: the line was changed, or written by an older assay")
	}
	j.hash.Reset()
	j.hash.Write(j.chain[:])
	j.hash.Write(text)
	j.hash.Sum(j.sum[:0])
	hex.Encode(j.value[:], j.sum[:chainLen/2])
	if !bytes.Equal(j.value[:], sum) {
		return t, fmt.Errorf("its chain value does not fit: this line or one before it was changed, moved, added or removed, or %s is of another run", PlanFile)
	}
	if err := json.Unmarshal(line, &t); err != nil {
		return t, err
	}
	j.chain = j.value
	return t, nil
}

// readTrials reads trials.jsonl, and the end at its place.
func (r *Run) readTrials(fsys fs.FS, end *sealedEnd) error {
	f, err := openFile(fsys, TrialsFile)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("read record: %w", err)
	}
	end.noteChain(0, []byte(r.chain))
	if err == nil {
		defer f.Close()
		if err := r.scan(newJournal(f, r.chain), end); err != nil {
			return err
		}
	}
	return r.checkEnd(end)
}

// scan reads all lines, up to a torn one.
func (r *Run) scan(j *journal, end *sealedEnd) error {
	defer func() { r.chain = string(j.chain[:]) }()
	check := newChecker(r.Plan)
	for {
		line, err := j.next()
		if errors.Is(err, io.EOF) {
			r.Torn = len(line) > 0
			return checkCopies(r.Trials)
		}
		if err != nil {
			return j.fault(err)
		}
		t, err := j.trial(line)
		if err != nil {
			// Power loss can leave a last line of zeros: a whole unreadable one is torn,
			// too.
			if j.last() && !json.Valid(bytes.TrimSpace(line)) {
				r.Torn = true
				return checkCopies(r.Trials)
			}
			return j.fault(err)
		}
		if err := check.add(t); err != nil {
			return j.fault(err)
		}
		r.Trials = append(r.Trials, t)
		r.whole += int64(len(line))
		end.noteChain(len(r.Trials), j.chain[:])
	}
}

// fault adds the place to an error that has none.
func (j *journal) fault(err error) error {
	if _, ok := errors.AsType[*Fault](err); ok {
		return err
	}
	return &Fault{File: TrialsFile, Line: j.n, Text: err.Error()}
}

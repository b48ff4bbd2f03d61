package bisect

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/seed-1318a441/assay"
)

// maxLog is the maximum size of a log, in bytes: 10,000 commits take less than 20 probes.
const maxLog = 16 << 20

// A Question is the question of a bisection: the first line of its log.
type Question struct {
	// Hash identifies the question.
	Hash string `json:"question"`
	// Command is a command line that repeats the bisection.
	Command string `json:"command"`
	// Good and Bad are the ends. Commits is the number of commits after Good up to Bad.
	Good    assay.Commit `json:"good,omitzero"`
	Bad     assay.Commit `json:"bad,omitzero"`
	Commits int          `json:"commits,omitzero"`
}

// NewQuestion returns the question that all of parts together identify.
func NewQuestion(command string, parts ...any) (Question, error) {
	data, err := json.Marshal(parts)
	if err != nil {
		return Question{}, fmt.Errorf("name the bisection: %w", err)
	}
	sum := sha256.Sum256(data)
	return Question{Hash: hex.EncodeToString(sum[:]), Command: command}, nil
}

// LogFile returns the name of the question's log in a store.
func (q Question) LogFile(store string) string {
	return filepath.Join(store, "bisect-"+q.Hash[:12], "log.jsonl")
}

// A Log is the file of a bisection's findings, one per line. It survives a kill at any
// moment: a line is written and synced before the next measurement begins.
type Log struct {
	f *os.File
	// Findings are those in the log when it was opened, and those appended since.
	Findings []Finding
}

// OpenLog opens or creates the log of a question at a path, with its folder. again
// removes earlier findings; their runs stay in the store. A log of another question, or
// with invalid lines, is an error.
func OpenLog(path string, q Question, again bool) (*Log, error) {
	if again {
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("remove bisection's log: %w", err)
		}
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return nil, fmt.Errorf("make bisection's folder: %w", err)
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o666)
	if err != nil {
		return nil, fmt.Errorf("open bisection's log: %w", err)
	}
	l := &Log{f: f}
	known, whole, torn, err := l.read()
	if err == nil && torn {
		err = os.Truncate(path, whole) // by name: Windows truncates no file opened to append
	}
	switch {
	case err != nil:
	case whole == 0:
		err = l.append(q)
	case known.Hash != q.Hash:
		err = l.fault(errors.New("it belongs to another question"))
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return l, nil
}

func (l *Log) fault(err error) error {
	return fmt.Errorf("read bisection's log %s: %w: start again with --again", l.f.Name(), err)
}

// read reads the findings. whole is the number of bytes up to the end of the last
// complete line; torn says that more follow.
func (l *Log) read() (q Question, whole int64, torn bool, err error) {
	info, err := l.f.Stat()
	if err == nil && info.Size() > maxLog {
		err = fmt.Errorf("it has %d bytes, more than a bisection writes", info.Size())
	}
	if err != nil {
		return q, 0, false, l.fault(err)
	}
	data, err := os.ReadFile(l.f.Name())
	if err != nil {
		return q, 0, false, l.fault(err)
	}
	whole = int64(bytes.LastIndexByte(data, '\n') + 1)
	torn, data = whole < int64(len(data)), data[:whole]
	var findings []Finding
	n := 0
	for line := range bytes.Lines(data) {
		n++
		if n == 1 {
			if err := json.Unmarshal(line, &q); err != nil || q.Hash == "" {
				return q, 0, false, l.fault(errors.New("line 1 is no question"))
			}
			continue
		}
		var f Finding
		if json.Unmarshal(line, &f) != nil || f.Kind == "" {
			return q, 0, false, l.fault(fmt.Errorf("line %d is no finding", n))
		}
		findings = append(findings, f)
	}
	l.Findings = findings
	return q, whole, torn, nil
}

// Append writes and syncs a finding.
func (l *Log) Append(f Finding) error {
	if err := l.append(f); err != nil {
		return err
	}
	l.Findings = append(l.Findings, f)
	return nil
}

func (l *Log) append(v any) error {
	line, err := json.Marshal(v)
	if err == nil {
		_, err = l.f.Write(append(line, '\n'))
	}
	if err == nil {
		err = l.f.Sync()
	}
	if err != nil {
		return fmt.Errorf("write bisection's log: %w", err)
	}
	return nil
}

// Close closes the file.
func (l *Log) Close() error { return l.f.Close() }

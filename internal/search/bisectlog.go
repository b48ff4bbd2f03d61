package search

import (
	"bytes"
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
	// Hash identifies the question: the study, the commits and the platform.
	Hash string `json:"question"`
	// Command is a command line that repeats the bisection.
	Command string       `json:"command"`
	Good    assay.Commit `json:"good"`
	Bad     assay.Commit `json:"bad"`
	// Commits are those after Good up to Bad, oldest first.
	Commits int `json:"commits"`
}

// A Log is the file of a bisection's findings, one per line. It survives a kill at any
// moment: a line is written and synced before the next measurement begins.
type Log struct {
	f *os.File
	// Findings are those in the log when it was opened.
	Findings []Finding
	// Cut is the number of bytes of a torn last line that was removed.
	Cut int
}

// OpenLog opens or creates the log of a question at a path, with its folder. A log of
// another question, or with invalid lines, is an error.
func OpenLog(path string, q Question) (*Log, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return nil, fmt.Errorf("make bisection's folder: %w", err)
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o666)
	if err != nil {
		return nil, fmt.Errorf("open bisection's log: %w", err)
	}
	l := &Log{f: f}
	if err := l.read(path, q); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return l, nil
}

// RemoveLog removes the findings of a bisection. Its runs stay in the store.
func RemoveLog(path string) error {
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("remove bisection's log: %w", err)
	}
	return nil
}

// read reads the log, removes a torn last line, and writes the question into an empty
// log.
func (l *Log) read(path string, q Question) error {
	info, err := l.f.Stat()
	if err != nil {
		return fmt.Errorf("read bisection's log: %w", err)
	}
	if info.Size() > maxLog {
		return fmt.Errorf("read bisection's log: %s has %d bytes, more than a bisection writes: start again with --again", path, info.Size())
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return fmt.Errorf("read bisection's log: %w", err)
	}
	known, findings, whole, err := parseLog(data)
	if err != nil {
		return fmt.Errorf("read bisection's log %s: %w: start again with --again", path, err)
	}
	if l.Cut = len(data) - whole; l.Cut > 0 {
		if err := l.f.Truncate(int64(whole)); err != nil {
			return fmt.Errorf("cut bisection's log: %w", err)
		}
	}
	if whole == 0 {
		return l.append(q)
	}
	if known.Hash != q.Hash {
		return fmt.Errorf("read bisection's log %s: it belongs to another question: start again with --again", path)
	}
	l.Findings = findings
	return nil
}

// parseLog reads a log's lines. whole is the number of bytes up to the end of the
// last complete line.
func parseLog(data []byte) (q Question, findings []Finding, whole int, err error) {
	whole = bytes.LastIndexByte(data, '\n') + 1
	for i, line := range bytes.Split(bytes.TrimSuffix(data[:whole], []byte("\n")), []byte("\n")) {
		if whole == 0 {
			break
		}
		if i == 0 {
			if err := json.Unmarshal(line, &q); err != nil || q.Hash == "" {
				return q, nil, whole, errors.New("line 1 is no question")
			}
			continue
		}
		var f Finding
		if err := json.Unmarshal(line, &f); err != nil {
			return q, nil, whole, fmt.Errorf("line %d is no finding", i+1)
		}
		findings = append(findings, f)
	}
	return q, findings, whole, nil
}

// Append writes and syncs a finding.
func (l *Log) Append(f Finding) error { return l.append(f) }

func (l *Log) append(v any) error {
	line, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("write bisection's log: %w", err)
	}
	if _, err := l.f.Write(append(line, '\n')); err != nil {
		return fmt.Errorf("write bisection's log: %w", err)
	}
	if err := l.f.Sync(); err != nil {
		return fmt.Errorf("write bisection's log: %w", err)
	}
	return nil
}

func (l *Log) Close() error { return l.f.Close() }

package search

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/seed-1318a441/assay"
)

// A KnobFinding is the result of a KnobAsk, or of a build that needed no measurement. It
// is a line of the log.
type KnobFinding struct {
	Kind string `json:"kind"`
	// Pattern says at which places the optimisation is enabled.
	Pattern string `json:"pattern"`
	// Code identifies the build: the same code has the same answer.
	Code  string `json:"code,omitempty"`
	Place Place  `json:"place,omitempty"`
	// By is the metric that decided, "" if the code did.
	By  string `json:"by,omitempty"`
	Why string `json:"why,omitempty"`
	// Matches is the number of places that match the pattern. Set has the places of a set
	// found by cmd/bisect.
	Matches int     `json:"matches"`
	Set     []Match `json:"set,omitempty"`
	// Change is from off to the build, Whole from off to on, both in the study's own
	// metric. Rest, of the final comparison, is from the build to on.
	Change *Estimate `json:"change,omitempty"`
	Whole  *Estimate `json:"whole,omitempty"`
	Rest   *Estimate `json:"rest,omitempty"`
	// Exact are the benchmarks whose count in By differs exactly.
	Exact  []ExactChange `json:"exact,omitempty"`
	Blocks int           `json:"blocks,omitempty"`
	Run    string        `json:"run,omitempty"`
	// Measured is the time of trials and links, Took the total time.
	Measured time.Duration `json:"measured_ns"`
	Took     time.Duration `json:"took_ns"`
}

// An ExactChange has a benchmark's counts with the optimisation nowhere and everywhere.
// Neither ever varied. Some is the count with only the places found.
type ExactChange struct {
	Benchmark assay.Benchmark `json:"benchmark"`
	Off       float64         `json:"off"`
	On        float64         `json:"on"`
	Some      *float64        `json:"some,omitempty"`
}

// A KnobQuestion is the question of a knob's bisection: the first line of its log.
type KnobQuestion struct {
	// Hash identifies the question: study, knob, scope, the builds of the ends and the
	// platform.
	Hash string `json:"question"`
	// Command is a command line that repeats the bisection.
	Command string `json:"command"`
	Knob    Knob   `json:"knob"`
}

// A KnobLog is the file of a knob's findings. A line is written and synced before the
// next build. Two processes never write at the same time: cmd/bisect waits for the
// target, and assay for cmd/bisect.
type KnobLog struct {
	log  *Log
	path string
	// Findings are those in the log when it was last read, and those appended since.
	Findings []KnobFinding
}

// OpenKnobLog opens or creates the log of a question, with its folder. A log of another
// question, or with invalid lines, is an error.
func OpenKnobLog(path string, q KnobQuestion) (*KnobLog, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return nil, fmt.Errorf("make bisection's folder: %w", err)
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o666)
	if err != nil {
		return nil, fmt.Errorf("open bisection's log: %w", err)
	}
	l := &KnobLog{log: &Log{f: f}, path: path}
	if err := l.read(q); err != nil {
		return nil, errors.Join(fmt.Errorf("read bisection's log %s: %w: start again with --again", path, err), f.Close())
	}
	return l, nil
}

// read reads the log and removes a torn last line.
func (l *KnobLog) read(q KnobQuestion) error {
	info, err := l.log.f.Stat()
	if err != nil {
		return err
	}
	if info.Size() > maxLog {
		return fmt.Errorf("it has %d bytes", info.Size())
	}
	data, err := os.ReadFile(l.path)
	if err != nil {
		return err
	}
	known, findings, whole, err := parseKnobLog(data)
	if err != nil {
		return err
	}
	if whole < len(data) {
		if err := l.log.f.Truncate(int64(whole)); err != nil {
			return err
		}
	}
	if whole == 0 {
		return l.log.append(q)
	}
	if known.Hash != q.Hash {
		return errors.New("it belongs to another question")
	}
	l.Findings = findings
	return nil
}

// parseKnobLog reads a log's lines. whole is the number of bytes up to the end of
// the last complete line.
func parseKnobLog(data []byte) (q KnobQuestion, findings []KnobFinding, whole int, err error) {
	whole = bytes.LastIndexByte(data, '\n') + 1
	if whole == 0 {
		return q, nil, 0, nil
	}
	for i, line := range bytes.Split(data[:whole-1], []byte("\n")) {
		if i == 0 {
			if err := json.Unmarshal(line, &q); err != nil || q.Hash == "" {
				return q, nil, whole, errors.New("line 1 is no question")
			}
			continue
		}
		var f KnobFinding
		if err := json.Unmarshal(line, &f); err != nil || f.Kind == "" {
			return q, nil, whole, fmt.Errorf("line %d is no finding", i+1)
		}
		findings = append(findings, f)
	}
	return q, findings, whole, nil
}

// Reload reads the findings appended by another process.
func (l *KnobLog) Reload() error {
	data, err := os.ReadFile(l.path)
	if err != nil {
		return fmt.Errorf("read bisection's log: %w", err)
	}
	_, findings, _, err := parseKnobLog(data)
	if err != nil {
		return fmt.Errorf("read bisection's log %s: %w: start again with --again", l.path, err)
	}
	l.Findings = findings
	return nil
}

// Append writes and syncs a finding.
func (l *KnobLog) Append(f KnobFinding) error {
	if err := l.log.append(f); err != nil {
		return err
	}
	l.Findings = append(l.Findings, f)
	return nil
}

func (l *KnobLog) Close() error { return l.log.Close() }

// Ends returns the finding of the ends, nil if there is none.
func (l *KnobLog) Ends() *KnobFinding {
	return l.find(func(f *KnobFinding) bool { return f.Kind == KnobEnds })
}

// Answer returns an earlier finding for a pattern, nil if there is none.
func (l *KnobLog) Answer(kind, pattern string) *KnobFinding {
	return l.find(func(f *KnobFinding) bool { return f.Kind == kind && f.Pattern == pattern })
}

// Alike returns an earlier probe of the same code, nil if there is none.
func (l *KnobLog) Alike(code string) *KnobFinding {
	return l.find(func(f *KnobFinding) bool { return f.Kind == KnobProbe && code != "" && f.Code == code })
}

func (l *KnobLog) find(is func(*KnobFinding) bool) *KnobFinding {
	for i := range l.Findings {
		if f := &l.Findings[i]; is(f) {
			return f
		}
	}
	return nil
}

// Attempts returns the number of measured probes, decided or not: each could have been
// decided wrongly.
func (l *KnobLog) Attempts() (n int) {
	for _, f := range l.Findings {
		if f.Kind == KnobProbe && f.Blocks > 0 {
			n++
		}
	}
	return n
}

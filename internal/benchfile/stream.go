package benchfile

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/seed-1318a441/assay/internal/collect"
	"github.com/seed-1318a441/assay/internal/printable"
)

// A stream is what one test binary after the other printed.
type stream struct {
	t     *text
	v     Visitor
	w     *collect.BenchWriter
	units map[string]bool // the last words of results
	pass  bool
	lost  bool
	// noted has the line of each benchmark that said it failed; 0 once that was noted.
	noted map[string]int
	// hasFailed is set once it is known why the package fails that prints now. building is the
	// package that the compiler complains of, exit the last word on a process.
	hasFailed      bool
	building, exit string
	// open is a line with a name whose result has not come yet.
	open     string
	openedAt int
}

// config matches a line of configuration, as the Go benchmark format has it; ours are
// comments of assay's exports.
var (
	config = regexp.MustCompile(`^(?:# )?([a-z][^A-Z\s:]*):[ \t]+(.*)$`)
	ours   = regexp.MustCompile(`^# (block|base|control|layouts|procs|run): `)
)

// noConfig are lines that look like configuration: what ends a run, and what the go command says.
var noConfig = regexp.MustCompile(`^(panic|signal|testing|go: (downloading|extracting|finding|found|added|upgraded|warning|module)\b)`)

// line reads a line; whole is set if it ends, because the last one may be cut off.
func (s *stream) line(line []byte, whole bool) error {
	line = plain(line)
	switch {
	case len(line) == 0, s.verdict(line):
		return nil
	case line[0] == '#' && !ours.Match(line):
		return nil
	case bytes.HasPrefix(line, []byte("Unit ")):
		return s.unit(string(line))
	}
	if m := config.FindSubmatch(line); m != nil && !noConfig.Match(line) {
		s.hasFailed = s.hasFailed && string(m[1]) != "pkg"
		s.v.Config(string(m[1]), strings.TrimSpace(string(m[2])), line[0] == '#')
		return nil
	}
	return s.output(line, whole)
}

func (s *stream) unit(line string) error {
	words := strings.Fields(line)
	if len(words) < 3 {
		return nil
	}
	for _, w := range words[2:] {
		key, value, ok := strings.Cut(w, "=")
		if !ok {
			return nil // prose
		}
		if err := s.v.Unit(s.t.at, words[1], key, value); err != nil {
			return err
		}
	}
	return nil
}

// Lines that should be results.
var (
	// torn is an event of go test -json that is cut off.
	torn = regexp.MustCompile(`^\{"(Time|Action|ImportPath)":`)
	name = regexp.MustCompile(`^Benchmark[^a-z\s]\S*|^Benchmark\b`)
	// tail is what follows a name, whatever stands between.
	tail = regexp.MustCompile(`\d\s+\S*/op\b|\d\s+MB/s\b`)
	// odd are values that are no numbers, which are left out of a result.
	odd = regexp.MustCompile(`\s([+-]?Inf|-?NaN|-nan)\s+(\S+)`)
)

// output reads a line of the program's.
func (s *stream) output(line []byte, whole bool) error {
	_, _ = s.w.Write(append(slices.Clip(line), '\n'))
	got := s.w.Take()
	if last := string(line[bytes.LastIndexAny(line, " \t")+1:]); len(got) > 0 && !whole && !s.units[last] && !ends.MatchString(last) {
		s.lose(Loss{Line: s.t.at, Text: "it is cut off: " + printable.Brief(string(line))})
		return nil
	} else if len(got) > 0 {
		s.units[last] = true
	}
	for _, r := range got {
		s.t.results++
		if err := s.v.Result(s.t.at, r); err != nil {
			return err
		}
	}
	s.failures(false)
	s.crashed(line)
	named := name.Match(line)
	switch {
	case len(got) > 0:
		s.open = ""
		if m := odd.FindSubmatch(line); m != nil {
			s.lose(Loss{Line: s.t.at, Text: fmt.Sprintf("%s %s is no number: %s", m[1], m[2], printable.Brief(string(line)))})
		}
	case torn.Match(line) && !json.Valid(line):
		s.lose(Loss{Line: s.t.at, Text: "an event of go test -json is cut off: " + printable.Brief(string(line))})
	case s.hasFailed && crash.Match(line):
	case named && tail.Match(line):
		s.lose(Loss{Line: s.t.at, Text: "it cannot be read: " + printable.Brief(string(line))})
	case named:
		s.closeOpen()
		s.open, s.openedAt = string(line), s.t.at
	case bytes.Equal(line, []byte("PASS")):
		s.pass = true
		s.closeOpen()
	}
	return nil
}

// ends matches the units that end a line of package testing.
var ends = regexp.MustCompile(`^(ns/op|MB/s|B/op|allocs/op)$`)

// cut matches a line that ends behind a name and the beginning of its numbers.
var cut = regexp.MustCompile(`^Benchmark\S*\s+\d+(\s+[\d.e+-]*)?$`)

// closeOpen names a line whose numbers did not come.
func (s *stream) closeOpen() {
	if s.open != "" && cut.MatchString(s.open) {
		s.lose(Loss{Line: s.openedAt, Text: "it is cut off: " + printable.Brief(s.open)})
	}
	s.open = ""
}

// failures notes benchmarks that say that they failed. Why stands on the line after: what was
// noted before this line is complete.
func (s *stream) failures(all bool) {
	failed := s.w.FailedSoFar()
	for _, name := range slices.Sorted(maps.Keys(s.noted)) {
		if line := s.noted[name]; line > 0 && (all || line < s.t.at) {
			s.lose(Loss{Line: line, Text: strings.TrimSuffix(fmt.Sprintf("%s failed: %s", name, failed[name]), ": "), Failed: true})
			s.noted[name] = 0
		}
	}
	if len(failed) == len(s.noted) {
		return
	}
	for name := range failed {
		if _, known := s.noted[name]; !known {
			s.noted[name], s.hasFailed = s.t.at, true
		}
	}
}

// end names what the end of the text has cut off.
func (s *stream) end() {
	open := s.open
	s.closeOpen()
	s.failures(true)
	out := s.w.Output()
	for _, name := range slices.Sorted(maps.Keys(out.Skipped)) {
		s.v.Skip(name, out.Skipped[name])
	}
	if out.Running != "" && !s.pass && !cut.MatchString(open) && !s.lost {
		s.lose(Loss{Line: s.t.at, Text: "the text ends before the result of " + printable.Brief(out.Running)})
	}
}

func (s *stream) lose(l Loss) {
	s.lost = true
	s.t.lose(l)
}

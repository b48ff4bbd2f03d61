package collect

import (
	"bytes"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"

	assay "github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/line"
	"github.com/seed-1318a441/assay/internal/printable"
)

// A Reading is one benchmark result line.
type Reading struct {
	// Name is without "Benchmark" and without the GOMAXPROCS suffix.
	Name string
	// N is the number of iterations.
	N int
	// Values by metric, tidied (see Tidy); only finite ones.
	Values map[string]float64
}

// An Output is the content of a test binary's stdout.
type Output struct {
	Readings []Reading
	// Better holds the directions of "Unit name better=higher" lines, by metric.
	Better map[string]assay.Better
	// Failures are the lines "--- FAIL: ..." with the line after each, and the first
	// lines of panics; printable, at most maxFailures.
	Failures []string
	// Failed maps the benchmarks of --- FAIL lines to the line after.
	Failed map[string]string
	// Skipped maps the benchmarks of --- SKIP lines, printed only with -test.v, to the
	// line with the reason: the one before, in older releases the one after.
	Skipped map[string]string
	// Running is the last named benchmark, if nothing followed. With -test.v the testing
	// package prints a benchmark's name before it first calls it, else only before the
	// run that counts.
	Running string
	// Last is the last line that is neither blank nor package testing's own, safe to
	// print.
	Last string
	// Pass is true if the testing package's PASS came after all results.
	Pass bool
}

// Limits on what a hostile program can make us keep.
const (
	maxReadings = 1 << 18
	maxUnits    = 1 << 10
	maxUnitLine = 1 << 10
	maxFailures = 32
	maxFailed   = 1 << 10
	maxOpen     = 16
)

const prefix = "Benchmark"

var (
	failMark = []byte("--- FAIL: ")
	skipMark = []byte("--- SKIP: ")
)

// testingLine matches lines that package testing prints around results.
var testingLine = regexp.MustCompile(`^((goos|goarch|pkg|cpu): |(PASS|FAIL|testing: warning: no tests to run)$|--- |Benchmark\S*$)`)

// GoBench parses the stdout of a test binary that ran with GOMAXPROCS=procs. The suffix
// "-procs" is removed once if procs > 1, and not if it is 1. The only errors are those of
// r.
//
// The testing package prints a benchmark's name, runs it, then prints the rest of the
// line, so the benchmark's own output is in between, with or without newlines. A tail is
// therefore paired with the last printed name that has none yet. Lines that a program
// prints in the testing package's format cannot be distinguished; the real line of a
// benchmark is always its last.
func GoBench(r io.Reader, procs int) (Output, error) {
	w := NewBenchWriter(procs)
	_, err := io.Copy(w, r)
	return w.Output(), err
}

// A BenchWriter is GoBench as a writer: write the output, then call Output. Its memory is
// bounded.
type BenchWriter struct {
	procs int
	lines line.Splitter
	// open are names that wait for their tail, the newest last.
	open []string
	// closed is the last name with a tail. A tail without an open name replaces it: a
	// benchmark may print a testing.BenchmarkResult before the real one.
	closed string
	// failed is the name in a --- FAIL on the line before, else ""; skipped that in a --- SKIP
	// without a reason.
	failed, skipped string
	// last is the start of the last line of the program's own output.
	last []byte
	// said is the start of the last indented line since a name: with -test.v, a
	// benchmark's log precedes its --- FAIL.
	said []byte
	out  Output
}

// NewBenchWriter returns a writer for the output of a test binary that ran with
// GOMAXPROCS=procs.
func NewBenchWriter(procs int) *BenchWriter { return &BenchWriter{procs: procs} }

// Write parses the next part of the output. It never fails.
func (w *BenchWriter) Write(p []byte) (int, error) {
	w.lines.Split(p, w.piece)
	return len(p), nil
}

// Results returns the number of results so far.
func (w *BenchWriter) Results() int { return len(w.out.Readings) }

// Take returns the results since it was last called, and forgets them.
func (w *BenchWriter) Take() []Reading {
	out := w.out.Readings
	w.out.Readings = nil
	return out
}

// FailedSoFar is Output.Failed of what was written so far.
func (w *BenchWriter) FailedSoFar() map[string]string { return w.out.Failed }

// Output ends the parse and returns the result.
func (w *BenchWriter) Output() Output {
	w.lines.End(w.piece)
	w.out.Last = printable.Brief(string(w.last))
	return w.out
}

func (w *BenchWriter) piece(p line.Piece) {
	if !p.Last {
		w.openNames(p.Text, p.Seen)
		return
	}
	if p.First {
		if name, t, ok := parseWords(p.Text); ok {
			w.result(name[w.nameIn([]byte(name))+len(prefix):], t)
			return
		}
	}
	before, t, ok := cutTail(p.Text)
	if !ok {
		before = p.Text
	}
	w.openNames(before, p.Seen)
	if ok {
		w.tail(t)
		return
	}
	w.other(p)
}

// openNames notes the benchmark names in text that the testing package may have printed:
// a word with "Benchmark" in it, blanks, a tab. Only names that end after from are new.
func (w *BenchWriter) openNames(text []byte, from int) {
	for i := min(from, len(text)); ; i++ {
		j := bytes.IndexByte(text[i:], '\t')
		if j < 0 {
			return
		}
		i += j
		padded := bytes.TrimRight(text[:i], " ")
		if len(padded) == i {
			continue
		}
		word := padded[lastSpace(padded)+1:]
		if k := w.nameIn(word); k >= 0 {
			w.openName(string(word[k+len(prefix):]))
		}
	}
}

// nameIn finds the beginning of a benchmark's name in a word that may begin with the
// program's own output. It is the first "Benchmark", because names may contain that word
// again. If a program printed a benchmark's name right before package testing did, it is
// the second.
func (w *BenchWriter) nameIn(word []byte) int {
	last := bytes.LastIndex(word, []byte(prefix))
	if last > 0 && bytes.HasSuffix(word[:last], []byte(w.strip(string(word[last:])))) {
		return last
	}
	return bytes.Index(word, []byte(prefix))
}

func lastSpace(b []byte) int { return bytes.LastIndexAny(b, " \t\r") }

func (w *BenchWriter) openName(name string) {
	if len(w.open) == maxOpen {
		w.open = slices.Delete(w.open, 0, 1)
	}
	w.open = append(w.open, name)
	w.out.Running, w.out.Pass, w.said = w.name(name), false, w.said[:0]
}

func (w *BenchWriter) tail(t tail) {
	name := w.closed
	if n := len(w.open); n > 0 {
		name, w.open = w.open[n-1], w.open[:n-1]
	} else if name == "" {
		return
	}
	w.result(name, t)
}

// result keeps a reading of a name that still has its suffix.
func (w *BenchWriter) result(name string, t tail) {
	w.closed = name
	w.out.Running, w.out.Pass, w.failed = "", false, ""
	switch {
	case t.n == 0:
		noteReason(&w.out.Failed, w.name(name), panicked)
	case len(w.out.Readings) < maxReadings:
		w.out.Readings = append(w.out.Readings, Reading{w.name(name), t.n, t.values})
	}
}

// name returns the name of a benchmark (assay.BenchmarkName), from what followed "Benchmark" in the output.
func (w *BenchWriter) name(after string) string { return assay.BenchmarkName(prefix + w.strip(after)) }

func (w *BenchWriter) strip(name string) string {
	if w.procs > 1 {
		return strings.TrimSuffix(name, "-"+strconv.Itoa(w.procs))
	}
	return name
}

// other handles a line without a result.
func (w *BenchWriter) other(p line.Piece) {
	failed, skipped := w.failed, w.skipped
	w.failed, w.skipped = "", ""
	if len(bytes.TrimSpace(p.Text)) > 0 && !testingLine.Match(p.Text) {
		w.last = append(w.last[:0], p.Text[:min(len(p.Text), 16*printable.LongestBrief)]...)
	}
	if i := bytes.LastIndex(p.Text, failMark); i >= 0 {
		w.fail(p.Text[i:])
		return
	}
	if i := bytes.LastIndex(p.Text, skipMark); i >= 0 {
		w.skip(p.Text[i+len(skipMark):])
		return
	}
	switch {
	case bytes.HasSuffix(p.Text, []byte("PASS")):
		w.out.Pass, w.out.Running = true, ""
	case bytes.Contains(p.Text, []byte("--- BENCH: ")):
		w.out.Running = ""
	case !p.First:
	case failed != "" && isIndented(p.Text):
		w.out.Failed[failed] = w.addFailure(p.Text)
	case skipped != "" && isIndented(p.Text):
		noteReason(&w.out.Skipped, skipped, printable.Brief(string(p.Text)))
	case bytes.HasPrefix(p.Text, []byte("panic: ")):
		w.addFailure(p.Text)
	case isIndented(p.Text):
		w.said = append(w.said[:0], p.Text[:min(len(p.Text), 16*printable.LongestBrief)]...)
	default:
		w.named(p.Text)
	}
	w.unit(p)
}

func isIndented(b []byte) bool { return len(b) > 0 && (b[0] == ' ' || b[0] == '\t') }

// named notes a name on a separate line, as printed by -test.v, without suffix.
func (w *BenchWriter) named(text []byte) {
	word := text[lastSpace(text)+1:]
	if _, after, ok := bytes.Cut(word, []byte(prefix)); ok && len(word) <= line.Keep {
		w.out.Running, w.out.Pass, w.said = assay.BenchmarkName(prefix+string(after)), false, w.said[:0]
	}
}

// panicked is the reason for a result of 0 iterations. A benchmark that panics wakes
// package testing up before it ends the process. On a busy machine testing may be faster,
// prints this result and PASS, and exits with status 0 (seen in 1 % of runs, go1.26).
const panicked = "it panicked, and package testing said PASS before it could say why"

// skip notes a benchmark that skips itself. Its name has no suffix.
func (w *BenchWriter) skip(text []byte) {
	name := assay.BenchmarkName(string(text))
	why := ""
	if w.out.Running == name {
		why = printable.Brief(string(w.said))
	}
	w.out.Running = ""
	if noteReason(&w.out.Skipped, name, why) && why == "" {
		w.skipped = name
	}
}

// noteReason stores why a benchmark has no result, and reports whether there is room.
func noteReason(reasons *map[string]string, name, why string) bool {
	if len(name) > line.Keep || len(*reasons) == maxFailed {
		return false
	}
	if *reasons == nil {
		*reasons = map[string]string{}
	}
	(*reasons)[name] = why
	return true
}

// fail notes a --- FAIL line and closes the name in it.
func (w *BenchWriter) fail(text []byte) {
	w.addFailure(text)
	name := string(bytes.TrimPrefix(text[len(failMark):], []byte(prefix)))
	if n := len(w.open); n > 0 && w.open[n-1] == name {
		w.open = w.open[:n-1]
	}
	name = w.name(name)
	running := w.out.Running
	w.out.Running, w.failed = "", ""
	if !noteReason(&w.out.Failed, name, "") {
		return
	}
	w.failed = name
	if running == name && len(w.said) > 0 {
		w.failed, w.out.Failed[name] = "", w.addFailure(w.said)
	}
}

func (w *BenchWriter) addFailure(text []byte) string {
	s := printable.Brief(string(text[:min(len(text), 16*printable.LongestBrief)]))
	if s != "" && len(w.out.Failures) < maxFailures {
		w.out.Failures = append(w.out.Failures, s)
	}
	return s
}

// unit parses "Unit name better=higher", at the beginning of a line or right after the
// name of the benchmark that printed it.
func (w *BenchWriter) unit(p line.Piece) {
	text := p.Text
	if i := bytes.LastIndex(text, []byte(" \tUnit ")); i >= 0 {
		text = text[i+2:]
	} else if !p.First {
		return
	}
	if !bytes.HasPrefix(text, []byte("Unit ")) || len(text) > maxUnitLine {
		return
	}
	words := strings.Fields(string(text))
	if len(words) < 3 {
		return
	}
	for _, word := range words[2:] {
		key, value, ok := strings.Cut(word, "=")
		if !ok {
			return // prose
		}
		better := assay.Better(value)
		if key == "better" && (better == assay.BetterHigher || better == assay.BetterLower) {
			w.setBetter(words[1], better)
		}
	}
}

func (w *BenchWriter) setBetter(unit string, better assay.Better) {
	if w.out.Better == nil {
		w.out.Better = map[string]assay.Better{}
	}
	metric, _ := tidyUnit(unit)
	if len(w.out.Better) < maxUnits {
		w.out.Better[metric] = better
	}
}

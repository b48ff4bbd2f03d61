package milestone

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/seed-1318a441/assay/internal/line"
	"github.com/seed-1318a441/assay/internal/printable"
)

const (
	// maxRecord is the maximum length of a line of "go test -json", in bytes. test2json
	// cuts the output of tests into shorter ones.
	maxRecord = 256 << 10
	// maxNames is the maximum number of failed tests remembered per package.
	maxNames = 1000
	// maxPackages is the maximum number of packages distinguished.
	maxPackages = 10_000
)

// An event is a line of "go test -json"; see "go doc test2json".
type event struct {
	Action, Package, Test, Output string
	ImportPath, FailedBuild       string
}

// results are the results of a test run.
type results struct {
	mu             sync.Mutex // both outputs of the command are read at once
	said           io.Writer
	packages       map[string]*ranPackage
	builds         map[string]broken // by go's name for the build
	header         string            // of the build that plain lines belong to
	first          string            // first plain line
	tests, skipped int
	failed, races  int
	// Tests, and packages as a whole, that also fail on the code that they were written
	// for.
	forgiven, forgivenWhole int
	bad                     bool // go test reported a failure
}

// broken is a failed build: the first line of its error.
type broken struct {
	line string
	vet  bool
}

// A ranPackage holds the test results of one package.
type ranPackage struct {
	failed  bool
	names   []string // of the failed tests
	build   string   // the failed build, "" if it ran
	panic   string
	hung    string // the first test listed after a timeout panic
	last    string // last line outside of a test
	noBuild bool
}

func newResults(said io.Writer) *results {
	return &results{said: said, packages: map[string]*ranPackage{}, builds: map[string]broken{}}
}

// event handles a line of standard output.
func (r *results) event(line []byte) {
	var e event
	if json.Unmarshal(line, &e) != nil || e.Action == "" {
		r.plain(line)
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if e.Output != "" {
		_, _ = io.WriteString(r.said, e.Output)
	}
	switch {
	case e.Action == "build-output":
		r.header = e.ImportPath
		r.buildLine(e.Output)
	case e.Package == "":
	default:
		if p := r.pkg(e.Package); p != nil {
			r.ran(p, e)
		}
	}
}

func (r *results) pkg(name string) *ranPackage {
	p := r.packages[name]
	if p == nil && len(r.packages) < maxPackages {
		p = &ranPackage{}
		r.packages[name] = p
	}
	return p
}

func (r *results) ran(p *ranPackage, e event) {
	top := e.Test != "" && !strings.Contains(e.Test, "/")
	switch {
	case e.Action == "output":
		r.output(p, e)
	case e.Action == "run":
		r.tests += oneIf(top)
	case e.Action == "skip":
		r.skipped += oneIf(top)
	case e.Action == "fail" && e.Test == "":
		p.failed, p.build = true, e.FailedBuild
	case e.Action == "fail" && top:
		r.failed++
		if len(p.names) < maxNames {
			p.names = append(p.names, oneLine(e.Test))
		}
	}
}

func oneIf(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

func (r *results) output(p *ranPackage, e event) {
	line := strings.TrimSpace(e.Output)
	switch {
	case line == "WARNING: DATA RACE":
		r.races++
	case p.panic == "" && (strings.HasPrefix(line, "panic: ") || strings.HasPrefix(line, "fatal error: ")):
		p.panic = oneLine(line)
	case p.panic != "" && p.hung == "" && strings.HasPrefix(e.Output, "\t") && strings.HasPrefix(line, "Test"):
		p.hung = oneLine(line)
	case e.Test != "":
	case strings.HasSuffix(line, "[build failed]") || strings.HasSuffix(line, "[setup failed]"):
		p.noBuild = true
	case line != "" && !strings.HasPrefix(line, "FAIL") && !strings.HasPrefix(line, "exit status"):
		p.last = oneLine(line)
	}
}

// plain handles a line that is not an event: messages of the go command, and until Go
// 1.24 of the compiler.
func (r *results) plain(line []byte) {
	r.mu.Lock()
	defer r.mu.Unlock()
	text := string(line)
	_, _ = io.WriteString(r.said, text+"\n")
	if build, ok := strings.CutPrefix(text, "# "); ok && !strings.HasPrefix(build, "[") {
		r.header = strings.TrimSpace(build)
	}
	if r.header != "" {
		r.buildLine(text)
	}
	if r.first == "" {
		r.first = firstError(text)
	}
}

// buildLine remembers the first line of a failed build.
func (r *results) buildLine(text string) {
	b := r.builds[r.header]
	text = strings.TrimSpace(text)
	switch {
	case b.line != "" || len(r.builds) >= maxPackages:
		return
	case strings.HasPrefix(text, "# ["):
		b.vet = true
	case text != "" && !strings.HasPrefix(text, "# ") && !strings.HasPrefix(text, "go: downloading "):
		b.line = oneLine(strings.TrimPrefix(text, "vet: "))
	}
	r.builds[r.header] = b
}

// failedPackages lists the packages that failed, in order.
func (r *results) failedPackages() []string {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(r.packages)), func(name string) bool { return !r.packages[name].failed })
}

// forgive removes the tests that failed before as well, and the packages that did so as a
// whole. Packages are identified by their place in the module, whose path may change.
func (r *results) forgive(module string, before *results, oldModule string) {
	was := map[string]*ranPackage{}
	for _, name := range before.failedPackages() {
		was[packageLabel(oldModule, name)] = before.packages[name]
	}
	for _, name := range r.failedPackages() {
		p, o := r.packages[name], was[packageLabel(module, name)]
		if o == nil || p.panic != "" && o.panic == "" || p.build != "" && o.build == "" || p.noBuild && !o.noBuild {
			continue
		}
		n := len(p.names)
		whole := n == 0 && len(o.names) == 0
		p.names = slices.DeleteFunc(p.names, func(t string) bool { return slices.Contains(o.names, t) })
		r.failed -= n - len(p.names)
		r.forgiven += n - len(p.names)
		r.forgivenWhole += oneIf(whole)
		p.failed = len(p.names) > 0 || n == 0 && !whole
	}
}

// why returns the reason why a package did not run; ok is false if it ran.
func (r *results) why(name string) (b broken, ok bool) {
	p := r.packages[name]
	if p.build == "" && !p.noBuild {
		return broken{}, false
	}
	for _, build := range []string{p.build, name + " [" + name + ".test]", name + "_test [" + name + ".test]", name} {
		if b := r.builds[build]; b.line != "" {
			return b, true
		}
	}
	return broken{line: "see the log"}, true
}

// troubles lists what keeps tests from running and is not the code's fault.
func (r *results) troubles() []string {
	var out []string
	for _, name := range r.failedPackages() {
		if text, ok := r.trouble(name); ok && !slices.Contains(out, text) {
			out = append(out, text)
		}
	}
	return out
}

func (r *results) trouble(name string) (string, bool) {
	p := r.packages[name]
	text := p.last
	if b, ok := r.why(name); ok {
		text = b.line
	} else if len(p.names) > 0 || !strings.Contains(text, "ThreadSanitizer") {
		return "", false
	}
	return text, slices.ContainsFunc([]string{
		"dial tcp", "GOPROXY=off", "no such host", "module lookup disabled", "C compiler ", "ThreadSanitizer",
	}, func(s string) bool { return strings.Contains(text, s) })
}

// failures returns the evidence: packages that could not run, packages that failed as a
// whole, and failed tests.
func (r *results) failures(module string) []string {
	var unrun, whole, tests []string
	for _, name := range r.failedPackages() {
		p, label := r.packages[name], packageLabel(module, name)
		if _, ok := r.trouble(name); ok {
			continue
		}
		if b, ok := r.why(name); ok {
			unrun = append(unrun, label+b.words())
			continue
		}
		if text := cmp.Or(p.panic, p.last, "fails without a word"); p.panic != "" || len(p.names) == 0 {
			if p.hung != "" && strings.Contains(text, "timed out") {
				text += ": " + p.hung
			}
			whole = append(whole, label+": "+text)
		}
		for _, t := range p.names {
			tests = append(tests, label+"."+t)
		}
	}
	return slices.Concat(unrun, whole, tests)
}

func (b broken) words() string {
	if b.vet {
		return " does not pass go vet, as in go test: " + b.line
	}
	return " does not compile: " + b.line
}

// failedWords sums up the failures in one line.
func (r *results) failedWords(gone int) string {
	unrun, whole := 0, 0
	for _, name := range r.failedPackages() {
		_, never := r.why(name)
		_, trouble := r.trouble(name)
		unrun += oneIf(never && !trouble)
		whole += oneIf(!never && !trouble && len(r.packages[name].names) == 0)
	}
	var parts []string
	if r.failed > 0 {
		verb := "fail"
		if r.failed == 1 {
			verb = "fails"
		}
		parts = append(parts, fmt.Sprintf("%d of %d tests %s", r.failed, r.tests, verb))
	}
	if whole > 0 {
		parts = append(parts, printable.Count(whole, "package")+" failed as a whole")
	}
	if unrun > 0 {
		parts = append(parts, "the tests of "+printable.Count(unrun, "package")+" do not compile")
	}
	if gone > 0 {
		parts = append(parts, printable.Count(gone, "package")+" gone")
	}
	if r.races > 0 {
		parts = append(parts, printable.Count(r.races, "data race"))
	}
	return strings.Join(parts, ", ")
}

func (r *results) heldWords() string {
	text := printable.Count(r.tests-r.skipped-r.forgiven, "test") + " passed"
	if r.skipped > 0 {
		text += fmt.Sprintf(", %d skipped", r.skipped)
	}
	if r.forgiven > 0 {
		text += fmt.Sprintf(", %d failed before as well", r.forgiven)
	}
	if r.forgivenWhole > 0 {
		text += ", " + printable.Count(r.forgivenWhole, "package") + " failed as a whole before as well"
	}
	return text
}

// lineWriter is an io.Writer that passes on whole lines without their end, and drops
// those that are too long.
type lineWriter struct {
	line.Splitter
	each func([]byte)
}

func newLineWriter(each func([]byte)) *lineWriter {
	return &lineWriter{line.Splitter{Max: maxRecord}, each}
}

// Write never fails.
func (l *lineWriter) Write(p []byte) (int, error) {
	l.Split(p, l.piece)
	return len(p), nil
}

func (l *lineWriter) piece(p line.Piece) {
	if p.First && p.Last && len(p.Text) > 0 {
		l.each(p.Text)
	}
}

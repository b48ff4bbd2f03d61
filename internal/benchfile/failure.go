package benchfile

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/seed-1318a441/assay/internal/printable"
)

// What go test says of a package, and the compiler or the test binary before that.
var (
	// header begins what the compiler, or vet, says of a package: "# PACKAGE [TESTED.test]".
	header = regexp.MustCompile(`^# (\S+( \[\S+\.test\])?)$`)
	// diagnosis is a line of it with a place.
	diagnosis = regexp.MustCompile(`\.(go|s|c|h|mod)(:\d+){1,2}: |: import cycle|: cannot find `)
	verdict   = regexp.MustCompile(`^(FAIL|ok  ?|\?   )\t(\S+)(?: \[(build|setup) failed\]|\s.*)?$`)
	// exits are the last words on a process.
	exits = regexp.MustCompile(`^(exit status \d+|signal: .+|\*\*\* Test killed.*)$`)
	crash = regexp.MustCompile(`^(?:Benchmark(\S*)\s+)?((?:panic|fatal error): .*)`)
)

// testedPackage returns the package whose tests need a build: in "P_test [P.test]" it is P, as
// in "P [P.test]" and "[P]".
func testedPackage(importPath string) string {
	first, tested, _ := strings.Cut(importPath, " [")
	if p, ok := strings.CutSuffix(strings.TrimSuffix(tested, "]"), ".test"); ok {
		return p
	}
	return strings.Trim(first, "[]")
}

// diagnose notes the first thing that the compiler says of a package.
func (t *text) diagnose(pkg, line string) {
	if t.builds[pkg] == "" && diagnosis.MatchString(line) && len(t.builds) < maxLosses {
		t.builds[pkg], t.built = printable.Brief(strings.TrimSpace(line)), pkg
	}
}

// packageFailed notes that a package was not built, or not set up, and why: by is the package
// that the compiler refused. A package of "" has failed in its run.
func (t *text) packageFailed(pkg, how, by string) {
	if t.failed[pkg] {
		return
	}
	t.failed[pkg] = true
	why, ok := t.builds[by]
	if !ok {
		why = t.builds[t.built]
	}
	what := "did not build"
	if how == "setup" {
		what = "could not be loaded"
	}
	t.lose(Loss{Line: t.at, Text: join(fmt.Sprintf("package %s %s", printable.Brief(pkg), what), why), Failed: true})
}

// packageEnded notes that the run of a package failed, unless what failed in it is known.
func (s *stream) packageEnded(pkg string) {
	if !s.hasFailed && !s.t.failed[pkg] {
		s.lose(Loss{Line: s.t.at, Text: join(fmt.Sprintf("package %s failed", printable.Brief(pkg)), s.exit), Failed: true})
	}
	s.t.failed[pkg] = true
}

// verdict reads a line that says how a package fared, or why; it reports whether it did.
func (s *stream) verdict(line []byte) bool {
	if m := header.FindSubmatch(line); m != nil {
		s.building = testedPackage(string(m[1]))
		return false
	}
	if exits.Match(line) {
		s.exit = printable.Brief(string(line))
		return true
	}
	m := verdict.FindSubmatch(line)
	if m == nil {
		if s.building != "" {
			s.t.diagnose(s.building, string(line))
		}
		return false
	}
	pkg := string(m[2])
	switch {
	case string(m[1]) != "FAIL":
	case len(m[3]) > 0:
		s.t.packageFailed(pkg, string(m[3]), pkg)
	default:
		s.failures(true)
		s.packageEnded(pkg)
	}
	s.hasFailed, s.building, s.exit = false, "", ""
	return true
}

// crashed notes a panic: package testing prints it behind the name of the benchmark.
func (s *stream) crashed(line []byte) {
	m := crash.FindSubmatch(line)
	if m == nil || s.hasFailed {
		return
	}
	name, why := string(m[1]), printable.Brief(string(m[2]))
	if name == "" {
		name = s.w.Output().Running
	}
	what := "the run"
	if name != "" {
		what = printable.Brief(name)
	}
	if strings.Contains(why, "test timed out after ") {
		what += " timed out"
	} else {
		what += " did not end"
	}
	s.open, s.hasFailed = "", true
	s.lose(Loss{Line: s.t.at, Text: join(what, why), Failed: true})
}

// join returns "what: why", or what alone.
func join(what, why string) string { return strings.TrimSuffix(what+": "+why, ": ") }

// Package bisect finds the commit that changed a benchmark, or the source lines at which
// an optimisation of the compiler matters to it, and says what it found in words. Each
// measurement is a probe of one session, and its finding is a line of a log, so that an
// interrupted bisection resumes.
//
//	read.go, history.go                what to search: two ends and the commits between, or a knob
//	bisection.go, suspects.go          which commit to measure next, and what has the same code
//	probe.go                           when it is decided
//	budget.go, commitbuild.go          the time that a measurement gets; builds before it
//	placement.go                       the sequential test of a probe against both ends
//	bisect.go, bisector.go             FindCommit: the runs that measure commits
//	measure.go                         one run of either search, and the report of its finding
//	knob.go, knobrule.go               patterns of source lines, and whether one matters
//	knobsearch.go, knobbuild.go        FindLines: the runs that measure patterns
//	knobtool.go, knoblines.go          the program that chooses patterns, and lines of the source
//	log.go, result.go, words.go        what was found: kept, as a value, in words
package bisect

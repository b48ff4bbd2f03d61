// Package bisect finds the commit that changed a benchmark, and says what it found in
// words. Each measurement is a probe of one session, and its finding is a line of a log, so
// that an interrupted bisection resumes.
//
//	read.go, history.go                what to search: two ends and the commits between
//	bisection.go, suspects.go          which commit to measure next, and what has the same code
//	probe.go                           when it is decided
//	budget.go, commitbuild.go          the time that a measurement gets; builds before it
//	placement.go                       the sequential test of a probe against both ends
//	bisect.go, bisector.go             FindCommit: the runs that measure commits
//	measure.go                         one run of the search, and the report of its finding
//	log.go, result.go, words.go        what was found: kept, as a value, in words
package bisect

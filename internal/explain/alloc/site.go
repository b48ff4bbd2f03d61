package alloc

import (
	"cmp"
	"strings"

	"github.com/google/pprof/profile"

	"github.com/seed-1318a441/assay/internal/stats"
)

// A siteKey names a site: a line of a function, and what it calls of the run time.
type siteKey struct {
	function, file string
	line           int
	via            string
}

func (k siteKey) compare(o siteKey) int {
	return cmp.Or(strings.Compare(k.function, o.function), strings.Compare(k.file, o.file),
		cmp.Compare(k.line, o.line), strings.Compare(k.via, o.via))
}

// A sourcePlace is a line of a source file, by the file's base name.
type sourcePlace struct {
	file string
	line int
}

// An allocSite is a site on one side; it has a value for each trial.
type allocSite struct {
	siteKey
	n              int   // operations that the shortest trial counts
	size           int64 // 0: they differ
	objects, bytes []float64
	typ, reason    string
}

// medians are those of the site's trials.
func (s *allocSite) medians() (objects, bytes float64) {
	return stats.Median(s.objects), stats.Median(s.bytes)
}

// A Trial is a pair of "allocs" profiles at rate 1 of one binary, run with two numbers of
// operations. Their difference is what the operations between them allocate, without the
// set-up and the run of one operation that package testing makes first. A nil Small is an
// empty profile, of SmallN 0.
type Trial struct {
	Small, Large   *profile.Profile
	SmallN, LargeN int
}

// operations is the number of operations that the trial counts.
func (t Trial) operations() int { return t.LargeN - t.SmallN }

// leastCount is the number of objects of a whole trial that are no chance: a block of
// tiny objects ends early when the collector comes.
const leastCount = 3

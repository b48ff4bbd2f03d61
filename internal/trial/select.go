package trial

import (
	"regexp"
	"slices"
	"strings"

	"github.com/seed-1318a441/assay"
)

// Select returns the -test.bench pattern that matches exactly this benchmark, named as in
// assay.Benchmark. Package testing matches a pattern element by element between slashes,
// so each is quoted and anchored separately. Blanks and unprintable characters in a name
// are already escaped as by testing. The pattern also matches sub-benchmarks; see
// selection.
func Select(name string) string {
	elements := strings.Split(assay.BenchmarkFunction(name), "/")
	for i, e := range elements {
		elements[i] = "^" + regexp.QuoteMeta(e) + "$"
	}
	return strings.Join(elements, "/")
}

// selection returns the -test.bench and -test.skip patterns for exactly these benchmarks.
// A pattern also matches sub-benchmarks, and b.Run("a/b") looks like one of b.Run("a")
// without being one; the skip excludes it.
func selection(names []string) (bench, skip string) {
	var benches, skips []string
	for _, n := range names {
		benches = append(benches, Select(n))
		wanted := func(other string) bool { return strings.HasPrefix(other, n+"/") }
		if !slices.ContainsFunc(names, wanted) {
			skips = append(skips, Select(n)+"/")
		}
	}
	return strings.Join(benches, "|"), strings.Join(skips, "|")
}

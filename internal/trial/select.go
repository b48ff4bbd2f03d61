package trial

import (
	"regexp"
	"slices"
	"strings"
)

// Select returns the -test.bench pattern that matches exactly this benchmark,
// named as in assay.Benchmark. Package testing matches a pattern element by
// element between slashes, so each is quoted and anchored on its own. Blanks
// and unprintable characters in a name are already written as testing does.
// The pattern also matches what is below the name; see selection.
func Select(name string) string {
	elements := strings.Split("Benchmark"+name, "/")
	for i, e := range elements {
		elements[i] = "^" + regexp.QuoteMeta(e) + "$"
	}
	return strings.Join(elements, "/")
}

// selection returns the -test.bench and -test.skip patterns for exactly these
// benchmarks. A pattern also matches what is below it, and b.Run("a/b") is
// below b.Run("a") without being part of it: that is what the skip is for.
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

package trial

import (
	"regexp"
	"strings"
)

// Select returns the -test.bench pattern that matches exactly this benchmark,
// named as in assay.Benchmark. Package testing matches a pattern element by
// element between slashes, so each is quoted and anchored on its own. Blanks
// and unprintable characters in a name are already written as testing does.
func Select(name string) string {
	elements := strings.Split("Benchmark"+name, "/")
	for i, e := range elements {
		elements[i] = "^" + regexp.QuoteMeta(e) + "$"
	}
	return strings.Join(elements, "/")
}

// selectAll returns the pattern that matches exactly these benchmarks.
func selectAll(names []string) string {
	patterns := make([]string, len(names))
	for i, n := range names {
		patterns[i] = Select(n)
	}
	return strings.Join(patterns, "|")
}

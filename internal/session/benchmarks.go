package session

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/printable"
	"github.com/seed-1318a441/assay/internal/testfile"
)

// BenchmarksOf lists the Go benchmarks that a study selects in the tree as it is, by
// folder, from the test files alone: it builds and runs nothing. The first line counts
// them. Other sources would have to be fetched, and sub-benchmarks be run.
func BenchmarksOf(s *assay.Study) (out []string) {
	for _, w := range s.Workloads {
		if w.Kind != assay.KindGoTest {
			continue
		}
		if !ofTree(s) {
			return []string{"not listed: no variant is the tree as it is; without --dry, plan lists them"}
		}
		found, other := testfile.Find(s.Path(s.Source.Dir), w.Packages, tagsOf(s, w), cmp.Or(w.Bench, "."))
		out = append(out, listBenchmarks(found, other)...)
	}
	return out
}

// ofTree reports whether a variant has the source of the tree as it is.
func ofTree(s *assay.Study) bool {
	tree := func(v assay.Variant) bool { return v.Rev == "" && v.Module == "" }
	return len(s.Variants) == 0 || slices.ContainsFunc(s.Variants, tree)
}

// tagsOf returns the build tags of a workload and of the base.
func tagsOf(s *assay.Study, w assay.Workload) (tags []string) {
	for _, f := range w.BuildFlags {
		if list, ok := strings.CutPrefix(f, "-tags="); ok {
			tags = strings.Split(list, ",")
		}
	}
	if i := slices.IndexFunc(s.Variants, func(v assay.Variant) bool { return v.Name == s.Base }); i >= 0 {
		tags = append(tags, s.Variants[i].Tags...)
	}
	return tags
}

func listBenchmarks(found []testfile.Folder, other []string) (out []string) {
	count := 0
	for _, f := range found {
		count += len(f.Benchmarks)
		out = append(out, fmt.Sprintf("%s: %d", printable.Brief(f.Path), len(f.Benchmarks)))
		for _, name := range f.Benchmarks {
			out = append(out, "  "+assay.BenchmarkName(name))
		}
	}
	head := fmt.Sprintf("%s in %s, by the test files; sub-benchmarks are not known before they run",
		printable.Count(count, "function"), printable.Count(len(found), "folder"))
	if count == 0 {
		head = "none in the test files here"
	}
	for _, p := range other {
		out = append(out, printable.Brief(p)+": not listed; only ./relative packages are")
	}
	return append([]string{head}, out...)
}

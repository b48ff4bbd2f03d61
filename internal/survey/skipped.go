package survey

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/printable"
)

// reasons returns the variants with a reason against a benchmark, and the first reason.
func reasons(listed map[string][]artifactListing, variants []string, of func(listing) map[string]string) (in map[assay.Benchmark][]string, why map[assay.Benchmark]string) {
	in, why = map[assay.Benchmark][]string{}, map[assay.Benchmark]string{}
	for _, v := range variants {
		for _, f := range listed[v] {
			for name, reason := range of(f.listing) {
				b := assay.Benchmark{Package: f.artifact.Package, Name: name}
				in[b], why[b] = append(in[b], v), cmp.Or(why[b], reason)
			}
		}
	}
	return in, why
}

func byName(a, b assay.Benchmark) int { return cmp.Compare(a.String(), b.String()) }

// skippedWarnings reports the benchmarks that skip themselves with b.Skip, in one warning
// for those that do so in the same variants.
func skippedWarnings(s *assay.Study, listed map[string][]artifactListing) (out []assay.Warning) {
	var variants []string
	for _, v := range s.Variants {
		variants = append(variants, v.Name)
	}
	in, why := reasons(listed, variants, func(l listing) map[string]string { return l.Skipped })
	byVariants := map[string][]assay.Benchmark{}
	for b, names := range in {
		key := strings.Join(names, "\x00")
		byVariants[key] = append(byVariants[key], b)
	}
	for _, key := range slices.Sorted(maps.Keys(byVariants)) {
		bs := byVariants[key]
		slices.SortFunc(bs, byName)
		out = append(out, skippedWarning(bs, why, inVariants(strings.Split(key, "\x00"), len(listed))))
	}
	return out
}

// inVariants returns " in" and the variants, "" for all of them.
func inVariants(names []string, all int) string {
	if len(names) >= all {
		return ""
	}
	var out []string
	for _, name := range names {
		out = append(out, assay.InWords(name))
	}
	return " in " + printable.Few(out, someNames)
}

func skippedWarning(bs []assay.Benchmark, why map[assay.Benchmark]string, where string) assay.Warning {
	reason := func(b assay.Benchmark) string { return cmp.Or(why[b], "b.SkipNow, without a reason") }
	if len(bs) == 1 {
		return assay.Warning{Code: assay.CodeSkipped, Text: fmt.Sprintf("%s is skipped%s: %s", assay.BenchmarkFunction(bs[0].Name), where, reason(bs[0]))}
	}
	w := assay.Warning{Code: assay.CodeSkipped, Text: fmt.Sprintf("%s are skipped%s", printable.Count(len(bs), "benchmark"), where)}
	for _, b := range bs[:min(len(bs), someNames)] {
		w.Facts = append(w.Facts, fmt.Sprintf("%s: %s", assay.BenchmarkFunction(b.Name), reason(b)))
	}
	if more := len(bs) - someNames; more > 0 {
		w.Facts = append(w.Facts, fmt.Sprintf("and %d more", more))
	}
	return w
}

// timelessWarning lists the benchmarks that report no time, if time decides.
func (s *surveyor) timelessWarning(names []string) []assay.Warning {
	if len(names) == 0 || !slices.Contains(s.Study.Decide.Metrics, assay.MetricTime) {
		return nil
	}
	verb, them := "report", "they are"
	if len(names) == 1 {
		verb, them = "reports", "it is"
	}
	w := assay.Warning{Code: assay.CodeNoTime, Text: fmt.Sprintf("%s %s no ns/op, so %s not compared by time", printable.Few(names, someNames), verb, them),
		Facts: []string{`b.ReportMetric(0, "ns/op") hides it`}}
	for _, m := range slices.Sorted(maps.Keys(s.metrics)) {
		if !slices.Contains([]string{assay.MetricTime, assay.MetricBytes, assay.MetricAllocs}, m) {
			w.Advice = fmt.Sprintf("[decide] metric = [%q], in a study file", m)
			if rest, ok := strings.CutPrefix(s.Command, "assay compare "); ok {
				w.Try, w.Advice = "assay init "+rest, fmt.Sprintf("prints it as a study: with metric = [%q] under [decide], assay run decides by that", m)
			}
			break
		}
	}
	return []assay.Warning{w}
}

package answer

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/seed-1318a441/assay"
)

// maxSingles is the number of claims on single benchmarks in a sentence.
const maxSingles = 2

// orSingly puts what is proved on single benchmarks, if anything is, before the lines that
// find no winner on the whole suite.
func orSingly(r *assay.Result, lines ...string) []string {
	proved := provedSingly(deciders(r))
	if proved == "" {
		return lines
	}
	for i, l := range lines {
		lines[i] = strings.Replace(l, noWinnerText+"; ", "", 1)
	}
	return append([]string{noWinnerText + " on the whole; " + proved}, lines...)
}

// provedSingly says what is proved on single benchmarks where nothing is on the whole, as
// "proved on threads=1: go1.26.8/classic −3.9 % [−9.0, −2.0] p50 latency"; "" for nothing.
// The metrics come in their order, and the largest change of each first.
func provedSingly(tabs []assay.Table) string {
	var found []view
	for _, tab := range tabs {
		if len(tab.Rows) < 2 {
			continue
		}
		var cells []assay.Comparison
		for _, row := range tab.Rows {
			cells = append(cells, slices.DeleteFunc(slices.Clone(row.Cells), func(c assay.Comparison) bool { return !c.Verdict.Differs() })...)
		}
		slices.SortStableFunc(cells, bySize)
		for _, c := range cells {
			c.Benchmark.Name = tab.NameOf(c.Benchmark) // it is only printed
			found = append(found, view{metric: tab.Metric, Comparison: c})
		}
	}
	for n := min(maxSingles, len(found)); n > 0; n-- {
		text := singlesText(found[:n])
		if n < len(found) {
			text += fmt.Sprintf("; and %d more", len(found)-n)
		}
		if n == 1 || utf8.RuneCountInString(text) < longestSentence-len(noWinnerText+" on the whole; proved on ") {
			return "proved on " + text
		}
	}
	return ""
}

// singlesText says what each benchmark shows, without repeating the benchmark, the variant
// or the metric of the one before.
func singlesText(list []view) string {
	text, who, what := "", "", ""
	for _, v := range list {
		if next := v.Benchmark.Name + ": " + v.Variant; next != who {
			text, who = join(text, next+" "+Interval(v.Comparison)), next
		} else {
			text += ", " + Interval(v.Comparison)
		}
		if noun(v.metric) != what {
			what = noun(v.metric)
			text += " " + what
		}
	}
	return text
}

package survey

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/lab"
)

// listings are those of variants in the package "p".
func listings(of map[string]listing) map[string][]artifactListing {
	out := map[string][]artifactListing{}
	for v, l := range of {
		out[v] = []artifactListing{{l, lab.Artifact{Package: "p"}}}
	}
	return out
}

// texts are those of warnings.
func texts(ws []assay.Warning) (out []string) {
	for _, w := range ws {
		out = append(out, w.Text)
	}
	return out
}

// Benchmarks that skip themselves in the same variants share a warning; it says why each
// does, by the first variant that says so.
func TestSkippedWarnings(t *testing.T) {
	s := &assay.Study{Variants: []assay.Variant{{Name: "old"}, {Name: "."}}}
	got := texts(skippedWarnings(s, listings(map[string]listing{
		"old": {Skipped: map[string]string{"S": ""}},
		".":   {Skipped: map[string]string{"S": "needs root", "T": ""}},
	})))
	want := []string{"BenchmarkT is skipped in your tree: b.SkipNow, without a reason", "BenchmarkS is skipped: needs root"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	many := map[string]string{}
	for i := range someNames + 2 {
		many[fmt.Sprint("B", i)] = fmt.Sprint("reason ", i)
	}
	ws := skippedWarnings(s, listings(map[string]listing{"old": {Skipped: many}, ".": {}}))
	if len(ws) != 1 || ws[0].Text != "7 benchmarks are skipped in old" || len(ws[0].Facts) != someNames+1 ||
		ws[0].Facts[0] != "BenchmarkB0: reason 0" || ws[0].Facts[someNames] != "and 2 more" {
		t.Errorf("got %v, want one warning with %d names and how many more there are", ws, someNames)
	}
}

// A benchmark that fails has one warning, with all variants in which it does.
func TestFailedWarnings(t *testing.T) {
	ws := failedWarnings(listings(map[string]listing{
		"old": {Failed: map[string]string{"B": "panic: boom"}},
		"new": {Failed: map[string]string{"B": "panic: boom", "A": "exit status 2"}},
	}))
	want := []string{`BenchmarkA failed in "new" before the first block`, `BenchmarkB failed in "new", "old" before the first block`}
	if got := texts(ws); !slices.Equal(got, want) {
		t.Fatalf("got %q, want %q", got, want)
	}
	if ws[1].Facts[0] != "panic: boom" {
		t.Errorf("got facts %q, want the reason", ws[1].Facts)
	}
}

// Where time decides, benchmarks that report none are named, with another metric to decide
// by if there is one of their own.
func TestTimelessWarning(t *testing.T) {
	for _, c := range []struct {
		names, decide, metrics []string
		want, advice           string
	}{
		{nil, []string{assay.MetricTime}, nil, "", ""},
		{[]string{"X"}, []string{assay.MetricBytes}, nil, "", ""},
		{[]string{"X"}, []string{assay.MetricTime}, []string{assay.MetricBytes, assay.MetricAllocs}, "X reports no ns/op, so it is not compared by time", ""},
		{[]string{"X", "Y"}, []string{assay.MetricTime}, []string{assay.MetricBytes, "widgets/s", "gadgets"},
			"X, Y report no ns/op, so they are not compared by time", `[decide] metric = ["gadgets"], in a study file`},
	} {
		s := &surveyor{Setup: Setup{Study: &assay.Study{Decide: assay.Decide{Metrics: c.decide}}}, metrics: map[string]assay.Better{}}
		for _, m := range c.metrics {
			s.metrics[m] = assay.BetterLower
		}
		ws := s.timelessWarning(c.names)
		if got := strings.Join(texts(ws), "; "); got != c.want {
			t.Errorf("%v, %v decides: got %q, want %q", c.names, c.decide, got, c.want)
		} else if len(ws) > 0 && ws[0].Advice != c.advice {
			t.Errorf("%v, metrics %v: advised is %q, want %q", c.names, c.metrics, ws[0].Advice, c.advice)
		}
	}
}

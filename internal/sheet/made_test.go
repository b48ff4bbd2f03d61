package sheet

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/record"
)

var timeMetric = assay.Metric{Name: assay.MetricTime, Better: assay.BetterLower, MinEffect: 0.01}

// changeOf is a comparison of a variant with a base of the value 1, known to half.
func changeOf(variant string, v assay.Verdict, change, half assay.Change) assay.Comparison {
	return assay.Comparison{Variant: variant, Verdict: v, N: 12, Value: 1 + float64(change), Difference: float64(change), Change: change,
		Interval: &assay.Interval{Lo: change - half, Hi: change + half}}
}

// exactly is a comparison of two values without variance.
func exactly(variant string, base, value float64) assay.Comparison {
	c := assay.Comparison{Variant: variant, Verdict: assay.Same, N: 12, Exact: true, Value: value, Difference: value - base}
	if base != 0 {
		c.Change = assay.Change(value/base - 1)
	}
	if value > base {
		c.Verdict = assay.More
	} else if value < base {
		c.Verdict = assay.Less
	}
	return c
}

// exactSoFar is that in too few blocks for a verdict.
func exactSoFar(variant string, base, value float64) assay.Comparison {
	c := exactly(variant, base, value)
	c.Verdict, c.N, c.Reason = assay.Unclear, 1, "1 of 5 blocks"
	return c
}

// benchRow is the row of a benchmark, "pkg.Name" being one of a package.
func benchRow(name string, base float64, cells ...assay.Comparison) assay.Row {
	b := assay.Benchmark{Name: name}
	if pkg, bare, ok := strings.Cut(name, "."); ok {
		b = assay.Benchmark{Package: pkg, Name: bare}
	}
	for i := range cells {
		cells[i].Benchmark = b
	}
	return assay.Row{Benchmark: b, Base: base, Cells: cells}
}

// resultOf is a result of a run whose first variant is the base, and whose time decides.
func resultOf(variants []string, tables ...assay.Table) *assay.Result {
	r := &assay.Result{Run: "r1", Base: variants[0], Tables: tables, Rule: assay.Rule{Metrics: []string{assay.MetricTime}, MinEffect: 0.01, Confidence: 0.99,
		MinBlocks: 9},
		Spent: assay.Spent{Blocks: 12}}
	for _, v := range variants {
		r.Variants = append(r.Variants, assay.VariantResult{Name: v})
	}
	return r
}

// linesOf are the lines of a table: cells between bars, headings behind "#", and texts.
func linesOf(t *Table) (out []string) {
	for _, r := range t.Rows {
		var parts []string
		for _, h := range r.Heads {
			parts = append(parts, h.Text)
		}
		for _, c := range r.Cells {
			parts = append(parts, c.Joined())
		}
		switch line := strings.TrimRight(strings.Join(parts, "|"), "|"); {
		case r.Heads != nil:
			out = append(out, "# "+line)
		case r.Cells != nil:
			out = append(out, line)
		default:
			out = append(out, JoinWords(": ", r.Lead, r.Text))
		}
	}
	return out
}

// sameLines compares the lines of a table with those wanted.
func sameLines(t *testing.T, what string, got []string, want ...string) {
	t.Helper()
	if g, w := strings.Join(got, "\n"), strings.Join(want, "\n"); g != w {
		t.Errorf("%s: got\n%s\nwant\n%s", what, g, w)
	}
}

// storedResults are the results of the records in studies, by their folder. No test may
// change them.
func storedResults(t *testing.T) map[string]*assay.Result {
	t.Helper()
	out, err := readStored()
	if err != nil {
		t.Fatal(err)
	}
	if len(out) < 10 {
		t.Fatalf("%d records: is the pattern still right?", len(out))
	}
	return out
}

var readStored = sync.OnceValues(func() (map[string]*assay.Result, error) {
	out := map[string]*assay.Result{}
	for _, pattern := range []string{"record", "record/*"} {
		files, err := filepath.Glob(filepath.Join("../../studies/*", pattern, "plan.json"))
		if err != nil {
			return nil, err
		}
		for _, file := range files {
			dir := filepath.Dir(file)
			r, err := record.ReadResult(os.DirFS(dir))
			if err != nil {
				return nil, fmt.Errorf("%s: %w", dir, err)
			}
			out[strings.TrimPrefix(dir, "../../studies/")] = r
		}
	}
	return out, nil
})

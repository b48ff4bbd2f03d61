package main

import (
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/markdown"
	"github.com/seed-1318a441/assay/internal/record"
	"github.com/seed-1318a441/assay/internal/runs"
)

// A result that stands alone is refused where it has more cells than a comment is made of
// in a reasonable time; one that has as many as it may is rendered.
func TestCommentOfManyRows(t *testing.T) {
	for _, rows := range []int{10_000, 60_000} {
		tab := assay.Table{Decides: true, Metric: assay.Metric{Name: assay.MetricTime, Better: assay.BetterLower}}
		for i := range rows {
			b := assay.Benchmark{Name: fmt.Sprintf("B%d", i)}
			tab.Rows = append(tab.Rows, assay.Row{Benchmark: b, Base: 1, Cells: []assay.Comparison{{Benchmark: b, Variant: "b", N: 9, Verdict: assay.Slower, Value: 2}}})
		}
		data, err := record.EncodeResult(&assay.Result{Schema: assay.ResultSchema, Base: "a", Variants: []assay.VariantResult{{Name: "a"}, {Name: "b"}}, Tables: []assay.Table{tab}})
		if err != nil {
			t.Fatal(err)
		}
		r, err := runs.ReadStrict("result.json", data)
		if rows > runs.MaxObjects {
			if err == nil || !strings.Contains(err.Error(), "objects, more than 50000") {
				t.Errorf("%d rows: %v", rows, err)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		if err := markdown.Write(io.Discard, r, markdown.Options{}); err != nil {
			t.Error(err)
		}
	}
}

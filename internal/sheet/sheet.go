package sheet

import (
	"slices"

	"github.com/seed-1318a441/assay"
)

// A Sheet is a result as it is printed: which rows, in which order, with which digits and
// words. Writers choose columns and line breaks.
type Sheet struct {
	Result     *assay.Result
	all, pairs bool
	brief      bool     // see [Sheet.Brief]
	Shown      []string // variants that have columns: neither base nor same code
	Hint       string   // how to see what was left out; "" names the run
	// Room is how many rows the tables of a long suite may have.
	Room Room
	// Foreign results were not measured together: their values have intervals, their
	// changes none.
	Foreign bool
	// Services are the benchmarks that are servers under load; Serves says that all are.
	Services []assay.Benchmark
	Serves   bool
}

// New is the sheet of a result: with all, of every row and metric in full; with pairs,
// with a table for each variant beside the base.
func New(r *assay.Result, all, pairs bool) *Sheet {
	s := &Sheet{Result: r, all: all, pairs: pairs}
	for _, v := range r.Variants {
		if v.Name != r.Base && v.SameAs == nil && !isGap(r.Arc, v.Name) {
			s.Shown = append(s.Shown, v.Name)
		}
	}
	for _, t := range r.Tables {
		// A step that lacks a benchmark has no verdict there, but was measured.
		s.Foreign = s.Foreign || r.Arc == nil && slices.ContainsFunc(AllCells(t), isForeign)
	}
	s.Services, s.Serves = servicesOf(r)
	return s
}

// WithoutServices is the sheet less the benchmarks that are servers under load.
func (s *Sheet) WithoutServices() *Sheet {
	out := *s
	out.Result = without(s.Result, s.Services)
	return &out
}

// Only is the sheet less all variants but the base and some others.
func (s *Sheet) Only(variants []string) *Sheet {
	out := *s
	out.Result, out.Shown = Only(s.Result, variants), variants
	return &out
}

// isGap reports whether a variant is a step that could not be built.
func isGap(a *assay.Arc, variant string) bool {
	return a != nil && slices.ContainsFunc(a.Steps, func(s assay.StepResult) bool { return s.Variant == variant && s.Gap != nil })
}

func isForeign(c assay.Comparison) bool {
	return c.Verdict == assay.Withheld && c.Interval == nil && !c.Exact
}

// Benchmarks is the number of benchmarks of the largest table.
func (s *Sheet) Benchmarks() int {
	n := 0
	for _, t := range s.Result.Tables {
		n = max(n, len(t.Rows))
	}
	return n
}

// ShowAll is how to see what was left out.
func (s *Sheet) ShowAll() string {
	switch {
	case s.Hint != "":
		return s.Hint
	case RunArg(s.Result) == "":
		return "(--all shows them)"
	}
	return "(assay show " + RunArg(s.Result) + " --all)"
}

// servicesOf are the benchmarks that are servers under load, in the order of the record,
// and whether all are. A Go benchmark may report a tx/s of its own, but has a time per
// operation, which services do not have.
func servicesOf(r *assay.Result) (list []assay.Benchmark, all bool) {
	timed := map[assay.Benchmark]bool{}
	for _, t := range r.Tables {
		for _, row := range t.Rows {
			timed[row.Benchmark] = timed[row.Benchmark] || t.Metric.Name == assay.MetricTime
		}
	}
	for _, t := range r.Tables {
		if n := t.Metric.Name; !assay.IsLatency(n) && n != assay.MetricRequests && n != assay.MetricErrors && n != assay.MetricServerCPU {
			continue
		}
		for _, row := range t.Rows {
			if !timed[row.Benchmark] && !slices.Contains(list, row.Benchmark) {
				list = append(list, row.Benchmark)
			}
		}
	}
	return list, len(list) > 0 && len(list) == len(timed)
}

// without is a result less some benchmarks. A geomean that included them goes, too.
func without(r *assay.Result, services []assay.Benchmark) *assay.Result {
	out := *r
	out.Tables = nil
	for _, t := range r.Tables {
		rows := slices.DeleteFunc(slices.Clone(t.Rows), func(row assay.Row) bool { return slices.Contains(services, row.Benchmark) })
		if len(rows) == 0 {
			continue
		}
		if len(rows) < len(t.Rows) {
			t.Geomean, t.Effects = nil, nil
		}
		t.Rows = rows
		out.Tables = append(out.Tables, t)
	}
	return &out
}

// BlockNoun is the name of a block: of services it is a start of the server.
func (s *Sheet) BlockNoun() string {
	if s.Serves {
		return "server start"
	}
	return "block"
}

// Only is a result less all variants but the base and some others.
func Only(r *assay.Result, variants []string) *assay.Result {
	out := *r
	out.Tables, out.Variants = nil, nil
	for _, v := range r.Variants {
		if v.Name == r.Base || slices.Contains(variants, v.Name) {
			out.Variants = append(out.Variants, v)
		}
	}
	other := func(c assay.Comparison) bool { return !slices.Contains(variants, c.Variant) }
	for _, t := range r.Tables {
		rows := slices.Clone(t.Rows)
		for i := range rows {
			rows[i].Cells = slices.DeleteFunc(slices.Clone(rows[i].Cells), other)
		}
		t.Rows, t.Geomean, t.Effects = rows, slices.DeleteFunc(slices.Clone(t.Geomean), other), nil
		out.Tables = append(out.Tables, t)
	}
	return &out
}

// Single reports whether there is only one benchmark, so that metrics can be the rows.
func (s *Sheet) Single() bool {
	if len(s.Result.Tables) == 0 || len(s.Result.Tables[0].Rows) != 1 {
		return false
	}
	b := s.Result.Tables[0].Rows[0].Benchmark
	return !slices.ContainsFunc(s.Result.Tables, func(t assay.Table) bool {
		return len(t.Rows) > 1 || len(t.Rows) == 1 && t.Rows[0].Benchmark != b
	})
}

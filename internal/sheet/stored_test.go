package sheet

import (
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/seed-1318a441/assay"
)

// printedSections are the sections of a sheet, those of its services among them.
func printedSections(s *Sheet) []Section {
	if !s.Serves {
		return s.Sections()
	}
	var out []Section
	for _, b := range s.Services {
		out = append(out, s.ServiceSections(b)...)
	}
	return out
}

// cellKey is what a comparison is of.
type cellKey struct {
	metric, variant string
	benchmark       assay.Benchmark
}

// printedCells counts how often each comparison is in sections.
func printedCells(sections []Section) map[cellKey]int {
	out := map[cellKey]int{}
	for _, sec := range sections {
		for _, e := range sec.Entries {
			for _, c := range e.Cells {
				out[cellKey{e.Metric.Name, c.Variant, c.Benchmark}]++
			}
		}
	}
	return out
}

// With all, every comparison of the studies' results is printed once; without, those that
// prove a change of a metric that decides are.
func TestNoChangeIsLeftOut(t *testing.T) {
	for name, r := range storedResults(t) {
		all, some := printedCells(printedSections(New(r, true, false))), printedCells(printedSections(New(r, false, false)))
		n := 0
		for _, table := range r.Tables {
			for _, c := range AllCells(table) {
				n++
				key := cellKey{table.Metric.Name, c.Variant, c.Benchmark}
				if all[key] != 1 {
					t.Errorf("%s: with all, %v is printed %d times", name, key, all[key])
				}
				if table.Decides && c.Verdict.Differs() && some[key] != 1 {
					t.Errorf("%s: %v, which is %s, is printed %d times", name, key, c.Verdict, some[key])
				}
			}
		}
		if n == 0 {
			t.Errorf("%s has no comparison", name)
		}
	}
}

// digits is the number of a cell: "−1,250.5" is -1250.5.
func digits(t *testing.T, text string) float64 {
	t.Helper()
	x, err := strconv.ParseFloat(strings.NewReplacer(",", "", "−", "-", "+", "").Replace(text), 64)
	if err != nil {
		t.Errorf("%q is no number", text)
	}
	return x
}

// A printed change lies in its printed interval, and where it is proved its sign is that
// of the mark beside it.
func TestChangesLieInTheirIntervals(t *testing.T) {
	n := 0
	for name, r := range storedResults(t) {
		for _, sec := range printedSections(New(r, true, false)) {
			for _, e := range sec.Entries {
				for _, c := range e.Cells {
					change, interval, half := ChangeCells(e, c)
					if !change.Num || !strings.HasPrefix(interval.Text, "[") {
						continue
					}
					n++
					lo, hi, _ := strings.Cut(strings.Trim(interval.Text, "[]"), ", ")
					x := digits(t, change.Text)
					if x < digits(t, lo) || x > digits(t, hi) {
						t.Errorf("%s: %s %s: %s is not in %s", name, e.Label, c.Variant, change.Text, interval.Text)
					}
					if plus := strings.TrimPrefix(half.Text, "±"); plus != half.Text && math.Abs(digits(t, hi)-x-digits(t, plus)) > 2.6*unitOf(hi) {
						t.Errorf("%s: %s %s: %s %s is not %s", name, e.Label, c.Variant, change.Text, half.Text, interval.Text)
					}
					if mark := Mark(c); c.Verdict.Differs() && (x < 0) != (mark == "▼") {
						t.Errorf("%s: %s %s: %s beside %s", name, e.Label, c.Variant, change.Text, mark)
					}
				}
			}
		}
	}
	if n < 1000 {
		t.Errorf("%d changes have an interval: are the records still read?", n)
	}
}

// unitOf is one of the last digit of a number.
func unitOf(text string) float64 {
	_, frac, _ := strings.Cut(text, ".")
	return math.Pow10(-len(frac))
}

// A value is the base's value with its change, also of geomeans and of steps with the
// previous one.
func TestValuesAgreeWithChanges(t *testing.T) {
	for name, r := range storedResults(t) {
		for _, table := range r.Tables {
			all := Comparisons(r, table)
			want := len(AllCells(table)) + len(table.Geomean)
			for _, s := range table.Steps {
				want += len(s.Cells)
				if s.Whole != nil && len(table.Geomean) > 0 {
					want++
				}
			}
			if len(all) != want {
				t.Errorf("%s: %s has %d comparisons, want %d", name, table.Metric.Name, len(all), want)
			}
			for _, c := range all {
				if c.Interval == nil || c.Change == 0 || c.Base == 0 {
					continue
				}
				if by := c.Value/c.Base - 1; !(math.Abs(by-float64(c.Change)) < 1e-9*(1+math.Abs(by))) {
					t.Errorf("%s: %s %s of %s against %s: %v to %v is not %v", name, table.Metric.Name, c.Variant, c.Comparison.Benchmark, c.Against, c.Base, c.Value, c.Change)
				}
			}
		}
	}
}

// Every variant of the studies' results has one row in the table of variants, and no
// more benchmarks are counted in it than there are.
func TestVariantsHaveRows(t *testing.T) {
	for name, r := range storedResults(t) {
		s := New(r, false, false)
		table := s.VariantTable(Layout{Zeros: true})
		if len(table.Rows) != 1+len(r.Variants) {
			t.Errorf("%s: %d rows of %d variants", name, len(table.Rows), len(r.Variants))
			continue
		}
		for i, v := range r.Variants {
			row := table.Rows[i+1]
			if v.Name == r.Base || v.SameAs != nil {
				continue
			}
			n := 0.0
			for _, c := range row.Cells[len(row.Cells)-4:] {
				n += digits(t, c.Text)
			}
			if row.Cells[0].Text != v.Name || int(n) > len(Deciding(r).Rows) {
				t.Errorf("%s: %s stands in the row of %s, which counts %v of %d benchmarks", name, row.Cells[0].Text, v.Name, n, len(Deciding(r).Rows))
			}
		}
	}
}

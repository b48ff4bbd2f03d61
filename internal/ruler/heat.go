package ruler

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/analysis/answer"
	"github.com/seed-1318a441/assay/internal/printable"
	"github.com/seed-1318a441/assay/internal/sheet"
)

// A Heat is a strip with a cell for each benchmark of a variant, from better to worse.
type Heat struct {
	// Counts says how many benchmarks are better, worse and unclear.
	Counts string
	Cells  []HeatCell
}

// A HeatCell is one benchmark. Class is that of the matrix of the page: b3 to b1 for better,
// w1 to w3 for worse, "plain" for the rest.
type HeatCell struct {
	Name, Class string
	change      assay.Change
}

// heatOrder is the order of the classes in a strip, so that of thousands of cells each class
// is one rectangle.
var heatOrder = []string{"b3", "b2", "b1", "plain", "w1", "w2", "w3"}

// columnOf are the benchmarks of a variant by its printed name, each with the variant alone.
func columnOf(r *assay.Result, t assay.Table, variant string) (out []sheet.Entry) {
	i := slices.IndexFunc(r.Variants, func(v assay.VariantResult) bool { return v.Name == variant })
	if i < 0 {
		return nil
	}
	for _, row := range t.Rows {
		e := sheet.EntryOf(t, row)
		if c, ok := e.Of(r.Variants[i].Name); ok && c.Verdict != assay.Withheld {
			e.Cells = []assay.Comparison{c}
			out = append(out, e)
		}
	}
	return out
}

// effectEntries are the benchmarks of an effect.
func effectEntries(m assay.Metric, cells []assay.Comparison) (out []sheet.Entry) {
	for _, c := range cells {
		out = append(out, sheet.EffectEntry(m, c))
	}
	return out
}

// heatOf returns the strip of entries of one comparison each, nil for fewer than two
// benchmarks.
func heatOf(m assay.Metric, list []sheet.Entry) *Heat {
	h := &Heat{}
	var counts assay.VariantResult
	packages := map[string]bool{}
	for _, e := range list {
		packages[e.Cells[0].Benchmark.Package] = true
	}
	for _, e := range list {
		c := e.Cells[0]
		counts.Count(c)
		if !answer.NoFigure(c.Verdict) {
			change, _, _ := sheet.ChangeCells(e, c)
			name := c.Benchmark.Name
			if len(packages) > 1 {
				name = c.Benchmark.String()
			}
			h.Cells = append(h.Cells, HeatCell{name + " " + change.Joined(), heatClass(c), c.Change})
		}
	}
	if len(h.Cells) < 2 {
		return nil
	}
	worse := 1 // the direction of a loss
	if m.Loss() < 0 {
		worse = -1
	}
	slices.SortStableFunc(h.Cells, func(a, b HeatCell) int {
		return cmp.Or(slices.Index(heatOrder, a.Class)-slices.Index(heatOrder, b.Class), worse*cmp.Compare(a.change, b.change))
	})
	h.Counts = sheet.Counts(m, counts)
	return h
}

// heatClass is the class of a cell, as tint in web/src/section/matrix.tsx.
func heatClass(c assay.Comparison) string {
	step := 3
	switch by := math.Abs(float64(c.Change)); {
	case by < 0.05:
		step = 1
	case by < 0.2:
		step = 2
	}
	switch {
	case c.Verdict.Good():
		return "b" + strconv.Itoa(step)
	case c.Verdict.Bad():
		return "w" + strconv.Itoa(step)
	}
	return "plain"
}

// heat draws the strip at the height y.
func (d *drawing) heat(y float64) {
	left, width := float64(d.left), float64(d.width-d.left-d.right)
	if d.narrow {
		d.text("name", left, y+14, start, printable.Count(len(d.Heat.Cells), "benchmark"))
		d.text("said counts", float64(d.width-d.right), y+14, end, d.Heat.Counts)
		y += 20
	} else {
		d.text("name", 0, y+19, start, printable.Count(len(d.Heat.Cells), "benchmark"))
		class := "said"
		if widthOf(class, d.Heat.Counts) > float64(d.right-12) {
			class = "tick"
		}
		d.text(class+" counts", float64(d.width-d.right+12), y+19, start, d.Heat.Counts)
		y += 6
	}
	d.group("heat")
	each := width / float64(len(d.Heat.Cells))
	gap := 1.0
	if each < 4 {
		gap = 0
	}
	for i := 0; i < len(d.Heat.Cells); {
		// Cells of one colour are one rectangle where there is no gap to see.
		n := 1
		for gap == 0 && i+n < len(d.Heat.Cells) && d.Heat.Cells[i+n].Class == d.Heat.Cells[i].Class {
			n++
		}
		c := d.Heat.Cells[i]
		name := c.Name
		if n > 1 {
			name = printable.Count(n, "benchmark")
		}
		fmt.Fprintf(d, `<rect class="%s" x="%s" y="%s" width="%s" height="18">`, c.Class, px(left+each*float64(i)), px(y), px(max(0.1, each*float64(n)-gap)))
		if !d.narrow { // a telephone has no pointer that could rest there
			fmt.Fprintf(d, "<title>%s</title>", escaped(name))
		}
		d.WriteString("</rect>")
		i += n
	}
	d.end()
}

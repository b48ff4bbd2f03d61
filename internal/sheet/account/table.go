package account

import (
	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/printable"
	"github.com/seed-1318a441/assay/internal/sheet"
)

// SidesTable returns a table with a title over its names, a column for each side, and
// further columns.
func (a *Account) SidesTable(title string, align sheet.Align, further ...sheet.Column) *sheet.Table {
	t := &sheet.Table{Columns: append([]sheet.Column{{Head: title}, {Head: a.Base, Align: align, Gap: 3, Limit: NameWidth},
		{Head: a.Variant, Align: align, Gap: 3, Limit: NameWidth}}, further...)}
	t.Heads()
	return t
}

// AllocTable returns the table of what an operation allocates.
func (a *Account) AllocTable(c *assay.AllocChange) *sheet.Table {
	t := a.SidesTable("allocations per operation", sheet.Point, sheet.Column{Align: sheet.Point, Gap: 3})
	t.Row(exactCells("objects", objectMetric, c.BaseObjects, c.VariantObjects)...)
	t.Row(exactCells("bytes", byteMetric, c.BaseBytes, c.VariantBytes)...)
	return t
}

// CollectorTable returns the table of the collector's metrics.
func (a *Account) CollectorTable(c *assay.GCChange) *sheet.Table {
	t := a.SidesTable("collector", sheet.Point, sheet.Column{Head: "change", Over: 1, Whole: true, Align: sheet.Point, Gap: 3}, sheet.Interval(false))
	for _, r := range c.Rows {
		t.Row(collectorCells(r)...)
	}
	return t
}

// SizeTable returns the table of sizes in bytes: of the code, of its packages, and of the
// file. Unless all are wanted, it has at most so many packages.
func (a *Account) SizeTable(c *assay.CodeChange, most int) *sheet.Table {
	t := a.SidesTable("size in bytes", sheet.Right, sheet.Column{Align: sheet.Right, Gap: 3}, sheet.Column{Align: sheet.Point, Gap: 2})
	size := func(name string, base, variant int64) {
		if base > 0 || variant > 0 {
			t.Row(sizeCells(name, base, variant)...)
		}
	}
	size("code", c.BaseText, c.VariantText)
	shown := c.Packages[:a.atMost(most, len(c.Packages))]
	for _, p := range shown {
		size("  "+p.Name, p.Base, p.Variant)
	}
	if left := len(c.Packages) - len(shown); left > 0 {
		t.Text("", "  … "+printable.Count(left, "more package")+" (--all)")
	}
	size("file", c.BaseFile, c.VariantFile)
	return t
}

// CallTable returns the table of the calls that changed anywhere in the binary. Unless all
// are wanted, it has at most so many.
func (a *Account) CallTable(c *assay.CodeChange, most int) *sheet.Table {
	t := &sheet.Table{Columns: []sheet.Column{{Head: "calls that changed"}, {Head: "calls", Align: sheet.Right, Gap: 3}, {Head: "functions", Align: sheet.Right, Gap: 3}}}
	t.Heads()
	shown := c.Calls[:a.atMost(most, len(c.Calls))]
	for _, k := range shown {
		t.Row(sheet.Word(a.CallText(k)), sheet.Number(printable.Int(k.Count), ""), sheet.Number(printable.Int(max(k.Callers, 1)), ""))
	}
	if left := len(c.Calls) - len(shown); left > 0 {
		t.Text("", "… "+printable.Int(left)+" more (--all)")
	}
	return t
}

// atMost is how many of n rows a table has.
func (a *Account) atMost(most, n int) int {
	if a.all {
		return n
	}
	return min(most, n)
}

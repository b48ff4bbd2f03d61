package report

import (
	"math"
	"slices"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/printable"
	"github.com/seed-1318a441/assay/internal/sheet"
	"github.com/seed-1318a441/assay/internal/terminal"
)

// maxSites is the number of sites that are printed where not all is asked for.
const maxSites = 10

var (
	objectMetric = assay.Metric{Name: assay.MetricAllocs, Better: assay.BetterLower}
	byteMetric   = assay.Metric{Name: assay.MetricBytes, Better: assay.BetterLower}
)

// allocations prints what an operation allocates, and the sites that differ.
func (x *explained) allocations() {
	a := x.e.Allocs
	if a == nil {
		return
	}
	if a.BaseObjects == a.VariantObjects && a.BaseBytes == a.VariantBytes && len(a.Sites) == 0 {
		x.Blank()
		x.hang("", "allocations per operation   "+x.alike(a)+"; "+x.allocNote(a), 3)
		return
	}
	x.Grid(x.allocGrid(a))
	x.siteList(a)
	x.Blank()
	x.hang("", x.allocNote(a), 3)
}

// alike is "2 objects, 48 B in both".
func (x *explained) alike(a *assay.AllocChange) string {
	if a.BaseObjects == 0 {
		return "none in both"
	}
	noun := " objects, "
	if a.BaseObjects == 1 {
		noun = " object, "
	}
	return sheet.Value(objectMetric, a.BaseObjects, 0) + noun + sheet.Value(byteMetric, a.BaseBytes, 0) + " in both"
}

// siteList prints the sites that differ, those that allocate for who asks for all.
func (x *explained) siteList(a *assay.AllocChange) {
	width := 0
	for _, s := range x.sites(a) {
		width = max(width, terminal.Width(x.Style.Text(x.siteCount(s))))
	}
	for i, s := range x.sites(a) {
		if i == 0 {
			x.Blank()
		}
		x.site(s, min(width, x.Style.Columns()/2))
	}
	x.left("  ", len(a.Sites)-len(x.sites(a)))
}

func (x *explained) sites(a *assay.AllocChange) []assay.AllocSite {
	if len(a.Sites) > maxSites && !x.Style.All {
		return a.Sites[:maxSites]
	}
	return a.Sites
}

func (x *explained) allocGrid(a *assay.AllocChange) *terminal.Grid {
	g := &terminal.Grid{Style: x.Style, Cols: []terminal.Column{{}, {Align: terminal.Point, Gap: 3, Limit: nameWidth}, {Align: terminal.Point, Gap: 3, Limit: nameWidth}, {Align: terminal.Point, Gap: 3}}}
	x.partHeads(g, "allocations per operation")
	g.Row(exactCells("objects", objectMetric, a.BaseObjects, a.VariantObjects)...)
	g.Row(exactCells("bytes", byteMetric, a.BaseBytes, a.VariantBytes)...)
	return g
}

// exactCells are a row of two counts and their difference.
func exactCells(label string, m assay.Metric, base, variant float64) []sheet.Cell {
	c := assay.Comparison{Value: variant, Exact: true}
	e := sheet.Entry{Metric: m, Base: base, Cells: []assay.Comparison{c}}
	diff := e.Minus(c)
	switch {
	case !diff.Num:
	case variant < base:
		diff.Tone = sheet.Good
	case variant > base:
		diff.Tone = sheet.Bad
	}
	return []sheet.Cell{sheet.Word(label), e.Number(base), e.Number(variant), diff}
}

// site prints a line that allocates: what came or went, and below it of what
// type and why.
func (x *explained) site(s assay.AllocSite, width int) {
	x.hang("  "+terminal.Pad(x.Style.Text(x.siteCount(s)), width, false)+"  ", x.place(s.Function, s.File, s.Line), 2)
	what := s.Type
	if s.Via != "" {
		what = sheet.JoinWords(" ", what, "by "+s.Via)
	}
	if s.Reason != "" {
		what = sheet.JoinWords(": ", what, s.Reason)
	}
	if what != "" {
		x.hang("      ", what, 3)
	}
}

// siteCount is "−1 object of 16 B", "2 → 3 objects of 48 B", or with objects of
// several sizes "−1 object, −48 B".
func (x *explained) siteCount(s assay.AllocSite) string {
	objects, bytes := s.VariantObjects-s.BaseObjects, s.VariantBytes-s.BaseBytes
	if sheet.NotFinite(objects) || sheet.NotFinite(bytes) {
		return "count not known"
	}
	text := signed(objectMetric, objects) + " object"
	if math.Abs(objects) != 1 {
		text += "s"
	}
	switch {
	case objects == 0:
		text = "same objects, " + signed(byteMetric, bytes)
	case s.Size > 0:
		text += " of " + sheet.Value(byteMetric, float64(s.Size), 0)
	default:
		text += ", " + signed(byteMetric, bytes)
	}
	if s.BaseObjects > 0 && s.VariantObjects > 0 && objects != 0 {
		text += " (" + sheet.Value(objectMetric, s.BaseObjects, 0) + " → " + sheet.Value(objectMetric, s.VariantObjects, 0) + ")"
	}
	return text
}

// signed is a difference of a metric, with its sign.
func signed(m assay.Metric, v float64) string {
	text := sheet.Value(m, v, 0)
	if v > 0 {
		return "+" + text
	}
	return text
}

// allocNote says what the counts rest on.
func (x *explained) allocNote(a *assay.AllocChange) string {
	var parts []string
	if a.Same > 0 {
		parts = append(parts, printable.Count(a.Same, "other site")+" alike in both")
	}
	kind := "means"
	if a.Exact {
		kind = "exact"
	}
	if a.Trials > 0 {
		kind += " over " + printable.Count(a.Trials, "trial") + " a side with every allocation in the profile"
	}
	return strings.Join(append(parts, kind), "; ")
}

// collectorWork prints the collector's metrics from the traced trials.
func (x *explained) collectorWork() {
	c := x.e.GC
	if c == nil || len(c.Rows) == 0 {
		return
	}
	g := &terminal.Grid{Style: x.Style, Cols: []terminal.Column{{Limit: max(minName, x.Style.Columns()-54)}, {Align: terminal.Point, Gap: 3, Limit: nameWidth},
		{Align: terminal.Point, Gap: 3, Limit: nameWidth}, {Align: terminal.Point, Gap: 3}, {Align: terminal.Pair, Gap: 1}}}
	x.partHeads(g, "collector", terminal.Span{From: partPoints, To: partInterval, Text: "change", Whole: true})
	for _, r := range c.Rows {
		g.Row(collectorCells(r)...)
	}
	x.Grid(g)
	if note := collectorNote(c); note != "" {
		x.Blank()
		x.hang("", note, 2)
	}
}

// collectorNote says what the collector's metrics rest on.
func collectorNote(c *assay.GCChange) string {
	note := ""
	if c.Trials > 0 {
		note = "medians of " + printable.Count(c.Trials, "traced trial") + " a side"
	}
	if slices.ContainsFunc(c.Rows, func(r assay.GCChangeRow) bool { return sheet.IsShare(r.Metric) }) {
		note = sheet.JoinWords("; ", note, "a share's change is relative, not in points")
	}
	return note
}

// perMillion is the number of operations over which cycles are counted that are
// rarer than one in a thousand.
const perMillion = 1e6

func collectorCells(r assay.GCChangeRow) []sheet.Cell {
	l, _ := sheet.LabelOf(r.Metric)
	if r.Metric == assay.MetricGCCyclesOp && r.Base < 1e-3 && r.Variant < 1e-3 {
		l.Text, r.Base, r.Variant = "cycles per 1,000,000 ops", r.Base*perMillion, r.Variant*perMillion
	}
	c := assay.Comparison{Value: r.Variant, Change: r.Change, Interval: r.Interval, N: 1}
	e := sheet.Entry{Metric: assay.Metric{Name: r.Metric}, Base: r.Base, Cells: []assay.Comparison{c}}
	cs := []sheet.Cell{sheet.Word(l.Text), e.Number(r.Base), e.Number(r.Variant), sheet.Word(sheet.None), {}}
	if r.Base == 0 || !sheet.Sane(r.Change) {
		return cs
	}
	cs[partPoints], cs[partInterval] = sheet.Number(sheet.Points(r.Change, r.Interval), "%"), sheet.Word(sheet.PointSpan(r.Interval))
	return cs
}

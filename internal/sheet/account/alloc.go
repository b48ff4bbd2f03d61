package account

import (
	"math"
	"slices"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/printable"
	"github.com/seed-1318a441/assay/internal/sheet"
)

var (
	objectMetric = assay.Metric{Name: assay.MetricAllocs, Better: assay.BetterLower}
	byteMetric   = assay.Metric{Name: assay.MetricBytes, Better: assay.BetterLower}
)

// Alike is "2 objects, 48 B in both", "" if the sides or their sites differ.
func Alike(a *assay.AllocChange) string {
	switch {
	case a.BaseObjects != a.VariantObjects || a.BaseBytes != a.VariantBytes || len(a.Sites) > 0:
		return ""
	case a.BaseObjects == 0:
		return "none in both"
	}
	noun := " objects, "
	if a.BaseObjects == 1 {
		noun = " object, "
	}
	return sheet.Value(objectMetric, a.BaseObjects, 0) + noun + sheet.Value(byteMetric, a.BaseBytes, 0) + " in both"
}

// exactCells returns the row of two counts and their difference.
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

// SiteCount is "−1 object of 16 B", "2 → 3 objects of 48 B", or with objects of
// several sizes "−1 object, −48 B".
func SiteCount(s assay.AllocSite) string {
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

// SiteObjects is what a site allocates, and why: "[]byte by growslice: escapes through
// append".
func SiteObjects(s assay.AllocSite) string {
	via := ""
	if s.Via != "" {
		via = "by " + s.Via
	}
	return sheet.JoinWords(": ", sheet.JoinWords(" ", s.Type, via), s.Reason)
}

// signed is a difference of a metric, with its sign.
func signed(m assay.Metric, v float64) string {
	text := sheet.Value(m, v, 0)
	if v > 0 {
		return "+" + text
	}
	return text
}

// AllocNote says what the counts rest on.
func AllocNote(a *assay.AllocChange) string {
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

// CollectorNote says what the collector's metrics rest on.
func CollectorNote(c *assay.GCChange) string {
	note := ""
	if c.Trials > 0 {
		note = "medians of " + printable.Count(c.Trials, "traced trial") + " a side"
	}
	if slices.ContainsFunc(c.Rows, func(r assay.GCChangeRow) bool { return sheet.IsShare(r.Metric) }) {
		note = sheet.JoinWords("; ", note, "a share's change is relative, not in points")
	}
	return note
}

// perMillion is the number of operations for counts of cycles rarer than one in a
// thousand.
const perMillion = 1e6

// collectorCells returns the row of a metric of the collector: both values, the change
// and its interval.
func collectorCells(r assay.GCChangeRow) []sheet.Cell {
	l, _ := sheet.LabelOf(r.Metric)
	if r.Metric == assay.MetricGCCyclesOp && r.Base < 1e-3 && r.Variant < 1e-3 {
		l.Text, r.Base, r.Variant = "cycles per 1,000,000 ops", r.Base*perMillion, r.Variant*perMillion
	}
	c := assay.Comparison{Value: r.Variant, Change: r.Change, Interval: r.Interval, N: 1}
	e := sheet.Entry{Metric: assay.Metric{Name: r.Metric}, Base: r.Base, Cells: []assay.Comparison{c}}
	cs := []sheet.Cell{sheet.Word(l.Text), e.Number(r.Base), e.Number(r.Variant)}
	if r.Base == 0 || !sheet.Sane(r.Change) {
		return append(cs, sheet.Word(sheet.None), sheet.Cell{})
	}
	return append(cs, sheet.Number(sheet.Points(r.Change, r.Interval), "%"), sheet.Word(sheet.PointSpan(r.Interval)))
}

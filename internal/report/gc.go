package report

import (
	"fmt"
	"slices"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/printable"
)

const (
	gcTitle = "garbage collector"
	gcAside = "(gctrace, all cycles but forced ones)"

	geomeanWord = "geomean"
)

// collector adds a metric of the collector to the one section that tells of it:
// as its geomean, or where there is one benchmark as its row. Most of what there
// is to know is for who asks for all.
func (s *Sheet) collector(t assay.Table, sec *section) {
	l, _ := labelOf(t.Metric.Name)
	switch {
	case !s.all && !l.brief:
		sec.hidden++
	case len(t.Rows) == 1:
		e := s.entry(t, t.Rows[0])
		e.label = l.text
		sec.entries = append(sec.entries, e)
	case len(t.Geomean) > 0:
		e := s.geomean(t)
		e.label = l.text
		sec.entries = append(sec.entries, e)
	case s.unchanged(t.Rows) == len(t.Rows):
		sec.facts = addFact(sec.facts, l.text, unchangedText(t.Rows))
	default: // the geomean has a zero in it
		sec.facts = addFact(sec.facts, l.text, s.counts(t.Rows)+" "+s.showAll())
	}
}

// withCollector appends the section of the collector, if there is one. what it is
// of is a benchmark or the geomean.
func (s *Sheet) withCollector(sections []section, gc section, what string) []section {
	if len(gc.entries) == 0 && len(gc.facts) == 0 {
		return sections
	}
	gc.tail = s.gcNote(gc, assay.Benchmark{})
	slices.SortStableFunc(gc.entries, func(a, b entry) int { return gcOrder(a) - gcOrder(b) })
	gc.title, gc.aside = gcTitle, gcAside
	switch {
	case len(gc.entries) == 0:
	case s.isMatrix(): // the title stands over the names there, too short for it
		gc.entries[0].heading = gcTitle + " " + gcAside
		gc.title = what
	case what == geomeanWord:
		gc.title += ", " + what
	}
	return append(sections, gc)
}

// isMatrix reports whether variants get a matrix of changes.
func (s *Sheet) isMatrix() bool { return len(s.shown) > 2 && !s.foreign && !s.pairs }

// gcOrder is the place of an entry among the labels.
func gcOrder(e entry) int {
	i := slices.IndexFunc(gcLabels, func(l label) bool { return l.metric == e.metric.Name })
	if i < 0 {
		return len(gcLabels)
	}
	return i
}

// gcNote says how the figures of a section came about and what it left out; the
// zero benchmark is any.
func (s *Sheet) gcNote(sec section, b assay.Benchmark) string {
	text := ""
	i := slices.IndexFunc(s.r.GCs, func(g assay.GC) bool { return b == (assay.Benchmark{}) || g.Benchmark == b })
	switch {
	case i < 0:
	case s.r.GCs[i].Inside:
		text = "traced inside the measured trials, for all variants alike"
	default:
		text = "traced in trials of their own"
	}
	if slices.ContainsFunc(sec.entries, func(e entry) bool { return isShare(e.metric.Name) }) {
		text = joinWords("; ", text, "a share's change is relative, not in points")
	}
	if sec.hidden > 0 {
		text = joinWords("; ", text, fmt.Sprintf("%s %s", printable.Count(sec.hidden, "more metric"), s.showAll()))
	}
	return text
}

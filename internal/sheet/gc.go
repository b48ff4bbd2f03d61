package sheet

import (
	"cmp"
	"slices"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/printable"
)

const (
	gcTitle = "garbage collector"
	gcAside = "(gctrace, all cycles but forced ones)"

	GeomeanWord = "geomean"

	shareNote = "a share's change is relative, not in points"
)

// collector adds a metric of the collector to the section about it: as its geomean, or as
// its row where there is one benchmark. Most metrics are printed with --all only.
func (s choice) collector(t assay.Table, sec *Section) {
	switch l, _ := LabelOf(t.Metric.Name); {
	case !s.sheet.all && !l.brief:
		sec.hidden++
	case len(t.Rows) == 1:
		e := EntryOf(t, t.Rows[0])
		e.Label = l.Text
		sec.Entries = append(sec.Entries, e)
	case len(t.Geomean) == 0 && Unchanged(t.Rows):
		sec.Facts = addFact(sec.Facts, l.Text, unchangedText(t.Rows), false)
	default:
		s.whole(t, l.Text, sec, sec)
	}
}

// withCollector appends the section of the collector, if there is one. It is about what:
// a benchmark or the geomean.
func (s choice) withCollector(sections []Section, gc Section, what string) []Section {
	if len(gc.Entries) == 0 && len(gc.Facts) == 0 {
		return sections
	}
	gc.Tail = s.sheet.gcNote(gc, assay.Benchmark{})
	slices.SortStableFunc(gc.Entries, func(a, b Entry) int { return cmp.Compare(Place(a.Metric.Name), Place(b.Metric.Name)) })
	gc.Title, gc.Aside = gcTitle, gcAside
	switch {
	case len(gc.Entries) == 0:
	case s.isMatrix(): // the title stands over the names there, too short for it
		gc.Entries[0].Heading = gcTitle + " " + gcAside
		gc.Title = what
	case what == GeomeanWord:
		gc.Title += ", " + what
	}
	return append(sections, gc)
}

// isMatrix reports whether variants get a matrix of changes.
func (s choice) isMatrix() bool { return len(s.sheet.Shown) > 2 && !s.sheet.Foreign && !s.sheet.pairs }

// gcNote says how the figures of a section were measured and what it left out. The zero
// benchmark stands for any.
func (s *Sheet) gcNote(sec Section, b assay.Benchmark) string {
	traced, shares, hidden := "", "", ""
	i := slices.IndexFunc(s.Result.GCs, func(g assay.GC) bool { return b == (assay.Benchmark{}) || g.Benchmark == b })
	switch {
	case i < 0:
	case s.Result.GCs[i].Inside:
		traced = "traced inside the measured trials, for all variants alike"
	default:
		traced = "traced in trials of their own"
	}
	if slices.ContainsFunc(sec.Entries, func(e Entry) bool { return IsShare(e.Metric.Name) }) {
		shares = shareNote
	}
	if sec.hidden > 0 {
		hidden = printable.Count(sec.hidden, "more metric") + " " + s.ShowAll()
	}
	return JoinWords("; ", traced, shares, hidden)
}

package report

import (
	"slices"

	"github.com/seed-1318a441/assay"
)

// lineups are the entries that come in full, and the other ones of each section.
func (s *Sheet) lineups(sections []section) (full []entry, rest [][]entry) {
	for _, sec := range sections {
		var left []entry
		for _, e := range sec.entries {
			if s.all || slices.Contains(s.r.Rule.Metrics, e.metric.Name) {
				full = append(full, e)
			} else {
				left = append(left, e)
			}
		}
		rest = append(rest, left)
	}
	if len(full) == 0 && len(sections[0].entries) > 0 { // nothing that decides was seen
		full, rest[0] = sections[0].entries[:1], sections[0].entries[1:]
	}
	return full, rest
}

// matrixOf gathers what is left of the sections of a service.
func matrixOf(b assay.Benchmark, sections []section, rest [][]entry) section {
	m := section{title: b.Name}
	for i, entries := range rest {
		if len(entries) == 0 {
			continue
		}
		at := len(m.entries)
		for _, e := range entries {
			if e.refused != "" {
				m.tail = joinWords("; ", m.tail, e.label+" "+e.refused)
				continue
			}
			m.entries = append(m.entries, e)
		}
		if at < len(m.entries) {
			m.entries[at].heading = joined(sections[i].title, sections[i].aside)
		}
		if t := sections[i].tail; t != "" {
			m.tail = joinWords("; ", m.tail, t)
		}
	}
	return m
}

func joined(a, b string) string {
	if b == "" {
		return a
	}
	return a + " " + b
}

// saturated reports whether a server did not keep up with the load. The reason
// holds for all its metrics and is told once, below the tables.
func (s *Sheet) saturated(e entry, variant string) bool {
	c, ok := e.of(variant)
	return ok && c.Verdict == assay.Saturated
}

package sheet

import (
	"slices"

	"github.com/seed-1318a441/assay"
)

// Lineups divides entries into those that come in full and the others of each section.
func (s *Sheet) Lineups(sections []Section) (full []Entry, rest [][]Entry) {
	for _, sec := range sections {
		var left []Entry
		for _, e := range sec.Entries {
			if s.all || slices.Contains(s.Result.Rule.Metrics, e.Metric.Name) {
				full = append(full, e)
			} else {
				left = append(left, e)
			}
		}
		rest = append(rest, left)
	}
	if len(full) == 0 && len(sections[0].Entries) > 0 { // nothing that decides was seen
		full, rest[0] = sections[0].Entries[:1], sections[0].Entries[1:]
	}
	return full, rest
}

// RestOf gathers what is left of the sections of a service as one.
func RestOf(b assay.Benchmark, sections []Section, rest [][]Entry) Section {
	m := Section{Title: b.Name}
	for i, entries := range rest {
		if len(entries) == 0 {
			continue
		}
		at := len(m.Entries)
		for _, e := range entries {
			if e.Refused != "" {
				m.Tail = JoinWords("; ", m.Tail, e.Label+" "+e.Refused)
				continue
			}
			m.Entries = append(m.Entries, e)
		}
		if at < len(m.Entries) {
			m.Entries[at].Heading = JoinWords(" ", sections[i].Title, sections[i].Aside)
		}
		m.Tail = JoinWords("; ", m.Tail, sections[i].Tail)
	}
	return m
}

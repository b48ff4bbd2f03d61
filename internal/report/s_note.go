package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/printable"
)

// maxNotes is the number of notes below the tables before they are cut.
const maxNotes = 6

// notes collects what the tables had no room for: a text and the cells it
// holds for, in the order of the tables.
type notes struct {
	texts []string
	where map[string][]string
}

func (n *notes) add(text, where string) {
	if n.where == nil {
		n.where = map[string][]string{}
	}
	if n.where[text] == nil {
		n.texts = append(n.texts, text)
	}
	n.where[text] = append(n.where[text], where)
}

// lines puts a text that holds for one cell after its name, and a text that
// holds for several before their list.
func (n *notes) lines() []string {
	var out []string
	for _, t := range n.texts {
		w := n.where[t]
		if len(w) == 1 {
			out = append(out, w[0]+": "+t)
			continue
		}
		more := ""
		if len(w) > maxNotes {
			more = ", … " + printable.Int(len(w)-maxNotes) + " more"
			w = w[:maxNotes]
		}
		out = append(out, t+": "+strings.Join(w, ", ")+more)
	}
	return out
}

// where names a cell: the benchmark, the variant where there are several, the
// metric where it is not the first.
func (s *Sheet) where(e entry, variant string) string {
	t := e.label
	switch {
	case e.bench != "" && len(s.services) > 1:
		t = e.bench + " " + t
	case e.bench != "":
	case !s.single() && len(s.r.Tables) > 0 && e.metric.Name != s.r.Tables[0].Metric.Name && e.label != e.metric.Name:
		t += " " + e.metric.Name
	}
	if len(s.shown) > 1 {
		t += " in " + variant
	}
	return t
}

// profiles tell what builds were guided by, and how far it was about their code.
// Variants of which the same is to be said share a line.
func (s *Sheet) profiles() []string {
	var n notes
	for _, v := range s.r.Variants {
		if v.Profile == nil {
			continue
		}
		from := "the profile " + v.Profile.Path
		if v.Profile.Path == "auto" {
			from = "a profile of the base"
		}
		n.add(fmt.Sprintf("built with %s; %s match its code", from, profileMatch(*v.Profile)), v.Name)
	}
	return n.lines()
}

// profileMatch is "96 % of 246 samples".
func profileMatch(x assay.ProfileInfo) string {
	return fmt.Sprintf("%.0f %% of %s", 100*x.Match, printable.Count(int(x.Samples), "sample"))
}

// withheld are the reasons why cells have no verdict, each once.
func (s *Sheet) withheld() []string {
	var out []string
	see := func(c assay.Comparison) {
		if c.Verdict != assay.Withheld || c.Reason == "" || s.r.Arc != nil && c.N == 0 {
			return // what steps lack is told in their table
		}
		if t := "– no verdict: " + c.Reason; !slices.Contains(out, t) {
			out = append(out, t)
		}
	}
	for _, t := range s.r.Tables {
		for _, r := range t.Rows {
			for _, c := range r.Cells {
				see(c)
			}
		}
		for _, c := range t.Geomean {
			see(c)
		}
	}
	return out
}

// keep gathers the notes of a section that stand below the tables, but not the price of what
// nobody asked to decide.
func (s *Sheet) keep(n *notes, sec section, variants []string) {
	for _, e := range sec.entries {
		if !s.asked(e) || summarised(e.metric.Name) && !slices.Contains(s.r.Rule.Metrics, e.metric.Name) && !s.all {
			continue
		}
		for _, v := range variants {
			if text := s.fields(e, v).note; text != "" {
				n.add(text, s.where(e, v))
			}
		}
	}
}

// keepSaturated gathers the reasons below tables whose other notes have a
// column.
func (s *Sheet) keepSaturated(n *notes, sections []section, variants []string) {
	for _, sec := range sections {
		for _, e := range sec.entries {
			for _, v := range variants {
				if text := s.fields(e, v).note; text != "" && s.asked(e) && s.saturated(e, v) {
					n.add(text, s.where(e, v))
				}
			}
		}
	}
}

// keepEffects puts the notes below the tables.
func (s *Sheet) keepEffects(n *notes, t assay.Table) {
	for _, e := range t.Effects {
		if e.Whole.Verdict == assay.SameCoded || !s.printed(e) {
			continue
		}
		if text := s.noteOf(effectEntry(t.Metric, e.Whole), e.Whole); text != "" {
			n.add(text, switchLabel(e))
		}
	}
}

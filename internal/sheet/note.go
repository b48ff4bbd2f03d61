package sheet

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/printable"
)

// MaxNotes is the number of notes below the tables before they are cut.
const MaxNotes = 6

// Notes collects what the tables had no room for: a text and the cells it
// holds for, in the order of the tables.
type Notes struct {
	Texts []string
	Where map[string][]string
}

// Add keeps a note, and what it is of.
func (n *Notes) Add(text, where string) {
	if n.Where == nil {
		n.Where = map[string][]string{}
	}
	if n.Where[text] == nil {
		n.Texts = append(n.Texts, text)
	}
	n.Where[text] = append(n.Where[text], where)
}

// Lines puts a text that holds for one cell after its name, and a text that
// holds for several before their list.
func (n *Notes) Lines() []string {
	var out []string
	for _, t := range n.Texts {
		w := n.Where[t]
		if len(w) == 1 {
			out = append(out, w[0]+": "+t)
			continue
		}
		more := ""
		if len(w) > MaxNotes {
			more = ", … " + printable.Int(len(w)-MaxNotes) + " more"
			w = w[:MaxNotes]
		}
		out = append(out, t+": "+strings.Join(w, ", ")+more)
	}
	return out
}

// Where names a cell: the benchmark, the variant where there are several, the
// metric where it is not the first.
func (s *Sheet) Where(e Entry, variant string) string {
	t := e.Label
	switch {
	case e.bench != "" && len(s.Services) > 1:
		t = e.bench + " " + t
	case e.bench != "":
	case !s.Single() && len(s.Result.Tables) > 0 && e.Metric.Name != s.Result.Tables[0].Metric.Name && e.Label != e.Metric.Name:
		t += " " + e.Metric.Name
	}
	if len(s.Shown) > 1 {
		t += " in " + variant
	}
	return t
}

// Profiles tell what builds were guided by, and how far it was about their code.
// Variants of which the same is to be said share a line.
func (s *Sheet) Profiles() []string {
	var n Notes
	for _, v := range s.Result.Variants {
		if v.Profile == nil {
			continue
		}
		from := "the profile " + v.Profile.Path
		if v.Profile.Path == "auto" {
			from = "a profile of the base"
		}
		n.Add(fmt.Sprintf("built with %s; %s match its code", from, ProfileMatch(*v.Profile)), v.Name)
	}
	return n.Lines()
}

// ProfileMatch is "96 % of 246 samples".
func ProfileMatch(x assay.ProfileInfo) string {
	return fmt.Sprintf("%.0f %% of %s", 100*x.Match, printable.Count(int(x.Samples), "sample"))
}

// Withheld are the reasons why cells have no verdict, each once.
func (s *Sheet) Withheld() []string {
	var out []string
	see := func(c assay.Comparison) {
		if c.Verdict != assay.Withheld || c.Reason == "" || s.Result.Arc != nil && c.N == 0 {
			return // what steps lack is told in their table
		}
		if t := "– no verdict: " + c.Reason; !slices.Contains(out, t) {
			out = append(out, t)
		}
	}
	for _, t := range s.Result.Tables {
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

// Keep gathers the notes of a section that stand below the tables, but not the price of what
// nobody asked to decide.
func (s *Sheet) Keep(n *Notes, sec Section, variants []string) {
	for _, e := range sec.Entries {
		if !s.asked(e) || Summarised(e.Metric.Name) && !slices.Contains(s.Result.Rule.Metrics, e.Metric.Name) && !s.all {
			continue
		}
		for _, v := range variants {
			if text := s.Fields(e, v).Note; text != "" {
				n.Add(text, s.Where(e, v))
			}
		}
	}
}

// KeepSaturated gathers the reasons below tables whose other notes have a
// column.
func (s *Sheet) KeepSaturated(n *Notes, sections []Section, variants []string) {
	for _, sec := range sections {
		for _, e := range sec.Entries {
			for _, v := range variants {
				if text := s.Fields(e, v).Note; text != "" && s.asked(e) && Saturated(e, v) {
					n.Add(text, s.Where(e, v))
				}
			}
		}
	}
}

// KeepEffects puts the notes below the tables.
func (s *Sheet) KeepEffects(n *Notes, t assay.Table) {
	for _, e := range t.Effects {
		if e.Whole.Verdict == assay.SameCoded || !s.printed(e) {
			continue
		}
		if text := s.NoteOf(effectEntry(t.Metric, e.Whole), e.Whole); text != "" {
			n.Add(text, SwitchLabel(e))
		}
	}
}

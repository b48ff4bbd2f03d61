package sheet

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/analysis/answer"
	"github.com/seed-1318a441/assay/internal/printable"
)

// MaxNotes is the number of notes below the tables before they are cut.
const MaxNotes = 6

// Notes collects what the tables had no room for: a text and the cells it holds for, in
// the order of the tables.
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

// Lines puts a text that holds for one cell after its name, and a text that holds for
// several before their list.
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

// Keep gathers the notes on some variants in sections for which tables have no column.
// Where they have one it gathers only why servers were saturated. Nobody wants to know
// what it takes to decide what follows from other metrics.
func (n *Notes) Keep(s *Sheet, sections []Section, variants []string, column bool) {
	for _, sec := range sections {
		for _, e := range sec.Entries {
			follows := Summarised(e.Metric.Name) && !slices.Contains(s.Result.Rule.Metrics, e.Metric.Name)
			if !s.asked(e) || follows && !column {
				continue
			}
			for _, v := range variants {
				if f := s.Fields(e, v); f.Note != "" && (f.saturated || !column) {
					n.Add(f.Note, s.placeOf(e, v))
				}
			}
		}
	}
}

// KeepStanding gathers the notes on sections of many variants: one a variant on all that
// is unclear in it, and those on proved changes. Of a section that said how the unclear
// ones stand it gathers only the latter.
func (n *Notes) KeepStanding(s *Sheet, sections []Section, said func(Section) bool) {
	var later Notes
	for _, sec := range sections {
		for _, v := range s.Shown {
			var unclear []Entry
			var list []assay.Comparison
			for _, e := range sec.Entries {
				c, ok := e.Of(v)
				if follows := Summarised(e.Metric.Name) && !s.decides(e.Metric.Name); !ok || follows || !s.asked(e) || e.Geomean {
					continue
				}
				if c.Verdict == assay.Unclear {
					unclear, list = append(unclear, e), append(list, c)
				} else if f := s.Fields(e, v); f.Note != "" {
					later.Add(f.Note, s.placeOf(e, v))
				}
			}
			if !said(sec) {
				n.keepUnclear(s, unclear, list, v)
			}
		}
	}
	for _, t := range later.Texts {
		if w := later.Where[t]; len(w) > maxNamed && slices.ContainsFunc(sections, said) {
			n.Add(t, printable.Count(len(w), "change"))
			continue
		}
		for _, where := range later.Where[t] {
			n.Add(t, where)
		}
	}
}

// keepUnclear adds how far the unclear entries of a variant may reach, which cells of a
// matrix have no room for, and of a single one its own note.
func (n *Notes) keepUnclear(s *Sheet, unclear []Entry, list []assay.Comparison, variant string) {
	switch len(unclear) {
	case 0:
	case 1:
		text := s.Fields(unclear[0], variant).Note
		if list[0].Bound() != "" {
			text = JoinWords("; ", list[0].Words(), text)
		}
		if text != "" {
			n.Add(text, s.placeOf(unclear[0], variant))
		}
	default:
		place := variant
		if m := unclear[0].Metric.Name; m != s.Result.Tables[0].Metric.Name {
			place = m + " in " + variant
		}
		n.Add(answer.Counts(list), place)
	}
}

// placeOf names a cell: the benchmark, the variant where there are several, and the
// metric where it is not the first.
func (s *Sheet) placeOf(e Entry, variant string) string {
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

// KeepEffects gathers the notes on the effects of a table.
func (n *Notes) KeepEffects(s *Sheet, t assay.Table) {
	for _, e := range t.Effects {
		if e.Whole.Verdict == assay.SameCoded || !s.printed(e) {
			continue
		}
		if text := s.NoteOf(EffectEntry(t.Metric, e.Whole), e.Whole); text != "" {
			n.Add(text, SwitchLabel(e))
		}
	}
}

// Profiles say what builds were guided by, and how much of that was about their code.
// Variants of which the same holds share a line.
func Profiles(r *assay.Result) []string {
	var n Notes
	for _, v := range r.Variants {
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

// Withheld are the reasons why cells have no verdict, each once. The table of steps says
// what steps lack.
func Withheld(r *assay.Result) (out []string) {
	for _, t := range r.Tables {
		for _, c := range slices.Concat(AllCells(t), t.Geomean) {
			text := "– no verdict: " + c.Reason
			if c.Verdict == assay.Withheld && c.Reason != "" && (r.Arc == nil || c.N > 0) && !slices.Contains(out, text) {
				out = append(out, text)
			}
		}
	}
	return out
}

// Package bisection describes the result of a bisection in words: the commit that changed
// a benchmark, or the source lines at which an optimisation matters. Package search finds
// them.
package bisection

import (
	"fmt"
	"time"

	"github.com/seed-1318a441/assay/internal/printable"
	"github.com/seed-1318a441/assay/internal/search"
)

// Lines describes the result of a bisection.
func Lines(r *search.Bisected, h search.History) []string {
	lines := []string{fmt.Sprintf("bisect %s: %s after %s, up to %s; %s", printable.Brief(r.Study), printable.Count(r.Commits, h.Noun()), h.Named(r.Good), h.Named(r.Bad), r.Metric), ""}
	lines = append(lines, bisectedLines(r, h)...)
	lines = append(lines, "", spentText(r, h.Noun()))
	if r.Recheck != nil && r.Recheck.Run != "" {
		lines = append(lines, "the re-check in full: assay show "+r.Recheck.Run)
	}
	return lines
}

// bisectedLines returns the answer.
func bisectedLines(r *search.Bisected, h search.History) []string {
	whole := "BAD is " + string(r.Verdict) + " than GOOD"
	if r.Whole != nil {
		whole = r.Whole.String() + " from GOOD to BAD"
	}
	switch r.Status {
	case search.StatusNoChange:
		if r.Whole == nil {
			return []string{"ANSWER  no difference between GOOD and BAD: nothing to find (" + r.Why + ")", "        --force measures them all the same"}
		}
		return []string{"ANSWER  no difference between GOOD and BAD: nothing to find", "        " + whole}
	case search.StatusUndecided:
		return []string{"ANSWER  not decided whether GOOD and BAD differ: nothing was searched", "        " + whole,
			"        a larger --budget gives it more time, a larger --min-effect needs less"}
	case search.StatusUnfinished:
		return []string{"ANSWER  not finished; " + r.Command + " resumes it"}
	}
	lines := append(culpritLines(r, h), "        "+whole)
	return append(lines, spreadLines(r, h)...)
}

// culpritLines returns the commit and its re-check.
func culpritLines(r *search.Bisected, h search.History) []string {
	lead := fmt.Sprintf("ANSWER  %s made it %s", h.Named(*r.Culprit), r.Verdict)
	if len(r.Candidates) > 1 {
		lead = fmt.Sprintf("ANSWER  one of these %d %ss made it %s", len(r.Candidates), h.Noun(), r.Verdict)
	}
	if r.Status == search.StatusUnconfirmed {
		lead = fmt.Sprintf("ANSWER  not confirmed: the probes lead to %s", h.Named(*r.Culprit))
	}
	lines := []string{lead}
	if len(r.Candidates) > 1 {
		for i, c := range r.Candidates {
			note := "   (could not be measured)"
			if i == len(r.Candidates)-1 {
				note = ""
			}
			lines = append(lines, "        "+h.Named(c)+note)
		}
	}
	lines = append(lines, "        "+recheckText(r))
	if r.Culprit.Parents > 1 {
		hash := r.Culprit.Hash[:min(9, len(r.Culprit.Hash))]
		lines = append(lines, fmt.Sprintf("        a merge: assay bisect %s^ %s^2 searches the commits it merged", hash, hash))
	}
	return lines
}

// recheckText returns the culprit's difference from its parent.
func recheckText(r *search.Bisected) string {
	against := "against its parent"
	if len(r.Candidates) > 1 {
		against = "against the last one measured before them"
	}
	f := r.Recheck
	if f.Change == nil {
		return fmt.Sprintf("%s: %s, %s", against, f.Place, f.Why)
	}
	text := fmt.Sprintf("%s %s, %s", f.Change.String(), against, printable.Count(f.Blocks, "block"))
	if f.Place != search.PlaceChanged {
		text += ": " + string(f.Place)
	}
	return text
}

// spreadLines returns the other parts of a change that is spread over several commits.
func spreadLines(r *search.Bisected, h search.History) []string {
	if !r.Spread {
		return nil
	}
	lines := []string{fmt.Sprintf("        the change is spread over several %ss: this one is about %.0f %% of it", h.Noun(), 100*r.Share)}
	if len(r.Parts) == 0 {
		return append(lines, "        the others are smaller than half of what was searched")
	}
	for _, p := range r.Parts {
		mark := ""
		if p.Searched {
			mark = " (searched)"
		}
		lines = append(lines, fmt.Sprintf("        about %.0f %% of it, %s, after %s up to %s%s", 100*p.Share, p.Change.Format(0), h.Named(p.From), h.Named(p.To), mark))
	}
	return lines
}

// spentText returns the cost of the search, and its error rate.
func spentText(r *search.Bisected, noun string) string {
	text := fmt.Sprintf("%s of %s", printable.Count(r.Probes, "probe"), printable.Count(r.Commits, noun))
	if r.Skipped > 0 {
		text += fmt.Sprintf(", %d could not be measured", r.Skipped)
	}
	text += fmt.Sprintf("; %s, of which %s measuring", r.Took.Round(time.Second), r.Measured.Round(time.Second))
	if x := r.Ratio(); x > 0 {
		text += fmt.Sprintf(" (%.1f×)", x)
	}
	return text + fmt.Sprintf("; probability of naming a wrong %s: at most %.2g %%", noun, 100*(1-r.Confidence))
}

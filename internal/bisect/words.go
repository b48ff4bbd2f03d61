package bisect

import (
	"fmt"
	"time"

	"github.com/seed-1318a441/assay/internal/printable"
)

type lines []string

func (l *lines) add(format string, args ...any) { *l = append(*l, fmt.Sprintf(format, args...)) }

// detail adds a line below an answer.
func (l *lines) detail(format string, args ...any) { l.add("        "+format, args...) }

// Lines describes the result of a bisection.
func Lines(r *Result, h History) []string {
	var l lines
	l.add("bisect %s: %s after %s, up to %s; %s", printable.Brief(r.Study), printable.Count(r.Commits, h.Noun()), h.Named(r.Good), h.Named(r.Bad), r.Metric)
	l.add("")
	l.answer(r, h)
	if r.Resume != "" {
		l.detail("%s   (resumes)", r.Resume)
	}
	l.add("")
	l.add("%s", spentText(r, h.Noun()))
	if r.Recheck != nil && r.Recheck.Run != "" {
		l.add("the re-check in full: assay show %s", r.Recheck.Run)
	}
	return l
}

// answer adds the answer.
func (l *lines) answer(r *Result, h History) {
	whole := "BAD is " + string(r.Verdict) + " than GOOD"
	if r.Whole != nil {
		whole = r.Whole.String() + " from GOOD to BAD"
	}
	switch {
	case r.Status == StatusNoChange && r.Whole == nil:
		l.add("ANSWER  no difference between GOOD and BAD: nothing to find (%s)", r.Why)
		l.detail("--force measures them all the same")
	case r.Status == StatusNoChange:
		l.add("ANSWER  no difference between GOOD and BAD: nothing to find")
		l.detail("%s", whole)
	case r.Status == StatusUndecided:
		l.add("ANSWER  not decided whether GOOD and BAD differ: nothing was searched")
		l.detail("%s", whole)
		l.detail("a larger --min-effect needs less time")
	case r.Bracket != nil:
		l.bracket(r, h)
		l.detail("%s", whole)
	case r.Status == StatusUnfinished:
		l.add("ANSWER  not finished: GOOD and BAD are not yet compared")
	default:
		l.culprit(r, h)
		l.detail("%s", whole)
		l.parts(r, h)
	}
}

// bracket adds where the change lies so far.
func (l *lines) bracket(r *Result, h History) {
	b := r.Bracket
	if b.Commits == 1 {
		l.add("ANSWER  not finished: the probes lead to %s", h.Named(b.UpTo))
		return
	}
	l.add("ANSWER  not finished: one of %s made it %s", printable.Count(b.Commits, h.Noun()), r.Verdict)
	l.detail("after %s", h.Named(b.After))
	l.detail("up to %s", h.Named(b.UpTo))
}

// culprit adds the commit and its re-check.
func (l *lines) culprit(r *Result, h History) {
	against := "against its parent"
	several := len(r.Candidates) > 1
	if several {
		against = "against the last one measured before them"
	}
	switch {
	case r.Status == StatusUnconfirmed:
		l.add("ANSWER  not confirmed: the probes lead to %s", h.Named(*r.Culprit))
	case several:
		l.add("ANSWER  one of these %d %ss made it %s", len(r.Candidates), h.Noun(), r.Verdict)
	default:
		l.add("ANSWER  %s made it %s", h.Named(*r.Culprit), r.Verdict)
	}
	for i, c := range r.Candidates {
		switch {
		case i < len(r.Candidates)-1:
			l.detail("%s   (could not be measured)", h.Named(c))
		case several:
			l.detail("%s", h.Named(c))
		}
	}
	switch f := r.Recheck; {
	case f.Change == nil:
		l.detail("%s: %s, %s", against, f.Place, f.Why)
	case f.Place != PlaceChanged:
		l.detail("%s %s, %s: %s", f.Change, against, printable.Count(f.Blocks, "block"), f.Place)
	default:
		l.detail("%s %s, %s", f.Change, against, printable.Count(f.Blocks, "block"))
	}
	if r.Culprit.Parents > 1 {
		hash := r.Culprit.Hash[:min(9, len(r.Culprit.Hash))]
		l.detail("a merge: assay bisect %s^ %s^2 searches the commits it merged", hash, hash)
	}
}

// parts adds the other parts of a change that is spread over several commits.
func (l *lines) parts(r *Result, h History) {
	if !r.Spread {
		return
	}
	l.detail("the change is spread over several %ss: this one is about %.0f %% of it", h.Noun(), 100*r.Share)
	if len(r.Parts) == 0 {
		l.detail("the others are smaller than half of what was searched")
	}
	for _, p := range r.Parts {
		mark := ""
		if p.Searched {
			mark = " (searched)"
		}
		l.detail("about %.0f %% of it, %s, after %s up to %s%s", 100*p.Share, p.Change.Format(0), h.Named(p.From), h.Named(p.To), mark)
	}
}

// spentText returns the cost of the search, and its error rate.
func spentText(r *Result, noun string) string {
	text := fmt.Sprintf("%s of %s", printable.Count(r.Probes, "probe"), printable.Count(r.Commits, noun))
	if r.Changing < r.Commits {
		text += fmt.Sprintf(", of which at most %d changed the code", r.Changing)
	}
	if r.Skipped > 0 {
		text += fmt.Sprintf(", %d could not be measured", r.Skipped)
	}
	text += "; " + timeText(r.Took, r.Measured)
	if x := r.Ratio(); x > 0 {
		text += fmt.Sprintf(" (%.1f×)", x)
	}
	return text + fmt.Sprintf("; probability of naming a wrong %s: at most %.2g %%", noun, 100*(1-r.Confidence))
}

// timeText returns the time of a search, and how much of it was measuring.
func timeText(took, measured time.Duration) string {
	return fmt.Sprintf("%s, of which %s measuring", took.Round(time.Second), measured.Round(time.Second))
}

package bisect

import (
	"math"
	"slices"
	"time"

	"github.com/seed-1318a441/assay"
)

// Schema is the version of the JSON of a Result.
const Schema = 1

// The outcomes of a bisection.
const (
	// StatusFound: one commit, or one of a few, made the change, and its difference from
	// its parent is proved.
	StatusFound = "found"
	// StatusUnconfirmed: the probes led to a commit, but its difference from its parent
	// is not proved.
	StatusUnconfirmed = "not confirmed"
	// StatusNoChange: the ends differ by no more than the minimum effect.
	StatusNoChange = "no change"
	// StatusUndecided: the ends could not be distinguished so far.
	StatusUndecided = "undecided"
	// StatusUnfinished: the change lies in a bracket that more measurements can narrow.
	StatusUnfinished = "unfinished"
)

// A Result is the result of a bisection.
type Result struct {
	Schema   int    `json:"schema"`
	Study    string `json:"study"`
	Command  string `json:"command"`
	Platform string `json:"platform"`
	Metric   string `json:"metric"`
	// Confidence is the probability that no wrong commit is named.
	Confidence float64      `json:"confidence"`
	Good       assay.Commit `json:"good"`
	Bad        assay.Commit `json:"bad"`
	// Commits is the number of commits after Good up to Bad.
	Commits int `json:"commits"`
	// Changing is how many of them changed the code of the binaries, or may have.
	Changing int `json:"changing"`

	Status string `json:"status"`
	// Verdict is the change from Good to Bad, such as "slower".
	Verdict assay.Verdict `json:"verdict"`
	// Whole is that change, as measured between the ends; nil without a measurement.
	Whole *Estimate `json:"whole,omitempty"`
	// Why describes ends that needed no measurement.
	Why string `json:"why,omitempty"`

	// Bracket is where the change lies so far. It is nil before the ends are known to
	// differ, and after a commit was found.
	Bracket *Bracket `json:"bracket,omitempty"`
	// Resume is a command that continues a search that ended early, "" after the last
	// measurement.
	Resume string `json:"resume,omitempty"`

	// Culprit is the first commit with the change.
	Culprit *assay.Commit `json:"culprit,omitempty"`
	// Candidates are the commits of which one made the change, oldest first, Culprit
	// last: those before it could not be measured.
	Candidates []assay.Commit `json:"candidates,omitempty"`
	// Recheck is Culprit against its parent.
	Recheck *Finding `json:"recheck,omitempty"`
	// Share is the part of the whole change, in ln units, found by the re-check.
	Share float64 `json:"share,omitempty"`
	// Spread means that the culprit made only a part of the change. Parts are the others,
	// each worth a bisection of its own.
	Spread bool   `json:"spread,omitempty"`
	Parts  []Part `json:"parts,omitempty"`

	// Probes is the number of probed commits, Skipped the number of commits that could
	// not be measured. Findings are all measurements, Runs the number of their records.
	Probes   int       `json:"probes"`
	Skipped  int       `json:"skipped,omitempty"`
	Runs     int       `json:"runs"`
	Findings []Finding `json:"findings"`
	// Measured is the time of trials and links, Took the total time.
	Measured time.Duration `json:"measured_ns"`
	Took     time.Duration `json:"took_ns"`
}

// A Bracket is what is left of a history: one of Commits commits made the change, after
// After and up to UpTo. Those that have the code of the commit before them do not count.
type Bracket struct {
	After   assay.Commit `json:"after"`
	UpTo    assay.Commit `json:"up_to"`
	Commits int          `json:"commits"`
}

// A Part is a stretch of commits that made a part of the change.
type Part struct {
	// From is the last commit before it, To its last.
	From assay.Commit `json:"from"`
	To   assay.Commit `json:"to"`
	// Change is the change from From to To, as measured by the probe between them.
	Change assay.Change `json:"change"`
	// Share is the part of the whole change, in ln units.
	Share float64 `json:"share"`
	// Searched marks the part that the bisection continued in.
	Searched bool `json:"searched,omitempty"`
}

// Found reports whether the commit was found.
func (r *Result) Found() bool { return r.Status == StatusFound }

// Result returns the result of the bisection, finished or not. commits are those of the
// range, good is the one before them; metric is the measured metric. The caller fills in
// the fields that identify the question.
func (b *Bisection) Result(good assay.Commit, commits []assay.Commit, metric assay.Metric) *Result {
	at := func(i int) assay.Commit {
		if i == BeforeFirst {
			return good
		}
		return commits[i]
	}
	out := &Result{Schema: Schema, Metric: metric.Name, Good: good, Bad: at(b.n - 1), Commits: b.n, Changing: b.changing(),
		Status: b.status(), Probes: b.probed, Skipped: len(b.out), Findings: b.Findings(), Verdict: assay.Unclear}
	runs := map[string]bool{}
	for _, f := range b.findings {
		out.Measured += f.Measured
		out.Took += f.Took
		runs[f.Run] = true
	}
	delete(runs, "")
	out.Runs = len(runs)
	if b.ends == nil {
		return out
	}
	out.Whole, out.Why = b.ends.Change, b.ends.Why
	switch b.ends.Place {
	case PlaceSame:
		out.Verdict = assay.Same
	case PlaceChanged:
		out.Verdict = assay.Differing(metric, b.sign)
	}
	switch {
	case b.recheck != nil:
		b.name(out, at)
	case b.differ():
		out.Bracket = &Bracket{After: at(b.lo), UpTo: at(b.hi), Commits: b.Left()}
	}
	return out
}

// name fills in the commit that the search has led to.
func (b *Bisection) name(out *Result, at func(int) assay.Commit) {
	culprit := at(b.hi)
	out.Culprit, out.Recheck = &culprit, b.recheck
	for _, i := range append(b.suspects(), b.hi) {
		out.Candidates = append(out.Candidates, at(i))
	}
	if b.recheck.Change != nil {
		out.Share = share(b.recheck.Change, out.Whole)
	}
	out.Parts = b.parts(at)
	out.Spread = out.Status == StatusFound && (len(out.Parts) > 0 || b.onlyPart())
}

func (b *Bisection) status() string {
	switch {
	case b.ends == nil:
		return StatusUnfinished
	case b.ends.Place == PlaceSame:
		return StatusNoChange
	case b.ends.Place != PlaceChanged:
		return StatusUndecided
	case b.recheck == nil:
		return StatusUnfinished
	case b.recheck.Place != PlaceChanged:
		return StatusUnconfirmed
	}
	return StatusFound
}

// parts returns the stretches into which probes in the middle split the change.
func (b *Bisection) parts(at func(int) assay.Commit) (out []Part) {
	for _, f := range b.spreads {
		if f.Change == nil || f.Whole == nil {
			continue
		}
		first := share(f.Change, f.Whole) >= 0.5
		rest := &Estimate{Change: assay.ChangeOfLog(f.Whole.Change.Log() - f.Change.Change.Log())}
		// The part searched so far is split in two.
		out = slices.DeleteFunc(out, func(p Part) bool { return p.Searched })
		out = append(out,
			Part{From: at(f.Good), To: at(f.Index), Change: f.Change.Change, Share: share(f.Change, b.ends.Change), Searched: first},
			Part{From: at(f.Index), To: at(f.Bad), Change: rest.Change, Share: share(rest, b.ends.Change), Searched: !first})
	}
	return out
}

// wholeStep is the share of the change from which a step counts as the whole change.
const wholeStep = 0.75

// onlyPart reports whether the culprit's step is proved to be less than wholeStep of the
// change between the ends.
func (b *Bisection) onlyPart() bool {
	step, whole := b.recheck.Change, b.ends.Change
	if step == nil || whole == nil || step.Interval == nil || whole.Interval == nil {
		return false
	}
	far, near := step.Interval.Hi.Log(), whole.Interval.Lo.Log()
	if b.sign < 0 {
		far, near = -step.Interval.Lo.Log(), -whole.Interval.Hi.Log()
	}
	return far < wholeStep*near
}

// Ratio returns the total time over the measuring time, with one decimal; 0 if nothing
// was measured.
func (r *Result) Ratio() float64 {
	if r.Measured == 0 {
		return 0
	}
	return math.Round(10*float64(r.Took)/float64(r.Measured)) / 10
}

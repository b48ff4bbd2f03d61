package search

import (
	"fmt"
	"maps"
	"math/bits"
	"slices"
	"time"

	"github.com/seed-1318a441/assay"
)

// # The bisection
//
// A Bisection looks for the commit that changed a benchmark among n commits, of
// which the last has the change and what lies before the first has not. It asks
// for measurements (Next), takes what came of them (Add) and knows nothing of
// git, builds or time: it is a pure function of its findings, so that a log of
// them is all that has to be kept.
//
// First the two ends must differ, then every probe says on which side of the
// change a commit lies, and at the end the culprit is compared with its parent.
//
// # What is proved
//
// Of a history in which one commit changed the benchmark, a wrong commit is named
// with probability alpha at most, where alpha = 1 - confidence. There are L + 2
// equal shares of it, with L = ceil(log2 n): one for the ends, one for each of the
// first L commits that are measured, and the last for all commits beyond these, of
// which the j-th takes 1/(j(j+1)) of it; these add up to 1. Commits that are skipped
// or stay undecided make more than L necessary.
//
// Every commit that is measured takes its part, whether the measurement decides or
// not: it could have decided wrongly. Were only decisions counted, 63 undecided
// commits would have had a chance of a whole share each, .40 together where .05 is
// promised. A probe decides by confidence sequences, which hold however long it
// runs, so that one given twice the time takes no second part. The comparison with
// the parent can only take a finding back: it is at the level of a share, and costs
// none.

// The kinds of measurements that a bisection asks for.
const (
	AskEnds    = "ends"
	AskProbe   = "probe"
	AskRecheck = "recheck"
)

// A Place is what a measurement of a bisection found.
type Place string

// Of a probe: without the change, with it, in the middle (the change is spread
// over several commits), nothing was proved, or the commit cannot be measured.
// Of the ends and of the re-check: there is a change, or none.
const (
	PlaceGood      Place = "good"
	PlaceBad       Place = "bad"
	PlaceBetween   Place = "between"
	PlaceUndecided Place = "undecided"
	PlaceSkip      Place = "skip"
	PlaceChanged   Place = "changed"
	PlaceSame      Place = "same"
)

// BeforeFirst is the index of the good end, which is not among the commits.
const BeforeFirst = -1

// An Ask is a measurement that a bisection needs next. Good and Bad are the
// indices of the commits that it is held against.
type Ask struct {
	Kind      string
	Index     int
	Good, Bad int
	// Again says that the same was asked before and not decided: go on with it,
	// for as long again.
	Again bool
	// Alpha is the error rate of its confidence sequences.
	Alpha float64
	// Sign is the direction of the change: +1 where the metric rose, 0 not known.
	Sign float64
}

// A Finding is what came of an Ask, and a line of the log.
type Finding struct {
	Kind  string `json:"kind"`
	Index int    `json:"index"`
	// Commit is the full hash of the commit at Index.
	Commit string `json:"commit"`
	Good   int    `json:"good"`
	Bad    int    `json:"bad"`
	Place  Place  `json:"place"`
	// Why says what could not be measured, or what needed no measurement.
	Why string `json:"why,omitempty"`
	// Change is from Good to the commit, Whole from Good to Bad. Of the ends both
	// are the same, of the re-check Change is from the parent to the culprit.
	Change *Estimate `json:"change,omitempty"`
	Whole  *Estimate `json:"whole,omitempty"`
	Blocks int       `json:"blocks,omitempty"`
	// Run is the record of the measurement, "" where there was none.
	Run string `json:"run,omitempty"`
	// Measured is the time of trials and links, Took that of everything.
	Measured time.Duration `json:"measured_ns"`
	Took     time.Duration `json:"took_ns"`
}

// An Estimate is the median change over the blocks of a measurement, with its
// confidence interval, nil where that is unbounded.
type Estimate struct {
	Change   assay.Change    `json:"change"`
	Interval *assay.Interval `json:"interval,omitempty"`
}

// String returns the change with its interval, such as "+20.1 % [+18.9, +21.3]".
func (e *Estimate) String() string {
	text := e.Change.Format(e.Half())
	if e.Interval != nil {
		text += " " + e.Interval.String()
	}
	return text
}

// Half is the half-width of the interval, 0 where that is unbounded.
func (e *Estimate) Half() assay.Change {
	if e.Interval == nil {
		return 0
	}
	return e.Interval.Half()
}

// A Bisection is the state of a search. It is not safe for concurrent use.
type Bisection struct {
	n     int
	share float64 // of the error rate

	ends    *Finding
	recheck *Finding
	sign    float64

	lo, hi           int // the last commit known without the change, the first with it
	refGood, refBad  int // what probes are held against
	attempts         int // commits that were measured, decided or not
	out              map[int]bool
	again            bool // the last finding was the first of its kind to be undecided
	spreads          []Finding
	findings         []Finding
	probed, measures int
}

// NewBisection is a bisection of n >= 1 commits that names a wrong one with
// probability alpha at most.
func NewBisection(n int, alpha float64) *Bisection {
	return &Bisection{n: n, share: alpha / float64(log2(n)+2), lo: BeforeFirst, hi: n - 1,
		refGood: BeforeFirst, refBad: n - 1, out: map[int]bool{}}
}

// log2 is ceil(log2 n).
func log2(n int) int { return bits.Len(uint(max(n, 1) - 1)) }

// Next is the measurement that is needed next; not ok when the bisection is
// done.
func (b *Bisection) Next() (ask Ask, ok bool) {
	ask = Ask{Good: b.refGood, Bad: b.refBad, Again: b.again, Alpha: b.share, Sign: b.sign}
	switch {
	case b.ends == nil:
		ask.Kind, ask.Index = AskEnds, b.n-1
	case b.ends.Place != PlaceChanged || b.recheck != nil:
		return Ask{}, false
	default:
		mid, found := b.choose()
		if !found {
			ask.Kind, ask.Index, ask.Good, ask.Bad = AskRecheck, b.hi, b.lo, b.hi
			return ask, true
		}
		ask.Kind, ask.Index = AskProbe, mid
		ask.Alpha = b.probeAlpha()
	}
	return ask, true
}

// probeAlpha is the error rate of the next commit that is measured: a share, or a
// part of the last share.
func (b *Bisection) probeAlpha() float64 {
	j := b.attempts - log2(b.n) + 1
	if j < 1 {
		return b.share
	}
	return b.share / float64(j) / float64(j+1)
}

// choose is the commit to probe: the middle one, or where that cannot be
// measured one near it, further away with every commit that could not: broken
// commits come in rows.
func (b *Bisection) choose() (index int, ok bool) {
	mid := b.lo + (b.hi-b.lo)/2
	skipped := 0
	for i := b.lo + 1; i < b.hi; i++ {
		if b.out[i] {
			skipped++
		}
	}
	if skipped == max(b.hi-b.lo-1, 0) {
		return 0, false
	}
	if skipped > 0 {
		offset := 1 << min((skipped-1)/2, 20)
		if skipped%2 == 0 {
			offset = -offset
		}
		mid = min(max(mid+offset, b.lo+1), b.hi-1)
	}
	for d := 0; ; d++ {
		for _, i := range [...]int{mid - d, mid + d} {
			if b.lo < i && i < b.hi && !b.out[i] {
				return i, true
			}
		}
	}
}

// Add takes the finding of what Next asked for. A finding of anything else is an
// error: the log is of another bisection.
func (b *Bisection) Add(f Finding) error {
	ask, ok := b.Next()
	if !ok || f.Kind != ask.Kind || f.Index != ask.Index || f.Good != ask.Good || f.Bad != ask.Bad {
		return fmt.Errorf("bisection finds %s of commit %d, which it did not ask for", f.Kind, f.Index)
	}
	if !fits(f.Kind, f.Place) {
		return fmt.Errorf("bisection finds %q of %s, which says nothing", f.Place, f.Kind)
	}
	b.findings = append(b.findings, f)
	b.measures++
	if f.Place == PlaceUndecided && !b.again {
		b.again = true
		return nil
	}
	if f.Kind == AskProbe && (f.Blocks > 0 || b.again) {
		b.attempts++
	}
	b.again = false
	switch f.Kind {
	case AskEnds:
		b.ends, b.sign = &f, signOf(f.Change)
	case AskRecheck:
		b.recheck = &f
	default:
		b.probed++
		b.place(f)
	}
	return nil
}

// fits reports whether a measurement can find that.
func fits(kind string, p Place) bool {
	switch p {
	case PlaceUndecided:
		return true
	case PlaceChanged, PlaceSame:
		return kind != AskProbe
	case PlaceSkip:
		return kind != AskEnds
	case PlaceGood, PlaceBad, PlaceBetween:
		return kind == AskProbe
	}
	return false
}

func signOf(e *Estimate) float64 {
	switch {
	case e == nil:
		return 0
	case e.Change < 0:
		return -1
	}
	return 1
}

// place moves an end of the search to what a probe found.
func (b *Bisection) place(f Finding) {
	switch f.Place {
	case PlaceGood:
		b.lo = f.Index
	case PlaceBad:
		b.hi = f.Index
	case PlaceBetween:
		b.spreads = append(b.spreads, f)
		if share(f.Change, f.Whole) >= 0.5 {
			b.hi, b.refBad = f.Index, f.Index
		} else {
			b.lo, b.refGood = f.Index, f.Index
		}
	default:
		b.out[f.Index] = true
	}
}

// share is how much of the whole a change is, in ln units; 1 of no whole.
func share(part, whole *Estimate) float64 {
	if part == nil || whole == nil || whole.Change == 0 {
		return 1
	}
	return part.Change.Log() / whole.Change.Log()
}

// Ahead lists the commits that may be measured after the next measurement,
// whatever it finds: what to build before it begins.
func (b *Bisection) Ahead() []int {
	ask, ok := b.Next()
	if !ok {
		return nil
	}
	places := []Place{PlaceGood, PlaceBad}
	if ask.Kind != AskProbe {
		places = []Place{PlaceChanged}
	}
	var out []int
	for _, p := range places {
		c := b.clone()
		if c.Add(Finding{Kind: ask.Kind, Index: ask.Index, Good: ask.Good, Bad: ask.Bad, Place: p}) != nil {
			continue
		}
		if next, ok := c.Next(); ok && next.Kind == AskProbe && !slices.Contains(out, next.Index) {
			out = append(out, next.Index)
		}
	}
	return out
}

func (b *Bisection) clone() *Bisection {
	c := *b
	c.out, c.findings, c.spreads = maps.Clone(b.out), slices.Clone(b.findings), slices.Clone(b.spreads)
	return &c
}

// Probed is the number of probes so far and about how many there will be.
func (b *Bisection) Probed() (done, about int) {
	left := 0
	if b.hi-b.lo > 1 {
		left = log2(b.hi - b.lo)
	}
	return b.probed, b.probed + left
}

// Findings are all that came in, in their order.
func (b *Bisection) Findings() []Finding { return slices.Clone(b.findings) }

package bisect

import (
	"fmt"
	"maps"
	"math/bits"
	"slices"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/printable"
)

// # The bisection
//
// A Bisection looks for the commit that changed a benchmark among n commits, of which the
// last has the change and the parent of the first does not. It requests measurements
// (Next) and receives their findings (Add). It knows nothing of git, builds or time: it
// is a pure function of its findings, so a log of them is all that has to be kept.
//
// First the two ends must differ, then every probe says on which side of the
// change a commit lies, and at the end the culprit is compared with its parent.
//
// # What is proved
//
// If one commit of the history changed the benchmark, the probability of naming a wrong
// one is at most alpha = 1 - confidence. It is split into L + 2 equal shares, with L =
// ceil(log2 n): one for the ends, one for each of the first L measured commits, and the
// last for all later commits. The j-th of those takes 1/(j(j+1)) of it; these add up to
// 1. Skipped and undecided commits make more than L necessary.
//
// Every measured commit takes its part, decided or not: it could have been decided
// wrongly. If only decisions counted, 63 undecided commits would each risk a whole share,
// .40 together instead of the promised .05. A probe decides by confidence sequences,
// which hold however long it runs, so a probe with twice the time takes no second part.
// The comparison with the parent can only retract a finding: it is at the level of a
// share, and costs none.

// The kinds of measurements in a bisection.
const (
	AskEnds    = "ends"
	AskProbe   = "probe"
	AskRecheck = "recheck"
)

// KindCode is the kind of a finding that no measurement makes: the code of a commit.
const KindCode = "code"

// A Place is the finding of a measurement in a bisection.
type Place string

// For a probe: without the change, with it, in the middle (the change is spread over
// several commits), nothing proved, or not measurable. For the ends and the re-check:
// there is a change, or none.
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

// An Ask is the next measurement that a bisection needs. Good and Bad are the indices of
// the commits that it compares with.
type Ask struct {
	Kind      string
	Index     int
	Good, Bad int
	// Again says that the same measurement was undecided before: continue it for as long
	// again.
	Again bool
	// Alpha is the error rate of its confidence sequences.
	Alpha float64
	// Sign is the direction of the change: +1 if the metric rose, 0 if unknown.
	Sign float64
}

// A Finding is the result of an Ask, and a line of the log.
type Finding struct {
	Kind  string `json:"kind"`
	Index int    `json:"index"`
	// Commit is the full hash of the commit at Index.
	Commit string `json:"commit"`
	Good   int    `json:"good"`
	Bad    int    `json:"bad"`
	Place  Place  `json:"place,omitempty"`
	// Code identifies what the commit builds to, for KindCode.
	Code string `json:"code,omitempty"`
	// Why says what could not be measured, or what needed no measurement.
	Why string `json:"why,omitempty"`
	// Change is from Good to the commit, Whole from Good to Bad. For the ends both are
	// the same. For the re-check Change is from the parent to the culprit.
	Change *Estimate `json:"change,omitempty"`
	Whole  *Estimate `json:"whole,omitempty"`
	Blocks int       `json:"blocks,omitempty"`
	// Run is the record of the measurement, "" if there was none.
	Run string `json:"run,omitempty"`
	// Measured is the time of trials and links, Took the total time.
	Measured time.Duration `json:"measured_ns"`
	Took     time.Duration `json:"took_ns"`
}

// maxBenchmarks is the length of the count of benchmarks in a line, in columns.
const maxBenchmarks = 200

// An Estimate is the median change over the blocks of a measurement. Its confidence
// interval is nil if unbounded.
type Estimate struct {
	Change   assay.Change    `json:"change"`
	Interval *assay.Interval `json:"interval,omitempty"`
	// Benchmarks counts the benchmarks of a change that is not typical of them.
	Benchmarks string `json:"benchmarks,omitempty"`
}

// String returns the change with its interval, such as "+20.1 % [+18.9, +21.3]", after the
// count of the benchmarks if there is one.
func (e *Estimate) String() string {
	if e.Interval == nil {
		return assay.NoInformation
	}
	text := e.Interval.With(e.Change)
	if e.Benchmarks != "" {
		text = printable.Line(e.Benchmarks, maxBenchmarks) + "; geomean " + text
	}
	return text
}

// Half returns the half-width of the interval, 0 if it is unbounded.
func (e *Estimate) Half() assay.Change {
	if e.Interval == nil {
		return 0
	}
	return e.Interval.Half()
}

// A Bisection is the state of a search. It is not safe for concurrent use.
type Bisection struct {
	n     int
	share float64 // share of the error rate

	ends    *Finding
	recheck *Finding
	sign    float64

	lo, hi          int // the last commit known to lack the change, the first known to have it
	refGood, refBad int // the commits that probes compare with
	// good and bad are commits without the change and with it, codes what is known of the
	// code of commits.
	good, bad []int
	codes     map[int]string
	attempts  int          // measured commits, decided or not
	out       map[int]bool // commits that cannot be placed
	again     bool         // the last finding was undecided for the first time
	spreads   []Finding
	findings  []Finding
	probed    int
}

// NewBisection returns a bisection of n >= 1 commits that names a wrong one with
// probability at most alpha.
func NewBisection(n int, alpha float64) *Bisection {
	return &Bisection{n: n, share: alpha / float64(log2(n)+2), lo: BeforeFirst, hi: n - 1,
		refGood: BeforeFirst, refBad: n - 1, good: []int{BeforeFirst}, bad: []int{n - 1}, codes: map[int]string{}, out: map[int]bool{}}
}

// log2 returns ceil(log2 n).
func log2(n int) int { return bits.Len(uint(max(n, 1) - 1)) }

// Next returns the next measurement. ok is false when the bisection is done.
func (b *Bisection) Next() (ask Ask, ok bool) {
	ask = Ask{Good: b.refGood, Bad: b.refBad, Again: b.again, Alpha: b.share, Sign: b.sign}
	switch {
	case b.done():
		return Ask{}, false
	case !b.differ():
		ask.Kind, ask.Index = AskEnds, b.n-1
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

// differ reports whether the ends are proved to differ.
func (b *Bisection) differ() bool { return b.ends != nil && b.ends.Place == PlaceChanged }

// done reports whether nothing is left to measure. More blocks can still decide ends and a
// re-check that are undecided.
func (b *Bisection) done() bool {
	return b.ends != nil && b.ends.Place == PlaceSame || b.recheck != nil && b.recheck.Place != PlaceUndecided
}

// probeAlpha returns the error rate of the next measured commit: a share, or a part of
// the last share.
func (b *Bisection) probeAlpha() float64 {
	j := b.attempts - log2(b.n) + 1
	if j < 1 {
		return b.share
	}
	return b.share / float64(j) / float64(j+1)
}

// Add adds the finding for the measurement from Next, or the code of a commit. Any other
// finding is an error: the log belongs to another bisection.
func (b *Bisection) Add(f Finding) error {
	if f.Kind == KindCode && BeforeFirst <= f.Index && f.Index < b.n {
		b.learn(f.Index, f.Code)
		return nil
	}
	ask, ok := b.Next()
	if !ok || f.Kind != ask.Kind || f.Index != ask.Index || f.Good != ask.Good || f.Bad != ask.Bad {
		return fmt.Errorf("bisection finds %s of commit %d, which it did not ask for", f.Kind, f.Index)
	}
	if !fits(f.Kind, f.Place) {
		return fmt.Errorf("bisection finds %q of %s, which says nothing", f.Place, f.Kind)
	}
	b.findings = append(b.findings, f)
	undecided := f.Place == PlaceUndecided
	// Ends and a re-check are measured until they are decided, a probe twice at most.
	b.again = undecided && (f.Kind != AskProbe || !ask.Again)
	switch {
	case f.Kind == AskEnds:
		b.ends, b.sign = &f, signOf(f.Change)
	case f.Kind == AskRecheck:
		b.recheck = &f
	case !b.again:
		if f.Blocks > 0 || ask.Again {
			b.attempts++
		}
		b.probed++
		b.narrow(f)
	}
	return nil
}

// fits reports whether p is a possible finding of a measurement.
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

// narrow moves an end of the search according to a probe's finding.
func (b *Bisection) narrow(f Finding) {
	switch f.Place {
	case PlaceGood:
		b.lo, b.good = f.Index, append(b.good, f.Index)
	case PlaceBad:
		b.hi, b.bad = f.Index, append(b.bad, f.Index)
	case PlaceBetween:
		b.spreads = append(b.spreads, f)
		if share(f.Change, f.Whole) >= 0.5 {
			b.hi, b.refBad = f.Index, f.Index
		} else {
			b.lo, b.refGood = f.Index, f.Index
		}
		b.good, b.bad = []int{b.refGood}, []int{b.refBad} // others were placed in the whole change
	default:
		b.out[f.Index] = true
	}
	b.narrowByCode()
}

// share returns the ratio of a change to the whole, in ln units; 1 without a whole.
func share(part, whole *Estimate) float64 {
	if part == nil || whole == nil || whole.Change == 0 {
		return 1
	}
	return part.Change.Log() / whole.Change.Log()
}

// Ahead lists the commits that may be measured after the next measurement, whatever it
// finds. They can be built before it begins.
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
	c.good, c.bad = slices.Clone(b.good), slices.Clone(b.bad)
	return &c
}

// Probed returns the number of commits that were probed.
func (b *Bisection) Probed() int { return b.probed }

// Findings returns all findings in order.
func (b *Bisection) Findings() []Finding { return slices.Clone(b.findings) }

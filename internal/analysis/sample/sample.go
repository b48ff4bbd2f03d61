package sample

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-1318a441/assay/internal/stats"
)

// A Sample is one variant against the base on one benchmark and metric, with the control
// if it runs beside them: each block yields one value, the median of its inner rounds.
type Sample struct {
	Blocks  []int     // block numbers, ascending
	Base    []float64 // the base's value in each block
	Value   []float64 // the variant's
	again   []float64 // the control's, NaN of a block without one
	D       []float64 // ln(value/base); value-base where some value is not positive
	Control []float64 // the same of the control, NaN of a block without; nil where none has one
	// Rounds holds ln(value/base) of each inner round, by block.
	Rounds [][]float64
	// Within is the variance of D in each block, from the slices of the block.
	Within []float64
	// byMedian and byMean are, for each block in short slices, the change by the medians
	// and the means of all slices minus the one that counts.
	byMedian, byMean []float64
	// Relinked means that a fresh layout in every block moves the two against each other.
	Relinked bool
	// reuse has the links, if blocks use them again; nil if not.
	reuse *reuse
	precision
	step   float64 // finest printed digit seen, in the metric's unit; 0: none yet
	blur   float64 // roundingWidth of a sample that is made of others
	Zero   bool    // a value that has no logarithm was seen
	Varied bool    // some trial of a side has another value than that side's first
	agreed int     // blocks in which the control has the base's first value

	looks *looks // of the run; nil for a sample without one

	// E is the evidence against "no change", Top the largest so far, and Gate the evidence
	// that a gate fails. Package analysis sets them, and freezes them when the sample
	// leaves the schedule (Left).
	E, Top, Gate float64
	Left         bool

	known struct {
		n, looks  int // blocks, and looks
		threshold float64
		early     [2]float64 // the interval before the looks
		lo, hi    float64
		ok        bool
	}
	centre struct {
		n      int // blocks
		lo, hi float64
		mid    float64
		ok     bool
	}
}

// Add adds one block: the rounds of the base, of the variant and of the control, if it
// has any.
func (s *Sample) Add(block int, base, value, control []float64) {
	for _, v := range [][]float64{base, value, control} {
		for _, x := range v {
			s.see(x)
		}
	}
	b, v := stats.Median(base), stats.Median(value)
	s.Blocks = append(s.Blocks, block)
	s.Base = append(s.Base, b)
	s.Value = append(s.Value, v)
	s.again = append(s.again, stats.Median(control))
	s.addControl(math.Log(stats.Median(control) / b))
	s.Varied = s.Varied || others(base, s.Base[0]) || others(value, s.Value[0])
	if len(control) > 0 && !others(control, s.Base[0]) {
		s.agreed++
	}
	if s.Zero {
		s.differences()
		return
	}
	s.D = append(s.D, math.Log(v/b))
	if len(base) > 1 && len(base) == len(value) {
		s.Rounds = append(s.Rounds, logRatios(base, value))
	}
}

// logRatios returns ln(value/base) round by round; nil if one does not exist.
func logRatios(base, value []float64) []float64 {
	if len(base) == 0 || len(base) != len(value) || slices.Min(base) <= 0 || slices.Min(value) <= 0 {
		return nil
	}
	out := make([]float64, len(base))
	for i := range out {
		out[i] = math.Log(value[i] / base[i])
	}
	return out
}

// controlAt returns the control's ln ratio in the i-th block, NaN if it has none.
func (s *Sample) controlAt(i int) float64 {
	if s.Control == nil {
		return math.NaN()
	}
	return s.Control[i]
}

// addControl adds the control's ln ratio in the last block, NaN if it has none.
func (s *Sample) addControl(c float64) {
	if s.Control == nil && math.IsNaN(c) {
		return
	}
	for len(s.Control) < len(s.Blocks)-1 {
		s.Control = append(s.Control, math.NaN())
	}
	s.Control = append(s.Control, c)
}

// others reports whether some value differs from x.
func others(values []float64, x float64) bool {
	return slices.ContainsFunc(values, func(y float64) bool { return y != x })
}

// see notes the resolution of a value, and whether it has a logarithm.
func (s *Sample) see(x float64) {
	if x <= 0 {
		s.Zero = true
		return
	}
	if st := s.stepOf(x); s.step == 0 || st < s.step {
		s.step = st
	}
}

// differences turns the sample into value - base, since no ratio to zero exists.
func (s *Sample) differences() {
	s.D, s.Rounds = s.D[:0], nil
	for i := range s.Base {
		s.D = append(s.D, s.Value[i]-s.Base[i])
	}
	for i := range s.Control {
		s.Control[i] = s.again[i] - s.Base[i]
	}
}

// Series returns the series for the engine in package stats.
func (s *Sample) Series() stats.Series {
	return stats.Series{D: s.D, Control: s.Control, Floor: s.Floor()}
}

// Early reports whether it is too early for a verdict: there are fewer blocks than from, or
// than equality takes where it will decide.
func (s *Sample) Early(from int) bool {
	return len(s.D) < from || s.equal() && len(s.D) < s.ExactFrom(from)
}

// Centre is stats.Series.Centre for an interval that rests on Interval. It keeps the last one,
// as Interval does. Drift shows in what the e-process leaves: a look is at the present
// values.
func (s *Sample) Centre(lo, hi, slack float64) (mid float64, ok bool) {
	if c := &s.centre; c.n != len(s.D) || c.lo != lo || c.hi != hi {
		c.n, c.lo, c.hi = len(s.D), lo, hi
		if s.known.looks > 0 {
			if median, early := stats.Median(s.D), s.known.early; median < early[0]-slack || median > early[1]+slack {
				slack = -1 // no median lies inside
			} else {
				slack = math.Inf(1)
			}
		}
		c.mid, c.ok = s.Series().Centre(lo, hi, slack)
	}
	return s.centre.mid, s.centre.ok
}

// resolution returns the weight of the last printed digit of a value: 7.12e-09 gives
// 1e-11. It bounds scales: a metric printed with three digits cannot show less scatter.
func resolution(x float64) float64 {
	var buf [32]byte
	// Twelve digits: no benchmark prints more, and the 17th is the float's.
	text := strconv.AppendFloat(buf[:0], x, 'e', 11, 64)
	mantissa, exp, _ := strings.Cut(string(text), "e")
	e, _ := strconv.Atoi(exp)
	mantissa = strings.TrimRight(mantissa, "0")
	return math.Pow10(e - (len(mantissa) - len("7.")))
}

// Floor returns the resolution of one value, in the unit of D.
func (s *Sample) Floor() float64 {
	if s.Zero {
		return s.step
	}
	return s.step / stats.Median(s.Base)
}

// Constant reports whether a sample is a count of which no trial of either side has had
// another value, however few there are; see [assay.Comparison.SoFar]. Other metrics have the
// same value twice only by chance, or are rounded.
func (s *Sample) Constant() bool { return s.counted && !s.Varied && len(s.Base) > 0 }

// Never reports whether what is measured never happened: every value is 0.
func (s *Sample) Never() bool {
	return !s.Varied && len(s.Base) > 0 && s.Base[0] == 0 && s.Value[0] == 0
}

// equal reports whether equality will decide if no trial has another value.
func (s *Sample) equal() bool { return s.Constant() || s.Never() }

// Exact reports whether equality decides: what is counted, or never happened, had no other
// value in any trial of either side, in at least from blocks. The medians of rounds are not enough, since those of a count that
// varies in one trial of ten seldom differ.
//
// The order is random. If one trial of three in each block has another value, n blocks in
// which it is always the variant's have probability 3^-n: 0.4 % with 5 blocks, 1.2 % with 4.
// Without a control n blocks that have one value for the base and another for the variant,
// although both could have either, have probability 2^(1-n), so that more are needed: 0.8 %
// with 8, 1.6 % with 7.
func (s *Sample) Exact(from int) bool { return s.equal() && len(s.Base) >= s.ExactFrom(from) }

// ExactFrom returns after how many blocks equality decides what never varied. from is the
// least number of blocks of any decision.
func (s *Sample) ExactFrom(from int) int {
	if s.agreed < len(s.Base) {
		return (8*from + 4) / 5
	}
	return from
}

// Interval returns the confidence sequence of the change, in ln units (in the metric's
// unit if zeros were seen). It keeps the last one, since the stop rule, the tables and
// the answer need the same.
func (s *Sample) Interval(threshold float64) (lo, hi float64, ok bool) {
	looks := len(s.looked())
	if k := &s.known; k.n != len(s.D) || k.looks != looks || k.threshold != threshold {
		k.n, k.looks, k.threshold = len(s.D), looks, threshold
		k.lo, k.hi, k.ok = s.Series().Interval(threshold / s.looks.early())
		w := s.width()
		k.early = [2]float64{k.lo - w, k.hi + w}
		if looks > 0 && k.ok {
			k.lo, k.hi, k.ok = s.narrow(k.lo, k.hi, threshold)
		}
		k.lo, k.hi = k.lo-w, k.hi+w
	}
	return s.known.lo, s.known.hi, s.known.ok
}

// LastInterval is the interval of the e-values after the last block, as in
// [stats.Series.LastInterval], and of the looks.
func (s *Sample) LastInterval(threshold float64) (lo, hi float64, ok bool) {
	if lo, hi, ok = s.Series().LastInterval(threshold / s.looks.early()); ok {
		lo, hi, ok = s.narrow(lo, hi, threshold)
	}
	w := s.width()
	return lo - w, hi + w, ok
}

// EValue returns the evidence against a change of mu after the last block.
func (s *Sample) EValue(mu float64) float64 {
	last, _ := s.EValues(mu)
	return last
}

// EValues returns that, and the largest so far: of the e-process e_n(mu), times its share of
// the level, or of a look the inverse of its p-value, times its own share, if that is more.
// The inverse of the largest is a p-value. Of few links, and of rounded values, it is the
// evidence against everything that they leave possible around mu.
func (s *Sample) EValues(mu float64) (last, top float64) {
	w, at := s.width(), mu
	if w > 0 {
		at = min(max(stats.Median(s.D), mu-w), mu+w)
	}
	last, top = s.Series().EAt(at)
	last, top = s.looks.early()*last, s.looks.early()*top
	looked := s.lookEvidence(mu-w, mu+w)
	return max(last, looked), max(top, looked)
}

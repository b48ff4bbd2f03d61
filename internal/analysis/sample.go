package analysis

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-1318a441/assay/internal/stats"
)

// A sample is one variant against the base on one benchmark and metric, with the
// control beside them where it is the base once more: a datum a block. Inner rounds have been reduced to their medians.
type sample struct {
	blocks []int     // block numbers, ascending
	base   []float64 // the base's value in each block
	value  []float64 // the variant's
	again  []float64 // the control's, NaN of a block without one
	d      []float64 // ln(value/base); value-base where some value is not positive
	c      []float64 // the same of the control, NaN of a block without; nil where none has one
	// rounds holds ln(value/base) of each inner round, by block.
	rounds [][]float64
	// within is the variance of d in each block, as the slices of the block tell.
	within []float64
	// middle is, of each block in slices, the change by the medians of all slices less
	// the one that counts.
	middle []float64
	// relinked tells that a fresh layout in every block moves the two against each other.
	relinked bool
	step     float64 // finest printed digit seen, in the metric's unit; 0: none yet
	zero     bool    // a value that has no logarithm was seen
	varied   bool    // some trial of a side has another value than that side's first

	// e is the e-value against "no change", top the largest so far, and gate the
	// evidence that a gate fails. They are kept as they were when the cell left the
	// schedule.
	e, top, gate float64
	left         bool

	known struct {
		n         int // blocks
		threshold float64
		lo, hi    float64
		ok        bool
	}
}

// add takes one block: the rounds of the base, of the variant and of the control, which
// may have none.
func (s *sample) add(block int, base, value, control []float64) {
	for _, v := range [][]float64{base, value, control} {
		for _, x := range v {
			s.see(x)
		}
	}
	b, v := stats.Median(base), stats.Median(value)
	s.blocks = append(s.blocks, block)
	s.base = append(s.base, b)
	s.value = append(s.value, v)
	s.again = append(s.again, stats.Median(control))
	s.addControl(math.Log(stats.Median(control) / b))
	s.varied = s.varied || others(base, s.base[0]) || others(value, s.value[0])
	if s.zero {
		s.differences()
		return
	}
	s.d = append(s.d, math.Log(v/b))
	if len(base) > 1 && len(base) == len(value) {
		s.rounds = append(s.rounds, logRatios(base, value))
	}
}

// logRatios is ln(value/base) round by round, nil where one does not exist.
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

// controlAt is the control's ln ratio in the i-th block, NaN where there is none.
func (s *sample) controlAt(i int) float64 {
	if s.c == nil {
		return math.NaN()
	}
	return s.c[i]
}

// addControl takes the control's ln ratio in the last block, NaN where it has none.
func (s *sample) addControl(c float64) {
	if s.c == nil && math.IsNaN(c) {
		return
	}
	for len(s.c) < len(s.blocks)-1 {
		s.c = append(s.c, math.NaN())
	}
	s.c = append(s.c, c)
}

// others reports whether values hold another one than x.
func others(values []float64, x float64) bool {
	return slices.ContainsFunc(values, func(y float64) bool { return y != x })
}

// see notes an observation's resolution, and whether it has a logarithm.
func (s *sample) see(x float64) {
	if x <= 0 {
		s.zero = true
		return
	}
	if st := resolution(x); s.step == 0 || st < s.step {
		s.step = st
	}
}

// differences turns the sample to value - base: no ratio to zero exists.
func (s *sample) differences() {
	s.d, s.rounds = s.d[:0], nil
	for i := range s.base {
		s.d = append(s.d, s.value[i]-s.base[i])
	}
	for i := range s.c {
		s.c[i] = s.again[i] - s.base[i]
	}
}

// series is what the engine looks at.
func (s *sample) series() stats.Series {
	return stats.Series{D: s.d, Control: s.c, Floor: s.floor()}
}

// resolution is the weight of the last digit that a value was printed with:
// 7.12e-09 gives 1e-11. Scales are floored at it, since a metric printed with
// three digits cannot show less scatter than that.
func resolution(x float64) float64 {
	var buf [32]byte
	// Twelve digits: no benchmark prints more, and the 17th is the float's.
	text := strconv.AppendFloat(buf[:0], x, 'e', 11, 64)
	mantissa, exp, _ := strings.Cut(string(text), "e")
	e, _ := strconv.Atoi(exp)
	mantissa = strings.TrimRight(mantissa, "0")
	return math.Pow10(e - (len(mantissa) - len("7.")))
}

// floor is the resolution of one datum, in the unit of d.
func (s *sample) floor() float64 {
	if s.zero {
		return s.step
	}
	return s.step / stats.Median(s.base)
}

// exact reports whether equality decides: in no trial of either side was there
// another value, over at least from blocks. Medians of rounds are not asked: those
// of a count that varies in one trial of ten seldom differ. That n blocks have one
// value for the base and another for the variant, though both could have either,
// has probability 2^(1-n) at most, since the order is random.
func (s *sample) exact(from int) bool { return !s.varied && len(s.base) >= from }

// interval is the confidence sequence of the change, in ln units (in the
// metric's unit where zeros were seen). The last one asked for is kept, since
// the stop rule, the tables and the answer ask for the same.
func (s *sample) interval(threshold float64) (lo, hi float64, ok bool) {
	if k := &s.known; k.n != len(s.d) || k.threshold != threshold {
		k.n, k.threshold = len(s.d), threshold
		k.lo, k.hi, k.ok = s.series().Interval(threshold)
	}
	return s.known.lo, s.known.hi, s.known.ok
}

// evalue is e_n(mu).
func (s *sample) evalue(mu float64) float64 {
	last, _ := s.evalues(mu)
	return last
}

// evalues are e_n(mu), and the largest e_k(mu) so far.
func (s *sample) evalues(mu float64) (last, top float64) { return s.series().EAt(mu) }

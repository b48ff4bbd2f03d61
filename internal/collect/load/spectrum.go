package load

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"strings"

	assay "github.com/seed-1318a441/assay"
)

// A spectrum reads the percentile distribution printed by HdrHistogram
// (outputPercentileDistribution, in .hgrm files): rows of value, share of the requests,
// their number, 1/(1-share). It has no unit: values are taken as milliseconds, the
// default of the Java tools.
type spectrum struct {
	begun bool
	rows  []spectrumRow
	// total is the count of the last line; -1 before that.
	total int
	ended bool
}

// A spectrumRow says that a share p of the requests took no longer than seconds. upTo is
// their number, which includes the whole bucket of that value.
type spectrumRow struct {
	seconds, p float64
	upTo       int
}

var (
	spectrumHeading = lazy(`^ *Value +Percentile +TotalCount`)
	spectrumLine    = lazy(`^ *([\d.]+) +([\d.]+) +(\d+)(?: +([\d.]+|inf|Infinity|\+Inf))? *$`)
	spectrumTotal   = lazy(`^#\[Max +=.*Total count +=  *(\d+)\]`)
)

func (s *spectrum) read(line string) error {
	_, err := s.take(line)
	return err
}

func (s *spectrum) result() (Result, error) {
	h, err := s.histogram()
	return Result{Latency: h, Requests: s.total}, err
}

// take parses a line of a distribution, and reports whether it is one. A second
// distribution is an error.
func (s *spectrum) take(line string) (took bool, err error) {
	if spectrumHeading().MatchString(line) {
		if s.begun {
			return true, errors.New("has a second distribution")
		}
		s.begun = true
		return true, nil
	}
	if !s.begun || s.ended {
		return false, nil
	}
	if m := spectrumLine().FindStringSubmatch(line); m != nil {
		return true, s.row(m)
	}
	if m := spectrumTotal().FindStringSubmatch(line); m != nil {
		s.ended = true
		return true, setCount(&s.total, m[1])
	}
	return strings.HasPrefix(line, "#["), nil
}

func (s *spectrum) row(m []string) error {
	var r spectrumRow
	err := cmp.Or(setNumber(&r.seconds, m[1], milliseconds), setNumber(&r.p, m[2], seconds), setCount(&r.upTo, m[3]))
	switch {
	case err != nil:
		return err
	case len(s.rows) == maxRows:
		return fmt.Errorf("has more than %d rows", maxRows)
	case r.p > 1:
		return fmt.Errorf("has a share of %g", r.p)
	}
	if n := len(s.rows); n > 0 {
		last := s.rows[n-1]
		if r.seconds < last.seconds || r.p < last.p || r.upTo < last.upTo {
			return errors.New("has a row that goes back")
		}
	}
	s.rows = append(s.rows, r)
	return nil
}

// histogram returns the histogram behind the rows. Of the requests between two rows,
// those beyond a row's share took exactly its value; the others are spread evenly between
// the two values.
func (s *spectrum) histogram() (assay.Histogram, error) {
	n := len(s.rows)
	switch {
	case !s.ended:
		return assay.Histogram{}, errCut
	case s.total == 0:
		return assay.Histogram{}, errors.New("counts no requests")
	case n == 0 || s.rows[n-1].upTo != s.total:
		counted := 0
		if n > 0 {
			counted = s.rows[n-1].upTo
		}
		return assay.Histogram{}, mismatch("the rows count %s requests, the last line %s", counted, s.total)
	}
	var t tally
	last := spectrumRow{}
	for i, r := range s.rows {
		if i == 0 {
			last.seconds = r.seconds
		}
		if err := s.between(&t, last, r); err != nil {
			return assay.Histogram{}, err
		}
		last = r
	}
	return t.histogram(), nil
}

// pointsPerRow is the number of values that stand for those between two rows.
const pointsPerRow = 8

// between counts the requests of a row that are not in the row before it.
func (s *spectrum) between(t *tally, last, r spectrumRow) error {
	reached := int(math.Ceil(r.p * float64(s.total)))
	below := min(max(0, reached-last.upTo-1), r.upTo-last.upTo)
	for i := range pointsPerRow {
		v := last.seconds + (r.seconds-last.seconds)*(float64(i)+0.5)/pointsPerRow
		if err := t.add(v, below*(i+1)/pointsPerRow-below*i/pointsPerRow); err != nil {
			return err
		}
	}
	return t.add(r.seconds, max(0, r.upTo-last.upTo-below))
}

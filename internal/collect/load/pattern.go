package load

import (
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"

	assay "github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/printable"
)

// findMetrics reads text in which each metric is a number that an expression finds.
func findMetrics(in Input) (Result, error) {
	state := patterns{values: map[string]float64{}}
	for _, text := range in.Metrics {
		p, err := assay.ParsePattern(text)
		if err != nil {
			return Result{}, errors.New(printable.Brief("metric " + text + " " + err.Error()))
		}
		state.list = append(state.list, p)
		state.exprs = append(state.exprs, regexp.MustCompile(p.Expr))
	}
	r, err := state.read(in.files())
	if err == nil {
		err = r.check()
	}
	if err != nil {
		return Result{}, fmt.Errorf("the output %w", err)
	}
	return r, nil
}

// patterns finds metrics in text.
type patterns struct {
	list   []assay.Pattern
	exprs  []*regexp.Regexp // of list
	values map[string]float64
}

func (s *patterns) read(files []io.Reader) (Result, error) {
	for _, f := range files {
		if err := eachLine(f, s.line); err != nil {
			return Result{}, err
		}
	}
	return s.result()
}

// line keeps what matches. A later line replaces it: tools print progress first, and their
// result last.
func (s *patterns) line(line string) error {
	for i, p := range s.list {
		m := s.exprs[i].FindStringSubmatch(line)
		if m == nil {
			continue
		}
		v, err := strconv.ParseFloat(m[1], 64)
		if err != nil {
			return fmt.Errorf("has %q where /%s/ should find the number of %s", printable.Brief(m[1]), printable.Brief(p.Expr), p.Metric)
		}
		s.values[p.Metric] = v
	}
	return nil
}

func (s *patterns) result() (Result, error) {
	var missing []string
	for _, p := range s.list {
		if _, ok := s.values[p.Metric]; !ok {
			missing = append(missing, fmt.Sprintf("/%s/ (%s)", printable.Brief(p.Expr), p.Metric))
		}
	}
	if len(missing) > 0 {
		return Result{}, errors.New("has no line that matches " + strings.Join(missing, " or "))
	}
	return Result{Metrics: s.values}, nil
}

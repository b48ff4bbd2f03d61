package load

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	assay "github.com/seed-1318a441/assay"
)

// namedPercentiles reads percentiles from members of a JSON object such as "p99.9" or
// "99th", in a unit of time; it ignores others.
func namedPercentiles(values map[string]*float64, prefix, suffix string, unit int) ([]assay.Percentile, error) {
	var ps []assay.Percentile
	for name, v := range values {
		p, ok := percentOf(name, prefix, suffix)
		if !ok || v == nil {
			continue
		}
		s, err := jsonSeconds(*v, unit)
		if err != nil {
			return nil, err
		}
		ps = append(ps, assay.Percentile{P: p, Seconds: s})
	}
	slices.SortFunc(ps, func(a, b assay.Percentile) int { return cmp.Compare(a.P, b.P) })
	return ps, nil
}

// percentOf parses a share from a name such as "p99.9" or "p(99.9)".
func percentOf(name, prefix, suffix string) (p float64, ok bool) {
	name, ok = strings.CutPrefix(name, prefix)
	if !ok {
		return 0, false
	}
	if name, ok = strings.CutSuffix(name, suffix); !ok {
		return 0, false
	}
	p, err := number(name, -2)
	return p, err == nil && p <= 1
}

// jsonSeconds returns a time from JSON times ten to the power of unit, in seconds; see
// number.
func jsonSeconds(v float64, unit int) (float64, error) {
	if !finite(v) {
		return 0, fmt.Errorf("has a latency of %g", v)
	}
	return number(strconv.FormatFloat(v, 'f', -1, 64), unit)
}

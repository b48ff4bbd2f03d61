package assay

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"unicode"
)

// A Pattern finds the value of a metric in what a program prints.
type Pattern struct {
	Metric string
	// Expr is a regular expression with one group, which is the number. It is matched with
	// single lines; the last line that matches counts.
	Expr string
	// Better is as written, or as known of the metric.
	Better Better
}

// ParsePattern parses "NAME=/EXPR/", or with the direction "NAME=/EXPR/lower" or "…/higher".
// Without one, more of a rate is better, such as ops/s, and of another metric of the
// program's own the direction is unknown.
func ParsePattern(text string) (Pattern, error) {
	name, rest, found := strings.Cut(text, "=/")
	end := strings.LastIndexByte(rest, '/')
	if !found || end < 0 {
		return Pattern{}, errors.New(`is not a metric and an expression such as 'ops/s=/([0-9.]+) ops/'`)
	}
	p := Pattern{Metric: name, Expr: rest[:end], Better: Better(rest[end+1:])}
	if err := checkPrinted(name); err != nil {
		return Pattern{}, err
	}
	switch p.Better {
	case BetterLower, BetterHigher:
	case BetterUnknown:
		if p.Better = KnownBetter(name); p.Better == BetterUnknown && strings.HasSuffix(name, "/s") {
			p.Better = BetterHigher
		}
	default:
		return Pattern{}, fmt.Errorf("ends in %q: after the last slash there can be lower or higher", string(p.Better))
	}
	re, err := regexp.Compile(p.Expr)
	switch {
	case err != nil:
		return Pattern{}, errors.New("has an expression that is not one: " + strings.TrimPrefix(err.Error(), "error parsing regexp: "))
	case re.NumSubexp() == 0:
		return Pattern{}, errors.New("has no (group), which is the number")
	}
	return p, nil
}

// checkPrinted checks the name of a metric that a program prints. What assay measures
// itself keeps its meaning.
func checkPrinted(name string) error {
	m, known := FindMetric(name)
	switch {
	case name == "" || strings.ContainsFunc(name, func(r rune) bool { return r == ' ' || !unicode.IsPrint(r) }):
		return errors.New("has a name with blanks or invisible characters, or none")
	case known && m.Group != GroupLoad && name != MetricRate, strings.HasPrefix(name, GCPrefix):
		return fmt.Errorf("names %s, which assay measures itself", name)
	}
	return nil
}

// patterns returns the metrics that a workload finds in what its program, or its load
// generator, prints.
func (w *Workload) patterns() (out []Pattern) {
	texts := w.Metrics
	if w.Service != nil {
		texts = w.Service.Metrics
	}
	for _, text := range texts {
		if p, err := ParsePattern(text); err == nil { // package spec has checked them
			out = append(out, p)
		}
	}
	return out
}

// Better returns the direction of a metric of the workload.
func (w *Workload) Better(metric string) Better {
	if p, ok := first(w.patterns(), func(p Pattern) bool { return p.Metric == metric }); ok {
		return p.Better
	}
	return KnownBetter(metric)
}

// ComparesOutput reports whether all variants must print the same. A measured number is
// never the same twice.
func (w Workload) ComparesOutput() bool { return w.Expect != ExpectAny && !w.ReadsOutput() }

// ReadsOutput reports whether a command measures itself: metrics are in what it prints.
func (w Workload) ReadsOutput() bool { return w.Parse != "" || len(w.Metrics) > 0 }

package output

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/analysis"
	"github.com/seed-1318a441/assay/internal/printable"
	"github.com/seed-1318a441/assay/internal/spec"
	"github.com/seed-1318a441/assay/internal/usage"
)

// exampleLimit is a limit where the user gave none.
const exampleLimit = "3%"

// limits are those of the question, or the gate of the study.
func (q GateQuestion) limits(r *assay.Result) (out []assay.Limit, err error) {
	seen := map[string]bool{}
	for _, m := range q.Metrics {
		l, err := q.metricLimit(r, m)
		if err != nil {
			return nil, err
		}
		if !seen[l.Metric] {
			out = append(out, l)
		}
		seen[l.Metric] = true
	}
	most := r.Rule.Gate
	switch {
	case q.Max != "":
		if most, err = q.percent("--max", q.Max, func(right string) GateQuestion { q.Max = right; return q }); err != nil {
			return nil, err
		}
	case len(out) > 0:
		return out, nil // only what was named
	case most == 0:
		q.Max = exampleLimit
		return nil, assay.UsageError(assay.CodeFlags, "no limit is given, and the study has no gate", q.line())
	}
	for _, t := range r.Tables {
		if t.Decides && !seen[t.Metric.Name] {
			out = append(out, assay.Limit{Metric: t.Metric.Name, Limit: most})
		}
	}
	return out, nil
}

// metricLimit reads a value of --metric. A unit may have a sign like the one in front of
// the limit.
func (q GateQuestion) metricLimit(r *assay.Result, text string) (l assay.Limit, err error) {
	i := strings.LastIndex(text, "=")
	known := knownMetrics(r)
	if i < 0 && slices.Contains(known, text) {
		return l, assay.UsageError(assay.CodeFlags, fmt.Sprintf("--metric %s: it takes a metric and its limit", text), q.withMetric(text, text+"="+exampleLimit).line())
	}
	if i < 1 {
		return l, assay.UsageError(assay.CodeFlags, fmt.Sprintf("--metric %s: it takes a metric and its limit, such as %s=%s", text, known[0], exampleLimit), "")
	}
	name, limit := text[:i], text[i+1:]
	l.Metric = name
	l.Limit, err = q.percent("--metric "+name, limit, func(right string) GateQuestion { return q.withMetric(text, name+"="+right) })
	if err != nil || slices.Contains(known, name) || !analysis.Measured(r) {
		return l, err
	}
	e := assay.UsageError(assay.CodeGateMetric, fmt.Sprintf("there is no metric %q in this result", name), "")
	e.Facts = []string{"there are: " + strings.Join(known, ", ")}
	if right := meantMetric(name, known); right != "" {
		e.Try = q.withMetric(text, right+"="+limit).line()
	}
	return l, e
}

// percent reads a limit. right makes the question with the right limit.
func (q GateQuestion) percent(flag, text string, right func(string) GateQuestion) (float64, error) {
	p, err := spec.Flag(text, spec.Percent)
	if err == nil {
		return p, nil
	}
	try := "assay gate --help"
	if bad, ok := errors.AsType[*spec.BadValue](err); ok && bad.Right != "" {
		try = right(bad.Right).line()
	}
	return 0, assay.UsageError(assay.CodeFlags, fmt.Sprintf("%s: %v", flag, err), try)
}

// withMetric returns the question with another value of --metric in the place of text.
func (q GateQuestion) withMetric(text, right string) GateQuestion {
	q.Metrics = slices.Clone(q.Metrics)
	q.Metrics[slices.Index(q.Metrics, text)] = right
	return q
}

// line is the command line that asks the question.
func (q GateQuestion) line() string {
	var flags []string
	if q.Max != "" {
		flags = append(flags, "--max="+q.Max)
	}
	for _, m := range q.Metrics {
		flags = append(flags, "--metric="+m)
	}
	return usage.Line("gate", append(flags, q.Flags...), []string{q.Run}, nil)
}

func knownMetrics(r *assay.Result) []string {
	out := []string{}
	for _, t := range r.Tables {
		if len(t.Rows) > 0 {
			out = append(out, t.Metric.Name)
		}
	}
	if len(out) == 0 {
		return []string{assay.MetricTime}
	}
	return out
}

// meantMetric returns the known metric that a word means: the unit of go test, what
// sentences call the metric, its name without what it is counted by, or a similar name; ""
// if none is meant.
func meantMetric(word string, known []string) string {
	others := map[string]string{"ns/op": assay.MetricTime, "mb/s": assay.MetricRate, "bytes": assay.MetricBytes}
	for _, name := range known {
		m, _ := assay.FindMetric(name)
		count, _, _ := strings.Cut(name, "/")
		if w := strings.ToLower(word); others[w] == name || w == m.Noun || w == strings.ToLower(count) {
			return name
		}
	}
	return printable.NearestName(word, known)
}

package analysis

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/analysis/answer"
)

// disagreements lists what the lines of an answer say that the cells beside them do
// not. A line of a kind that it does not know is one.
func disagreements(r *assay.Result) (out []string) {
	x := agreement{r: r, tables: map[string][]assay.Comparison{}}
	for _, tab := range r.Tables {
		x.tables[tab.Metric.Name] = answer.Headlines(tab)
		for _, row := range tab.Rows {
			for _, c := range append(slices.Clone(row.Cells), tab.Geomean...) {
				if c.Verdict.Differs() && !c.Exact && (c.Interval == nil || c.Interval.Covers(0)) {
					x.say("%s of %s is %s with the interval %v", tab.Metric.Name, c.Variant, c.Verdict, c.Interval)
				}
			}
		}
	}
	if use := r.Answer.Use; use != "" && use != r.Base && !x.any(use, assay.Verdict.Good) {
		x.say("use %s, which no cell claims to be better", use)
	}
	for _, line := range r.Answer.Text {
		x.line(line)
	}
	for _, line := range r.Answer.Cost {
		x.figures(line)
	}
	for line := range strings.SplitSeq(r.Answer.Undecided, "; ") {
		if strings.Contains(line, " is tied with ") || strings.HasPrefix(line, "distinguishing ") || strings.Contains(line, " steps: no change proved") {
			x.line(line)
		}
		x.figures(line)
	}
	return x.out
}

type agreement struct {
	r      *assay.Result
	tables map[string][]assay.Comparison // heads by metric
	out    []string
}

func (x *agreement) say(format string, args ...any) {
	x.out = append(x.out, fmt.Sprintf(format, args...))
}

// any reports whether any deciding metric has a verdict of a variant.
func (x *agreement) any(variant string, is func(assay.Verdict) bool) bool {
	for _, m := range x.r.Rule.Metrics {
		if is(x.of(m, variant).Verdict) {
			return true
		}
	}
	return false
}

func (x *agreement) of(metric, variant string) assay.Comparison {
	for _, c := range x.tables[metric] {
		if c.Variant == variant {
			return c
		}
	}
	return assay.Comparison{}
}

// about returns the metrics that a line is about, and the rest of it: those that it begins
// with, or the first that decides.
func (x *agreement) about(line string) (metrics []string, rest string) {
	lead, rest, ok := strings.Cut(line, ": ")
	if !ok {
		lead = ""
	}
	if by, ok := strings.CutPrefix(line, "it depends on what counts: by "); ok {
		lead, rest, _ = strings.Cut(by, " use ")
		rest = "use " + rest
	}
	for name := range strings.SplitSeq(strings.ReplaceAll(lead, " and ", ", "), ", ") {
		name = strings.Replace(name+" latency", " latency latency", " latency", 1)
		for _, m := range x.r.Rule.Metrics {
			if name == (map[string]string{"latency.p50": "p50 latency", "latency.p99": "p99 latency", assay.MetricRequests: "tx/s latency"})[m] {
				metrics = append(metrics, m)
			}
		}
	}
	if len(metrics) == 0 {
		return x.r.Rule.Metrics[:1], line
	}
	return metrics, rest
}

func (x *agreement) line(line string) {
	line, _, _ = strings.Cut(line, "; needs about ") // the price
	metrics, line := x.about(line)
	for _, m := range metrics {
		x.lineOf(m, line)
	}
}

func (x *agreement) lineOf(metric, line string) {
	word, rest, _ := strings.Cut(line, " ")
	switch {
	case strings.HasPrefix(line, "step ") || strings.HasPrefix(line, "not decided: step ") || strings.HasPrefix(line, "none of ") || strings.Contains(line, " steps"):
		x.chain(line)
	case word == "use":
		x.use(metric, strings.TrimSuffix(strings.Fields(rest)[0], ":"), line)
	case strings.HasPrefix(line, "no clear winner; tied: "), strings.HasPrefix(line, "tied: "):
		_, list, _ := strings.Cut(line, "tied: ")
		list, worse, _ := strings.Cut(list, "; ")
		_, worse, _ = strings.Cut(worse, ": ")
		x.tied(metric, list)
		for part := range strings.SplitSeq(worse, ", ") {
			if f := strings.Fields(part); len(f) > 0 && !x.of(metric, f[0]).Verdict.Bad() {
				x.say("%s is slower and %s", f[0], x.of(metric, f[0]).Verdict)
			}
		}
	case strings.HasPrefix(line, "no clear winner on the whole; proved on "):
		// figures holds the cells.
	case strings.Contains(line, " is tied with "), strings.HasPrefix(line, "distinguishing "):
		_, list, tied := strings.Cut(line, " is tied with ")
		if !tied {
			_, list, _ = strings.Cut(line, " from ")
			list, _, _ = strings.Cut(list, " takes at least ")
		}
		for v := range strings.SplitSeq(list, ", ") {
			if c := x.of(metric, v); c.Verdict.Bad() || answer.NoFigure(c.Verdict) {
				x.say("%s is tied and %s", v, c.Verdict)
			}
		}
	case word == "keep":
		x.keep(metric, line)
	case strings.HasPrefix(line, "worse than "+x.r.Base+": "):
		for v := range strings.SplitSeq(strings.TrimPrefix(line, "worse than "+x.r.Base+": "), ", ") {
			if c := x.of(metric, v); !c.Verdict.Bad() {
				x.say("%s is worse and %s", v, c.Verdict)
			}
		}
	case strings.HasPrefix(line, "not ranked: "):
		if c := x.of(metric, strings.Fields(line)[2]); !answer.NoFigure(c.Verdict) && c.N > 0 {
			x.say("%s is not ranked and %s", c.Variant, c.Verdict)
		}
	case strings.HasPrefix(line, "no change beyond "):
		if b := x.of(metric, x.r.Variants[1].Name).Bound(); b == "" || !strings.HasPrefix(line, "no change beyond "+b) {
			x.say("%q, and the bound is %q", line, b)
		}
	case word == "not" || strings.HasPrefix(line, "no answer: ") || strings.HasPrefix(line, "no change of "):
		for _, v := range x.r.Variants {
			if c := x.of(metric, v.Name); len(x.r.Rule.Metrics) == 1 && c.Verdict.Differs() {
				x.say("%q, and %s is %s", line, v.Name, c.Verdict)
			}
		}
	case strings.Contains(line, " benchmarks faster") || strings.Contains(line, " benchmarks slower"):
	case word == "it" || word == "except" || word == "but" || strings.Contains(line, "for the better, ") || strings.HasSuffix(line, "(exact)"):
		// They name cells with their own figures: figures holds them.
	case word == "proved:" || strings.HasPrefix(line, "largest: ") || strings.HasPrefix(line, "most of it by ") || strings.HasPrefix(line, "slower: "):
	case strings.Contains(line, " invalid: ") || strings.Contains(line, " is the same within ") || strings.Contains(line, " are the same within ") || strings.Contains(line, "not decided: "):
	default:
		x.say("a line that nobody checks: %q", line)
	}
	x.figures(line)
}

// figures checks that every "CHANGE [LO, HI]" of a line stands in a cell.
func (x *agreement) figures(line string) {
	for {
		i := strings.IndexByte(line, '[')
		if i < 0 {
			return
		}
		j := strings.IndexByte(line[i:], ']')
		if j < 0 {
			return
		}
		if text := line[i : i+j+1]; !x.stands(text) {
			x.say("no cell has the interval %s", text)
		}
		line = line[i+j+1:]
	}
}

func (x *agreement) stands(interval string) bool {
	for _, tab := range x.r.Tables {
		all := slices.Clone(tab.Geomean)
		for _, row := range tab.Rows {
			all = append(all, row.Cells...)
		}
		for _, s := range tab.Steps {
			all = append(all, s.Cells...)
			if s.Whole != nil {
				all = append(all, *s.Whole)
			}
		}
		if slices.ContainsFunc(all, func(c assay.Comparison) bool { return c.Interval != nil && c.Interval.String() == interval }) {
			return true
		}
	}
	return false
}

// use checks that what is recommended is claimed: a variant is better than the base
// by its own cell, the base because others are worse.
func (x *agreement) use(metric, variant, line string) {
	if variant != x.r.Base {
		if c := x.of(metric, variant); !c.Verdict.Good() && !x.any(variant, assay.Verdict.Good) {
			x.say("%q, and %s is %s", line, variant, c.Verdict)
		}
		return
	}
	every := strings.Contains(line, "every other variant")
	worse := 0
	for _, v := range x.r.Variants {
		if v.Name == x.r.Base {
			continue
		}
		c := x.of(metric, v.Name)
		if c.Verdict.Bad() || x.any(v.Name, assay.Verdict.Bad) {
			worse++
		} else if every && !answer.NoFigure(c.Verdict) {
			x.say("%q, and %s is %s", line, v.Name, c.Verdict)
		}
	}
	if worse == 0 {
		x.say("%q, and no variant is worse", line)
	}
}

// tied checks that exactly those are tied of which nothing is claimed.
func (x *agreement) tied(metric, list string) {
	var listed []string
	for part := range strings.SplitSeq(list, ", ") {
		if name := strings.Fields(part)[0]; len(name) == 1 && strings.Contains("abcdefgh", name) {
			listed = append(listed, name)
		}
	}
	for _, v := range x.r.Variants {
		c := x.of(metric, v.Name)
		open := v.Name == x.r.Base || !c.Verdict.Differs() && !answer.NoFigure(c.Verdict) && c.N > 0
		if open != slices.Contains(listed, v.Name) {
			x.say("%s is %s, tied are %v", v.Name, c.Verdict, listed)
		}
	}
}

func (x *agreement) keep(metric, line string) {
	if strings.Contains(line, "latency") || strings.Contains(line, "tx/s") { // of several metrics
		return
	}
	same := 0
	for _, v := range x.r.Variants {
		c := x.of(metric, v.Name)
		switch {
		case v.Name == x.r.Base || c.Verdict.Bad() || answer.NoFigure(c.Verdict):
		case c.Verdict == assay.Same:
			same++
		default:
			x.say("%q, and %s is %s", line, v.Name, c.Verdict)
		}
	}
	if same == 0 {
		x.say("%q, and nothing is the same", line)
	}
}

// chain checks the lines of a chain: what they say of the last step and of the number
// of steps is what the table has.
func (x *agreement) chain(line string) {
	open := 0
	for _, s := range x.r.Tables[0].Steps {
		open += btoi(s.Whole != nil && (s.Whole.Verdict == assay.Same || s.Whole.Verdict == assay.Unclear))
	}
	n := 0
	if _, err := fmt.Sscanf(line, "none of %d steps", &n); err != nil {
		if _, err := fmt.Sscanf(line, "%d of", &n); err != nil {
			n = open
		}
	}
	if n != open {
		x.say("%q, and nothing is proved of %d", line, open)
	}
	for part := range strings.SplitSeq(line, "; ") {
		if !strings.Contains(part, " proved change") {
			continue
		}
		steps, claimed := 0, 0
		for _, s := range x.r.Tables[0].Steps {
			claimed += btoi(s.Whole != nil && s.Whole.Verdict.Differs())
		}
		if _, err := fmt.Sscanf(part, "%d of", &steps); err != nil || steps != claimed {
			x.say("%q, and %d steps are claimed", line, claimed)
		}
	}
	last := x.r.Variants[len(x.r.Variants)-1].Name
	c := x.of(x.r.Rule.Metrics[0], last)
	if strings.Contains(line, "are the same within") && c.Verdict != assay.Same {
		x.say("%q, and %s is %s", line, last, c.Verdict)
	}
	if (strings.HasPrefix(line, "not decided: ") || strings.Contains(line, ": no change beyond ")) && c.Verdict != assay.Unclear {
		x.say("%q, and %s is %s", line, last, c.Verdict)
	}
	if strings.Contains(line, ", takes ") && !c.Verdict.Differs() {
		x.say("%q, and %s is %s", line, last, c.Verdict)
	}
}

// The check itself finds what it is there for.
func TestDisagreements(t *testing.T) {
	cell := func(v string, verdict assay.Verdict, lo, hi assay.Change) assay.Comparison {
		return assay.Comparison{Variant: v, N: 10, Verdict: verdict, Change: (lo + hi) / 2, Interval: &assay.Interval{Lo: lo, Hi: hi}}
	}
	base := assay.Result{Base: "a", Variants: []assay.VariantResult{{Name: "a"}, {Name: "b"}, {Name: "c"}}, Rule: assay.Rule{Metrics: []string{assay.MetricTime}},
		Tables: []assay.Table{{Metric: assay.Metric{Name: assay.MetricTime}, Rows: []assay.Row{{Cells: []assay.Comparison{
			cell("b", assay.Unclear, -0.02, 0.002), cell("c", assay.Slower, 0.01, 0.03)}}}}}}
	for text, wrong := range map[string]bool{
		"use b: 0.6 % less time [−2.0, +0.2] than a":         true,
		"use a: every other variant is worse":                true,
		"no clear winner; tied: a, b":                        false,
		"no clear winner; tied: a, b, c":                     true,
		"no clear winner; tied: a":                           true,
		"keep a: all variants are the same within ±1 %":      true,
		"worse than a: c":                                    false,
		"worse than a: b":                                    true,
		"b is tied with c":                                   true,
		"distinguishing b from c takes at least 12 blocks":   true,
		"use a: c takes 2.0 % more time [+1.0, +3.0] than a": false,
		"use a: c takes 2.0 % more time [+1.1, +3.0] than a": true,
		"the moon is made of cheese":                         true,
	} {
		r := base
		r.Answer.Text = []string{text}
		if strings.HasPrefix(text, "use b") {
			r.Answer.Use = "b"
		}
		if got := disagreements(&r); (len(got) > 0) != wrong {
			t.Errorf("%q: got %q", text, got)
		}
	}
}

// A variant whose blocks fit no constant change is no answer, however good it looks.
func TestDriftIsNotRecommended(t *testing.T) {
	w := newWorld([]string{"X"}, "a", "b", "c")
	r := noisyWorld(1, []string{"X"}, nil, "a", "b", "c").f
	w.f = func(v, b string, block int) map[string]float64 {
		out := r(v, b, block)
		if v == "c" {
			out[assay.MetricTime] *= 0.4
			if block > 40 {
				out[assay.MetricTime] *= 1.7
			}
		}
		return out
	}
	w.plan.Study.Decide.MinBlocks, w.plan.Study.Decide.MaxBlocks = 160, 160
	tr := NewTracker(w.plan, w.plan.Study.Decide.Budget)
	res := tr.Result(assay.Platform{}, w.run(tr))
	text := strings.Join(res.Answer.Text, " / ")
	if c := res.Tables[0].Rows[0].Cells[1]; c.Verdict != assay.Invalid {
		t.Fatalf("c is %s %v: this tests nothing", c.Verdict, c.Interval)
	}
	if res.Answer.Use != "" || !strings.Contains(text, "not ranked: c (invalid: drift: ") || len(disagreements(res)) > 0 {
		t.Errorf("got use %q, %q", res.Answer.Use, text)
	}
}

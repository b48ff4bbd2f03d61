package analysis

import (
	"maps"
	"math"
	"slices"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/analysis/sample"
	"github.com/seed-1318a441/assay/internal/stats"
)

// tradeoffMetrics returns the two metrics that the study trades against each other: those
// in the study, or time and memory if a factor sets how much memory the collector may
// use. It is empty if one was not measured.
func (ts *tables) tradeoffMetrics() []string {
	names := ts.rule.plan.Study.Decide.Tradeoff
	if len(names) == 0 && setsMemory(ts.rule.plan.Study.Factors) {
		names = []string{assay.MetricTime, assay.MetricRSS}
	}
	for _, m := range names {
		if !slices.Contains(ts.rule.set.Metrics, m) {
			return nil
		}
	}
	return names
}

// setsMemory reports whether a factor sets GOGC or GOMEMLIMIT.
func setsMemory(factors []assay.Factor) bool {
	for _, f := range factors {
		for _, l := range f.Levels {
			if keys := slices.Collect(maps.Keys(l.Setting.Env)); slices.Contains(keys, "GOGC") || slices.Contains(keys, "GOMEMLIMIT") {
				return true
			}
		}
	}
	return false
}

// tradeoff marks the variants that no other is proved to beat. It is nil without two
// metrics that have a ratio and a direction.
func (ts *tables) tradeoff(r *assay.Result) *assay.Tradeoff {
	names := ts.tradeoffMetrics()
	if len(names) != 2 {
		return nil
	}
	var out assay.Tradeoff
	for i, m := range names {
		out.Metrics[i] = ts.rule.plan.Metric(m)
		if out.Metrics[i].Better == assay.BetterUnknown {
			return nil
		}
	}
	for _, v := range ts.rule.plan.Study.Variants {
		if p, ok := ts.point(r, out.Metrics, v.Name); ok {
			out.Points = append(out.Points, p)
		}
	}
	if len(out.Points) < 2 {
		return nil
	}
	for i, by := range ts.beaten(&out) {
		out.Points[i].Beaten = by
	}
	return &out
}

// point returns the place of a variant, from the tables; ok is false if it was not
// measured itself.
func (ts *tables) point(r *assay.Result, metrics [2]assay.Metric, variant string) (p assay.TradeoffPoint, ok bool) {
	p.Variant = variant
	if sample.Measured(ts.rule.plan, variant) != variant {
		return p, false
	}
	for i, m := range metrics {
		at := slices.IndexFunc(r.Tables, func(tab assay.Table) bool { return tab.Metric.Name == m.Name })
		if s := ts.rule.set.Suite(m.Name).Sample(variant); at < 0 || variant != ts.rule.plan.Study.Base && (s == nil || s.Zero) {
			return p, false
		}
		if p.Values[i], ok = ts.rule.wholeValue(r.Tables[at], variant); !ok || p.Values[i] <= 0 {
			return p, false
		}
		base, _ := ts.rule.wholeValue(r.Tables[at], ts.rule.plan.Study.Base)
		p.Changes[i] = assay.Change(p.Values[i]/base - 1)
	}
	return p, true
}

// A duel asks whether point q beats point p.
type duel struct{ q, p int }

// beaten returns for each point a variant that beats it, or "". One variant beats another
// if it is proved better on one metric and proved no worse on the other by more than the
// minimum effect; a better estimate on the other proves nothing.
//
// Both have e-values, and the smaller of the two is one for "not both". Either metric may
// be the one on which it is better; the mean of the e-values of both ways is one for
// "neither". The evidence of a look is the inverse of a p-value, and of both ways half the
// larger is one (Bonferroni). All V(V-1) ordered pairs of V points are one list for e-BH, each from the
// blocks in which both ran. Pairs that equality decides on both metrics do not count.
func (ts *tables) beaten(out *assay.Tradeoff) []string {
	var list []cell
	var which []duel
	by := make([]string, len(out.Points))
	for q := range out.Points {
		for p := range out.Points {
			if q == p {
				continue
			}
			e, exact := ts.beatE(out, duel{q, p})
			switch {
			case !exact:
				list, which = append(list, cell{Sample: &sample.Sample{E: e}}), append(which, duel{q, p})
			case e > 0 && by[p] == "":
				by[p] = out.Points[q].Variant
			}
		}
	}
	need := max(eBH(list, verdictE).at, 1/ts.rule.plan.Study.Decide.Alpha())
	for i, c := range list {
		if p := which[i].p; c.E >= need && by[p] == "" {
			by[p] = out.Points[which[i].q].Variant
		}
	}
	return by
}

// beatE returns the e-value that q beats p. exact means that equality decides on both
// metrics; e is then 0 if q does not.
func (ts *tables) beatE(out *assay.Tradeoff, d duel) (e float64, exact bool) {
	var better, noWorse [2]float64
	exact = true
	for m, metric := range out.Metrics {
		s := ts.rule.set.Suite(metric.Name).Contrast(sample.Against(ts.rule.plan, out.Points[d.q].Variant, out.Points[d.p].Variant))
		if s == nil || len(s.D) < ts.rule.set.From {
			return 0, false
		}
		better[m] = ts.rule.lessE(s, metric, 0)
		noWorse[m] = ts.rule.lessE(s, metric, ts.rule.margin(metric.Name))
		exact = exact && s.Exact(ts.rule.set.From)
	}
	x0, x1 := min(better[0], noWorse[1]), min(noWorse[0], better[1])
	if ts.rule.set.Looked() {
		return max(x0, x1) / 2, exact
	}
	return x0/2 + x1/2, exact
}

// lessE returns the e-value for a change better than a limit, in ln units towards the
// worse; 0 if the estimate is not. Equality proves it beyond doubt, or not at all.
func (rule *rule) lessE(s *sample.Sample, m assay.Metric, limit float64) float64 {
	mid := m.Loss() * stats.Median(s.D)
	switch {
	case s.Exact(rule.set.From) && (mid < limit || mid == limit && limit > 0):
		return math.MaxFloat64
	case s.Exact(rule.set.From) || mid >= limit:
		return 0
	}
	return s.EValue(m.Loss() * limit)
}

package analysis

import (
	"maps"
	"math"
	"slices"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/analysis/sample"
	"github.com/seed-1318a441/assay/internal/stats"
)

// tradeoffMetrics are the two metrics that the study trades against each other:
// those that it names, or time and memory where a factor sets how much memory
// the collector may use. Empty is none, as where one was not measured.
func (ts *tables) tradeoffMetrics() []string {
	names := ts.plan.Study.Decide.Tradeoff
	if len(names) == 0 && setsMemory(ts.plan.Study.Factors) {
		names = []string{assay.MetricTime, assay.MetricRSS}
	}
	for _, m := range names {
		if !slices.Contains(ts.set.Metrics, m) {
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

// tradeoff marks the variants that no other one is proved to beat. Nil
// without two metrics that have a ratio and a known direction.
func (ts *tables) tradeoff(r *assay.Result) *assay.Tradeoff {
	names := ts.tradeoffMetrics()
	if len(names) != 2 {
		return nil
	}
	var out assay.Tradeoff
	for i, m := range names {
		out.Metrics[i] = ts.plan.Metric(m)
		if out.Metrics[i].Better == assay.BetterUnknown {
			return nil
		}
	}
	for _, v := range ts.plan.Study.Variants {
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

// point places a variant where the tables have it; ok is false for one that was not
// measured on its own, or not yet.
func (ts *tables) point(r *assay.Result, metrics [2]assay.Metric, variant string) (p assay.TradeoffPoint, ok bool) {
	p.Variant = variant
	if sample.Measured(ts.plan, variant) != variant {
		return p, false
	}
	for i, m := range metrics {
		at := slices.IndexFunc(r.Tables, func(tab assay.Table) bool { return tab.Metric.Name == m.Name })
		if s := ts.set.Suite(m.Name).Sample(variant); at < 0 || variant != ts.plan.Study.Base && (s == nil || s.Zero) {
			return p, false
		}
		if p.Values[i], ok = ts.wholeValue(r.Tables[at], variant); !ok || p.Values[i] <= 0 {
			return p, false
		}
		base, _ := ts.wholeValue(r.Tables[at], ts.plan.Study.Base)
		p.Changes[i] = assay.Change(p.Values[i]/base - 1)
	}
	return p, true
}

// A duel asks whether point q beats point p.
type duel struct{ q, p int }

// beaten names for each point a variant that beats it, "" where none does. To beat is to be proved better on one metric and proved to be no
// worse on the other by more than the minimum effect; a better estimate on the other
// proves nothing.
//
// Both have e-values, and the smaller of the two is one for "not both". There are two
// ways to beat, each metric being the one on which it is better; the mean of their
// e-values is one for "neither". All V(V-1) ordered pairs of V points are one list, in
// which e-BH claims as in any other, each from the blocks in which both ran. Pairs
// that equality decides on both metrics do not count.
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
	need := max(eBH(list, verdictE).at, 1/ts.plan.Study.Decide.Alpha())
	for i, c := range list {
		if p := which[i].p; c.E >= need && by[p] == "" {
			by[p] = out.Points[which[i].q].Variant
		}
	}
	return by
}

// beatE is the e-value that q beats p; exact where equality decides on both metrics,
// and e then is 0 where it does not.
func (ts *tables) beatE(out *assay.Tradeoff, x duel) (e float64, exact bool) {
	var better, noWorse [2]float64
	exact = true
	for m, metric := range out.Metrics {
		s := ts.set.Suite(metric.Name).Contrast(sample.Against(ts.plan, out.Points[x.q].Variant, out.Points[x.p].Variant))
		if s == nil || len(s.D) < ts.set.From {
			return 0, false
		}
		better[m] = ts.lessE(s, metric, 0)
		noWorse[m] = ts.lessE(s, metric, ts.margin(metric.Name))
		exact = exact && s.Exact(ts.set.From)
	}
	return min(better[0], noWorse[1])/2 + min(noWorse[0], better[1])/2, exact
}

// lessE is the e-value that a change is better than a limit in ln units, towards the
// worse: nothing where the estimate is not. Equality proves it beyond doubt, or not
// at all.
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

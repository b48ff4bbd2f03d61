package analysis

import (
	"maps"
	"math"
	"slices"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/stats"
)

// tradeoffMetrics are the two metrics that the study trades against each other:
// those that it names, or time and memory where a factor sets how much memory
// the collector may use. Empty is none, as where one was not measured.
func (t *Tracker) tradeoffMetrics() []string {
	names := t.plan.Study.Decide.Tradeoff
	if len(names) == 0 && setsMemory(t.plan.Study.Factors) {
		names = []string{assay.MetricTime, assay.MetricRSS}
	}
	for _, m := range names {
		if !slices.Contains(t.metrics, m) {
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
func (t *Tracker) tradeoff(r *assay.Result) *assay.Tradeoff {
	names := t.tradeoffMetrics()
	if len(names) != 2 {
		return nil
	}
	var out assay.Tradeoff
	for i, m := range names {
		out.Metrics[i] = t.plan.Metric(m)
		if out.Metrics[i].Better == assay.BetterUnknown {
			return nil
		}
	}
	for _, v := range t.plan.Study.Variants {
		if p, ok := t.point(r, out.Metrics, v.Name); ok {
			out.Points = append(out.Points, p)
		}
	}
	if len(out.Points) < 2 {
		return nil
	}
	for i, by := range t.beaten(&out) {
		out.Points[i].Beaten = by
	}
	return &out
}

// point places a variant where the tables have it; ok is false for one that was not
// measured on its own, or not yet.
func (t *Tracker) point(r *assay.Result, metrics [2]assay.Metric, variant string) (p assay.TradeoffPoint, ok bool) {
	p.Variant = variant
	if measured(t.plan, variant) != variant {
		return p, false
	}
	for i, m := range metrics {
		at := slices.IndexFunc(r.Tables, func(tab assay.Table) bool { return tab.Metric.Name == m.Name })
		if s := t.whole(m.Name, variant); at < 0 || variant != t.plan.Study.Base && (s == nil || s.zero) {
			return p, false
		}
		if p.Values[i], ok = t.wholeValue(r.Tables[at], variant); !ok || p.Values[i] <= 0 {
			return p, false
		}
		base, _ := t.wholeValue(r.Tables[at], t.plan.Study.Base)
		p.Changes[i] = assay.Change(p.Values[i]/base - 1)
	}
	return p, true
}

// baseValue is the base's geometric mean over the suite, or its median on the
// only benchmark, over the blocks of the variant that has most.
func (t *Tracker) baseValue(metric string) (x float64, ok bool) {
	most := 0
	for _, v := range t.variants {
		if s := t.whole(metric, v); s != nil && !s.zero && len(s.d) > most {
			most, x, ok = len(s.d), stats.Median(s.base), true
		}
	}
	return x, ok
}

// loss is 1 where more of the metric is worse, -1 where it is better.
func loss(m assay.Metric) float64 {
	if m.Better == assay.BetterHigher {
		return -1
	}
	return 1
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
func (t *Tracker) beaten(out *assay.Tradeoff) []string {
	var list []cell
	var which []duel
	by := make([]string, len(out.Points))
	for q := range out.Points {
		for p := range out.Points {
			if q == p {
				continue
			}
			e, exact := t.beatE(out, duel{q, p})
			switch {
			case !exact:
				list, which = append(list, cell{sample: &sample{e: e}}), append(which, duel{q, p})
			case e > 0 && by[p] == "":
				by[p] = out.Points[q].Variant
			}
		}
	}
	need := max(eBH(list, verdictE).at, 1/t.plan.Study.Decide.Alpha())
	for i, c := range list {
		if p := which[i].p; c.e >= need && by[p] == "" {
			by[p] = out.Points[which[i].q].Variant
		}
	}
	return by
}

// beatE is the e-value that q beats p; exact where equality decides on both metrics,
// and e then is 0 where it does not.
func (t *Tracker) beatE(out *assay.Tradeoff, x duel) (e float64, exact bool) {
	var better, noWorse [2]float64
	exact = true
	for m, metric := range out.Metrics {
		s := t.contrastWhole(metric.Name, pair(t.plan, out.Points[x.q].Variant, out.Points[x.p].Variant))
		if s == nil || len(s.d) < t.from {
			return 0, false
		}
		better[m] = t.lessE(s, metric, 0)
		noWorse[m] = t.lessE(s, metric, t.margin(metric.Name))
		exact = exact && s.exact(t.from)
	}
	return min(better[0], noWorse[1])/2 + min(noWorse[0], better[1])/2, exact
}

// lessE is the e-value that a change is better than a limit in ln units, towards the
// worse: nothing where the estimate is not. Equality proves it beyond doubt, or not
// at all.
func (t *Tracker) lessE(s *sample, m assay.Metric, limit float64) float64 {
	mid := loss(m) * stats.Median(s.d)
	switch {
	case s.exact(t.from) && (mid < limit || mid == limit && limit > 0):
		return math.MaxFloat64
	case s.exact(t.from) || mid >= limit:
		return 0
	}
	return s.evalue(loss(m) * limit)
}

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

// tradeoff marks the variants that no other one beats on two metrics. Nil
// without two metrics that have a ratio and a known direction.
func (t *Tracker) tradeoff() *assay.Tradeoff {
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
		if p, ok := t.point(out.Metrics, v.Name); ok {
			out.Points = append(out.Points, p)
		}
	}
	if len(out.Points) < 2 {
		return nil
	}
	for i := range out.Points {
		out.Points[i].Beaten = t.beaten(out, i)
	}
	return &out
}

// point places a variant; ok is false for one that was not measured on its own,
// or not yet.
func (t *Tracker) point(metrics [2]assay.Metric, variant string) (p assay.TradeoffPoint, ok bool) {
	p.Variant = variant
	if measured(t.plan, variant) != variant {
		return p, false
	}
	for i, m := range metrics {
		if variant == t.plan.Study.Base {
			p.Values[i], ok = t.baseValue(m.Name)
		} else if s := t.whole(m.Name, variant); s == nil || s.zero || len(s.d) == 0 {
			ok = false
		} else {
			p.Values[i], p.Changes[i], ok = stats.Median(s.value), assay.ChangeOfLog(stats.Median(s.d)), true
		}
		if !ok {
			return p, false
		}
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

// beaten names the first variant that is as good as point i or better on both
// metrics, by the changes against the base, and proved better on one; "" when
// there is none.
func (t *Tracker) beaten(out assay.Tradeoff, i int) string {
	p := out.Points[i]
	for k, q := range out.Points {
		asGood := k != i
		for m := range out.Metrics {
			asGood = asGood && loss(out.Metrics[m])*(q.Changes[m].Log()-p.Changes[m].Log()) <= 0
		}
		if asGood && (t.provedBetter(out, q, p, 0) || t.provedBetter(out, q, p, 1)) {
			return q.Variant
		}
	}
	return ""
}

// loss is 1 where more of the metric is worse, -1 where it is better.
func loss(m assay.Metric) float64 {
	if m.Better == assay.BetterHigher {
		return -1
	}
	return 1
}

// provedBetter reports whether q is proved better than p on one of the metrics,
// from the blocks in which both ran. With V variants there are V(V-1)/2 pairs
// and two metrics, so that an e-value of V(V-1)/alpha keeps the chance of any
// false claim in the picture below alpha (Bonferroni), at every block at once.
func (t *Tracker) provedBetter(out assay.Tradeoff, q, p assay.TradeoffPoint, m int) bool {
	metric := out.Metrics[m]
	s := t.contrastWhole(metric.Name, pair(t.plan, q.Variant, p.Variant))
	if s == nil || len(s.d) < t.from || loss(metric)*stats.Median(s.d) >= 0 {
		return false
	}
	if s.constant() {
		return true // equality decides
	}
	v := float64(len(out.Points))
	_, top := stats.EAt(s.d, 0, s.step, t.from)
	return math.Log(top) >= math.Log(v*(v-1)/t.plan.Study.Decide.Alpha())
}

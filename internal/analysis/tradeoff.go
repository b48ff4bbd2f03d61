package analysis

import (
	"maps"
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
	d := t.duels(&out)
	for i := range out.Points {
		out.Points[i].Beaten = d.beaten(i)
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

// A duels has every two points of a trade-off against each other, on both
// metrics.
type duels struct {
	out    *assay.Tradeoff
	proved map[duel]bool
}

// A duel says that point q is better than point p on a metric.
type duel struct{ q, p, metric int }

// duels compares all pairs of points on both metrics, from the blocks in which
// both ran. The comparisons are one list, in which differences are claimed by
// e-BH as in any other: with V points it has V(V-1) entries. What never varied is
// compared by equality and does not count.
func (t *Tracker) duels(out *assay.Tradeoff) duels {
	d := duels{out: out, proved: map[duel]bool{}}
	var list []cell
	var which []duel
	for m, metric := range out.Metrics {
		for q := range out.Points {
			for p := range q {
				s := t.contrastWhole(metric.Name, pair(t.plan, out.Points[q].Variant, out.Points[p].Variant))
				switch x := (duel{q, p, m}); {
				case s == nil || len(s.d) < t.from:
				case s.exact(t.from):
					d.note(x, s, metric)
				default:
					s.e = s.evalue(0, t.from)
					list, which = append(list, cell{sample: s}), append(which, x)
				}
			}
		}
	}
	threshold := max(eBH(list, verdictE).at, 1/t.plan.Study.Decide.Alpha())
	for i, c := range list {
		if c.e >= threshold {
			d.note(which[i], c.sample, out.Metrics[which[i].metric])
		}
	}
	return d
}

// note keeps who of two different points is the better one.
func (d duels) note(x duel, s *sample, m assay.Metric) {
	switch l := loss(m) * stats.Median(s.d); {
	case l < 0:
		d.proved[x] = true
	case l > 0:
		d.proved[duel{x.p, x.q, x.metric}] = true
	}
}

// beaten names the first variant that is as good as point p or better on both
// metrics, by the changes against the base, and proved better on one; "" when
// there is none.
func (d duels) beaten(p int) string {
	for q := range d.out.Points {
		asGood := q != p
		for m, metric := range d.out.Metrics {
			asGood = asGood && loss(metric)*(d.out.Points[q].Changes[m].Log()-d.out.Points[p].Changes[m].Log()) <= 0
		}
		if asGood && (d.proved[duel{q, p, 0}] || d.proved[duel{q, p, 1}]) {
			return d.out.Points[q].Variant
		}
	}
	return ""
}

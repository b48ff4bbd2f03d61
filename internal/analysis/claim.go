package analysis

import (
	"slices"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/stats"
)

// Which differences of a list are claimed. There are two kinds of lists. Of many
// benchmarks some false claims are bearable: e-BH keeps their expected share within
// falseClaims. What an answer rests on, the variants on the whole suite, is a list of
// few: Holm keeps the probability of any false claim within the study's level.

// falseClaims is q, the share of false claims in a list that e-BH allows
// (Wang and Ramdas 2022).
const falseClaims = 0.05

// A claim says what evidence a difference of a list takes. In the zero claim its
// interval alone decides: that 0 has left it once is a claim at the study's level,
// whatever the e-value does later.
type claim struct {
	at   float64 // the e-value that it takes
	ever bool    // the largest e-value so far counts, not the present one
	list int     // the number of comparisons in the list
}

// alone is the claim of a comparison that is in no list.
var alone = claim{list: 1}

// holds reports whether a sample whose e-values are up to date has the evidence.
func (c claim) holds(s *sample) bool {
	if c.ever {
		return s.top >= c.at
	}
	return s.e >= c.at
}

func verdictE(c cell) float64 { return c.e }

// gateE is the evidence that a cell fails a gate.
func gateE(c cell) float64 { return c.gate }

// eBH is what e-BH asks of a list: m/(q k*). A list of one needs no control beyond
// its own interval.
func eBH(cells []cell, e func(cell) float64) claim {
	if len(cells) < 2 {
		return alone
	}
	values := make([]float64, len(cells))
	for i, c := range cells {
		values[i] = e(c)
	}
	k := max(stats.EBH(values, len(values), falseClaims), 1)
	return claim{at: float64(len(values)) / (falseClaims * float64(k)), list: len(values)}
}

// atLevel is a claim that also takes the study's level.
func (rule *rule) atLevel(c claim) claim {
	if c.list > 1 {
		c.at = max(c.at, 1/rule.plan.Study.Decide.Alpha())
	}
	return c
}

// cellClaim is the claim of the cells of a metric: all benchmarks and variants. Where
// there is one benchmark, its cells are what the answer rests on.
func (rule *rule) cellClaim(cells []cell, metric string) claim {
	if rule.set.only(metric) != nil && len(rule.set.chain.links) == 0 {
		return rule.headClaim(metric)
	}
	return eBH(cells, verdictE)
}

// schedulingClaim is what a cell takes to leave the schedule: with a gate the
// question is the gate's.
func (rule *rule) schedulingClaim(cells []cell, metric string) claim {
	if rule.gateLimit(metric) != 0 {
		return rule.atLevel(eBH(rule.couldFail(cells, metric), gateE))
	}
	return rule.atLevel(rule.cellClaim(cells, metric))
}

// heads are the comparisons on the whole suite among which an answer chooses: all
// variants on one metric, and of services, whose answer looks at all metrics that
// decide, on all of these and on errors. What equality decides, and what is saturated,
// is none of them.
func (rule *rule) heads(metric string) (out []head) {
	metrics := []string{metric}
	if decide := rule.answering(); rule.plan.Study.Serves() && slices.Contains(decide, metric) {
		metrics = decide
	}
	for _, m := range metrics {
		if !slices.ContainsFunc(rule.set.others(), func(v string) bool { return rule.set.whole(m, v) != nil }) {
			continue // a quantile that the runs are too short for, say
		}
		for _, v := range rule.set.others() {
			b := rule.set.only(m)
			if s := rule.set.whole(m, v); s != nil && s.exact(rule.set.from) || b != nil && rule.set.isSaturated(b, m, v) {
				continue
			}
			out = append(out, head{m, v, rule.set.whole(m, v)})
		}
	}
	return out
}

// A head is a variant on the whole suite; its sample is nil while it has none.
type head struct {
	metric, variant string
	*sample
}

// answering are the metrics that the answer of a study of services looks at.
func (rule *rule) answering() []string {
	out := slices.Clone(rule.plan.Study.Decide.Metrics)
	if slices.Contains(rule.set.metrics, assay.MetricErrors) && !slices.Contains(out, assay.MetricErrors) {
		out = append(out, assay.MetricErrors)
	}
	return out
}

// headClaim is Holm's (1979) over the heads, at the study's level: with p =
// 1/largest e the k-th smallest of m is claimed when it and all before it are at most
// alpha/(m-k+1). The last one claimed says what all take. In a chain there is no such
// list: its answer is about the last step alone.
func (rule *rule) headClaim(metric string) claim {
	return rule.claims.get(rule.set.trials, metric, func() claim { return rule.makeHeadClaim(metric) })
}

func (rule *rule) makeHeadClaim(metric string) claim {
	c := alone
	if list := rule.heads(metric); len(rule.set.chain.links) == 0 && len(list) > 1 {
		alpha := rule.plan.Study.Decide.Alpha()
		p := make([]float64, len(list))
		for i, h := range list {
			p[i] = 1
			if h.sample != nil {
				h.e, h.top = h.evalues(0)
				p[i] = min(1, 1/h.top)
			}
		}
		k := 0
		for _, adjusted := range stats.Holm(p) {
			k += btoi(adjusted <= alpha)
		}
		c = claim{at: float64(len(list)-max(k, 1)+1) / alpha, ever: true, list: len(list)}
	}
	return c
}

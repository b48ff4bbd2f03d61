package analysis

import (
	"slices"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/analysis/sample"
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
func (c claim) holds(s *sample.Sample) bool {
	if c.ever {
		return s.Top >= c.at
	}
	return s.E >= c.at
}

func verdictE(c cell) float64 { return c.E }

// gateE is the evidence that a cell fails a gate.
func gateE(c cell) float64 { return c.Gate }

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
	if rule.set.Only(metric) != nil && len(rule.set.Chain.Links) == 0 {
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
		if !slices.ContainsFunc(rule.set.Others(), func(v string) bool { return rule.set.Suite(m, v) != nil }) {
			continue // a quantile that the runs are too short for, say
		}
		for _, v := range rule.set.Others() {
			b := rule.set.Only(m)
			if s := rule.set.Suite(m, v); s != nil && s.Exact(rule.set.From) || b != nil && rule.set.IsSaturated(b, m, v) {
				continue
			}
			out = append(out, head{m, v, rule.set.Suite(m, v)})
		}
	}
	return out
}

// A head is a variant on the whole suite; its sample is nil while it has none.
type head struct {
	metric, variant string
	*sample.Sample
}

// answering are the metrics that the answer of a study of services looks at.
func (rule *rule) answering() []string {
	out := slices.Clone(rule.plan.Study.Decide.Metrics)
	if slices.Contains(rule.set.Metrics, assay.MetricErrors) && !slices.Contains(out, assay.MetricErrors) {
		out = append(out, assay.MetricErrors)
	}
	return out
}

// headClaim is Holm's (1979) over the heads, at the study's level: with p =
// 1/largest e the k-th smallest of m is claimed when it and all before it are at most
// alpha/(m-k+1). The last one claimed says what all take. In a chain there is no such
// list: its answer is about the last step alone.
func (rule *rule) headClaim(metric string) claim {
	return rule.claims.Get(rule.set.Trials, metric, func() claim { return rule.makeHeadClaim(metric) })
}

func (rule *rule) makeHeadClaim(metric string) claim {
	c := alone
	if list := rule.heads(metric); len(rule.set.Chain.Links) == 0 && len(list) > 1 {
		alpha := rule.plan.Study.Decide.Alpha()
		p := make([]float64, len(list))
		for i, h := range list {
			p[i] = 1
			if h.Sample != nil {
				h.E, h.Top = h.EValues(0)
				p[i] = min(1, 1/h.Top)
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

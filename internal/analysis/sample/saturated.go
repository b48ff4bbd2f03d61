package sample

import (
	"cmp"
	"fmt"
	"math"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/stats"
)

// SaturatedFrom is the number of blocks from which a load counts as more than a server
// can take: it is not noise, and further blocks would be wasted.
const SaturatedFrom = 3

// addRates adds the attained rates of a block.
func (b *Benchmark) addRates(block []assay.Trial) {
	shares, offered := map[string][]float64{}, 0.0
	if b.load != nil {
		offered = b.load.Rate
	}
	for _, tr := range block {
		if share, ok := attained(tr, offered); ok && tr.Benchmark == b.Plan.Benchmark {
			shares[tr.Variant] = append(shares[tr.Variant], share)
			r := b.rates[tr.Variant]
			r.intended, r.known = cmp.Or(tr.Intended, offered), tr.Intended > 0
			b.rates[tr.Variant] = r
		}
	}
	for v, s := range shares {
		r := b.rates[v]
		r.attained = append(r.attained, stats.Median(s))
		b.rates[v] = r
	}
}

// attained returns the share of an open load's intended rate that the server answered.
// offered is the rate if the load generator does not report it, 0 if unknown; ok
// is false for other loads. tx/s counts only successes. With a share e of errors the rate
// of all answers is tx/s / (1-e): a server that refuses quickly is broken rather than
// saturated, as errors/tx shows.
func attained(tr assay.Trial, offered float64) (share float64, ok bool) {
	intended := cmp.Or(tr.Intended, offered)
	rate, errors := tr.Observations[assay.MetricRequests], tr.Observations[assay.MetricErrors]
	if tr.Traced || !(intended > 0) || !(rate > 0) || errors >= 1 {
		return 0, false
	}
	return rate / (1 - errors) / intended, true
}

// Saturated says why the latencies and the throughput of a variant are not compared with
// the base's: one of the two did not keep up with its open load. It is "" if they are.
func (b *Benchmark) Saturated(metric, variant string) string {
	if !assay.IsLatency(metric) && metric != assay.MetricRequests {
		return ""
	}
	for _, v := range []string{b.set.Plan.Study.Base, variant} {
		r := b.rates[v]
		if !r.known || len(r.attained) < SaturatedFrom {
			continue
		}
		if share := stats.Median(r.attained); share < assay.LeastAttained {
			return fmt.Sprintf("%s attained %s of %s requests a second: latency is that of the queue; lower the rate",
				v, rate(share*r.intended), rate(r.intended))
		}
	}
	return ""
}

// Unsaturated returns the sample of a metric and variant; nil if it is saturated.
func (b *Benchmark) Unsaturated(metric, variant string) *Sample {
	if b.Saturated(metric, variant) != "" {
		return nil
	}
	return b.Samples[metric][variant]
}

// rate formats requests a second: whole ones from 100 on.
func rate(x float64) string {
	if x >= 100 {
		return fmt.Sprintf("%.0f", math.Floor(x))
	}
	return fmt.Sprintf("%.3g", x)
}

// AllSaturated reports whether a benchmark has nothing to decide: whatever decides is
// saturated.
func (b *Benchmark) AllSaturated() bool {
	for _, m := range b.set.Plan.Study.Decide.Metrics {
		for _, v := range b.set.Others() {
			if b.Saturated(m, v) == "" {
				return false
			}
		}
	}
	return len(b.rates) > 0
}

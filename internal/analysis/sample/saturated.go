package sample

import (
	"fmt"
	"math"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/stats"
)

// SaturatedFrom is the number of blocks from which a load counts as more than a
// server bears: noise does not explain it, and every further block is wasted.
const SaturatedFrom = 3

// addRates takes the attained rates of a block.
func (b *Benchmark) addRates(block []assay.Trial) {
	shares := map[string][]float64{}
	for _, tr := range block {
		if share, ok := attained(tr); ok && tr.Benchmark == b.Plan.Benchmark {
			shares[tr.Variant] = append(shares[tr.Variant], share)
			r := b.rates[tr.Variant]
			r.intended = tr.Intended
			b.rates[tr.Variant] = r
		}
	}
	for v, s := range shares {
		r := b.rates[v]
		r.attained = append(r.attained, stats.Median(s))
		b.rates[v] = r
	}
}

// attained is the share of the intended rate at which an open load was answered;
// ok is false for other loads. tx/s counts transactions that succeeded. One that
// failed was answered too, so of a share e of errors the rate is tx/s / (1-e):
// a server that refuses quickly is not saturated but broken, which errors/tx
// tells.
func attained(tr assay.Trial) (share float64, ok bool) {
	rate, errors := tr.Observations[assay.MetricRequests], tr.Observations[assay.MetricErrors]
	if tr.Traced || !(tr.Intended > 0) || !(rate > 0) || errors >= 1 {
		return 0, false
	}
	return rate / (1 - errors) / tr.Intended, true
}

// Saturated says why the latencies and the throughput of a variant are not
// compared with the base's: one of the two did not keep up with its open load.
func (set *Set) Saturated(b *Benchmark, metric, variant string) (reason string, ok bool) {
	if !assay.IsLatency(metric) && metric != assay.MetricRequests {
		return "", false
	}
	for _, v := range []string{set.Plan.Study.Base, variant} {
		r := b.rates[v]
		if len(r.attained) < SaturatedFrom {
			continue
		}
		if share := stats.Median(r.attained); share < assay.LeastAttained {
			return fmt.Sprintf("%s attained %s of %s requests a second: latency is that of the queue; lower the rate",
				v, rate(share*r.intended), rate(r.intended)), true
		}
	}
	return "", false
}

// IsSaturated is Saturated without the reason.
func (set *Set) IsSaturated(b *Benchmark, metric, variant string) bool {
	_, ok := set.Saturated(b, metric, variant)
	return ok
}

// Unsaturated is the sample of a metric and variant; nil where the load was not
// kept up with.
func (set *Set) Unsaturated(b *Benchmark, metric, variant string) *Sample {
	if set.IsSaturated(b, metric, variant) {
		return nil
	}
	return b.Samples[metric][variant]
}

// rate prints requests a second: whole ones from 100 on.
func rate(x float64) string {
	if x >= 100 {
		return fmt.Sprintf("%.0f", math.Floor(x))
	}
	return fmt.Sprintf("%.3g", x)
}

// AllSaturated reports whether a benchmark has nothing to decide, since
// whatever decides is saturated.
func (set *Set) AllSaturated(b *Benchmark) bool {
	if len(b.rates) == 0 {
		return false
	}
	for _, m := range set.Plan.Study.Decide.Metrics {
		for _, v := range set.Others() {
			if !set.IsSaturated(b, m, v) {
				return false
			}
		}
	}
	return true
}

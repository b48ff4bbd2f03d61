package survey

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/collect"
	"github.com/seed-1318a441/assay/internal/printable"
	"github.com/seed-1318a441/assay/internal/trial"
)

// warmUp runs a service once, to measure the duration of a trial, learn its metrics, and
// fill the caches: the first start on a machine was 3-6 % slower than later ones. That is
// why the result is not remembered from one run to the next. A base that does not run
// ends the study: there is nothing to measure.
func (s subject) warmUp(ctx context.Context) (calibrated, error) {
	out, err := s.run(ctx, 1)
	if _, broken := errors.AsType[*brokenError](err); broken {
		return calibrated{}, deadService(s.bench, s.variant, out)
	}
	if err != nil {
		return calibrated{}, err
	}
	o := out.Observations(s.name, 1)
	return calibrated{N: 1, Trial: out.Wall, Metrics: slices.Sorted(maps.Keys(o)), Slow: slow(out.Intended, o)}, nil
}

// slow says how far a server falls behind an open load; "" if it does not.
func slow(intended float64, o map[string]float64) string {
	failed := o[assay.MetricErrors]
	if intended == 0 || failed >= 1 || o[assay.MetricRequests]/(1-failed) >= assay.LeastAttained*intended {
		return ""
	}
	rate := func(v float64) string {
		if v < 1000 {
			return fmt.Sprintf("%.3g", v)
		}
		return printable.Int(int(v))
	}
	return rate(o[assay.MetricRequests]/(1-failed)) + " of " + rate(intended) + " requests a second"
}

// lastLines is the number of log lines in a message.
const lastLines = 4

// deadService returns the error for a service that fails on the base.
func deadService(b assay.PlannedBenchmark, v assay.Variant, out trial.Outcome) error {
	facts := []string{out.Reason}
	for _, l := range collect.LastLines(out.Server, lastLines) {
		facts = append(facts, "server: "+l)
	}
	for _, l := range collect.LastLines(out.Stderr, lastLines) {
		facts = append(facts, "load: "+l)
	}
	return assay.NewError(assay.ExitBuild, assay.CodeServiceFailed, fmt.Sprintf("service %q does not run: its first trial, on the base %q, ended as %s", b.Name, v.Name, out.Status), facts, "")
}

// maxLinking is the largest share of a block for fresh links of services. Their trials
// are long, so a link may take longer. Their binaries are large, so there is no pool of
// links.
const maxLinking = 1.0 / 3

// settleServices keeps fresh links, one per trial, if they take at most maxLinking of a
// block. Otherwise every variant is linked once, and the plan says so.
func settleServices(p *assay.Plan, one time.Duration) {
	var trials time.Duration
	for _, b := range p.Benchmarks {
		trials += b.Trial * time.Duration(inBlock(p))
	}
	links := p.Link * time.Duration(inBlock(p)) / time.Duration(len(p.Variants))
	if float64(links) <= maxLinking*float64(links+trials) {
		return
	}
	p.Study.Measure.Layouts, p.Link, p.Align = 1, 0, 0
	p.Warnings = append(p.Warnings, assay.Warning{Code: assay.CodeSlowLinks,
		Text: "every variant is linked once: fresh links would take more than a third of the time",
		Facts: []string{fmt.Sprintf("a link takes %v; a block would spend %v on linking and %v on trials", rounded(one), rounded(links), rounded(trials)),
			"the verdict holds for these binaries; placement alone can move a program by several percent"},
		Advice: "a longer load, or layouts = 3 under [measure]"})
}

func rounded(d time.Duration) time.Duration { return d.Round(100 * time.Millisecond) }

// inBlock returns the maximum number of variants of a block.
func inBlock(p *assay.Plan) int {
	n := len(p.Variants)
	if p.Together == 0 {
		return n
	}
	if p.ControlVariant() != "" {
		return min(n, p.Together+1)
	}
	return min(n, p.Together)
}

// overloaded warns, before the first block, about a load that the base cannot keep up
// with.
func overloaded(name string, base assay.Variant, how string) []assay.Warning {
	if how == "" {
		return nil
	}
	return []assay.Warning{{Code: assay.CodeOverload, Text: fmt.Sprintf("the load of %s is more than %s can bear: %s", name, base.Name, how),
		Facts:  []string{"its latency is that of a queue that grows; the verdict on it will be \"saturated\""},
		Advice: "a lower rate in http = { ... }: half of the attained rate shows latency best"}}
}

// shortLoads warns about deciding quantiles that the warm-up run, which had the load of
// every trial, did not yield: the study would run to its budget without a result.
func shortLoads(study *assay.Study, name string, seen []string) (out []assay.Warning) {
	for _, m := range study.Decide.Metrics {
		i := slices.IndexFunc(assay.Quantiles, func(q assay.Quantile) bool { return q.Metric() == m })
		if i < 0 || slices.Contains(seen, m) {
			continue
		}
		need := int(math.Ceil(assay.MinBeyond/(1-assay.Quantiles[i].P) - 1e-6))
		out = append(out, assay.Warning{Code: assay.CodeShortLoad, Text: fmt.Sprintf("%s of %s decides, and a trial does not yield it", m, name),
			Facts: []string{fmt.Sprintf("a quantile needs %d requests beyond it: a load of %d or more", assay.MinBeyond, need),
				"or the load generator reports other percentiles, and no histogram"},
			Advice: "a longer load, or a lower quantile in metric = [...]"})
	}
	return out
}

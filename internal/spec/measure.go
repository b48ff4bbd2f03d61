package spec

import (
	"slices"
	"strings"
	"time"

	"github.com/pelletier/go-toml/v2/unstable"

	"github.com/seed-1318a441/assay"
)

func measureKeys(m *assay.Measure) schema {
	return schema{
		"trial":      length(&m.Trial),
		"layouts":    text(&m.Layouts, layouts),
		"inner":      odd(&m.Inner),
		"control":    func(e *entry) error { err := boolean(&m.NoControl)(e); m.NoControl = !m.NoControl; return err },
		"gomaxprocs": number(&m.GOMAXPROCS),
		"goarch":     text(&m.GOARCH, arch),
		"timeout":    length(&m.Timeout),
		"collect":    collect(&m.Collect),
		"force":      boolean(&m.Force),
		"pair":       text(&m.Pair, Pair),
		"pass":       words(&m.Pass),
	}
}

// Pairs are the values of "pair".
var Pairs = []string{assay.PairAuto, string(assay.GearSlices), string(assay.GearTurns), string(assay.GearProcesses)}

// Pair reads how variants run beside each other: "" for "auto".
func Pair(s string) (assay.Gear, error) {
	word, err := oneOf(Pairs...)(s)
	if word == assay.PairAuto {
		word = ""
	}
	return assay.Gear(word), err
}

// odd stores a number of rounds, which must have a middle one.
func odd(p *int) setter {
	return func(e *entry) error {
		if err := number(p)(e); err != nil {
			return err
		}
		if err := rounds(*p); err != nil {
			return e.wrong(err.Error())
		}
		return nil
	}
}

func decideKeys(d *assay.Decide) schema {
	return schema{
		"metric":     metrics(&d.Metrics),
		"min_effect": minEffect(d),
		"confidence": text(&d.Confidence, confidence),
		"blocks": text(new(string), func(s string) (string, error) {
			var err error
			d.MinBlocks, d.MaxBlocks, err = blocks(s)
			return s, err
		}),
		"budget":   text(&d.Budget, func(s string) (time.Duration, error) { return PositiveDuration(s) }),
		"gate":     text(&d.Gate, gate),
		"tradeoff": tradeoff(d),
		"compare":  text(&d.Compare, oneOf(assay.ComparePrevious, assay.CompareBase)),
	}
}

// tradeoff stores two metrics that pull in different directions.
func tradeoff(d *assay.Decide) setter {
	return func(e *entry) error {
		if err := metrics(&d.Tradeoff)(e); err != nil {
			return err
		}
		if len(d.Tradeoff) != 2 {
			return e.wrong(`is not two metrics such as ["time", "peak-RSS-bytes"]`)
		}
		return nil
	}
}

// metricName resolves the alias that people type.
func metricName(s string) string {
	if s == "time" {
		return assay.MetricTime
	}
	return s
}

// metrics stores one metric or a list.
func metrics(p *[]string) setter {
	return func(e *entry) error {
		list := e.value.items
		if e.value.kind == unstable.String {
			list = []value{e.value}
		} else if e.value.kind != unstable.Array {
			return e.wrong("is neither a metric nor a list of metrics")
		}
		for _, item := range list {
			name := metricName(item.text)
			switch {
			case item.kind != unstable.String || name == "":
				return item.in(e).wrong(`is not a metric such as "sec/op"`)
			case slices.Contains(*p, name):
				return item.in(e).wrong("is named twice")
			}
			*p = append(*p, name)
		}
		return nil
	}
}

// defaultEffect is the key for all metrics that a table of smallest effects
// does not name.
const defaultEffect = "default"

// minEffect stores one smallest effect, or a table of them by metric.
func minEffect(d *assay.Decide) setter {
	return func(e *entry) error {
		if e.value.kind != unstable.Table {
			return text(&d.MinEffect, positivePercent)(e)
		}
		for _, sub := range e.value.table.entries {
			var f float64
			if err := text(&f, positivePercent)(sub); err != nil {
				return err
			}
			if sub.key == defaultEffect {
				d.MinEffect = f
				continue
			}
			if d.MinEffects == nil {
				d.MinEffects = map[string]float64{}
			}
			d.MinEffects[metricName(sub.key)] = f
		}
		return nil
	}
}

// checkMetrics refuses metrics that would never be observed, so that nobody
// waits for their verdicts.
func checkMetrics(s *assay.Study, root *table) error {
	decide := root.find("decide")
	if decide == nil {
		return nil
	}
	for _, key := range []string{"metric", "min_effect", "tradeoff"} {
		e := decide.value.table.find(key)
		if e == nil {
			continue
		}
		for _, m := range namedMetrics(e) {
			if problem := notObserved(s, metricName(m.value.text)); problem != "" {
				return m.wrong(problem)
			}
		}
	}
	return nil
}

// namedMetrics are the metrics that a key of [decide] names: values of metric
// and tradeoff, keys of a table of smallest effects.
func namedMetrics(e *entry) []*entry {
	var out []*entry
	switch e.value.kind {
	case unstable.String:
		if e.key != "min_effect" {
			out = append(out, e)
		}
	case unstable.Array:
		for _, item := range e.value.items {
			out = append(out, item.in(e))
		}
	case unstable.Table:
		for _, sub := range e.value.table.entries {
			out = append(out, value{kind: unstable.String, at: sub.at, text: sub.key}.in(e))
		}
	}
	return out
}

// notObserved says why a study does not observe a metric, or nothing. A
// benchmark's own metrics may have any name.
func notObserved(s *assay.Study, metric string) string {
	isQuantile := slices.ContainsFunc(assay.Quantiles, func(q assay.Quantile) bool { return q.Metric() == metric })
	serves := anyService(s)
	switch {
	case serves && metric == assay.MetricTime:
		return "is not measured of a service; it has " + strings.Join(serviceMetrics(), ", ")
	case serves && strings.HasPrefix(metric, "latency") && !isQuantile:
		return "is not a quantile that assay gives; it has " + strings.Join(latencyMetrics(), ", ")
	case strings.HasPrefix(metric, assay.GCPrefix) && !s.Measure.Collects(assay.CollectGC):
		return `is not collected: add collect = ["gc"] to [measure]`
	}
	return ""
}

func latencyMetrics() []string {
	var names []string
	for _, q := range assay.Quantiles {
		names = append(names, q.Metric())
	}
	return names
}

// serviceMetrics are those of every service.
func serviceMetrics() []string {
	return append(latencyMetrics(), assay.MetricRequests, assay.MetricErrors, assay.MetricMeanRSS, assay.MetricRSS, assay.MetricServerCPU)
}

func anyService(s *assay.Study) bool {
	return slices.ContainsFunc(s.Workloads, func(w assay.Workload) bool { return w.Kind == assay.KindService })
}

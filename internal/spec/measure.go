package spec

import (
	"slices"
	"time"

	"github.com/pelletier/go-toml/v2/unstable"

	"github.com/seed-1318a441/assay"
)

func measureKeys(m *assay.Measure) schema {
	return schema{
		"trial":      length(&m.Trial),
		"layouts":    text(&m.Layouts, layouts),
		"inner":      number(&m.Inner),
		"control":    func(e *entry) error { err := boolean(&m.NoControl)(e); m.NoControl = !m.NoControl; return err },
		"gomaxprocs": number(&m.GOMAXPROCS),
		"goarch":     text(&m.GOARCH, arch),
		"timeout":    length(&m.Timeout),
		"collect":    collect,
		"force":      boolean(&m.Force),
	}
}

// collect takes what there is to collect. All of it always is: allocations of
// benchmarks, memory and counters of commands.
func collect(e *entry) error {
	var list []string
	if err := strs(&list)(e); err != nil {
		return err
	}
	for i, what := range list {
		if what != "allocs" && what != "rss" && what != "perf" {
			return e.value.items[i].in(e).wrong(`is not known to this assay; it has "allocs", "rss" and "perf"`)
		}
	}
	return nil
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
		"budget":   text(&d.Budget, func(s string) (time.Duration, error) { return duration(s) }),
		"gate":     text(&d.Gate, gate),
		"tradeoff": tradeoff(d),
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

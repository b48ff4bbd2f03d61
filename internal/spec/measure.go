package spec

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2/unstable"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/spec/document"
)

func measureKeys(m *assay.Measure) document.Schema {
	return document.Schema{
		length("trial", &m.Trial),
		document.Scalar("layouts", &m.Layouts, Layouts, strconv.Itoa),
		document.Number("gomaxprocs", &m.GOMAXPROCS),
		document.Text("goarch", &m.GOARCH, Arch),
		length("timeout", &m.Timeout),
		collect(&m.Collect),
		document.Bool("force", &m.Force, "  # also measure variants with the same code"),
		document.Words("pass", &m.Pass),
	}
}

func decideKeys(d *assay.Decide) document.Schema {
	return document.Schema{
		metrics("metric", &d.Metrics),
		minEffect(d),
		share("confidence", &d.Confidence, confidence),
		blockRange(d),
		length("budget", &d.Budget),
		share("gate", &d.Gate, gate),
		document.Text("compare", &d.Compare, oneOf(assay.ComparePrevious, assay.CompareBase)),
		metrics("tradeoff", &d.Tradeoff).Then(func(e *document.Entry) error {
			if len(d.Tradeoff) != 2 {
				return e.Wrong(`is not two metrics such as ["time", "peak-RSS-bytes"]`)
			}
			return nil
		}),
	}
}

// blockRange is a number of blocks, or a range of them.
func blockRange(d *assay.Decide) document.Field {
	f := document.Text("blocks", new(string), func(s string) (string, error) {
		var err error
		d.MinBlocks, d.MaxBlocks, err = blocks(s)
		return s, err
	})
	f.Write = func() string {
		if d.MinBlocks == 0 && d.MaxBlocks == 0 {
			return ""
		}
		return document.Quote(formatBlocks(max(d.MinBlocks, 1), d.MaxBlocks))
	}
	return f
}

// metricName resolves the alias "time".
func metricName(s string) string {
	if s == "time" {
		return assay.MetricTime
	}
	return s
}

// metrics is one metric or a list.
func metrics(key string, p *[]string) document.Field {
	return document.Field{Key: key, Read: func(e *document.Entry) error {
		list := e.Value.Items
		if e.Value.Kind == unstable.String {
			list = []document.Value{e.Value}
		} else if e.Value.Kind != unstable.Array {
			return e.Wrong("is neither a metric nor a list of metrics")
		}
		for _, item := range list {
			name := metricName(item.Text)
			switch {
			case item.Kind != unstable.String || name == "":
				return item.In(e).Wrong(`is not a metric such as "sec/op"`)
			case slices.Contains(*p, name):
				return item.In(e).Wrong("is named twice")
			}
			*p = append(*p, name)
		}
		return nil
	}, Write: func() string {
		if len(*p) == 1 {
			return document.Quote((*p)[0])
		}
		return document.QuoteList(*p)
	}}
}

// defaultEffect is the key for all metrics that a table of minimum effects does not name.
const defaultEffect = "default"

// minEffect is one minimum effect, or a table of them by metric.
func minEffect(d *assay.Decide) document.Field {
	all := share("min_effect", &d.MinEffect, positivePercent)
	return document.Field{Key: all.Key, Read: func(e *document.Entry) error {
		if e.Value.Kind != unstable.Table {
			return all.Read(e)
		}
		for _, sub := range e.Value.Table.Entries {
			var f float64
			if err := share(sub.Key, &f, positivePercent).Read(sub); err != nil {
				return err
			}
			if sub.Key == defaultEffect {
				d.MinEffect = f
				continue
			}
			if d.MinEffects == nil {
				d.MinEffects = map[string]float64{}
			}
			d.MinEffects[metricName(sub.Key)] = f
		}
		return nil
	}, Write: func() string {
		if len(d.MinEffects) == 0 {
			return all.Write()
		}
		by := map[string]string{}
		for m, f := range d.MinEffects {
			by[m] = formatPercent(f)
		}
		if d.MinEffect != 0 && d.MinEffect != assay.DefaultMinEffect {
			by[defaultEffect] = formatPercent(d.MinEffect)
		}
		return document.QuotePairs(by)
	}}
}

// checkMetrics refuses metrics that are never observed: they would never have a verdict.
func checkMetrics(s *assay.Study, root *document.Table) error {
	decide := root.Find("decide")
	if decide == nil {
		return nil
	}
	for _, key := range []string{"metric", "min_effect", "tradeoff"} {
		e := decide.Value.Table.Find(key)
		if e == nil {
			continue
		}
		for _, m := range namedMetrics(e) {
			if problem := notObserved(s, metricName(m.Value.Text)); problem != "" {
				return m.Wrong(problem)
			}
		}
	}
	return nil
}

// namedMetrics returns the metrics that a key of [decide] names: the values of metric and
// tradeoff, or the keys of min_effect.
func namedMetrics(e *document.Entry) []*document.Entry {
	var out []*document.Entry
	switch e.Value.Kind {
	case unstable.String:
		if e.Key != "min_effect" {
			out = append(out, e)
		}
	case unstable.Array:
		for _, item := range e.Value.Items {
			out = append(out, item.In(e))
		}
	case unstable.Table:
		for _, sub := range e.Value.Table.Entries {
			out = append(out, document.Value{Kind: unstable.String, At: sub.At, Text: sub.Key}.In(e))
		}
	}
	return out
}

// notObserved says why a study does not observe a metric. Benchmarks can print any other.
func notObserved(s *assay.Study, metric string) string {
	latencies := namesOf(assay.Quantiles, assay.Quantile.Metric)
	others := []string{assay.MetricRequests, assay.MetricErrors, assay.MetricMeanRSS, assay.MetricRSS, assay.MetricServerCPU}
	serves := anyService(s)
	switch {
	case metric == assay.MetricRequests && serves && s.FixesRate():
		return "is fixed by the load, so that it is the same with every server that keeps up; ask for latency.p99 or cpu-sec/ktx"
	case serves && metric == assay.MetricTime:
		return "is not measured of a service; it has " + strings.Join(append(latencies, others...), ", ")
	case serves && strings.HasPrefix(metric, "latency") && !slices.Contains(latencies, metric):
		return "is not a quantile that assay gives; it has " + strings.Join(latencies, ", ")
	case strings.HasPrefix(metric, assay.GCPrefix) && !s.Measure.Collects(assay.CollectGC):
		return `is not collected: add collect = ["gc"] to [measure]`
	}
	return ""
}

func anyService(s *assay.Study) bool {
	return slices.ContainsFunc(s.Workloads, func(w assay.Workload) bool { return w.Kind == assay.KindService })
}

// collected holds the words of collect. Those that are false are always collected:
// allocations of benchmarks, memory of commands and services, counters of commands.
var collected = map[string]bool{
	"allocs": false, assay.CollectRSS: false, "perf": false,
	assay.CollectGC: true, assay.CollectCode: true, assay.CollectCPU: true, assay.CollectMem: true,
}

// Collect checks the words of collect and returns those that are not always collected.
func Collect(words []string) (out []string, err error) {
	for i, w := range words {
		if err := collectWord(words[:i], w); err != nil {
			return nil, fmt.Errorf("%q %w", w, err)
		}
		if collected[w] {
			out = append(out, w)
		}
	}
	return out, nil
}

// collectWord checks a word of collect, which must not repeat one before it.
func collectWord(before []string, w string) error {
	if slices.Contains(before, w) {
		return fmt.Errorf("is named twice")
	}
	if _, ok := collected[w]; !ok {
		return fmt.Errorf(`is unknown; this assay knows "allocs", "code", "cpu", "gc", "mem", "perf" and "rss"`)
	}
	return nil
}

// collect is what to collect besides the metrics.
func collect(p *[]string) document.Field {
	f := document.Strings("collect", p)
	f.Read = func(e *document.Entry) error {
		var list []string
		err := document.List(e.Key, &list, func(w string) (string, error) { return w, collectWord(list, w) }).Read(e)
		if err == nil {
			*p, err = Collect(list)
		}
		return err
	}
	return f
}

// CollectList reads the list of a flag: words separated by commas.
func CollectList(s string) ([]string, error) {
	if s == "" {
		return nil, fmt.Errorf("names nothing")
	}
	return Collect(strings.Split(s, ","))
}

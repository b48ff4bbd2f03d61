package sample

import (
	"testing"

	"github.com/seed-1318a441/assay"
)

// loaded is a set of blocks under a load of 200 requests a second: of each the rates that a
// and b attained, and the share of errors in b.
func loaded(blocks ...[3]float64) *Set {
	p := planOf([]string{"X"}, "a", "b")
	p.Study.Workloads = []assay.Workload{{Kind: assay.KindService}}
	p.Study.Decide.Metrics = []string{"latency.p99", assay.MetricRequests}
	set := NewSet(p)
	for _, x := range blocks {
		var block []assay.Trial
		for i, v := range []string{"a", "b"} {
			tr := of(v, "X", assay.MetricRequests, x[i])
			tr.Intended, tr.Observations["latency.p99"], tr.Observations[assay.MetricRSS] = 200, 1, 1
			tr.Observations[assay.MetricErrors] = float64(i) * x[2]
			block = append(block, tr)
		}
		set.Add(block)
	}
	return set
}

// From three blocks on a server that did not keep up with its load is not compared by
// latency and throughput: one that is quick because it refuses has kept up.
func TestSaturated(t *testing.T) {
	full, short, refused := [3]float64{200, 199, 0}, [3]float64{200, 150, 0}, [3]float64{200, 100, 0.5}
	const queue = "b attained 150 of 200 requests a second: latency is that of the queue; lower the rate"
	for _, test := range []struct {
		name   string
		blocks [][3]float64
		metric string
		want   string
	}{
		{"kept up", [][3]float64{full, full, full}, "latency.p99", ""},
		{"two blocks", [][3]float64{short, short}, "latency.p99", ""},
		{"three blocks", [][3]float64{short, short, short}, "latency.p99", queue},
		{"throughput", [][3]float64{short, short, short}, assay.MetricRequests, queue},
		{"memory", [][3]float64{short, short, short}, assay.MetricRSS, ""},
		{"one block of three", [][3]float64{full, short, full}, "latency.p99", ""},
		{"refused", [][3]float64{refused, refused, refused}, "latency.p99", ""},
		{"the base", [][3]float64{{90, 200, 0}, {90, 200, 0}, {90, 200, 0}}, "latency.p99",
			"a attained 90 of 200 requests a second: latency is that of the queue; lower the rate"},
	} {
		b := loaded(test.blocks...).Benchmarks[0]
		if got := b.Saturated(test.metric, "b"); got != test.want {
			t.Errorf("%s: got %q, want %q", test.name, got, test.want)
		}
		if s := b.Unsaturated(test.metric, "b"); (s == nil) != (test.want != "") {
			t.Errorf("%s: got the sample %v", test.name, s)
		}
	}
}

// Nothing is left to decide only if all that decides is saturated.
func TestAllSaturated(t *testing.T) {
	short := [3]float64{200, 150, 0}
	set := loaded(short, short, short)
	if !set.Benchmarks[0].AllSaturated() {
		t.Error("latency and throughput are saturated, but something is left")
	}
	set.Plan.Study.Decide.Metrics = append(set.Plan.Study.Decide.Metrics, assay.MetricRSS)
	if set.Benchmarks[0].AllSaturated() {
		t.Error("memory is left")
	}
	if NewSet(planOf([]string{"X"}, "a", "b")).Benchmarks[0].AllSaturated() {
		t.Error("nothing ran, but all is saturated")
	}
}

// Of a load only trials count that attained something of an intended rate.
func TestAttained(t *testing.T) {
	trial := func(rate, errors, intended float64) assay.Trial {
		return assay.Trial{Intended: intended, Observations: map[string]float64{assay.MetricRequests: rate, assay.MetricErrors: errors}}
	}
	traced := trial(100, 0, 100)
	traced.Traced = true
	for _, test := range []struct {
		tr    assay.Trial
		share float64
		ok    bool
	}{
		{trial(80, 0, 100), 0.8, true},
		{trial(80, 0.2, 100), 1, true},
		{trial(80, 0, 0), 0, false},
		{trial(0, 0, 100), 0, false},
		{trial(80, 1, 100), 0, false},
		{traced, 0, false},
	} {
		if share, ok := attained(test.tr, 0); share != test.share || ok != test.ok {
			t.Errorf("%v of %g: got %g, %v, want %g, %v", test.tr.Observations, test.tr.Intended, share, ok, test.share, test.ok)
		}
	}
}

// Rates have three digits, and from 100 on all that stand before the point.
func TestRate(t *testing.T) {
	for x, want := range map[float64]string{1999.9: "1999", 100: "100", 12.34: "12.3", 0.5: "0.5"} {
		if got := rate(x); got != want {
			t.Errorf("%g: got %s, want %s", x, got, want)
		}
	}
}

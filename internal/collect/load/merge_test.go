package load

import (
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	assay "github.com/seed-1318a441/assay"
)

// Histograms and counts of short runs add up, percentiles have their median.
func TestMerge(t *testing.T) {
	got := Merge([]Result{
		{Latency: assay.Histogram{Values: []float64{1, 3}, Counts: []int{2, 1}}, Requests: 3, Errors: 1, Seconds: 1, Rate: 3, Intended: 5,
			Intervals: []assay.Interim{{At: 1}}, Metrics: map[string]float64{"a": 1, "b": 7}},
		{Latency: assay.Histogram{Values: []float64{2, 3}, Counts: []int{4, 5}}, Requests: 9, Seconds: 2, Rate: 4.5, Intended: 5,
			Intervals: []assay.Interim{{At: 1}}, Metrics: map[string]float64{"a": 2}},
	})
	want := Result{Latency: assay.Histogram{Values: []float64{1, 2, 3}, Counts: []int{2, 4, 6}}, Requests: 12, Errors: 1, Seconds: 3, Rate: 4, Intended: 5,
		Intervals: []assay.Interim{{At: 1}, {At: 2}}, Metrics: map[string]float64{"a": 1.5}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
	var runs []Result
	for _, p99 := range []float64{9, 1, 2} {
		runs = append(runs, Result{Requests: 200, Rate: p99, Percentiles: []assay.Percentile{{P: 0.5, Seconds: p99 / 10}, {P: 0.99, Seconds: p99}, {P: 0.999, Seconds: 1}}})
	}
	got = Merge(runs)
	// The p99.9 of 200 requests is none of theirs.
	if want := []assay.Percentile{{P: 0.5, Seconds: 0.2}, {P: 0.99, Seconds: 2}}; !reflect.DeepEqual(got.Percentiles, want) || got.Rate != 4 || got.Requests != 600 {
		t.Errorf("got %+v, want percentiles %v, a rate of 4", got, want)
	}
}

func TestShorten(t *testing.T) {
	for _, test := range []struct {
		format, line, want string
		now                time.Duration
	}{
		{"sysbench", "sysbench oltp --time=6 --threads=2 run", "sysbench oltp --time=2 --threads=2 run", 6 * time.Second},
		{"sysbench", "sysbench oltp --warmup-time=3 --time=6 run", "", 0},
		{"sysbench", "sysbench oltp --events=1000 run", "", 0},
		{"sysbench", "sh -c sysbench --time=6", "", 0},
		{"pgbench", "/usr/lib/pg/pgbench -n -T 10 db", "/usr/lib/pg/pgbench -n -T 2 db", 10 * time.Second},
		{"pgbench", "pgbench -T10 db", "pgbench -T2 db", 10 * time.Second},
		{"pgbench", "pgbench --time=10 db", "pgbench --time=2 db", 10 * time.Second},
		{"pgbench", "pgbench -t 1000 db", "", 0},
		{"wrk", "wrk -t2 -d1m --latency URL", "wrk -t2 -d2s --latency URL", time.Minute},
		{"wrk", "wrk --duration 10 URL", "wrk --duration 2s URL", 10 * time.Second},
		{"wrk2", "wrk2 -d30s -R100 URL", "", 0},
		{"hey", "hey -z 10s -q 5 URL", "hey -z 2s -q 5 URL", 10 * time.Second},
		{"hey", "hey -z=10s URL", "hey -z=2s URL", 10 * time.Second},
		{"hey", "hey -n 100 URL", "", 0},
		{"wrk", "wrk -d", "", 0},
	} {
		line := strings.Fields(test.line)
		got, now, ok := Shorten(test.format, line, 2*time.Second)
		if strings.Join(got, " ") != test.want || now != test.now || ok != (test.want != "") || !slices.Equal(line, strings.Fields(test.line)) {
			t.Errorf("%s: %q, %v, %v; want %q, %v", test.line, got, now, ok, test.want, test.now)
		}
	}
}

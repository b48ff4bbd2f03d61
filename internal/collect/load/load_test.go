package load

import (
	"encoding/json"
	"io"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	assay "github.com/seed-1318a441/assay"
)

func open(t testing.TB, name string) io.Reader {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return strings.NewReader(string(b))
}

// parse reads what a load generator printed and the files that it left.
func parse(t testing.TB, format, stdout string, files ...string) Result {
	t.Helper()
	in := Input{Stdout: open(t, stdout)}
	for _, f := range files {
		in.Files = append(in.Files, open(t, f))
	}
	r, err := Parse(format, in)
	if err != nil {
		t.Fatalf("%s: %v", stdout, err)
	}
	return r
}

// TestCaptured reads what the tools left; testdata/README.md has the commands.
// Quantiles are given to four digits; those of HdrHistogram are, to 1 %, the
// ones that the Java library gave.
func TestCaptured(t *testing.T) {
	const p50, p90, p99, p999 = "latency.p50", "latency.p90", "latency.p99", "latency.p99.9"
	for _, test := range []struct {
		format string
		files  []string
		// requests, errors, total of the histogram, lines of progress, percentiles
		counts                  [5]int
		seconds, rate, intended float64
		want                    map[string]float64
	}{
		{"sysbench", []string{"sysbench-sql.txt"}, [5]int{519, 0, 519, 10, 1}, 10.008, 51.86, 0,
			map[string]float64{p50: 0.018974, p90: 0.021145}},
		{"sysbench", []string{"sysbench-sql-errors.txt"}, [5]int{5578, 7, 5578, 20, 1}, 20.0253, 278.5, 0,
			map[string]float64{p50: 0.01276, p90: 0.02157, p99: 0.03964}},
		{"sysbench", []string{"sysbench-cpu.txt"}, [5]int{10799, 0, 10799, 2, 1}, 3.0008, 3599, 0,
			map[string]float64{p50: 0.00022136, p90: 0.00023483, p99: 0.0035726, p999: 0.004579}},
		{"sysbench", []string{"sysbench-rate.txt"}, [5]int{180, 0, 180, 2, 1}, 2.0056, 89.75, 0,
			map[string]float64{p50: 0.00027877, p90: 0.0003623}},
		{"sysbench", []string{"sysbench-no-percentile.txt"}, [5]int{8556, 0, 0, 0, 0}, 2.0001, 4278, 0, nil},
		{"sysbench", []string{"sysbench-fileio.txt"}, [5]int{1440707, 0, 0, 0, 1}, 2.0003, 720200, 0, nil},
		{"wrk", []string{"wrk.txt"}, [5]int{129034, 0, 0, 0, 4}, 3, 42980, 0,
			map[string]float64{p50: 65e-6, p90: 258e-6, p99: 5.21e-3}},
		{"wrk", []string{"wrk-plain.txt"}, [5]int{85756, 0, 0, 0, 0}, 2.1, 40840, 0, nil},
		{"wrk", []string{"wrk-errors.txt"}, [5]int{54764 - 1095 - 11, 1095 + 11, 0, 0, 4}, 6.54, 8199, 0,
			map[string]float64{p50: 46e-6, p90: 22.04e-3, p99: 406.01e-3}},
		{"wrk2", []string{"wrk2.txt"}, [5]int{30000, 12, 20000, 0, 8}, 30, 1000, 0,
			map[string]float64{p50: 0.001541, p90: 0.002511, p99: 0.004203, p999: 0.01803}},
		{"pgbench", []string{"pgbench.txt", "pgbench-1.log", "pgbench-2.log"}, [5]int{600, 0, 600, 0, 0}, 0.1912, 3137, 0,
			map[string]float64{p50: 0.0006117, p90: 0.0007558}},
		{"pgbench", []string{"pgbench.txt"}, [5]int{600, 0, 0, 0, 0}, 0.1912, 3137, 0, nil},
		{"pgbench", []string{"pgbench-rate.txt", "pgbench-rate.log"}, [5]int{915, 4, 915, 0, 0}, 2.994, 305.6, 0,
			map[string]float64{p50: 0.000652, p90: 0.003036}},
		{"pgbench", []string{"pgbench-failed.txt", "pgbench-failed.log"}, [5]int{161, 289, 161, 0, 0}, 0.07059, 2281, 0,
			map[string]float64{p50: 0.0004027, p90: 0.0005242}},
		{"pgbench", []string{"pgbench-progress.txt"}, [5]int{6092, 0, 0, 1, 0}, 1.995, 3053, 0, nil},
		{"hdr", []string{"ns.hlog"}, [5]int{20000, 0, 20000, 4, 0}, 4, 5000, 0,
			map[string]float64{p50: 0.001001, p90: 0.001914, p99: 0.003531, p999: 0.01737}},
		{"hdr", []string{"us.hlog"}, [5]int{20000, 0, 20000, 4, 0}, 4, 5000, 0,
			map[string]float64{p50: 0.001000, p90: 0.001913, p99: 0.003529, p999: 0.01737}},
		{"hdr", []string{"tagged.hlog"}, [5]int{20000, 0, 20000, 4, 0}, 4, 5000, 0,
			map[string]float64{p50: 0.001001, p90: 0.001914, p99: 0.003531, p999: 0.01737}},
		{"hdr-percentiles", []string{"percentiles.hgrm"}, [5]int{20000, 0, 20000, 0, 0}, 0, 0, 0,
			map[string]float64{p50: 0.001001, p90: 0.001914, p99: 0.003531, p999: 0.01737}},
		{"csv", []string{"latencies.csv"}, [5]int{300, 0, 300, 0, 0}, 0, 0, 0,
			map[string]float64{p50: 0.0005965, p90: 0.0007319}},
	} {
		r := parse(t, test.format, test.files[0], test.files[1:]...)
		name := test.files[0]
		if got := [5]int{r.Requests, r.Errors, r.Latency.Total(), len(r.Intervals), len(r.Percentiles)}; got != test.counts {
			t.Errorf("%s: counts %v, want %v", name, got, test.counts)
		}
		for i, pair := range [][2]float64{{r.Seconds, test.seconds}, {r.Rate, test.rate}, {r.Intended, test.intended}} {
			if !near(pair[0], pair[1], 0.0005) {
				t.Errorf("%s: %s is %g, want %g", name, []string{"seconds", "rate", "intended"}[i], pair[0], pair[1])
			}
		}
		tolerance := 0.0005
		if strings.HasPrefix(test.format, "hdr") || test.format == "wrk2" {
			tolerance = 0.01
		}
		checkObservations(t, name, r, test.want, tolerance)
	}
}

// checkObservations wants these quantiles, no others, and the metrics of the
// rate and the errors.
func checkObservations(t *testing.T, name string, r Result, want map[string]float64, tolerance float64) {
	t.Helper()
	got := r.Observations()
	if !near(got[assay.MetricErrors], float64(r.Errors)/float64(r.Requests+r.Errors), 1e-12) || got[assay.MetricRequests] != r.Rate {
		t.Errorf("%s: observed %v", name, got)
	}
	for metric, v := range got {
		if !assay.IsLatency(metric) {
			continue
		}
		if w, ok := want[metric]; !ok || !near(v, w, tolerance) {
			t.Errorf("%s: %s is %g, want %g", name, metric, v, w)
		}
	}
	for metric := range want {
		if _, ok := got[metric]; !ok {
			t.Errorf("%s: no %s", name, metric)
		}
	}
}

func near(got, want, tolerance float64) bool { return math.Abs(got-want) <= tolerance*math.Abs(want) }

func TestIntervals(t *testing.T) {
	for _, test := range []struct {
		format, file string
		i            int
		want         assay.Interim
	}{
		{"sysbench", "sysbench-sql.txt", 9, assay.Interim{At: 10, Rate: 52.01, Latency: 0.02189}},
		{"sysbench", "sysbench-sql-errors.txt", 5, assay.Interim{At: 6, Rate: 275.48, Latency: 0.04498, Errors: 1}},
		{"sysbench", "sysbench-rate.txt", 1, assay.Interim{At: 2, Rate: 92.03, Latency: 0.00261}},
		{"pgbench", "pgbench-progress.txt", 0, assay.Interim{At: 1, Rate: 2692.9}},
		{"hdr", "ns.hlog", 3, assay.Interim{At: 4, Rate: 5000}},
	} {
		if got := parse(t, test.format, test.file).Intervals[test.i]; got != test.want {
			t.Errorf("%s: %+v, want %+v", test.file, got, test.want)
		}
	}
}

// TestErrorsPerSecond: a lost connection is an error too.
func TestErrorsPerSecond(t *testing.T) {
	var s sysbench
	err := s.read("[ 4s ] thds: 4 tps: 301.02 qps: 6039.34 (r/w/o: 4230.24/1206.07/603.03) lat (ms,99%): 36.24 err/s: 1.00 reconn/s: 0.50")
	want := []assay.Interim{{At: 4, Rate: 301.02, Latency: 0.03624, Errors: 1.5}}
	if err != nil || !slices.Equal(s.Intervals, want) {
		t.Errorf("%+v, %v, want %+v", s.Intervals, err, want)
	}
}

// TestRoundTrip: what "assay load" prints, parse = "assay" reads.
func TestRoundTrip(t *testing.T) {
	want := parse(t, "sysbench", "sysbench-rate.txt")
	want.Metrics = map[string]float64{"x/op": -1.5}
	b, err := json.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	got, err := Parse("assay", Input{Stdout: strings.NewReader(string(b))})
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, %v, want %+v", got, err, want)
	}
}

func TestBenchfmt(t *testing.T) {
	const text = "goos: linux\nBenchmarkLoad-2 \t 1000\t 500 ns/op\t 20 hits/op\nlog\nBenchmarkLoad-2 \t 3000\t 700 ns/op\t 40 hits/op\t 0.25 errors/tx\nPASS\n"
	r, err := Parse("benchfmt", Input{Stdout: strings.NewReader(text)})
	want := map[string]float64{"sec/op": 600e-9, "hits/op": 30, "errors/tx": 0.25}
	if err != nil || r.Requests != 4000 || !reflect.DeepEqual(r.Observations(), want) {
		t.Errorf("%d requests, %v, %v, want %v", r.Requests, r.Observations(), err, want)
	}
}

// TestCSV is about units and columns.
func TestCSV(t *testing.T) {
	want := assay.Histogram{Values: []float64{0.0012, 0.004101}, Counts: []int{2, 1}}
	for _, text := range []string{
		"0.0012\n0.0012\n0.004101\n", "0.0012\n0.004101\n0.0012", "latency\r\n0.0012\r\n0.004101\r\n0.0012\r\n",
		"# a comment\n\nlatency_ms\n1.2\n4.101\n1.20\n", "US\n1200\n4101\n1200\n",
		"\"url\",\"latency_ns\"\n\"a,b\",1200000\nc,4101000\nd, 1200000\n",
	} {
		r, err := Parse("csv", Input{Stdout: strings.NewReader(text)})
		if err != nil || r.Requests != 3 || !reflect.DeepEqual(r.Latency, want) {
			t.Errorf("%q: %v, %v, want %v", text, r.Latency, err, want)
		}
	}
	two := Input{Files: []io.Reader{strings.NewReader("ms\n1.2\n1.2\n"), strings.NewReader("us\n4101\n")}}
	if r, err := Parse("csv", two); err != nil || !reflect.DeepEqual(r.Latency, want) {
		t.Errorf("two files: %v, %v, want %v", r.Latency, err, want)
	}
}

func TestFormats(t *testing.T) {
	got := Formats()
	if !slices.IsSorted(got) {
		t.Errorf("%q is not sorted", got)
	}
	for _, name := range []string{"assay", "benchfmt", "csv", "hdr", "hdr-percentiles", "pgbench", "sysbench", "wrk", "wrk2"} {
		if !slices.Contains(got, name) {
			t.Errorf("no format %s", name)
		}
	}
}

func TestPackage(t *testing.T) {
	for program, want := range map[string][2]string{
		"/usr/bin/sysbench": {"sysbench", "sysbench"}, "ab": {"apache2-utils", "httpd"}, "vegeta": {"", "vegeta"}, "mine": {},
	} {
		if debian, brew := Package(program); [2]string{debian, brew} != want {
			t.Errorf("%s: %q, %q, want %q", program, debian, brew, want)
		}
	}
}

// TestHDRMean: every bucket is read, and goes by the middle that Java takes; it
// gave this mean.
func TestHDRMean(t *testing.T) {
	h := parse(t, "hdr", "ns.hlog").Latency
	sum := 0.0
	for i, v := range h.Values {
		sum += v * float64(h.Counts[i])
	}
	if got, want := sum/float64(h.Total()), 1177681.936e-9; !near(got, want, 1e-12) {
		t.Errorf("mean %.15g, want %g", got, want)
	}
}

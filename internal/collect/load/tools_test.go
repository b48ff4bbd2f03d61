package load

import (
	"io"
	"strings"
	"testing"
)

// TestTools reads what the tools with files in JSON and CSV left;
// testdata/README.md has the commands. The quantiles were counted from the same
// files by other means; Harrell and Davis's differ from them by less than the
// tolerance.
func TestTools(t *testing.T) {
	const p50, p90, p99 = "latency.p50", "latency.p90", "latency.p99"
	for _, test := range []struct {
		format string
		files  []string
		// requests, errors, total of the histogram, percentiles
		counts                  [4]int
		seconds, rate, intended float64
		want                    map[string]float64
	}{
		// 461 of 977 took 0.1 ms at most, as hey rounds, and 386 took 0.2 ms: the
		// median is 27.5/386 of the way from 0.15 to 0.25 ms. The 90th lies 32.3/87 of
		// the way from there to 0.35 ms.
		{"hey", []string{"hey.csv"}, [4]int{977, 20, 977, 0}, 2.0413, 478.6166, 0,
			map[string]float64{p50: 0.0001571, p90: 0.0002871}},
		{"hey", []string{"hey.txt"}, [4]int{1000, 0, 0, 7}, 0.2601, 3845.39, 0,
			map[string]float64{p50: 0.0002, p90: 0.0005, p99: 0.0055}},
		{"hey", []string{"hey-0.1.5.txt"}, [4]int{200, 0, 0, 7}, 0.0112, 17821.6587, 0, map[string]float64{p50: 0.0001, p90: 0.0001}},
		{"hey", []string{"hey-errors.txt"}, [4]int{1955, 40 + 5, 0, 7}, 2.0804, 961.3563 * 1955 / 2000, 0,
			map[string]float64{p50: 0.0001, p90: 0.0002, p99: 0.0008}},
		{"oha", []string{"oha.json"}, [4]int{1955, 40 + 5, 0, 9}, 2.135679, 936.4701 * 1955 / 2000, 0,
			map[string]float64{p50: 0.000275079, p90: 0.000542767, p99: 0.000933098}},
		{"oha", []string{"oha.csv"}, [4]int{488, 10, 488, 0}, 0.1012832, 488 / 0.1012832, 0,
			map[string]float64{p50: 0.000377441, p90: 0.000784427}},
		{"oha", []string{"oha-deadline.json"}, [4]int{300, 0, 0, 9}, 1.002949, 299.1178, 0,
			map[string]float64{p50: 0.000401658, p90: 0.000673191}},
		{"k6", []string{"k6-handle.json"}, [4]int{1960, 40, 0, 5}, 2.71747, 735.97856 * 0.98, 0,
			map[string]float64{p50: 0.0001702835, p90: 0.0004821611, p99: 0.0019875975}},
		{"k6", []string{"k6-export.json"}, [4]int{2000, 0, 0, 3}, 0.2744751, 7286.6356, 0,
			map[string]float64{p50: 0.000321608, p90: 0.00090047}},
		{"k6", []string{"k6-machine.json"}, [4]int{1960, 40, 0, 2}, 2.676604, 732.27131, 0,
			map[string]float64{p50: 0.000137139, p90: 0.00032223}},
		// 7 failed, one of them in its timeout; 60 iterations were dropped.
		{"k6", []string{"k6.json", "k6.csv"}, [4]int{334, 7 + 60, 335, 3}, 1.00083, 333.7229, 0,
			map[string]float64{p50: 0.000251033, p90: 0.00039478}},
		{"vegeta", []string{"vegeta.json"}, [4]int{98, 2, 98, 0}, 0.3306096, 98 / 0.3306096, 0,
			map[string]float64{p50: 0.000357}},
		// 12 answers of 503 and a timeout, which has a latency.
		{"vegeta", []string{"vegeta.csv"}, [4]int{587, 13, 588, 0}, 1.996087, 294.0754, 0,
			map[string]float64{p50: 0.000334367, p90: 0.000641655}},
		{"vegeta", []string{"vegeta-report.json"}, [4]int{587, 13, 0, 4}, 1.996087, 294.0754, 0,
			map[string]float64{p50: 0.000335884, p90: 0.000636082}},
		{"ghz", []string{"ghz.json"}, [4]int{300, 0, 300, 7}, 0.039916932, 7515.6077, 0,
			map[string]float64{p50: 0.000364833, p90: 0.000724825}},
		{"ghz", []string{"ghz-errors.json"}, [4]int{196, 4, 196, 7}, 1.032487, 189.833, 0,
			map[string]float64{p50: 0.000394286, p90: 0.00063374}},
		{"ghz", []string{"ghz-async.json"}, [4]int{300, 0, 300, 7}, 3.001334, 99.95555, 100,
			map[string]float64{p50: 0.00040307, p90: 0.000547465}},
		// redis-benchmark says 0.103, 0.187 (row of 92 %) and 20.527 (row of 99.2 %)
		// for one, and has no quantiles of both commands together.
		{"redis-benchmark", []string{"redis-benchmark-pipeline.txt"}, [4]int{20000, 0, 20000, 0}, 0.292, 68493.15, 0,
			map[string]float64{p50: 0.000100775, p90: 0.000187003, p99: 0.0124354, "latency.p99.9": 0.12026}},
		{"redis-benchmark", []string{"redis-benchmark.txt"}, [4]int{40000, 0, 40000, 0}, 20000/21208.91 + 20000/33388.98, 25940.34, 0,
			map[string]float64{p50: 0.000067, p90: 0.00009228, p99: 0.00258116, "latency.p99.9": 0.0079213}},
	} {
		in := Input{Stdout: open(t, test.files[0])}
		for _, f := range test.files[1:] {
			in.Files = append(in.Files, open(t, test.files[0]), open(t, f))
		}
		r, err := Parse(test.format, in)
		name := strings.Join(test.files, ", ")
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got := [4]int{r.Requests, r.Errors, r.Latency.Total(), len(r.Percentiles)}; got != test.counts {
			t.Errorf("%s: counts %v, want %v", name, got, test.counts)
		}
		for i, pair := range [][2]float64{{r.Seconds, test.seconds}, {r.Rate, test.rate}, {r.Intended, test.intended}} {
			if !near(pair[0], pair[1], 0.0005) {
				t.Errorf("%s: %s is %g, want %g", name, []string{"seconds", "rate", "intended"}[i], pair[0], pair[1])
			}
		}
		checkObservations(t, name, r, test.want, 0.02)
	}
}

// TestFailedChecks: they are a metric, and no errors.
func TestFailedChecks(t *testing.T) {
	for file, want := range map[string]float64{"k6-handle.json": 40. / 2000, "k6-export.json": 0, "k6-machine.json": 40. / 2000} {
		if got, ok := parse(t, "k6", file).Observations()["failed-checks/tx"]; !ok || got != want {
			t.Errorf("%s: %g, %v, want %g", file, got, ok, want)
		}
	}
	if got, ok := parse(t, "k6", "k6.json").Observations()["failed-checks/tx"]; ok {
		t.Errorf("a script without checks: %g", got)
	}
}

// TestToolsRefused is about output that is cut off or does not add up.
func TestToolsRefused(t *testing.T) {
	cut := func(name string, bytes int) string { return text(t, name)[:bytes] }
	replace := func(name, old, new string) string {
		s := text(t, name)
		if !strings.Contains(s, old) {
			t.Fatalf("%s: no %q", name, old)
		}
		return strings.Replace(s, old, new, 1)
	}
	for _, test := range []struct{ format, in, want string }{
		{"hey", replace("hey.txt", "[200]	1000", "[200]	999"), "does not add up: the distributions count 999 requests, the rate gives 1000"},
		{"hey", cut("hey.csv", 30000), "hey output has 3 columns, not 8, in line 566"},
		{"hey", replace("hey.csv", ",200,", ",abc,"), `hey output has "abc" where a number of requests belongs in line 2`},
		{"oha", replace("oha.json", `"200": 1955`, `"200": 1956`), "does not add up: the histogram counts 1,995 requests, the statuses 1,996"},
		{"oha", replace("oha.json", `"200": 1955`, `"2x": 1955`), `has "2x" where a number of requests belongs`},
		{"oha", replace("oha.json", `"timeout": 5`, `"timeout": -5`), "counts -5 errors"},
		{"oha", "{}", "oha output has no latencyPercentiles, statusCodeDistribution or total"},
		{"oha", cut("oha.csv", 5000), "oha output ends in the middle of a line"},
		{"k6", "{}", "k6 output has no metric http_reqs"},
		{"k6", text(t, "k6.csv"), "k6 output has no summary: run k6 with --summary-export=FILE"},
		{"k6", replace("k6-handle.json", `"passes":40,`, `"passes":2001,`), "does not add up: 2,001 requests of 2,000 failed"},
		{"k6", replace("k6-handle.json", `"count":2000,"rate":735`, `"count":2000.5,"rate":735`), "has 2000.5 where a number of requests belongs"},
		{"vegeta", cut("vegeta.json", 5000), "vegeta output is not the JSON that was expected (unexpected end of JSON input) in line 16"},
		{"vegeta", cut("vegeta.csv", 5000), "vegeta output ends in the middle of a line"},
		{"vegeta", replace("vegeta-report.json", `"200":587`, `"200":588`), "does not add up: it counts 600 requests, its statuses 601"},
		{"vegeta", "{}\n", "has no code in line 1"},
		{"ghz", "{}", "ghz output has no count or statusCodeDistribution"},
		{"ghz", replace("ghz-errors.json", `"OK":196`, `"OK":197`), "does not add up: it counts 200 calls, its statuses 201"},
		{"ghz", replace("ghz.json", `"count":300`, `"count":301`), "does not add up: it counts 301 calls, its statuses 300"},
		{"redis-benchmark", text(t, "redis-benchmark.csv"), "redis-benchmark output has neither a histogram nor the number of requests: leave out --csv in line 1"},
		{"redis-benchmark", text(t, "redis-benchmark-quiet.txt"), "has no histogram: leave out -q in line 1"},
		{"redis-benchmark", "\rGET: rps=0.0\rError from server: ERR \x1b[31mx\n", `says "Error from server: ERR x"`},
		{"redis-benchmark", replace("redis-benchmark.txt", "count 20000)", "count 18000)"), "does not add up"},
		{"redis-benchmark", replace("redis-benchmark.txt", "  20000 requests completed", "  90000 requests completed"),
			"the tables count 20,000 requests of SET, 90,000 were completed"},
		{"redis-benchmark", "====== SET ======\n99.99% <= 1 milliseconds\n", "has no cumulative counts, as redis-benchmark 7 prints them, in line 2"},
	} {
		_, err := Parse(test.format, Input{Stdout: strings.NewReader(test.in)})
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %s", test.format, err, test.want)
		}
	}
	in := Input{Files: []io.Reader{open(t, "k6.json"), strings.NewReader(replace("k6.csv", "http_req_duration,", "http_req_waiting,"))}}
	if _, err := Parse("k6", in); err == nil || !strings.Contains(err.Error(), "the table holds 340 requests, the summary 341") {
		t.Errorf("k6: %v", err)
	}
}

// TestPreparation: what redis-benchmark runs to make data for a command is not
// measured.
func TestPreparation(t *testing.T) {
	whole := text(t, "redis-benchmark.txt")
	got, err := Parse("redis-benchmark", Input{Stdout: strings.NewReader(
		strings.Replace(whole, "====== SET ======", "====== LPUSH (needed to benchmark GET) ======", 1))})
	if err != nil || got.Requests != 20000 || !near(got.Rate, 33388.98, 1e-6) {
		t.Errorf("%d requests, %g/s, %v, want 20000 of GET", got.Requests, got.Rate, err)
	}
}

// TestLikeAnother: output of one tool read as that of another says so.
func TestLikeAnother(t *testing.T) {
	files := map[string]string{
		"hey.txt": "hey", "hey.csv": "hey", "oha.json": "oha", "oha.csv": "oha", "k6.json": "k6", "k6.csv": "k6",
		"k6-machine.json": "k6", "vegeta.csv": "vegeta", "vegeta.json": "vegeta", "vegeta-report.json": "vegeta", "ghz.json": "ghz",
		"redis-benchmark.txt": "redis-benchmark", "sysbench-sql.txt": "sysbench", "wrk.txt": "wrk", "wrk2.txt": "wrk2",
		"pgbench.txt": "pgbench", "ns.hlog": "hdr", "percentiles.hgrm": "hdr-percentiles",
		"vegeta-report.txt": "vegeta: add -type=json to vegeta report, or use vegeta encode",
	}
	for name, tool := range files {
		for _, format := range []string{"hey", "sysbench", "vegeta", "csv", "assay"} {
			_, err := Parse(format, Input{Stdout: open(t, name)})
			if err == nil && tool == format {
				continue
			}
			if err == nil || !strings.HasSuffix(err.Error(), "; it looks like that of "+tool) {
				t.Errorf("%s as %s: %v", name, format, err)
			}
		}
	}
	// What is not even readable as text has to be made so.
	const gob = "\xff\x96\x7f\x03\x01\x01\x06Result\x01\xff\x80"
	if _, err := Parse("vegeta", Input{Stdout: strings.NewReader(gob)}); err == nil ||
		!strings.HasSuffix(err.Error(), "; it looks like that of vegeta: pipe it through vegeta encode") {
		t.Errorf("gob: %v", err)
	}
	// A cut output of the right tool is not blamed on another.
	if _, err := Parse("wrk", Input{Stdout: strings.NewReader(text(t, "wrk.txt")[:200])}); err == nil || strings.Contains(err.Error(), "looks") {
		t.Errorf("wrk: %v", err)
	}
}

package load

import (
	"io"
	"strings"
	"testing"
)

// What other versions and other tools write is read, or called by its name with what helps.
func TestOtherVersions(t *testing.T) {
	const jmeter = "timeStamp,elapsed,label,responseCode,responseMessage,threadName,success,Latency\n" +
		"1700000000000,120,Home,200,OK,t 1-1,true,80\n1700000000100,300,Home,500,no,t 1-1,false,90\n"
	// As etcd's pkg/report prints it, behind a progress bar.
	const etcd = " 10 / 10 Boo! 100.00 % 2s\n\nSummary:\n  Total:\t2.0763 secs.\n  Slowest:\t0.2407 secs.\n  Requests/sec:\t4.8163\n\n" +
		"Response time histogram:\n  0.002 [1]\t|\n  0.026 [9]\t|∎∎\n\nLatency distribution:\n  50% in 0.0198 secs.\n  99.9% in 0.1220 secs.\n"
	vegeta := func(attack string, seq string) string {
		return `{"attack":"` + attack + `","seq":` + seq + `,"code":200,"timestamp":"2026-01-01T00:00:0` + seq + `Z","latency":1000000}` + "\n"
	}
	for name, test := range map[string]struct {
		format, text string
		requests     int
		errors       int
		err          string
	}{
		"JMeter":              {"csv", jmeter, 1, 1, ""},
		"one attack":          {"vegeta", vegeta("a", "0") + vegeta("a", "1"), 2, 0, ""},
		"two attacks":         {"vegeta", vegeta("a", "0") + vegeta("b", "0"), 0, 0, "begins another attack"},
		"two without a name":  {"vegeta", vegeta("", "0") + vegeta("", "1") + vegeta("", "0"), 0, 0, "begins another attack"},
		"ab":                  {"wrk", "This is ApacheBench, Version 2.3\n", 0, 0, "it looks like that of ab, which no format reads"},
		"bombardier":          {"hey", `{"spec":{"numberOfConnections":1}}`, 0, 0, "it looks like that of bombardier"},
		"etcd benchmark":      {"hey", etcd, 0, 0, `hey output is not of hey: it says "secs." in line 4; it looks like that of etcd benchmark, which no format reads: find single numbers`},
		"text of k6":          {"k6", "     http_req_duration..............: avg=4ms\n", 0, 0, "--summary-export"},
		"points of k6":        {"k6", `{"metric":"http_req_duration","type":"Point","data":{"value":4.2}}` + "\n", 0, 0, "--out csv"},
		"no success of oha":   {"oha", `{"summary":{"total":2},"responseTimeHistogram":{},"latencyPercentiles":{"p50":null},"statusCodeDistribution":{},"errorDistribution":{"refused":20}}`, 0, 0, "20 times: refused"},
		"an unknown format":   {"gatling", "x", 0, 0, "can be given as csv"},
		"calibration of wrk2": {"wrk2", "  Latency Distribution (HdrHistogram - Recorded Latency)\n       Value   Percentile   TotalCount 1/(1-Percentile)\n       0.000     1.000000            0          inf\n#[Max     =        0.000, Total count    =            0]\n  10 requests in 10.00s, 2.10KB read\nRequests/sec:      1.00\nTransfer/sec:     215.00B\n", 0, 0, "-d must be longer"},
	} {
		r, err := Parse(test.format, Input{Files: []io.Reader{strings.NewReader(test.text)}})
		if test.err != "" {
			if err == nil || !strings.Contains(err.Error(), test.err) {
				t.Errorf("%s: got %+v, %v, want %s", name, r, err, test.err)
			}
			continue
		}
		if err != nil || r.Requests != test.requests || r.Errors != test.errors {
			t.Errorf("%s: %d requests, %d errors, %v, want %d and %d", name, r.Requests, r.Errors, err, test.requests, test.errors)
		}
	}
	r, err := Parse("csv", Input{Files: []io.Reader{strings.NewReader(jmeter)}})
	if err != nil || r.Latency.Values[0] != 0.12 {
		t.Errorf("JMeter: latency %v, %v, want 0.12 s", r.Latency.Values, err)
	}
}

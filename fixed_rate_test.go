package assay

import (
	"strings"
	"testing"
)

func TestFixedRate(t *testing.T) {
	for _, test := range []struct {
		parse, load string
		rate        float64
		fixed       bool
	}{
		{"wrk2", "wrk2 -t1 -c4 -d30s -R500 --latency URL", 500, true},
		{"wrk2", "wrk2 -R 500 URL", 500, true},
		{"wrk", "wrk -t1 -c4 URL", 0, false},
		{"vegeta", "echo GET URL | vegeta attack -rate=500 -duration=10s | vegeta encode", 500, true},
		{"vegeta", "vegeta attack -rate=30000/1m", 500, true},
		{"vegeta", "vegeta attack -rate 50/s", 50, true},
		{"vegeta", "vegeta attack -rate=0 -max-workers=4", 0, false},
		{"sysbench", "sysbench oltp_read_write --rate=40 --time=10 run", 40, true},
		{"sysbench", "sysbench oltp_read_write --rate=0 run", 0, false},
		{"sysbench", "sysbench oltp_read_write --time=10 run", 0, false},
		{"pgbench", "pgbench -c 2 -R 100 bench", 100, true},
		{"oha", "oha -q 500 --latency-correction URL", 500, true},
		{"ghz", "ghz --rps=200 --async host", 200, true},
		{"k6", "k6 run --rps 10 load.js", 10, true},
		{"k6", "k6 run load.js", 0, false},
		{"hey", "hey -z 10s -c 4 -q 10 URL", 0, true},
		{"hey", "hey -z 10s -c 4 URL", 0, false},
		{"csv", "mine -R 500", 0, false},
	} {
		for _, line := range [][]string{strings.Fields(test.load), {"sh", "-c", test.load}} {
			s := Service{Parse: test.parse, Load: line}
			if rate, fixed := s.FixedRate(); rate != test.rate || fixed != test.fixed {
				t.Errorf("%q: got %v, %v, want %v, %v", line, rate, fixed, test.rate, test.fixed)
			}
		}
	}
	if rate, fixed := (&Service{HTTP: &HTTPLoad{Rate: 350}}).FixedRate(); rate != 350 || !fixed {
		t.Errorf("the built-in load: %v, %v", rate, fixed)
	}
}

// What the load fixes does not decide unless another load of the study leaves it open.
func TestDefaultMetricsOfLoads(t *testing.T) {
	fixed, open := Workload{Kind: KindService, Service: &Service{HTTP: &HTTPLoad{Rate: 5}}}, Workload{Kind: KindService, Service: &Service{Parse: "wrk"}}
	for want, ws := range map[string][]Workload{
		"latency.p50 latency.p99": {fixed, fixed}, "latency.p50 latency.p99 tx/s": {fixed, open},
	} {
		s := Study{Workloads: ws}
		s.SetDefaults()
		if got := strings.Join(s.Decide.Metrics, " "); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

package load

import (
	"bufio"
	"io"
	"regexp"
	"slices"
)

// headBytes is the length of the part of an output by which it is recognised.
const headBytes = 64 << 10

// noFormat says what helps with a tool that no format reads.
const noFormat = ": find single numbers in it with metrics, or write latencies as csv (docs/load.md)"

// signatures are texts at or near the beginning of outputs, by the format that reads
// them.
var signatures = []struct {
	format  string
	pattern func() *regexp.Regexp
	remedy  string
}{
	{"sysbench", lazy(`\Asysbench \d`), ""},
	{"wrk2", lazy(`(?m)\ARunning [^\n]* test @ (?s:.*)(^  Thread calibration: |HdrHistogram - )`), ""},
	{"wrk", lazy(`\ARunning [^\n]* test @ `), ""},
	{"pgbench", lazy(`(?m)^transaction type: |\Apgbench \(`), ""},
	{"hdr", lazy(`(?m)\A#\[|^"StartTimestamp"|^[\d.]+,[\d.]+,[\d.]+,HISTF`), ""},
	{"hdr-percentiles", lazy(`\A *Value +Percentile +TotalCount`), ""},
	{"etcd benchmark, which no format reads", lazy(`Summary:\n  Total:\t[\d.]+ secs\.\n`), noFormat},
	{"hey", lazy(`\A\s*Summary:\n  Total:\t|\Aresponse-time,`), ""},
	{"oha", lazy(`"latencyPercentiles":|\Arequest-start,`), ""},
	{"k6", lazy(`\A\s*{[^\n]{0,400}"type":"(Metric|Point)"`), ": it has points as JSON; write them as CSV, with k6 run --out csv=FILE"},
	{"k6", lazy(`\A\s*{(?s:.*)"http_req_duration"|\Ametric_name,timestamp,`), ""},
	{"k6", lazy(`(?m)^ *http_req_duration\.*: `), ": it is the summary as text; write one as JSON, with k6 run --summary-export FILE"},
	{"bombardier, which no format reads", lazy(`"spec":{"numberOfConnections":|\ABombarding `), noFormat},
	{"ab, which no format reads", lazy(`\AThis is ApacheBench`), noFormat},
	{"vegeta", lazy(`\AValue\(ms\)\s+Percentile`), ": a hdrplot has no counts; use vegeta encode"},
	{"ghz", lazy(`"statusCodeDistribution":(?s:.*)"latencyDistribution":`), ""},
	{"vegeta", lazy(`\A{"latencies":{|\A{"attack":|\A\d{19},\d+,\d+,\d+,\d+,`), ""},
	{"vegeta", lazy(`\ARequests {6}\[total, rate`), ": add -type=json to vegeta report, or use vegeta encode"},
	{"vegeta", lazy(`\A[^\n]{0,16}Result\x01`), ": pipe it through vegeta encode"},
	{"redis-benchmark", lazy(`(?m)====== [^\n]* ======$|\A"test","rps",|requests per second, p50=`), ""},
	{"benchfmt", lazy(`(?m)^Benchmark\S+\s+\d+\s+\S+ ns/op`), ""},
	{"assay", lazy(`\A\s*{"latency":{"values":`), ""},
}

// head returns the beginning of the first file, or of stdout without one. Reading still
// starts at the beginning.
func (in *Input) head() []byte {
	r := &in.Stdout
	if len(in.Files) > 0 {
		in.Files = slices.Clone(in.Files)
		r = &in.Files[0]
	}
	if *r == nil {
		return nil
	}
	b := bufio.NewReaderSize(*r, headBytes)
	*r = io.Reader(b)
	// An error comes again when the output is read.
	head, _ := b.Peek(headBytes)
	return slices.Clone(head)
}

// likeAnother returns which format head looks like, if it is not format.
func likeAnother(format string, head []byte) string {
	for _, l := range signatures {
		if !l.pattern().Match(head) {
			continue
		}
		if l.format == format && l.remedy == "" {
			return ""
		}
		return "; it looks like that of " + l.format + l.remedy
	}
	return ""
}

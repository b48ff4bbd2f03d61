package load

import (
	"bufio"
	"io"
	"regexp"
	"slices"
)

// headBytes is the part of an output by which it is recognised.
const headBytes = 64 << 10

// looks are what outputs begin with or have early, by the format that reads
// them.
var looks = []struct {
	format  string
	pattern *regexp.Regexp
	remedy  string
}{
	{"sysbench", regexp.MustCompile(`\Asysbench \d`), ""},
	{"wrk2", regexp.MustCompile(`(?m)\ARunning [^\n]* test @ (?s:.*)(^  Thread calibration: |HdrHistogram - )`), ""},
	{"wrk", regexp.MustCompile(`\ARunning [^\n]* test @ `), ""},
	{"pgbench", regexp.MustCompile(`(?m)^transaction type: |\Apgbench \(`), ""},
	{"hdr", regexp.MustCompile(`(?m)\A#\[|^"StartTimestamp"|^[\d.]+,[\d.]+,[\d.]+,HISTF`), ""},
	{"hdr-percentiles", regexp.MustCompile(`\A *Value +Percentile +TotalCount`), ""},
	{"hey", regexp.MustCompile(`\A\s*Summary:\n  Total:\t|\Aresponse-time,`), ""},
	{"oha", regexp.MustCompile(`"latencyPercentiles":|\Arequest-start,`), ""},
	{"k6", regexp.MustCompile(`\A\s*{(?s:.*)"http_req_duration"|\Ametric_name,timestamp,`), ""},
	{"ghz", regexp.MustCompile(`"statusCodeDistribution":(?s:.*)"latencyDistribution":`), ""},
	{"vegeta", regexp.MustCompile(`\A{"latencies":{|\A{"attack":|\A\d{19},\d+,\d+,\d+,\d+,`), ""},
	{"vegeta", regexp.MustCompile(`\ARequests {6}\[total, rate`), ": add -type=json to vegeta report, or use vegeta encode"},
	{"vegeta", regexp.MustCompile(`\A[^\n]{0,16}Result\x01`), ": pipe it through vegeta encode"},
	{"redis-benchmark", regexp.MustCompile(`(?m)====== [^\n]* ======$|\A"test","rps",|requests per second, p50=`), ""},
	{"benchfmt", regexp.MustCompile(`(?m)^Benchmark\S+\s+\d+\s+\S+ ns/op`), ""},
	{"assay", regexp.MustCompile(`\A\s*{"latency":{"values":`), ""},
}

// head is the beginning of the first file, or of stdout without one; reading
// goes on as if it had not been looked at.
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

// likeAnother says which output head looks like, if that is not what format
// takes.
func likeAnother(format string, head []byte) string {
	for _, l := range looks {
		if !l.pattern.Match(head) {
			continue
		}
		if l.format == format && l.remedy == "" {
			return ""
		}
		return "; it looks like that of " + l.format + l.remedy
	}
	return ""
}

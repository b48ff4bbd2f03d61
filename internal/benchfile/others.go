package benchfile

import (
	"bytes"
	"regexp"
)

// itself says how assay compares commands.
const itself = `assay measures commands itself: assay compare --cmd-a "OLD COMMAND" --cmd-b "NEW COMMAND"`

// others are files that people take for output of go test, each with what it is and what
// helps.
var others = []struct {
	is   *regexp.Regexp
	what string
}{
	{regexp.MustCompile(`^\x7fELF|^MZ|^\xcf\xfa\xed\xfe`), "it is a program, no output of go test"},
	{regexp.MustCompile(`(?s)^\s*\{\s*"results":\s*\[\s*\{\s*"command":`), "it is the JSON of hyperfine; " + itself},
	{regexp.MustCompile(`^command,mean,stddev,|^\| Command \| Mean `), "it is a table of hyperfine; " + itself},
	{regexp.MustCompile(`^Benchmark (#?\d+): .*\n\s+Time \(`), "it is the text of hyperfine; " + itself},
	{regexp.MustCompile(`^Running \S+ test @ |^sysbench \d|^\s*Summary:\n  Total:\t|^This is ApacheBench|^Bombarding |^Requests {6}\[total, rate|^\{"latencies":\{|^response-time,|^\{"spec":\{"numberOfConnections"`),
		"it is the result of a load generator; a workload of kind = \"service\" runs one itself (docs/load.md)"},
	{regexp.MustCompile(`(?s)^\s*\{\s*"context":\s*\{.*("benchmarks":\s*\[|"library_build_type")`), "it is the JSON of google/benchmark, which assay does not read"},
	{regexp.MustCompile(`(?s)^\s*\{\s*"machine_info":`), "it is the JSON of pytest-benchmark, which assay does not read"},
	{regexp.MustCompile(`(?s)^\s*\{\s*"schema":\s*\d+`), "it is a result of assay: assay show FILE prints it, assay merge puts several side by side"},
	{regexp.MustCompile(`(?m)│.*(sec/op|vs base)|^name +old (time|alloc)/op`), "it is a table of benchstat, not the output of go test -bench that the table was made of"},
	{regexp.MustCompile(`(?m)^gc \d+ @\d`), "it is a log of the garbage collector: assay gc FILE reads it"},
}

// result matches the beginning of a line with a result.
var result = regexp.MustCompile(`(?m)Benchmark\S+\s+\d+\s`)

// otherThan says what a file that begins so is, "" if it can be output of go test.
func otherThan(head []byte) string {
	if result.Match(head) && !bytes.HasPrefix(bytes.TrimSpace(head), []byte("{")) {
		return ""
	}
	for _, o := range others {
		if o.is.Match(head) {
			return o.what
		}
	}
	if begin := bytes.TrimSpace(head); (bytes.HasPrefix(begin, []byte("{")) || bytes.HasPrefix(begin, []byte("["))) && !isEvents(head) {
		return "it is JSON, but not of go test -json"
	}
	return ""
}

// isEvents reports whether a text begins like the events of go test -json.
func isEvents(head []byte) bool {
	first, _, _ := bytes.Cut(bytes.TrimSpace(head), []byte("\n"))
	return bytes.HasPrefix(first, []byte("{")) && bytes.Contains(first, []byte(`"Action":`))
}

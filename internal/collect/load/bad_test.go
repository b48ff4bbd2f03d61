package load

import (
	"bufio"
	"bytes"
	"compress/zlib"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/seed-1318a441/assay/internal/printable"
)

func text(t testing.TB, name string) string {
	t.Helper()
	b, err := io.ReadAll(open(t, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// TestRefused is about output that is empty, cut off or does not add up.
func TestRefused(t *testing.T) {
	replace := func(name, old, new string) string {
		s := text(t, name)
		if !strings.Contains(s, old) {
			t.Fatalf("%s: no %q", name, old)
		}
		return strings.Replace(s, old, new, 1)
	}
	for _, test := range []struct{ format, in, want string }{
		{"sysbench", replace("sysbench-sql.txt", "events:              519", "events:              520"),
			"sysbench output does not add up: the histogram counts 519 transactions, the summary 520"},
		{"sysbench", replace("sysbench-sql-errors.txt", "383.334 |*                                        2", "383.334 |* 1002"),
			"sysbench output does not add up: the histogram counts 6,578 transactions, the summary 5,578"},
		{"sysbench", replace("sysbench-cpu.txt", "3.0008s", "\x1b[31m?"), `sysbench output has "?" where a number belongs in line 133`},
		{"sysbench", "FATAL: unable to connect to MySQL server\n", "sysbench output ends before its summary"},
		{"wrk", "unable to connect to 127.0.0.1:18479 Connection refused\n", "wrk output ends before its summary"},
		{"wrk", replace("wrk.txt", "5.21ms", "5.2.1ms"), `wrk output has "5.2.1" where a number belongs in line 10`},
		{"wrk2", replace("wrk2.txt", "Total count    =        20000]", "Total count    =        20001]"),
			"wrk2 output does not add up: the rows count 20,000 requests, the last line 20,001"},
		{"hdr-percentiles", replace("percentiles.hgrm", "21.922 1.000000000000      20000", "21.922 1.000000000000      19998"),
			"hdr-percentiles output has a row that goes back in line 76"},
		{"hdr-percentiles", text(t, "percentiles.hgrm") + text(t, "percentiles.hgrm"), "hdr-percentiles output has a second distribution in line 80"},
		{"pgbench", replace("pgbench.txt", "tps = ", "tps "), "pgbench output ends before its summary"},
		{"hdr", replace("ns.hlog", "1795276000.000,1.000,", "1795276000.000,1.000,9"), "hdr output has values in an unknown unit: an Interval_Max of 9"},
		{"hdr", replace("ns.hlog", "HISTF", "HISTE"), "has a histogram whose encoding is not version 2"},
		{"hdr", "#[Histogram log format version 1.3]\n", "hdr output counts no requests"},
		{"csv", "latency_ms\n1\n-2\n", `csv output has "-2" where a number belongs in line 3`},
		{"csv", "latency_ms\n1\nNaN\n", `csv output has "NaN" where a number belongs in line 3`},
		{"csv", "a,latency_ms\n1,2\n3\n", "csv output has 1 columns, not 2, in line 3"},
		{"csv", "a,b\n1,2\n", `csv output has no column latency, latency_ms, latency_us or latency_ns but "a,b" in line 1`},
		{"csv", "latency\n", "csv output counts no requests"},
		{"benchfmt", "BenchmarkX 1 2 ns/op\n--- FAIL: BenchmarkY\n", "benchfmt output says --- FAIL: BenchmarkY"},
		{"benchfmt", "BenchmarkX 1 2 ns/op\nBenchmarkY 1 2 ns/op\n", `benchfmt output has two benchmarks, "X" and "Y"`},
		{"benchfmt", "PASS\n", "benchfmt output has no line of a benchmark"},
		{"assay", `{"requests":1`, "assay output is not the JSON that was expected: unexpected end of JSON input"},
		{"assay", `{"requests":-1}`, "assay output counts -1 requests and 0 errors"},
		{"assay", `{"requests":2,"latency":{"values":[2,1],"counts":[1,1]}}`, "assay output has a histogram in which 1 s comes after 2 s"},
		{"assay", `{"requests":2,"latency":{"values":[1],"counts":[]}}`, "assay output has a histogram of 1 values and 0 counts"},
		{"assay", `{"requests":2,"metrics":{"a\u001b[0m":1}}`, `assay output has metric "a" of 1`},
		{"k7", "", `read load output: no format "k7" (there are assay, `},
	} {
		_, err := Parse(test.format, Input{Stdout: strings.NewReader(test.in)})
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %s", test.format, err, test.want)
		}
	}
}

// TestRefusedLogs is about pgbench's logs.
func TestRefusedLogs(t *testing.T) {
	for _, test := range []struct{ log, want string }{
		{"pgbench-1.log", "pgbench output does not add up: the logs hold 300 transactions, the summary 600 (is there a --sampling-rate?)"},
		{"pgbench-aggregate.log", "pgbench output has a log that adds up transactions: leave out --aggregate-interval"},
		{"pgbench.txt", `pgbench output has a log that has no transaction in line 1: "pgbench (15.18 (Debian 15.18-0+deb12u1))"`},
	} {
		_, err := Parse("pgbench", Input{Stdout: open(t, "pgbench.txt"), Files: []io.Reader{open(t, test.log)}})
		if err == nil || err.Error() != test.want {
			t.Errorf("%s: %v, want %s", test.log, err, test.want)
		}
	}
}

// captured has an output of every format that can be cut.
var captured = map[string]string{
	"sysbench": "sysbench-sql-errors.txt", "wrk": "wrk-errors.txt", "wrk2": "wrk2.txt", "pgbench": "pgbench.txt",
	"hdr": "ns.hlog", "hdr-percentiles": "percentiles.hgrm",
	"hey": "hey-errors.txt", "oha": "oha.json", "k6": "k6-handle.json", "vegeta": "vegeta-report.json",
	"ghz": "ghz-errors.json", "redis-benchmark": "redis-benchmark.txt",
}

// TestCut: output that is cut anywhere is refused or gives the same numbers. A
// log of intervals is good up to the one that is cut.
func TestCut(t *testing.T) {
	for format, name := range captured {
		whole := text(t, name)
		want := parse(t, format, name).Observations()
		for i := 0; i < len(whole); i += 1 + len(whole)/400 {
			r, err := Parse(format, Input{Stdout: strings.NewReader(whole[:i])})
			if err != nil || format == "hdr" && r.Requests%5000 == 0 {
				continue
			}
			if got := fmt.Sprint(r.Observations()); got != fmt.Sprint(want) {
				t.Errorf("%s cut at byte %d: %s, want %v", name, i, got, want)
			}
		}
	}
}

func TestEmpty(t *testing.T) {
	for _, format := range Formats() {
		for name, in := range map[string]Input{
			"nothing": {}, "stdout": {Stdout: strings.NewReader("")}, "file": {Files: []io.Reader{strings.NewReader("")}},
		} {
			if _, err := Parse(format, in); err == nil || err.Error() != format+" output is empty" {
				t.Errorf("%s, %s: %v", format, name, err)
			}
		}
	}
}

// TestUnreadable: the error of a reader is in that of the parse.
func TestUnreadable(t *testing.T) {
	broken := errors.New("disk on fire")
	for _, format := range Formats() {
		src := io.MultiReader(strings.NewReader("\n"), iotest.ErrReader(broken))
		if _, err := Parse(format, Input{Stdout: src}); !errors.Is(err, broken) {
			t.Errorf("%s: %v", format, err)
		}
	}
}

// TestQuantilesRefused: ten requests have to lie beyond, with a histogram or
// without.
func TestQuantilesRefused(t *testing.T) {
	for _, test := range []struct {
		stdin string
		want  bool
	}{
		{"50% 1ms\n 99% 5ms\n  1000 requests in 1s, 1MB read\n", true},
		{"50% 1ms\n 99% 5ms\n  999 requests in 1s, 1MB read\n", false},
		{"50% 1ms\n 99% 0.00us\n  1000 requests in 1s, 1MB read\n", false},
	} {
		r, err := Parse("wrk", Input{Stdout: strings.NewReader(test.stdin + "Transfer/sec: 1MB\n")})
		if _, ok := r.Observations()["latency.p99"]; err != nil || ok != test.want {
			t.Errorf("%q: p99 %v, %v, want %v", test.stdin, ok, err, test.want)
		}
	}
	for n, want := range map[int]bool{1000: true, 999: false} {
		r, err := Parse("csv", Input{Stdout: strings.NewReader(strings.Repeat("0.5\n", n))})
		if v, ok := r.Observations()["latency.p99"]; err != nil || ok != want || ok && !near(v, 0.5, 1e-12) {
			t.Errorf("%d: p99 %g %v, %v, want %v", n, v, ok, err, want)
		}
	}
}

// hlog is a log of one interval that holds a payload.
func hlog(payload []byte) string {
	var z bytes.Buffer
	w := zlib.NewWriter(&z)
	_, _ = w.Write(payload)
	_ = w.Close()
	b := binary.BigEndian.AppendUint32(nil, hdrCompressed|0x10)
	b = binary.BigEndian.AppendUint32(b, uint32(z.Len()))
	return "0,1,0.0," + base64.StdEncoding.EncodeToString(append(b, z.Bytes()...)) + "\n"
}

func hdrPayload(length int, counts []byte) []byte {
	b := binary.BigEndian.AppendUint32(nil, hdrPlain|0x10)
	for _, v := range []int{length, 0, 3} {
		b = binary.BigEndian.AppendUint32(b, uint32(v))
	}
	for _, v := range []uint64{1, 1 << 62, 0} {
		b = binary.BigEndian.AppendUint64(b, v)
	}
	return append(b, counts...)
}

// TestHostileHDR: histograms that lie about themselves.
func TestHostileHDR(t *testing.T) {
	last := []byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff}
	for name, test := range map[string]struct {
		payload []byte
		want    string
	}{
		"one value":       {hdrPayload(1, []byte{2}), ""},
		"short header":    {make([]byte, 20), errHDR.Error()},
		"long length":     {hdrPayload(1<<30, []byte{2}), errHDR.Error()},
		"torn number":     {hdrPayload(1, []byte{0x80}), errHDR.Error()},
		"beyond the last": {hdrPayload(10, append(last, 2)), errHDR.Error()},
		"far too many":    {hdrPayload(9, []byte{0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff}), "requests of one latency"},
		"bomb":            {make([]byte, 64<<20), "more than 16 MiB"},
	} {
		_, err := Parse("hdr", Input{Stdout: strings.NewReader(hlog(test.payload))})
		if test.want == "" && err != nil || test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)) {
			t.Errorf("%s: %v, want %q", name, err, test.want)
		}
	}
}

// TestBounded: memory does not grow with the output.
func TestBounded(t *testing.T) {
	for format, line := range map[string]string{
		"csv": "%d\n", "wrk": "50%% %dms\n", "sysbench": "[ %ds ] thds: 1 tps: 1 lat (ms,99%%): 13.70 err/s: 0.00\n",
		"pgbench": "progress: %d s, 1 tps, lat 1\n",
	} {
		pr, pw := io.Pipe()
		go func() {
			w := bufio.NewWriterSize(pw, 64<<10)
			for i := range 300_000 {
				fmt.Fprintf(w, line, i)
			}
			_, _ = w.Write(bytes.Repeat([]byte{'x'}, 4*maxLine))
			pw.CloseWithError(w.Flush())
		}()
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		r, _ := Parse(format, Input{Stdout: pr})
		runtime.GC()
		runtime.ReadMemStats(&after)
		if d := int64(after.HeapAlloc) - int64(before.HeapAlloc); d > 8<<20 {
			t.Errorf("%s: %d bytes kept", format, d)
		}
		runtime.KeepAlive(r)
	}
}

// FuzzParse: whatever the text, there is a result fit to use or an error fit to
// print.
func FuzzParse(f *testing.F) {
	for _, format := range Formats() {
		f.Add(format, "x", "y")
		if name, ok := captured[format]; ok {
			f.Add(format, text(f, name), "")
		}
	}
	f.Add("assay", `{"requests":12,"latency":{"values":[0.5,1],"counts":[10,2]}}`, "")
	f.Add("benchfmt", "BenchmarkX 1 2 ns/op 3 \x1b[0m\n", "")
	f.Add("csv", "a,latency_ms\n1,2\n\"1\",3\n", "")
	f.Add("pgbench", text(f, "pgbench-rate.txt"), text(f, "pgbench-rate.log"))
	f.Add("k6", text(f, "k6.json"), text(f, "k6.csv"))
	f.Add("vegeta", text(f, "vegeta.json"), "")
	f.Add("vegeta", text(f, "vegeta.csv")[:2000], "")
	f.Add("hey", text(f, "hey.csv")[:2000], "")
	f.Add("oha", text(f, "oha.csv")[:2000], "")
	f.Add("hey", "\nSummary:\n  Total:\t2.0763 secs.\n", "")
	f.Fuzz(func(t *testing.T, format, stdout, file string) {
		in := Input{Stdout: strings.NewReader(stdout)}
		if file != "" {
			in.Files = []io.Reader{strings.NewReader(file)}
		}
		r, err := Parse(format, in)
		if err != nil {
			if line := err.Error(); strings.ContainsAny(line, "\n\x1b\x00") || len(line) > 600 {
				t.Errorf("error %q", line)
			}
			return
		}
		for metric, v := range r.Observations() {
			if v != v || metric != printable.Brief(metric) {
				t.Errorf("%q is %g", metric, v)
			}
		}
	})
}

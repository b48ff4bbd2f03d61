package benchfile

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/text/encoding/unicode"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/collect"
)

// read reads a text: its results as "NAME VALUE", its configuration, its losses.
func read(t testing.TB, data []byte) (results, config []string, lost []Loss, err error) {
	results, config, report, err := readParts(t, data)
	for i, r := range results {
		_, results[i], _ = strings.Cut(r, ": ")
	}
	return results, config, report.Lost, err
}

// readParts is read with "PART: " in front of the results.
func readParts(t testing.TB, data []byte) (results, config []string, report Report, err error) {
	t.Helper()
	report, err = Read(bytes.NewReader(data), func(part Part) Visitor {
		return Visitor{
			Config: func(key, value string, _ bool) { config = append(config, key+"="+value) },
			Unit:   func(int, string, string, string) error { return nil },
			Result: func(_ int, r collect.Reading) error {
				results = append(results, fmt.Sprintf("%s: %s %.4g", path.Join(part.Member, part.Package), r.Name, 1e9*r.Values[assay.MetricTime]))
				return nil
			},
			Skip: func(name, why string) { config = append(config, name+" skipped: "+why) },
		}
	})
	return results, config, report, err
}

const two = "goos: linux\ncpu: X 1\nBenchmarkEncode-8   \t 100\t 50 ns/op\nBenchmarkDecode-8 100 70 ns/op\nPASS\n"

func packed(text string) []byte {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, _ = z.Write([]byte(text))
	_ = z.Close()
	return b.Bytes()
}

func utf16(t *testing.T, text string, order unicode.Endianness, bom unicode.BOMPolicy) []byte {
	t.Helper()
	out, err := unicode.UTF16(order, bom).NewEncoder().Bytes([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// perLine puts something in front of each line.
func perLine(text, lead string) []byte {
	return []byte(lead + strings.ReplaceAll(strings.TrimSuffix(text, "\n"), "\n", "\n"+lead) + "\n")
}

// The same results are read however a text came to be a file.
func TestForms(t *testing.T) {
	var events strings.Builder
	for _, part := range []string{"goos: linux\n", "cpu: X 1\n", "BenchmarkEncode-8   \t", " 100\t 50 ns/op\n", "BenchmarkDecode-8 100 70 ns/op\n", "PASS\n"} {
		events.WriteString(fmt.Sprintf("{\"Time\":\"2026-01-01T00:00:00Z\",\"Action\":\"output\",\"Package\":\"p\",\"Output\":%q}\n", part))
		events.WriteString("{\"Action\":\"output\",\"Package\":\"q\",\"Output\":\"other \"}\n")
	}
	for name, data := range map[string][]byte{
		"plain":                 []byte(two),
		"of Windows":            []byte(strings.ReplaceAll(two, "\n", "\r\n")),
		"UTF-8 with a mark":     []byte("\ufeff" + two),
		"UTF-16 of PowerShell":  utf16(t, two, unicode.LittleEndian, unicode.UseBOM),
		"UTF-16, big":           utf16(t, two, unicode.BigEndian, unicode.UseBOM),
		"UTF-16 without a mark": utf16(t, two, unicode.LittleEndian, unicode.IgnoreBOM),
		"packed":                packed(two),
		"packed UTF-16":         packed(string(utf16(t, two, unicode.LittleEndian, unicode.UseBOM))),
		"events":                []byte(events.String()),
		"in colour":             []byte(strings.ReplaceAll(two, "Benchmark", "\x1b[1;32mBenchmark")),
		"quoted":                perLine(two, "> "),
		"quoted twice":          perLine(two, "> > "),
		"indented":              perLine(two, "    "),
		"log of GitHub":         perLine(two, "2026-05-01T10:00:00.1234567Z "),
		"log with the step":     perLine(two, "bench 2026-05-01T10:00:00.1Z "),
		"log of another":        perLine(two, "[2026-05-01 10:00:00] "),
	} {
		results, config, lost, err := read(t, data)
		if err != nil || len(lost) > 0 || !slices.Equal(results, []string{"Encode-8 50", "Decode-8 70"}) || !slices.Equal(config, []string{"goos=linux", "cpu=X 1"}) {
			t.Errorf("%s: %q, %q, lost %v, %v", name, results, config, lost, err)
		}
	}
}

// What holds no output of go test is called by its name.
func TestOthers(t *testing.T) {
	for text, want := range map[string]string{
		"":            "it is empty (0 bytes)",
		"\x7fELF\x02": "a program",
		`{"results": [{"command": "sleep 1", "mean": 1}]}`:                         "JSON of hyperfine",
		`{"context":{"date":"x"},"benchmarks":[{"name":"BM_x","real_time":12.1}]}`: "google/benchmark",
		`{"machine_info": {"node": "x"}, "benchmarks": []}`:                        "pytest-benchmark",
		`[1, 2]`: "JSON, but not of go test -json",
		"name       old time/op  new time/op\nEncode  1ns ± 2%\n":                               "table of benchstat",
		"          │   old.txt   │              new.txt               │\n    │   sec/op    │\n": "table of benchstat",
		"gc 1 @0.012s 2%: 0.1+0.2+0.3 ms clock\n":                                               "assay gc",
		"goos: linux\nPASS\nok  \tp\t0.1s\n":                                                    "no benchmark matched",
		"hello\nworld\n":                                                                        "not of go test -bench",
	} {
		if _, _, _, err := read(t, []byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want %s", text, err, want)
		}
	}
	if _, _, _, err := read(t, []byte("goos: linux\nPASS\n")); !errors.Is(err, ErrNothing) {
		t.Errorf("got %v, want ErrNothing", err)
	}
}

// Real outputs of other tools, made with hyperfine 1.15.0 (-N --runs 3, its exports and its
// text), ab 2.3 and bombardier 1.2.6 (-n 200 -c 2 -l, and -o json), are called by name.
func TestCaptured(t *testing.T) {
	for name, want := range map[string]string{
		"hyperfine.json": "the JSON of hyperfine", "hyperfine.csv": "a table of hyperfine", "hyperfine.md": "a table of hyperfine",
		"hyperfine.txt": "the text of hyperfine", "ab.txt": "of a load generator", "bombardier.txt": "of a load generator", "bombardier.json": "of a load generator",
	} {
		data, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		if _, _, _, err := read(t, data); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %s", name, err, want)
		}
	}
}

// A result is read or named: nothing is lost without a word.
func TestLosses(t *testing.T) {
	for _, test := range []struct {
		name, text string
		results    []string
		lost       []string // "LINE: part of the text"
		failed     bool
	}{
		{"a log between", "BenchmarkServe-8  \t2026/01/01 listening\n     100\t        70.00 ns/op\nBenchmarkEncode-8 1 5 ns/op\n", []string{"Serve-8 70", "Encode-8 5"}, nil, false},
		{"names with blanks", "BenchmarkA b-8 100 70 ns/op\nBenchmarkEncode-8 1 5 ns/op\n", []string{"Encode-8 5"}, []string{"1: it cannot be read: BenchmarkA b-8"}, false},
		{"cut off in a number", "BenchmarkEncode-8 1 5 ns/op\nBenchmarkDecode-8   \t 10", []string{"Encode-8 5"}, []string{"2: it is cut off"}, false},
		{"cut off in a unit", "BenchmarkEncode-8 1 5 ns/op\nBenchmarkDecode-8 10 70 ns/o", []string{"Encode-8 5"}, []string{"2: it is cut off"}, false},
		{"no newline at the end", "BenchmarkEncode-8 1 5 ns/op\nBenchmarkDecode-8 10 70 ns/op", []string{"Encode-8 5", "Decode-8 70"}, nil, false},
		{"fails", "BenchmarkEncode-8 1 5 ns/op\nBenchmarkDecode-8 \t--- FAIL: BenchmarkDecode-8\n    x_test.go:9: bad input\nFAIL\n", []string{"Encode-8 5"}, []string{"Decode"}, true},
		{"panics", "BenchmarkEncode-8 1 5 ns/op\nBenchmarkDecode-8 \tpanic: boom\n\ngoroutine 1\n", []string{"Encode-8 5"}, []string{"2: Decode-8 did not end: panic: boom"}, true},
		{"a value that is none", "BenchmarkEncode-8 1 5 ns/op NaN widgets\n", []string{"Encode-8 5"}, []string{"1: NaN widgets is no number"}, false},
		{"events that are cut off", `{"Action":"output","Package":"p","Output":"BenchmarkEncode-8 1 5 ns/op\n"}` + "\n# p: built\n" + `{"Action":"output","Package":"p","Outp`, []string{"Encode-8 5"}, []string{"3: an event of go test -json is cut off"}, false},
		{"ends in a benchmark", "BenchmarkEncode-8 1 5 ns/op\nBenchmarkDecode-8  \t", []string{"Encode-8 5"}, []string{"2: "}, false},
	} {
		results, _, lost, err := read(t, []byte(test.text))
		if err != nil || !slices.Equal(results, test.results) || len(lost) < len(test.lost) || len(test.lost) == 0 && len(lost) > 0 {
			t.Errorf("%s: %q, lost %+v, %v; want %q and %q", test.name, results, lost, err, test.results, test.lost)
			continue
		}
		for i, want := range test.lost {
			if got := fmt.Sprintf("%d: %s", lost[i].Line, lost[i].Text); !strings.Contains(got, want) || test.failed != lost[i].Failed {
				t.Errorf("%s: lost %q, failed %t, want %q", test.name, got, lost[i].Failed, want)
			}
		}
	}
}

// FuzzRead: whatever a file holds, reading it ends without a crash, and each line with a whole
// result is a result or a loss.
func FuzzRead(f *testing.F) {
	f.Add([]byte(two))
	f.Add(packed(two))
	f.Add([]byte("BenchmarkA 1 5 ns/op\nBenchmarkB"))
	f.Add([]byte(`{"Action":"output","Output":"BenchmarkA 1 5 ns/op\n"}`))
	f.Add([]byte(interleaved))
	f.Add(tarOf("a.txt", two, "b.txt", two))
	f.Add(packed(string(tarOf("a.txt", two, "b.txt.gz", string(packed(two))))))
	f.Add(zipOf("a.txt", two, "README.md", "text"))
	f.Add([]byte("<<<<<<< HEAD\nBenchmarkA 1 5 ns/op\n=======\nBenchmarkA 1 6 ns/op\n>>>>>>> b\n"))
	f.Add([]byte("# a [a.test]\n./a_test.go:1:2: no\nFAIL\ta [build failed]\nBenchmarkA \tpanic: b\nFAIL\tb\t1s\n--- SKIP: BenchmarkB\n    why\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		results, _, lost, err := read(t, data)
		if err == nil && len(results) == 0 {
			t.Errorf("no result, no error, lost %v", lost)
		}
	})
}

// linesOf are lines, and what becomes of each.
var linesOf = []struct {
	text         string
	result, loss bool
}{
	{"BenchmarkA-8 100 5 ns/op", true, false},
	{"BenchmarkB-8   \t 200\t 7 ns/op\t 16 B/op\t 2 allocs/op", true, false},
	{"BenchmarkC/large=1 1 9 ns/op 3 hits/op", true, false},
	{"Benchmark 100 5 ns/op", true, false},
	{"BenchmarkD-8 100 812 MB/s", true, false},
	{"BenchmarkE large-8 100 5 ns/op", false, true},
	{"BenchmarkF-8 x 5 ns/op", false, true},
	{"BenchmarkG-8 100 1,5 ns/op", false, true},
	{`{"Action":"output","Output":"BenchmarkH 1 5`, false, true},
	{"goos: linux", false, false},
	{"PASS", false, false},
	{"ok  \texample.com/x\t1.2s", false, false},
	{"2026/01/02 a log: 5 ns/op", false, false},
	{"", false, false},
}

// FuzzNothingIsLost: however lines follow each other, each that should be a result is one, or
// is named by its number.
func FuzzNothingIsLost(f *testing.F) {
	f.Add([]byte("\x00\x05\x01\x08\x02\x06\x03"))
	f.Add([]byte("\x09\x00\x0a\x0b\x05\x05\x0d\x07"))
	f.Fuzz(func(t *testing.T, choices []byte) {
		var text strings.Builder
		results := 0
		var want []int
		for i, c := range choices[:min(len(choices), maxLosses-1)] {
			line := linesOf[int(c)%len(linesOf)]
			text.WriteString(line.text + "\n")
			if line.result {
				results++
			}
			if line.loss {
				want = append(want, i+1)
			}
		}
		got, _, lost, err := read(t, []byte(text.String()))
		if (err == nil) != (results > 0) {
			t.Fatalf("%d results, and the error %v", results, err)
		}
		var lines []int
		for _, l := range lost {
			lines = append(lines, l.Line)
		}
		if len(got) != results || !slices.Equal(lines, want) {
			t.Errorf("%q:\n%d results, want %d; lost in lines %v, want %v", text.String(), len(got), results, lines, want)
		}
	})
}

package benchfile

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// tarOf returns a tar archive of files: names and texts in turn.
func tarOf(files ...string) []byte {
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for f := range slices.Chunk(files, 2) {
		_ = w.WriteHeader(&tar.Header{Name: f[0], Size: int64(len(f[1])), Mode: 0o644})
		_, _ = w.Write([]byte(f[1]))
	}
	_ = w.Close()
	return b.Bytes()
}

// zipOf returns a zip archive of files.
func zipOf(files ...string) []byte {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for f := range slices.Chunk(files, 2) {
		in, _ := w.Create(f[0])
		_, _ = in.Write([]byte(f[1]))
	}
	_ = w.Close()
	return b.Bytes()
}

// An archive is its files, each read from its first line. What has no result stands beside.
func TestArchives(t *testing.T) {
	one, other := "BenchmarkA 1 5 ns/op\n", "goos: linux\nBenchmarkA 1 7 ns/op\n"
	both := []string{"r/1.txt: A 5", "r/2.txt: A 7"}
	for name, test := range map[string]struct {
		data []byte
		want []string
	}{
		"tar":             {tarOf("r/1.txt", one, "r/2.txt", other, "r/._2.txt", "x", "README.md", "text"), both},
		"tar.gz":          {packed(string(tarOf("r/1.txt", one, "r/2.txt", other, "README.md", "text"))), both},
		"zip":             {zipOf("r/", "", "r/1.txt", one, "r/2.txt", other, "README.md", "text"), both},
		"packed in a tar": {tarOf("r/1.txt", string(packed(one)), "README.md", "text", "r/2.txt", other), both},
		"zip in a zip":    {zipOf("r", string(zipOf("1.txt", one, "2.txt", other)), "README.md", "text"), both},
		"a name of one":   {tarOf("a", one, "README.md", "text"), []string{"a: A 5"}},
	} {
		got, _, report, err := readParts(t, test.data)
		if err != nil || !slices.Equal(got, test.want) || !slices.Equal(report.Unread, []string{"README.md"}) || len(report.Lost) > 0 {
			t.Errorf("%s: %q, %+v, %v, want %q", name, got, report, err, test.want)
		}
	}
	for want, data := range map[string][]byte{
		"no benchmark result in the 2 files of the archive": tarOf("a", "text", "b", ""),
		"compressed by xz":                   []byte("\xfd7zXZ\x00\x00\x04"),
		"compressed by zstd":                 []byte("\x28\xb5\x2f\xfd\x24"),
		"b.zst: it is compressed by zstd":    zipOf("a", one, "b.zst", "\x28\xb5\x2f\xfd\x24"),
		"b: line 2: it has conflict markers": tarOf("b", one+"<<<<<<< HEAD\n"),
		"it is packed more than":             deep(),
		"unexpected EOF":                     tarOf("a", one)[:514],
	} {
		if _, _, _, err := readParts(t, data); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	got, _, report, err := readParts(t, tarOf("a", one+"BenchmarkB b 1 5 ns/op\n", "b", one))
	if err != nil || len(got) != 2 || len(report.Lost) != 1 || report.Lost[0].Member != "a" || report.Lost[0].Line != 2 {
		t.Errorf("%q, %+v, %v", got, report, err)
	}
}

// deep returns a text that is packed more often than anybody packs.
func deep() []byte {
	text := two
	for range maxDepth + 1 {
		text = string(packed(text))
	}
	return []byte(text)
}

// bzip2 and xz are those of the system, where there are some.
func TestBzip2(t *testing.T) {
	cmd := exec.Command("bzip2", "-c")
	cmd.Stdin = strings.NewReader(two)
	data, err := cmd.Output()
	if err != nil {
		t.Skip("no bzip2 here")
	}
	if got, _, _, err := read(t, data); err != nil || len(got) != 2 {
		t.Errorf("%q, %v", got, err)
	}
}

// outputs are the events of a package that prints parts of lines.
func outputs(pkg, test string, parts ...string) (events []string) {
	for _, part := range parts {
		events = append(events, fmt.Sprintf(`{"Action":"output","Package":%q,"Test":%q,"Output":%q}`, pkg, test, part))
	}
	return events
}

// interleave takes from lists in turn.
func interleave(lists ...[]string) string {
	var out []string
	for i := 0; len(out) < len(slices.Concat(lists...)); i++ {
		for _, l := range lists {
			out = append(out, l[min(i, len(l)):min(i+1, len(l))]...)
		}
	}
	return strings.Join(out, "\n") + "\n"
}

var interleaved = interleave(
	outputs("a/wire", "BenchmarkPut", "goos: linux\n", "BenchmarkPut-8 \t", " 10\t 5 ns/op\n", "PASS\n"),
	outputs("a/disk", "", "goos: linux\n", "BenchmarkPut-8 \t", " 10\t 700 ns/op\n", "BenchmarkGet-8 10 9 ns/op\n", "PASS\n"))

// Events of packages that ran side by side are results of each.
func TestInterleaved(t *testing.T) {
	for name, test := range map[string]struct {
		text string
		want []string
	}{
		"two packages":                    {interleaved, []string{"a/wire: Put-8 5", "a/disk: Put-8 700", "a/disk: Get-8 9"}},
		"packed":                          {string(packed(interleaved)), []string{"a/wire: Put-8 5", "a/disk: Put-8 700", "a/disk: Get-8 9"}},
		"behind what the go command says": {"go: downloading example.com/x v1.0.0\n" + interleaved, []string{"a/wire: Put-8 5", "a/disk: Put-8 700", "a/disk: Get-8 9"}},
		"in a log of CI":                  {string(perLine(interleaved, "2026-05-01T10:00:00.1234567Z ")), []string{"a/wire: Put-8 5", "a/disk: Put-8 700", "a/disk: Get-8 9"}},
		"two processes of a package": {interleave(outputs("a", "BenchmarkA", "BenchmarkA-8 \t", " 10\t 5 ns/op\n"), outputs("a", "BenchmarkB", "BenchmarkB-8 \t", " 10\t 7 ns/op\n")),
			[]string{"a: A-8 5", "a: B-8 7"}},
		"figures of another test": {interleave(append(outputs("a", "BenchmarkA", "BenchmarkA-8 \t"), outputs("a", "", " 10\t 5 ns/op\n")...)), []string{"a: A-8 5"}},
		"a log between":           {interleave(outputs("a", "BenchmarkA", "BenchmarkA-8 \t", "listening\n", "      10\t         5.0 ns/op\n")), []string{"a: A-8 5"}},
		"a log of events":         {"BenchmarkA-8 \t{\"Action\":\"login\"}\n{\"Action\":\"logout\"}\n      10\t         5.0 ns/op\n", []string{": A-8 5"}},
	} {
		got, config, report, err := readParts(t, []byte(test.text))
		if err != nil || !slices.Equal(got, test.want) || len(report.Lost) > 0 || slices.Contains(config, "go=downloading example.com/x v1.0.0") {
			t.Errorf("%s: %q, %+v, %v, want %q", name, got, report, err, test.want)
		}
	}
	_, _, report, _ := readParts(t, []byte(interleave(outputs("a", "", "BenchmarkA-8 1 5 ns/op\n", "BenchmarkB-8 \t 10"))))
	if len(report.Lost) != 1 || !strings.Contains(report.Lost[0].Text, "it is cut off: BenchmarkB-8") {
		t.Errorf("cut off: %+v", report)
	}
}

// A file with the marks of an unsolved merge holds two measurements.
func TestConflicts(t *testing.T) {
	sides := "<<<<<<< HEAD\nBenchmarkA 1 5 ns/op\n=======\nBenchmarkA 1 9 ns/op\n>>>>>>> b\n"
	for name, data := range map[string]string{
		"whole": sides, "packed": string(packed("goos: linux\n" + sides)), "Windows": strings.ReplaceAll(sides, "\n", "\r\n"),
		"events":       interleaved + "<<<<<<<\n" + interleaved,
		"half removed": "BenchmarkA 1 5 ns/op\n=======\nBenchmarkA 1 9 ns/op\n>>>>>>> feature\n",
	} {
		if _, _, _, err := read(t, []byte(data)); err == nil || !strings.Contains(err.Error(), ": it has conflict markers of git") {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, data := range map[string]string{
		"a line of a table": "=======\nBenchmarkA 1 5 ns/op\n", "a quotation": string(perLine("BenchmarkA 1 5 ns/op\n", ">>>>>>> ")),
		"printed": interleave(outputs("a", "", "<<<<<<< HEAD\n", "BenchmarkA 1 5 ns/op\n")),
	} {
		if got, _, _, err := read(t, []byte(data)); err != nil || !slices.Equal(got, []string{"A 5"}) {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
}

// A package that failed as a whole is named once, with the reason.
func TestFailedPackages(t *testing.T) {
	const compiler = "# a/disk [a/disk.test]\n./disk_test.go:9:2: undefined: open9\n./disk_test.go:10:2: more\n"
	wire := "pkg: a/wire\nBenchmarkB-8 1 5 ns/op\nPASS\nok  \ta/wire\t1.0s\n"
	for name, test := range map[string]struct {
		text string
		want []string
	}{
		"not built":          {compiler + "FAIL\ta/disk [build failed]\n" + wire + "FAIL\n", []string{"package a/disk did not build: ./disk_test.go:9:2: undefined: open9"}},
		"without the reason": {wire + "FAIL\ta/disk [build failed]\n", []string{"package a/disk did not build"}},
		"a test of outside":  {"# a/disk_test [a/disk.test]\n./x_test.go:1:2: no\nFAIL\ta/disk [build failed]\n" + wire, []string{"package a/disk did not build: ./x_test.go:1:2: no"}},
		"what it imports":    {"# a/dep\n../dep/x.go:1:2: no\nFAIL\ta/disk [build failed]\n" + wire, []string{"package a/disk did not build: ../dep/x.go:1:2: no"}},
		"vet":                {"# a/disk\n# [a/disk]\n./x.go:3:2: fmt.Printf format %d has arg\nFAIL\ta/disk [build failed]\n" + wire, []string{"package a/disk did not build: ./x.go:3:2: fmt.Printf"}},
		"not loaded":         {"# a/disk\nx_test.go:4:2: package b is not in std\nFAIL\ta/disk [setup failed]\n" + wire, []string{"package a/disk could not be loaded: x_test.go:4:2: package b"}},
		"timeout": {wire + "BenchmarkSlow-8   \tpanic: test timed out after 10m0s\nrunning tests:\n\tBenchmarkSlow (9m12s)\n\ngoroutine 8 [running]:\nFAIL\ta/slow\t600.1s\nFAIL\n",
			[]string{"Slow-8 timed out: panic: test timed out after 10m0s"}},
		"panic":         {wire + "BenchmarkX-8 \tlog\npanic: boom\n\tpanic: again\nexit status 2\nFAIL\ta/x\t0.1s\n", []string{"X-8 did not end: panic: boom"}},
		"fatal error":   {wire + "fatal error: all goroutines are asleep - deadlock!\nFAIL\ta/x\t0.1s\n", []string{"the run did not end: fatal error: all"}},
		"exit status":   {wire + "exit status 3\nFAIL\ta/x\t0.1s\n", []string{"package a/x failed: exit status 3"}},
		"killed":        {wire + "signal: killed\nFAIL\ta/x\t0.1s\n", []string{"package a/x failed: signal: killed"}},
		"a test failed": {wire + "--- FAIL: TestX (0.00s)\n    x_test.go:3: bad\nFAIL\nexit status 1\nFAIL\ta/x\t0.1s\n", []string{"TestX"}},
		"two":           {"exit status 2\nFAIL\ta/x\t0.1s\nFAIL\ta/y [build failed]\n" + wire, []string{"package a/x failed: exit status 2", "package a/y did not build"}},
		"no tests":      {"?   \ta/x\t[no test files]\n" + wire, nil},
		"events": {`{"ImportPath":"a/disk [a/disk.test]","Action":"build-output","Output":"# a/disk [a/disk.test]\n"}
{"ImportPath":"a/disk [a/disk.test]","Action":"build-output","Output":"./disk_test.go:9:2: undefined: open9\n"}
{"ImportPath":"a/disk [a/disk.test]","Action":"build-fail"}
{"Action":"output","Package":"a/disk","Output":"FAIL\ta/disk [build failed]\n"}
{"Action":"fail","Package":"a/disk","FailedBuild":"a/disk [a/disk.test]"}
` + interleaved, []string{"package a/disk did not build: ./disk_test.go:9:2: undefined: open9"}},
		"events without output": {`{"Action":"fail","Package":"a/disk","FailedBuild":"a/disk [a/disk.test]"}` + "\n" + `{"Action":"fail","Package":"a/x"}` + "\n" + interleaved,
			[]string{"package a/disk did not build", "package a/x failed"}},
		"events of a panic": {interleaved + interleave(outputs("a/x", "", "BenchmarkX-8 \t", "panic: boom\n", "FAIL\ta/x\t0.1s\n")) + `{"Action":"fail","Package":"a/x"}` + "\n", []string{"X-8 did not end: panic: boom"}},
	} {
		got, _, lost, err := read(t, []byte(test.text))
		if err != nil || len(got) == 0 || len(lost) != len(test.want) {
			t.Errorf("%s: %q, %+v, %v, want %q", name, got, lost, err, test.want)
			continue
		}
		for i, want := range test.want {
			if !lost[i].Failed || !strings.HasPrefix(lost[i].Text, want) {
				t.Errorf("%s: %+v, want %q", name, lost[i], want)
			}
		}
	}
	if _, _, _, err := read(t, []byte("FAIL\ta/disk [build failed]\nFAIL\n")); err == nil || !strings.Contains(err.Error(), "line 1: package a/disk did not build") {
		t.Errorf("alone: %v", err)
	}
}

// A benchmark that skips itself says why, before that line or behind it.
func TestSkips(t *testing.T) {
	for _, text := range []string{
		"BenchmarkA-8 1 5 ns/op\n--- SKIP: BenchmarkB-8\n    x_test.go:4: needs a disk\nPASS\n",
		"BenchmarkA-8 1 5 ns/op\nBenchmarkB-8\n    x_test.go:4: needs a disk\n--- SKIP: BenchmarkB-8\nPASS\n",
	} {
		if _, config, lost, err := read(t, []byte(text)); err != nil || len(lost) > 0 || !slices.Equal(config, []string{"B-8 skipped: x_test.go:4: needs a disk"}) {
			t.Errorf("%q: %q, %v, %v", text, config, lost, err)
		}
	}
}

package testfile

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The files of a module, by what the go command takes of them.
func TestFind(t *testing.T) {
	dir := t.TempDir()
	for name, functions := range map[string]string{
		"codec/a_test.go":             "DecodeA DecodeB",
		"codec/b_test.go":             "Encode",
		"codec/c_windows_arm_test.go": "OtherSystem",
		"codec/_d_test.go":            "Hidden",
		"codec/e.go":                  "NoTest",
		"codec/in/a_test.go":          "In",
		"codex/a_test.go":             "Codex",
		"testdata/a_test.go":          "Data",
		"vendor/a/a_test.go":          "Vendored",
		".git/a_test.go":              "Git",
		"nested/a_test.go":            "Nested",
		"nested/deep/a_test.go":       "Deep",
	} {
		var source strings.Builder
		source.WriteString("package p\n")
		for f := range strings.FieldsSeq(functions) {
			source.WriteString("\nfunc Benchmark" + f + "(b *testing.B) {}\n")
		}
		write(t, filepath.Join(dir, name), source.String())
	}
	write(t, filepath.Join(dir, "codec", "tagged_test.go"), "//go:build extra\n\npackage p\n\nfunc BenchmarkTagged(b *testing.B) {}\n")
	write(t, filepath.Join(dir, "nested", "go.mod"), "module nested\n")
	const codec = "{./codec [BenchmarkDecodeA BenchmarkDecodeB BenchmarkEncode]}"
	for _, test := range []struct {
		patterns, tags []string
		bench, want    string
	}{
		{nil, nil, ".", "[" + codec + " {./codec/in [BenchmarkIn]} {./codex [BenchmarkCodex]}] []"},
		{[]string{"./..."}, nil, "Decode/large", "[{./codec [BenchmarkDecodeA BenchmarkDecodeB]}] []"},
		{[]string{"./codec"}, nil, ".", "[" + codec + "] []"},
		{[]string{"./codec/"}, []string{"extra"}, "Tagged", "[{./codec [BenchmarkTagged]}] []"},
		{[]string{"./codec/..."}, nil, "In", "[{./codec/in [BenchmarkIn]}] []"},
		{[]string{"./cod..."}, nil, "Codex|In", "[{./codec/in [BenchmarkIn]} {./codex [BenchmarkCodex]}] []"},
		{[]string{"./codec", "./..."}, nil, "Encode", "[{./codec [BenchmarkEncode]}] []"},
		{[]string{"./nested/..."}, nil, ".", "[{./nested [BenchmarkNested]} {./nested/deep [BenchmarkDeep]}] []"},
		{[]string{"example.com/m", "../x", "./codex"}, nil, ".", "[{./codex [BenchmarkCodex]}] [example.com/m ../x]"},
		{[]string{"./none"}, nil, ".", "[] []"},
	} {
		found, other := Find(dir, test.patterns, test.tags, test.bench)
		if got := fmt.Sprint(found, other); got != test.want {
			t.Errorf("%q %q: got %s, want %s", test.patterns, test.bench, got, test.want)
		}
	}
	write(t, filepath.Join(dir, "go.work"), "go 1.26\n\nuse ./nested\n")
	if found, _ := Find(dir, []string{"./..."}, nil, "Nested"); len(found) != 1 {
		t.Errorf("in a workspace: got %v, want the nested module", found)
	}
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

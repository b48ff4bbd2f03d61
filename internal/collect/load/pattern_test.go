package load

import (
	"fmt"
	"io"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/seed-1318a441/assay/internal/printable"
)

// The last line that matches counts; everything else is an error that names the expression.
func TestMetricsInText(t *testing.T) {
	const ops = "ops/s=/([0-9.e+]+) ops/"
	for _, test := range []struct{ text, want string }{
		{"warming up: 3 ops\ntotal: 12.5 ops/s\n", "map[ops/s:12.5]"},
		{"1.5e+06 ops", "map[ops/s:1.5e+06]"},
		{"no number\n", "the output has no line that matches /([0-9.e+]+) ops/ (ops/s)"},
		{"", "the output has no line that matches /([0-9.e+]+) ops/ (ops/s)"},
		{"a\n1.2.3 ops\n", `the output has "1.2.3" where /([0-9.e+]+) ops/ should find the number of ops/s in line 2`},
		{"1e+999 ops\n", `the output has "1e+999" where /([0-9.e+]+) ops/ should find the number of ops/s in line 1`},
	} {
		r, err := Parse("", Input{Stdout: strings.NewReader(test.text), Metrics: []string{ops}})
		got := fmt.Sprint(r.Observations())
		if err != nil {
			got = err.Error()
		}
		if got != test.want {
			t.Errorf("%q: got %s, want %s", test.text, got, test.want)
		}
	}
	two := []io.Reader{strings.NewReader("a 1\n"), strings.NewReader("b 2\n")}
	r, err := Parse("", Input{Files: two, Metrics: []string{"a=/a (.+)/", "b=/b (.+)/"}})
	if got := fmt.Sprint(r.Metrics); err != nil || got != "map[a:1 b:2]" {
		t.Errorf("two files: got %s, %v", got, err)
	}
	if _, err := Parse("", Input{Stdout: strings.NewReader("x NaN"), Metrics: []string{"x=/x (.+)/"}}); err == nil || err.Error() != `the output has metric "x" of NaN` {
		t.Errorf("NaN: got %v", err)
	}
}

// FuzzMetrics: whatever the pattern and the text, the result is fit to use or the error fit to
// print.
func FuzzMetrics(f *testing.F) {
	f.Add("ops/s=/([0-9.]+) ops/", "1.5 ops\n")
	f.Add("a=/(.*)/lower", "\x1b[31m\n")
	f.Add("a=/((((/", "")
	f.Fuzz(func(t *testing.T, pattern, text string) {
		r, err := Parse("", Input{Stdout: strings.NewReader(text), Metrics: []string{pattern}})
		if err != nil {
			if line := err.Error(); utf8.ValidString(pattern) && (strings.ContainsAny(line, "\n\x1b\x00") || len(line) > 1200) {
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

// Package testfile reads Go test files without building them: which benchmarks they have,
// which of them a -bench pattern may choose, and what these need of their files.
package testfile

import (
	"go/parser"
	"go/token"
	"os"
	"regexp"
	"slices"
	"strconv"
)

// benchmarkFunc finds benchmarks as go test names them. A match inside a
// comment costs one test binary that lists none; a parser would fail on files
// whose errors the build is to report.
var benchmarkFunc = regexp.MustCompile(`(?m)^func (Benchmark(?:\P{Ll}\w*)?)\(`)

// Benchmarks lists the functions of a file's source that are benchmarks.
func Benchmarks(source []byte) (out []string) {
	for _, m := range benchmarkFunc.FindAllSubmatch(source, -1) {
		out = append(out, string(m[1]))
	}
	return out
}

// HasBenchmark reports whether a file can be read and has a benchmark.
func HasBenchmark(file string) bool {
	data, err := os.ReadFile(file)
	return err == nil && benchmarkFunc.Match(data)
}

// Imports lists the imports of a Go file; none of one that does not parse, which the
// compiler will tell.
func Imports(name string) (out []string) {
	f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
	if err != nil {
		return nil
	}
	for _, s := range f.Imports {
		if p, err := strconv.Unquote(s.Path.Value); err == nil {
			out = append(out, p)
		}
	}
	return out
}

// Matcher returns a function that reports whether a -bench pattern may choose a benchmark
// of a function's name. Alternatives of the pattern are behind a bar, sub-benchmarks
// behind a slash (splitRegexp in package testing).
func Matcher(pattern string) func(function string) bool {
	var tops []*regexp.Regexp
	depth, start, end := 0, 0, -1
	for i, c := range pattern + "|" {
		switch {
		case c == '(' || c == '[':
			depth++
		case c == ')' || c == ']':
			depth--
		case c == '/' && depth == 0 && end < 0:
			end = i
		case c == '|' && (depth == 0 || i == len(pattern)):
			if end < 0 {
				end = i
			}
			re, err := regexp.Compile(pattern[start:end])
			if err != nil {
				return func(string) bool { return true } // the test binary will say so
			}
			tops, start, end = append(tops, re), i+1, -1
		}
	}
	return func(function string) bool {
		return slices.ContainsFunc(tops, func(re *regexp.Regexp) bool { return re.MatchString(function) })
	}
}

// Package testfile reads Go test files without building them: their benchmarks, those
// that a -bench pattern may select, and what these need of their files.
package testfile

import (
	"go/parser"
	"go/token"
	"os"
	"regexp"
	"slices"
	"strconv"
)

// benchmarkFunc finds benchmarks as go test names them. A match in a comment costs one
// test binary without benchmarks; a parser would fail on files whose errors the build
// should report.
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

// Imports lists the imports of a Go file; none if it does not parse, which the compiler
// will report.
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

// Matcher returns a function that reports whether a -bench pattern may select a benchmark
// function. Bars separate alternatives of the pattern, slashes sub-benchmarks
// (splitRegexp in package testing).
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

package main

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// listedCodes are the constants of assay.Code.
func listedCodes(t *testing.T) (out []string) {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), "../../warning_code.go", nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(f, func(n ast.Node) bool {
		if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
			code, err := strconv.Unquote(lit.Value)
			if err != nil {
				t.Fatal(err)
			}
			out = append(out, code)
		}
		return true
	})
	slices.Sort(out)
	return out
}

// Every code is explained, and nothing else is.
func TestEveryCodeIsExplained(t *testing.T) {
	listed, explained := listedCodes(t), codes()
	for _, code := range listed {
		if !slices.Contains(explained, code) {
			t.Errorf("warning_code.go: code %q has no heading in messages.md", code)
		}
	}
	for _, code := range explained {
		if !slices.Contains(listed, code) {
			t.Errorf("messages.md: warning_code.go has no code %q", code)
		}
	}
}

// An explanation is short enough for any terminal, and says something.
func TestExplanationsAreShort(t *testing.T) {
	for _, code := range codes() {
		text, ok := explainCode(code)
		if !ok {
			t.Errorf("%s: not explained", code)
		}
		lines := strings.Split(text, "\n")
		if len(text) < 60 || len(lines) > 8 {
			t.Errorf("%s: %d characters in %d lines, want 60 or more in 8 or fewer", code, len(text), len(lines))
		}
		for _, line := range lines {
			if len(line) > 82 {
				t.Errorf("%s: a line of %d characters: %s", code, len(line), line)
			}
		}
	}
	if !slices.IsSorted(headings()) {
		t.Error("messages.md: headings are not in alphabetical order")
	}
}

// headings are the codes in the order of the file.
func headings() []string {
	var out []string
	for line := range strings.Lines(messages) {
		if code, ok := strings.CutPrefix(line, "## "); ok {
			out = append(out, strings.TrimSpace(code))
		}
	}
	return out
}

// The bracketed code is pasted as often as the bare one; what is no code is a
// wrong use.
func TestHelpExplains(t *testing.T) {
	var bare, bracketed, errs bytes.Buffer
	if err := run(t.Context(), &bare, &errs, []string{"help", "no-benchmarks"}); err != nil {
		t.Fatal(err)
	}
	if err := run(t.Context(), &bracketed, &errs, []string{"help", "[no-benchmarks]"}); err != nil {
		t.Fatal(err)
	}
	if got, want := bracketed.String(), bare.String(); got != want || !strings.Contains(got, "nothing was measured") {
		t.Errorf("help [no-benchmarks] = %q, want %q", got, want)
	}
	err := run(t.Context(), &bare, &errs, []string{"help", "no-such-code"})
	if got := exitStatus(err, &errs); got != 2 {
		t.Errorf("help no-such-code: exit status %d, want 2", got)
	}
	if !strings.Contains(errs.String(), "[help]") {
		t.Errorf("help no-such-code: stderr %q, want the code [help]", errs.String())
	}
}

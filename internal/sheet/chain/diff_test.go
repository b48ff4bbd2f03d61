package chain

import (
	"testing"

	"github.com/seed-1318a441/assay"
)

func TestDiff(t *testing.T) {
	result := func(from, to assay.VariantResult) Panel {
		from.Name, to.Name = "a", "b"
		return Panel{Result: &assay.Result{Variants: []assay.VariantResult{from, to}}}
	}
	commit := func(c string) assay.VariantResult { return assay.VariantResult{Commit: c} }
	version := func(v string) assay.VariantResult { return assay.VariantResult{Words: []string{v}} }
	for _, c := range []struct {
		from, to   assay.VariantResult
		line, link string
	}{
		{commit("d2af5c0ee73ea499dd9a"), commit("e5f976754b61266875e3"), "git diff d2af5c0ee73e e5f976754b61", ""},
		{commit("d2af"), commit(""), "", ""},
		{commit("d2af"), commit("--output=x"), "", ""},
		{version("github.com/o/r/v2@v2.0.9"), version("github.com/o/r/v2@v2.1.1"), "", "https://github.com/o/r/compare/v2.0.9...v2.1.1"},
		{version("github.com/o/r@v1.9.0"), version("github.com/o/r/v2@v2.0.0"), "", "https://github.com/o/r/compare/v1.9.0...v2.0.0"},
		{version("github.com/o/r@v0.0.0-20240102030405-abcdef123456"), version("github.com/o/r@v0.1.0"), "", "https://github.com/o/r/compare/abcdef123456...v0.1.0"},
		{version("github.com/o/r/sub@v1.0.0"), version("github.com/o/r/sub@v1.1.0"), "", ""},
		{version("github.com/o/r@v1.0.0"), version("github.com/o/other@v1.1.0"), "", ""},
		{version("example.com/o/r@v1.0.0"), version("example.com/o/r@v1.1.0"), "", ""},
		{version("github.com/o/r@v1.0.0?x=\"><script>"), version("github.com/o/r@v1.1.0"), "", ""},
		{assay.VariantResult{Words: []string{"go1.26.8", "A=b"}}, version("github.com/o/r@v1.1.0"), "", ""},
	} {
		line, link := result(c.from, c.to).Diff(assay.StepResult{Step: assay.Step{Variant: "b"}, Previous: "a"})
		if line != c.line || link != c.link {
			t.Errorf("%v, %v: %q, %q; want %q, %q", c.from, c.to, line, link, c.line, c.link)
		}
	}
}

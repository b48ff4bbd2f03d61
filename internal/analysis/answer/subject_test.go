package answer

import (
	"strings"
	"testing"

	"github.com/seed-1318a441/assay"
)

// A sentence is about a tree or a commit, not about a dot.
func TestSubject(t *testing.T) {
	for variant, want := range map[string]string{
		".": "your tree", ". GOGC=50": "your tree with GOGC=50", ". #2": "your tree #2", "HEAD": "your last commit", "HEAD~1": "HEAD~1",
		"main": "main", "v1.2.3": "v1.2.3", "...": "...", ".x": ".x", "0123456789abcdef0123456789abcdef01234567": "0123456",
	} {
		if got := Subject(variant); got != want {
			t.Errorf("%s: got %q, want %q", variant, got, want)
		}
	}
}

// Every line of an answer has the names of sentences; what to use keeps its own, and so does
// the result.
func TestSubjectsOfAnAnswer(t *testing.T) {
	less := func(variant string, by float64) assay.Comparison {
		return claimed(variant, assay.Faster, -by, -by-1, 1-by)
	}
	memory := made(assay.MetricRSS, false, claimed(".", assay.More, 9, 8, 10), claimed("HEAD", assay.More, 9, 8, 10), claimed("c", assay.More, 9, 8, 10))
	r := &assay.Result{Base: "HEAD~1", Tables: []assay.Table{
		made(assay.MetricTime, true, less(".", 20), less("HEAD", 19), claimed("c", assay.Slower, 4, 3, 5)), memory}}
	for _, v := range []string{"HEAD~1", ".", "HEAD", "c"} {
		r.Variants = append(r.Variants, assay.VariantResult{Name: v})
	}
	e := Evidence{Plan: &assay.Plan{}, Ties: func(_ assay.Metric, best string, others []string) (tied, early []string) {
		if best != "." || len(others) != 2 || others[0] != "." || others[1] != "HEAD" {
			t.Errorf("the ties of %q among %q are asked for, want their own names", best, others)
		}
		return []string{"HEAD"}, nil
	}}
	answered{assay.Faster, ".", "use your tree: 20.0 % less time [−21.0, −19.0] than HEAD~1, but 9.0 % more peak memory [+8.0, +10.0] / worse than HEAD~1: c",
		"your tree is tied with your last commit"}.check(t, "several", Of(r, e))
	if r.Variants[1].Name != "." || r.Tables[0].Rows[0].Cells[0].Variant != "." {
		t.Errorf("the result itself has other names: %+v", r.Variants)
	}
	r.Base, r.Variants, r.Tables = ".", r.Variants[1:3], []assay.Table{made(assay.MetricTime, true, claimed("HEAD", assay.Slower, 4, 3, 5))}
	answered{assay.Slower, ".", "use your tree: your last commit takes 4.0 % more time [+3.0, +5.0] than your tree", ""}.check(t, "the base", Of(r, e))
	r.Variants = append(r.Variants, assay.VariantResult{Name: "your tree"})
	if a := Of(r, e); !strings.HasPrefix(a.Text[0], "use .: ") {
		t.Errorf("got %q where a variant is called your tree", a.Text)
	}
}

package markdown

import (
	"strings"
	"testing"

	"github.com/seed-1318a441/assay"
)

// several are machines a, b, ..., each with its own result of the same study.
func several(results ...*assay.Result) *assay.Merged {
	m := &assay.Merged{Study: "codec", Question: "which one?"}
	for i, r := range results {
		m.Machines = append(m.Machines, assay.Machine{Name: string(rune('a' + i)), Result: *r})
	}
	return m
}

func mergedText(t *testing.T, m *assay.Merged, o Options) string {
	t.Helper()
	var b strings.Builder
	if err := WriteMerged(&b, m, o); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// Each machine has a section with its own verdict and its own tables, or a line where
// nothing changed on it.
func TestMergedSections(t *testing.T) {
	text := mergedText(t, several(result(assay.Mixed, timed(slower, same)), result(assay.Same, timed(same, same))), Options{Report: "https://e.com/r"})
	first, second, ok := strings.Cut(text, "\n\n#### `b`: no change in 2 benchmarks\n\nthe answer\n\n")
	if !ok {
		t.Fatalf("got\n%s\nwant a section of b without tables", text)
	}
	if !strings.HasPrefix(first, "### assay: `codec` on 2 machines\n\nwhich one?\n\n#### `a`: 1 slower, 1 same\n\n") || strings.Count(first, "| `Encode` |") != 2 {
		t.Errorf("got\n%s\nwant a section of a, with what changed in sight and in the fold", first)
	}
	for _, want := range []string{"Nothing is averaged over machines", "\n\n[Interactive report](https://e.com/r)\n\n", "\n" + Marker("codec") + "\n"} {
		if !strings.Contains(second, want) {
			t.Errorf("got\n%s\nwant %q in it", second, want)
		}
	}
}

// The answer over all machines is about this PR too, and each section says how much of the
// study was measured there.
func TestMergedPull(t *testing.T) {
	a, b := result(assay.Faster, timed(faster)), result(assay.Same, timed(same, same))
	for _, r := range []*assay.Result{a, b} {
		r.Base, r.Variants = "HEAD", []assay.VariantResult{{Name: "HEAD", Commit: "9f8e7d6c5b4a"}, {Name: "."}}
		for _, row := range r.Tables[0].Rows {
			row.Cells[0].Variant = "."
		}
	}
	b.Wanted, b.Answer.Text = 95, []string{"keep your last commit: your tree is the same within ±1 %", "1 of 95 benchmarks measured"}
	m := several(a, b)
	m.Answer = &assay.Answer{Text: []string{"use your tree: faster on 1 of 2 machines"}}
	m.Heads = heads(".")
	text := mergedText(t, m, Options{Head: "a1b2c3d4e5f6", Branch: "main"})
	for _, want := range []string{"**use this PR: faster on 1 of 2 machines**", "\n#### `b`: no change in 2 benchmarks · 1 of 95 benchmarks measured\n\nkeep main: this PR is the same within ±1 %"} {
		if !strings.Contains(text, want) {
			t.Errorf("got\n%s\nwant %q", text, want)
		}
	}
}

// Later comments remember a verdict only where the machines agree, or where there is one
// over all of them.
func TestMergedVerdict(t *testing.T) {
	worse, quiet := result(assay.Slower, timed(slower, slower)), result(assay.Same, timed(same, same))
	for _, x := range []struct {
		what   string
		a, b   *assay.Result
		answer *assay.Answer
		want   string
	}{
		{"they agree", worse, worse, nil, "2 slower"},
		{"they agree, whatever the answer", worse, worse, &assay.Answer{Verdict: assay.Mixed, Text: []string{"x"}}, "2 slower"},
		{"they differ", worse, quiet, nil, "machines differ"},
		{"they differ, and there is an answer", worse, quiet, &assay.Answer{Verdict: assay.Slower, Text: []string{"x"}}, "slower"},
		{"they differ, and so does the answer", worse, quiet, &assay.Answer{Verdict: assay.Mixed, Text: []string{"x"}}, "machines differ"},
	} {
		m := several(x.a, x.b)
		if m.Answer = x.answer; m.Answer != nil {
			m.Heads = heads("new")
		}
		got := Pushes(mergedText(t, m, Options{Head: "aaaaaaa1"}))
		if len(got) != 1 || got[0].Verdict != x.want {
			t.Errorf("%s: got %v, want %q", x.what, got, x.want)
		}
	}
}

// heads are changes over the suite, proved and confirmed on the first machine alone.
func heads(variants ...string) (out []assay.MergedHead) {
	for _, v := range variants {
		proved, open := cell("", assay.Slower, 4, 6), cell("", assay.Unclear, -2, 4)
		proved.Variant, open.Variant = v, v
		out = append(out, assay.MergedHead{Variant: v, Metric: timed().Metric, Of: 2, Worse: 1, On: []assay.HeadOn{{Comparison: proved, Confirmed: true}, {Comparison: open}}})
	}
	return out
}

// The answer over all machines comes first, in bold, with what each machine shows of every
// variant.
func TestMergedAnswer(t *testing.T) {
	m := several(result(assay.Slower, timed(slower)), result(assay.Unclear, timed(unclear)))
	m.Answer = &assay.Answer{Verdict: assay.Mixed, Text: []string{"it depends", "@all"}, Basis: "confirmed at 99 %"}
	m.Heads = heads("new")
	before, _, _ := strings.Cut(mergedText(t, m, Options{}), "\n\n#### ")
	isLines(t, "one variant", before, "### assay: `codec` on 2 machines", "", "which one?", "", "**it depends**<br>", "@&#8203;all", "",
		"| new on | sec/op vs old | verdict | over machines |", "| :-- | --: | :-- | :-- |",
		"| `a` | +5.0 % [+4.0, +6.0] | slower | confirmed |", "| `b` | +1.0 % [−2.0, +4.0] | within ±4.0 % |  |", "", "confirmed at 99 %")
	m.Heads = heads("new", "a|b")
	m.Heads[1].On[1] = assay.HeadOn{}
	text := mergedText(t, m, Options{})
	for _, want := range []string{"| variant and machine | vs old | verdict | over machines |", "\n| **`new`** | sec/op, confirmed on 1 of 2 machines |  |  |\n| `a` | +5.0 %",
		"\n| **<code>a&#124;b</code>** | sec/op, confirmed on 1 of 2 machines |  |  |\n", "| `b` | – | not measured |  |\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("got\n%s\nwant %q in it", text, want)
		}
	}
}

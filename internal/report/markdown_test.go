package report

import (
	"encoding/csv"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/markdown"
	"github.com/seed-1318a441/assay/internal/sheet"
)

// pull are the options of a pull request's comment.
var pull = markdown.Options{
	Report: "https://github.com/o/r/actions/runs/1/artifacts/2", Head: "a1b2c3d4e5f60718293a4b5c6d7e8f9012345678", Branch: "main",
	Earlier: []markdown.Push{{Commit: "77aa01b2c3", Verdict: "3 slower"}, {Commit: "5c2210aabb", Verdict: "same"}},
}

func markdownOf(t testing.TB, r *assay.Result, o markdown.Options) string {
	t.Helper()
	var b strings.Builder
	if err := markdown.Write(&b, r, o); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// comments are the results that comments are made of, beside the fixtures.
var comments = map[string]func(t testing.TB) *assay.Result{
	"pull": pulled,
	"same": func(t testing.TB) *assay.Result {
		r := pulled(t)
		for i := range r.Tables {
			calm(&r.Tables[i])
		}
		r.Answer = assay.Answer{Decided: true, Verdict: assay.Same, Text: []string{"no reason to change: main and . are the same within ±1 % over 4 benchmarks"}}
		return r
	},
	"undecided": func(t testing.TB) *assay.Result { return restless(t, false) },
	"noisy":     func(t testing.TB) *assay.Result { return restless(t, true) },
	"many":      many,
	"plain":     func(t testing.TB) *assay.Result { return fixture(t, "command") },
	"hostile":   func(t testing.TB) *assay.Result { return fixture(t, "hostile") },
	"six":       func(t testing.TB) *assay.Result { return fixture(t, "six") },
	"withheld":  func(t testing.TB) *assay.Result { return fixture(t, "withheld") },
	"zero":      func(t testing.TB) *assay.Result { return fixture(t, "zero") },
	"arc":       func(t testing.TB) *assay.Result { return fixture(t, "arc") },
	"service":   func(t testing.TB) *assay.Result { return fixture(t, "service") },
	"why":       func(t testing.TB) *assay.Result { return whyResult(t) },
}

// pulled is what a pull request may come to: slower, faster and the same.
func pulled(testing.TB) *assay.Result {
	names := []string{"main", "."}
	benches := []string{"Encode/large", "Encode/small", "Decode/huge", "Skip"}
	allocs := assay.Metric{Name: assay.MetricAllocs, Better: assay.BetterLower, MinEffect: 0.01}
	counts := tableOf(allocs, names, benches, [][]float64{{12, 14}, {3, 3}, {40, 40}, {0, 0}}, 0)
	counts.Geomean = nil
	for i := range counts.Rows {
		c := &counts.Rows[i].Cells[0]
		c.Exact, c.Interval = true, nil
		if c.Verdict = assay.More; i > 0 {
			c.Verdict, c.Change = assay.Same, 0
		}
	}
	r := resultOf("codec", names, tableOf(timeMetric, names, benches,
		[][]float64{{2.97e-3, 3.21e-3}, {812e-9, 841e-9}, {41e-3, 37.7e-3}, {101e-9, 101e-9}}, 0.008), counts)
	r.Variants[0].Commit = "9f8e7d6c5b4a39281706f5e4d3c2b1a098765432"
	r.Command = "assay compare 9f8e7d6 . -- -bench=. ./..."
	r.Answer.Text = []string{"not decided: time of your tree +0.8 % [−0.1, +1.6] over 4 benchmarks", "1 for the better, 2 for the worse: Encode/large +8.1 % [+7.3, +8.9], …"}
	r.Answer.Verdict = assay.Mixed
	return r
}

func calm(t *assay.Table) {
	for i := range t.Rows {
		for j := range t.Rows[i].Cells {
			c := &t.Rows[i].Cells[j]
			c.Verdict, c.Change, c.Interval = assay.Same, 0.001, &assay.Interval{Lo: -0.004, Hi: 0.006}
		}
	}
}

// restless is a run that decided nothing, on a machine that could not.
func restless(t testing.TB, noisy bool) *assay.Result {
	r := pulled(t)
	for i := range r.Tables[0].Rows {
		c := &r.Tables[0].Rows[i].Cells[0]
		c.Verdict, c.Interval, c.MoreBlocks = assay.Unclear, &assay.Interval{Lo: -0.021, Hi: 0.039}, 46
	}
	g := &r.Tables[0].Geomean[0]
	g.Verdict, g.Interval = assay.Unclear, &assay.Interval{Lo: -0.02, Hi: 0.03}
	r.Tables = r.Tables[:1]
	r.Answer = assay.Answer{Verdict: assay.Unclear, Text: []string{"not decided: time of your tree +1 % [−2, +3] over 4 benchmarks"}}
	r.Warnings = []assay.Warning{{Code: "undecided", Text: "4 of 4 comparisons are unclear after 10m", Facts: []string{"widest: Encode/large +8 % [−2, +4], needs about 46 more blocks (22m)"}, Try: "assay compare --more 25m main ."}}
	if noisy {
		r.Noise.Floor = 0.042
		r.Warnings = append(r.Warnings, assay.Warning{Code: "noisy", Text: "noise on this machine is ±4.2 % so far, above the 1 % you asked for", Try: "assay doctor, or a larger --budget"})
	}
	return r
}

// many has more benchmarks than a comment has room for.
func many(testing.TB) *assay.Result {
	var benches []string
	var values [][]float64
	for i := range 3000 {
		benches = append(benches, fmt.Sprintf("Encode/size=%d/with|a|pipe/and/a/rather/long/name/to/fill/the/room", i))
		values = append(values, []float64{1e-6, 1e-6 * (1 + 0.001*float64(i%100))})
	}
	names := []string{"main", "."}
	return resultOf("many", names, tableOf(timeMetric, names, benches, values, 0.005))
}

func whyResult(t testing.TB) *assay.Result {
	r := pulled(t)
	r.Explanations = []assay.Explanation{{Benchmark: assay.Benchmark{Name: "Encode/large"}, Variant: ".", Base: "main", Metric: assay.MetricTime,
		Comparison: r.Tables[0].Rows[0].Cells[0],
		Causes: []assay.Cause{{Kind: assay.CauseAllocation, Function: "(*Encoder).field", File: "encode.go", Line: 211,
			Text: "2 allocations more per operation in (*Encoder).field", Part: &assay.Part{Change: 0.061, Interval: &assay.Interval{Lo: 0.055, Hi: 0.067}}}}}}
	return r
}

func TestMarkdown(t *testing.T) {
	for name, make := range comments {
		r := make(t)
		text := markdownOf(t, r, pull)
		golden(t, "markdown."+name, text)
		checkMarkdown(t, name, text)
		if want := markdown.Marker(r.Study) + "\n"; !strings.HasSuffix(text, want) {
			t.Errorf("%s: want %q last", name, want)
		}
		for _, a := range r.Answer.Text {
			if !strings.Contains(text, markdown.Prose(strings.ReplaceAll(a, "your tree", "this PR"))) {
				t.Errorf("%s: the answer %q is not in\n%s", name, a, text)
			}
		}
	}
	for _, name := range fixtures {
		checkMarkdown(t, name, markdownOf(t, fixture(t, name), markdown.Options{}))
	}
}

func TestMarkdownMerged(t *testing.T) {
	for name, m := range map[string]*assay.Merged{"merged": mereMerged(), "arc-merged": arcMerged()} {
		var b strings.Builder
		if err := markdown.WriteMerged(&b, m, pull); err != nil {
			t.Fatal(err)
		}
		golden(t, "markdown."+name, b.String())
		checkMarkdown(t, name, b.String())
		for _, x := range m.Machines {
			if !strings.Contains(b.String(), "#### "+markdown.Code(x.Name)) {
				t.Errorf("%s: no section of %s", name, x.Name)
			}
		}
	}
}

// checkMarkdown holds what every comment must: it fits GitHub, rows have as many
// cells as their head, and of HTML there is only our own.
func checkMarkdown(t testing.TB, name, text string) {
	t.Helper()
	if len(text) > markdown.MaxSize {
		t.Errorf("%s: %d bytes, want at most %d", name, len(text), markdown.MaxSize)
	}
	columns := 0
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if strings.ContainsFunc(line, func(r rune) bool { return r < ' ' || r == 0x7f || r == '\u202e' || r == '\u2028' }) {
			t.Errorf("%s: control character in %q", name, line)
		}
		outside := codeSpan.ReplaceAllString(line, gap)
		switch n := strings.Count(line, "|"); {
		case n == 0:
			columns = 0
		case !strings.HasPrefix(line, "| "):
			t.Errorf("%s: a bar outside of a table: %q", name, line)
		case columns == 0:
			columns = n
		case n > columns:
			t.Errorf("%s: %d bars, want %d: %q", name, n, columns, line)
		}
		outside = ourHTML.ReplaceAllString(outside, "")
		outside = strings.NewReplacer("&#8203;", "\u200b", "&#35;", "#").Replace(outside)
		outside = entity.ReplaceAllString(outside, gap)
		if strings.ContainsAny(outside, "<>`\\") {
			t.Errorf("%s: markup that is not ours: %q", name, line)
		}
		if found := loud.FindString(outside); found != "" {
			t.Errorf("%s: %q would be a mention, a reference or a link: %q", name, found, line)
		}
	}
	if strings.Count(text, "<details>") != strings.Count(text, "</details>") {
		t.Errorf("%s: folds are not closed", name)
	}
}

// gap stands where something harmless was, so that what is around it does not meet.
const gap = "\ufffd"

var (
	codeSpan = regexp.MustCompile("`[^`|\\\\]*`|<code>[^<>`|]*</code>")
	ourHTML  = regexp.MustCompile(`<details><summary>|</summary>|^</details>$|<br>$|^<!-- assay:(comment v1 study=[A-Za-z0-9._/%-]*|push [0-9a-f]+ [^<>-]*) -->$|\[Interactive report\]\(https://[^()<> ]*\)`)
	entity   = regexp.MustCompile(`&#[0-9]+;`)
	loud     = regexp.MustCompile(`(?i)[@#][a-z0-9]|://|\bwww\.[a-z]|\]\(`)
)

// TestMarkdownVerdicts: the words of the table are those of the record.
func TestMarkdownVerdicts(t *testing.T) {
	for _, name := range []string{"pull", "plain", "undecided", "zero"} {
		r := comments[name](t)
		_, all, _ := strings.Cut(markdownOf(t, r, pull), "<summary>All ")
		all, _, _ = strings.Cut(all, "</details>")
		var want, got []string
		for _, tab := range r.Tables {
			for _, row := range tab.Rows {
				want = append(want, words(row.Cells)...)
			}
		}
		for line := range strings.Lines(all) {
			if cells := strings.Split(line, " | "); len(cells) > 4 {
				got = append(got, verdictWords.FindAllString(cells[4], 1)...)
			}
		}
		if strings.Join(got, " ") != strings.Join(want, " ") {
			t.Errorf("%s: got verdicts\n%q, want those of the record\n%q", name, got, want)
		}
	}
}

func FuzzMarkdown(f *testing.F) {
	for _, s := range []string{"a|b", "`", "``` \n# x", "<script>", "@all #1 http://x www.x GH-1", "\\|", "[a](b)", "--> -- >", "\u202e\x1b[31m", "&#64;x", "-x", "=1+1", "]!!(", "]`a`(", strings.Repeat("é|", 3000)} {
		f.Add(s, 0.5)
	}
	f.Fuzz(func(t *testing.T, text string, x float64) {
		r := pulled(t)
		r.Study, r.Question, r.Run, r.Command, r.Base = text, text, text, text, text
		r.Variants[0] = assay.VariantResult{Name: text, Commit: text, GoVersion: text}
		r.Answer = assay.Answer{Verdict: assay.Mixed, Text: []string{text, "use " + text}, Basis: text}
		r.Warnings = []assay.Warning{{Code: assay.Code(text), Text: text, Facts: []string{text}, Try: text, Advice: text}}
		r.Platform = assay.Platform{CPU: text, GOOS: text}
		for i := range r.Tables {
			r.Tables[i].Metric.Name = text
			for j := range r.Tables[i].Rows {
				row := &r.Tables[i].Rows[j]
				row.Benchmark = assay.Benchmark{Package: text, Name: text}
				row.Base, row.Cells[0].Value, row.Cells[0].Reason = x, -x, text
				row.Cells[0].Change = assay.Change(x)
			}
		}
		r.Explanations = []assay.Explanation{{Benchmark: assay.Benchmark{Name: text}, Comparison: assay.Comparison{Verdict: assay.Slower}, Causes: []assay.Cause{{Text: text, File: text}}}}
		o := markdown.Options{Report: text, Head: text, Branch: text, Earlier: markdown.Pushes(text)}
		checkMarkdown(t, "fuzz", markdownOf(t, r, o))
		var b strings.Builder
		if err := sheet.WriteCSV(&b, r); err != nil {
			t.Fatal(err)
		}
		lines, err := csv.NewReader(strings.NewReader(b.String())).ReadAll()
		if err != nil || len(lines) < 8 {
			t.Fatalf("%v: %d lines of CSV\n%s", err, len(lines), b.String())
		}
	})
}

// Base value, value and change of a line never point different ways, also where the
// change is that from the previous step.
func TestCSVAgrees(t *testing.T) {
	for name, r := range map[string]*assay.Result{"arc": arcMade(), "two": fixture(t, "two")} {
		var b strings.Builder
		if err := sheet.WriteCSV(&b, r); err != nil {
			t.Fatal(err)
		}
		lines, err := csv.NewReader(strings.NewReader(b.String())).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		at := func(l []string, column string) float64 {
			x, err := strconv.ParseFloat(l[slices.Index(lines[0], column)], 64)
			if err != nil {
				return 0 // not known
			}
			return x
		}
		for _, l := range lines[1:] {
			base, value, change := at(l, "base_value"), at(l, "value"), at(l, "change")
			if base != 0 && value != 0 && math.Abs(value/base-1-change) > 1e-3 {
				t.Errorf("%s: %v", name, l)
			}
		}
	}
}

func TestCSV(t *testing.T) {
	for _, name := range []string{"pull", "hostile", "withheld", "arc", "service", "zero"} {
		r := comments[name](t)
		var b strings.Builder
		if err := sheet.WriteCSV(&b, r); err != nil {
			t.Fatal(err)
		}
		golden(t, "csv."+name, b.String())
		lines, err := csv.NewReader(strings.NewReader(b.String())).ReadAll()
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		want := 1
		for _, tab := range r.Tables {
			for _, row := range tab.Rows {
				want += len(row.Cells)
			}
			want += len(tab.Geomean)
		}
		if r.Arc == nil && len(lines) != want {
			t.Errorf("%s: %d lines, want %d", name, len(lines), want)
		}
	}
	for metric, want := range map[string]string{"sec/op": "s", "B/op": "B", "B/s": "B/s", "allocs/op": "", "errors/tx": "", "latency.p99": "s"} {
		if got := sheet.Unit(metric); got != want {
			t.Errorf("unit of %s: got %q, want %q", metric, got, want)
		}
	}
}

// A comment remembers its pushes, and no more than it has room for.
func TestPushes(t *testing.T) {
	o := pull
	o.Earlier = nil
	for i := range 30 {
		o.Head = fmt.Sprintf("%040x", i+1)
		text := markdownOf(t, pulled(t), o)
		o.Earlier = markdown.Pushes(strings.ReplaceAll(text, "\n", "\r\n")) // as GitHub gives it back
		if want := min(i+1, markdown.MaxPushes); len(o.Earlier) != want || o.Earlier[0].Commit != o.Head {
			t.Fatalf("after push %d: %d remembered, want %d: %v", i+1, len(o.Earlier), want, o.Earlier)
		}
	}
	if p := o.Earlier[0]; p.Verdict != "2 slower, 1 faster, 1 same" {
		t.Errorf("got verdict %q", p.Verdict)
	}
	again := markdownOf(t, pulled(t), o)
	if strings.Count(again, o.Head) != 1 {
		t.Errorf("a push measured again is told twice:\n%s", again)
	}
	if got := markdown.Pushes("<!-- assay:push 123 same -->\n<!-- assay:push 1234567 <b> -->\n x <!-- assay:push 1234567 same -->"); len(got) != 0 {
		t.Errorf("got %v from a comment that is not ours", got)
	}
}

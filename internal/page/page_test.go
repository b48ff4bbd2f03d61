package page

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/analysis/sample"
	"github.com/seed-1318a441/assay/internal/sheet"
	"github.com/seed-1318a441/assay/internal/slow"
	"github.com/seed-1318a441/assay/web"
)

// fixture is a result of the tests of package report.
func fixture(t testing.TB, name string) *assay.Result {
	t.Helper()
	text, err := os.ReadFile("../report/testdata/" + name + ".json")
	if err != nil {
		t.Fatal(err)
	}
	var r assay.Result
	if err := json.Unmarshal(text, &r); err != nil {
		t.Fatal(err)
	}
	return &r
}

func pageOf(r *assay.Result) *Page {
	return New(&assay.Merged{Study: r.Study, Machines: []assay.Machine{{Name: "here", Result: *r}}}, "assay devel")
}

func htmlOf(t testing.TB, p *Page, e Embed) string {
	t.Helper()
	var b bytes.Buffer
	if err := HTML(&b, p, e); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// dataOf decodes the data of a page.
func dataOf(t testing.TB, page string) []byte {
	t.Helper()
	return []byte(packedIn(t, page, "assay-data"))
}

// packedIn is what an element of the page holds as base64 of gzip.
func packedIn(t testing.TB, page, id string) string {
	t.Helper()
	m := regexp.MustCompile(`(?s)<script type="text/plain" id="` + id + `">([^<]*)</script>`).FindStringSubmatch(page)
	if m == nil {
		t.Fatalf("no %s", id)
	}
	packed, err := base64.StdEncoding.DecodeString(m[1])
	if err != nil {
		t.Fatal(err)
	}
	z, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// No name of a stranger turns around the words of a page, in its HTML or in what its script
// shows. Results and files are as they were recorded.
func TestWordsAreClean(t *testing.T) {
	const turned = "\u202e"
	for _, name := range []string{"hostile", "two", "six", "hundred", "by", "unclear", "withheld"} {
		text, err := json.Marshal(fixture(t, name))
		if err != nil {
			t.Fatal(err)
		}
		var r assay.Result
		base, study := fixture(t, name).Base, fixture(t, name).Study
		dirty := strings.NewReplacer(`"`+base+`"`, `"`+base+turned+`"`, `"`+study+`"`, `"`+study+turned+`"`, `"question":"`, `"question":"`+turned, `"text":["`, `"text":["`+turned)
		if err := json.Unmarshal([]byte(dirty.Replace(string(text))), &r); err != nil {
			t.Fatal(err)
		}
		p := pageOf(&r)
		p.Commands, p.Method = []Command{{What: "again" + turned, Line: "assay" + turned}}, []string{"a fact" + turned}
		html := htmlOf(t, p, EmbedFive)
		if strings.Contains(html, turned) {
			i := strings.Index(html, turned)
			t.Errorf("%s: HTML has %q", name, html[max(0, i-80):i+20])
		}
		var data struct {
			Words, Method, Commands json.RawMessage
		}
		if err := json.Unmarshal(dataOf(t, html), &data); err != nil {
			t.Fatal(err)
		}
		for what, part := range map[string]json.RawMessage{"words": data.Words, "method": data.Method, "commands": data.Commands} {
			// By keys, which are names as they are in the result, the script finds words.
			text := strings.ReplaceAll(string(part), turned+`":`, `":`)
			if i := strings.Index(text, turned); i >= 0 {
				t.Errorf("%s: %s have %q", name, what, text[max(0, i-80):i+20])
			}
		}
	}
}

// The policy of the page lets exactly the scripts run that are in it.
// The head of a page names the study in words, and its answer without half of a number.
func TestPageHead(t *testing.T) {
	r := *fixture(t, "two")
	r.Study, r.Question = "tiny-page", "Is <b> faster?"
	r.Answer.Text = []string{"use new: 21.7 % less time [−24.2, −20.4] than old, " + strings.Repeat("and ", 20) + "[−9, +1]"}
	p := pageOf(&r)
	html := htmlOf(t, p, EmbedNone)
	title := "Tiny page: use new: 21.7 % less time [−24.2, −20.4] than old," + strings.Repeat(" and", 14) + " …"
	for _, want := range []string{"<title>" + title + "</title>", `<meta property="og:title" content="` + title + `">`,
		`<meta name="description" content="Is &lt;b&gt; faster? use new: 21.7 %`, "<h1>Tiny page</h1>"} {
		if !strings.Contains(html, want) {
			t.Errorf("no %s in\n%s", want, html[:1200])
		}
	}
}

func TestPagePolicy(t *testing.T) {
	p := pageOf(fixture(t, "two"))
	page, script := htmlOf(t, p, EmbedFive), p.script()
	if !strings.HasSuffix(page, "<script>"+loader+"</script>\n</body>\n</html>\n") || strings.Contains(loader, "</") {
		t.Error("the page does not end with its loader")
	}
	want := `content="default-src 'none'; script-src ` + hashOf(loader) + " " + hashOf(script) + "; style-src 'unsafe-inline'"
	if !strings.Contains(page, want) {
		t.Error("no policy with the hashes of the scripts")
	}
	if packedIn(t, page, "assay-script") != script {
		t.Error("the script is not in the page")
	}
}

func TestPageNewerSchema(t *testing.T) {
	r := fixture(t, "two")
	r.Schema = assay.ResultSchema + 1
	err := HTML(&bytes.Buffer{}, pageOf(r), EmbedFive)
	if err == nil || !strings.Contains(err.Error(), "newer assay") {
		t.Errorf("got %v, want a refusal of the newer schema", err)
	}
	if err := HTML(&bytes.Buffer{}, New(&assay.Merged{}, ""), EmbedFive); err == nil {
		t.Error("a page of nothing was written")
	}
}

// A page carries the bundles of the script that its data need.
func TestPageScript(t *testing.T) {
	with := func(change func(*assay.Result)) *Page {
		r := fixture(t, "two")
		change(r)
		return pageOf(r)
	}
	for _, c := range []struct {
		page *Page
		want []string
	}{
		{with(func(*assay.Result) {}), nil},
		{pageOf(fixture(t, "six")), []string{web.Many}},
		{with(func(r *assay.Result) { r.Arc = &assay.Arc{} }), []string{web.Steps}},
		{with(func(r *assay.Result) { r.Tables[0].Metric.Name = assay.MetricRequests }), []string{web.Services}},
		{with(func(r *assay.Result) { r.Explanations = []assay.Explanation{{}} }), []string{web.Why}},
	} {
		got := c.page.script()
		for _, b := range []string{web.Core, web.Many, web.Steps, web.Services, web.Why} {
			if has, need := strings.Contains(got, b), b == web.Core || slices.Contains(c.want, b); has != need {
				t.Errorf("bundle of %d bytes: got %v, want %v", len(b), has, need)
			}
		}
	}
}

// A result with nothing in it has a page, too.
func TestPageOfNothing(t *testing.T) {
	for _, r := range []*assay.Result{{Schema: 1}, {Schema: 1, Study: "x", Base: "a", Variants: []assay.VariantResult{{Name: "a"}}, Tables: []assay.Table{{}}, Race: &assay.Race{}}} {
		_, words, _ := strings.Cut(string(dataOf(t, htmlOf(t, pageOf(r), EmbedFive))), `"words":`)
		if strings.Contains(words, "null") {
			t.Errorf("the script is given a null in place of a list: %s", words)
		}
	}
}

// Of explanations only the largest changes keep their trees and listings, and what was
// given is not changed.
func TestPageEmbeds(t *testing.T) {
	r := fixture(t, "two")
	for i := range 8 {
		r.Explanations = append(r.Explanations, assay.Explanation{Comparison: assay.Comparison{Change: assay.Change(0.01 * float64(i))},
			CPU:  &assay.CPUChange{Flame: &assay.Frame{Name: "root"}},
			Code: &assay.CodeChange{Functions: []assay.FuncChange{{Name: "f", Listing: []assay.CodeLine{{Base: "ret"}}}}}})
	}
	p := pageOf(r)
	p.Files = []File{{Name: "results.txt", Text: strings.Repeat("BenchmarkX 1 1 ns/op\n", 200_000)}, {Name: "study.toml", Text: "x"}}
	p.Series = []sample.Series{{}}
	for e, want := range map[Embed][4]int{EmbedFive: {5, 5, 2, 1}, "": {5, 5, 2, 1}, EmbedAll: {8, 8, 3, 1}, EmbedNone: {0, 0, 0, 0}} {
		var got [4]int
		out := p.embedded(e)
		for _, x := range out.Machines[0].Result.Explanations {
			if x.CPU.Flame != nil {
				got[0]++
			}
			got[1] += len(x.Code.Functions[0].Listing)
		}
		got[2], got[3] = len(out.Files), len(out.Series)
		if got != want {
			t.Errorf("%q: got %v trees, listings, files, series, want %v", e, got, want)
		}
	}
	if out := p.embedded(EmbedFive); out.Machines[0].Result.Explanations[0].CPU.Flame != nil || r.Explanations[0].CPU.Flame == nil {
		t.Error("the smallest change kept its tree, or the original lost it")
	}
	if m := p.embedded(EmbedFive).Method; len(m) != 1 || !strings.Contains(m[0], "results.txt is not in this page for its size, 4.2 MB: assay export 7k2m > results.txt") {
		t.Errorf("got %q", m)
	}
}

// A page that is too large is refused, with what to leave out.
func TestPageTooLarge(t *testing.T) {
	p := pageOf(fixture(t, "two"))
	noise := make([]byte, maxPage)
	for i, x := 0, uint32(1); i < len(noise); i++ {
		x = x*1664525 + 1013904223
		noise[i] = " !#$%&'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[]^_`abcdefghijklmnopqrstuvwxyz{|}~"[x>>16%93]
	}
	p.Files = []File{{Name: "results.txt", Text: string(noise)}}
	err := HTML(&bytes.Buffer{}, p, EmbedAll)
	e, ok := errors.AsType[*assay.Error](err)
	if !ok || e.Code != "report-size" || !strings.Contains(e.Facts[0], "results.txt: 2") || !strings.Contains(e.Advice, "--embed=none") {
		t.Errorf("got %v", err)
	}
}

// A page that needs all of the script has 92 kB of it.
func TestScriptSize(t *testing.T) {
	elements, _, err := scripts(strings.Join([]string{web.Core, web.Many, web.Steps, web.Services, web.Why, web.Replay}, "\n"))
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d bytes", len(elements))
	if len(elements) > 92_000 {
		t.Errorf("all of the script takes %d bytes of a page, want 92,000 at most", len(elements))
	}
}

// A study of 10 benchmarks is at most 130 kB.
func TestPageSize(t *testing.T) {
	p := madePage(10, 2)
	p.Machines[0].Result.Arc = nil
	if n := len(htmlOf(t, p, EmbedFive)); n > 130_000 {
		t.Errorf("10 benchmarks: %d bytes, of which %d are script and %d style", n, len(p.script()), len(web.Style))
	}
}

// One of 5,000 benchmarks and 20 steps is at most 3 MB. ASSAY_BIG_PAGE names a file that
// it is written to, for the browser.
func TestSlowPageSize(t *testing.T) {
	slow.Test(t)
	page := htmlOf(t, madePage(5000, 20), EmbedFive)
	t.Logf("5,000 benchmarks x 20 steps: %d bytes", len(page))
	if len(page) > 3<<20 {
		t.Errorf("5,000 benchmarks x 20 steps: %d bytes", len(page))
	}
	if name := os.Getenv("ASSAY_BIG_PAGE"); name != "" {
		if err := os.WriteFile(name, []byte(page), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

func BenchmarkPage(b *testing.B) {
	for _, n := range []int{10, 5000} {
		p := madePage(n, 20)
		b.Run(fmt.Sprintf("benchmarks=%d", n), func(b *testing.B) {
			for b.Loop() {
				htmlOf(b, p, EmbedFive)
			}
		})
	}
}

// Of results without a verdict there is no geomean, for the reason that they have none.
func TestSuiteWordsWithoutVerdict(t *testing.T) {
	r := fixture(t, "withheld")
	if got := suiteWords(sheet.New(r, true, false), r.Tables[0]); got != "no geomean: not measured together" {
		t.Errorf("got %q", got)
	}
}

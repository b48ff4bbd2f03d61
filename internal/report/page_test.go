package report

import (
	"bytes"
	"html"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/page"
	"github.com/seed-1318a441/assay/internal/printable"
)

func pageOf(r *assay.Result) *page.Page {
	return page.New(&assay.Merged{Study: r.Study, Machines: []assay.Machine{{Name: "here", Result: *r}}}, "assay devel")
}

func htmlOf(t testing.TB, p *page.Page, e page.Embed) string {
	t.Helper()
	var b bytes.Buffer
	if err := page.HTML(&b, p, e); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// staticPart is what stands in the page for readers without a script.
func staticPart(t testing.TB, file string) string {
	t.Helper()
	_, rest, ok := strings.Cut(file, "<main id=\"app\">\n")
	part, _, end := strings.Cut(rest, "</main>")
	if !ok || !end {
		t.Fatal("no <main>")
	}
	return part
}

func TestPageStatic(t *testing.T) {
	p := pageOf(fixture(t, "two"))
	p.Commands = []page.Command{{What: "measure it again", Line: "assay run two"}}
	golden(t, "page.two", staticPart(t, htmlOf(t, p, page.EmbedFive)))
	golden(t, "page.arc", staticPart(t, htmlOf(t, pageOf(fixture(t, "arc")), page.EmbedFive)))
}

// The page says what the text says, in the same words and figures.
func TestPageSaysTheSame(t *testing.T) {
	for _, name := range fixtures {
		r := fixture(t, name)
		part := staticPart(t, htmlOf(t, pageOf(r), page.EmbedFive))
		for _, want := range append(append([]string{}, r.Answer.Text...), r.Answer.Basis) {
			if want = html.EscapeString(printable.Clean(want)); !strings.Contains(unquoted(part), unquoted(want)) {
				t.Errorf("%s: %q is not on the page", name, want)
			}
		}
		for _, w := range r.Warnings {
			if !strings.Contains(part, "["+html.EscapeString(printable.Clean(string(w.Code)))+"]") {
				t.Errorf("%s: warning %s is not on the page", name, w.Code)
			}
		}
	}
}

// unquoted levels the ways to escape a character, and the spaces that keep a number to its
// percent sign.
func unquoted(s string) string {
	return strings.NewReplacer("&#43;", "+", "&#34;", `"`, "&#39;", "'", "\u00a0", " ").Replace(s)
}

// drawnTag is an element of a figure, whose attributes hold no markup.
var drawnTag = regexp.MustCompile(`^</?(figure|figcaption|svg|title|g|path|rect|text|tspan)( (class|viewBox|role|aria-label|data-[a-z0-9-]+|d|x|y|width|height|text-anchor)="[^"<>]*")*/?>$`)

func TestPageIsDeterministic(t *testing.T) {
	for _, name := range []string{"two", "arc", "hostile"} {
		first := htmlOf(t, pageOf(fixture(t, name)), page.EmbedFive)
		if second := htmlOf(t, pageOf(fixture(t, name)), page.EmbedFive); first != second {
			t.Errorf("%s: two pages of one result differ", name)
		}
	}
}

// Names of strangers stay text: no element of the page is theirs, and the
// scripts are the page's own.
func TestPageHostile(t *testing.T) {
	bad := `</script><script>alert(1)</script><img src=x onerror=alert(2)> "' &amp; ` + "\u202e" + strings.Repeat("x", 512)
	for _, name := range []string{"two", "six", "arc", "service-hostile", "hostile"} {
		r := fixture(t, name)
		spoil(r, bad)
		p := pageOf(r)
		p.Commands = []page.Command{{What: bad, Line: bad}}
		p.Machines = append(p.Machines, assay.Machine{Name: bad, Result: *r})
		p.Warnings = []assay.Warning{{Code: "x", Text: bad, Facts: []string{bad}, Try: bad, Advice: bad}}
		file := htmlOf(t, p, page.EmbedFive)
		if n := strings.Count(file, "<script"); n != 3 {
			t.Errorf("%s: %d scripts, want the data, the script and its loader", name, n)
		}
		part := staticPart(t, file)
		for _, tag := range regexp.MustCompile(`<[^>]*>?`).FindAllString(part, -1) {
			if drawnTag.MatchString(tag) {
				continue
			}
			if !regexp.MustCompile(`^</?(header|section|footer|h1|h2|p|span|strong|bdi|code|details|summary|ul|li|div|table|caption|thead|tbody|tr|th|td|noscript)( (class|scope|colspan)="[a-z0-9 ]+")?>$`).MatchString(tag) {
				t.Errorf("%s: an element that is not ours: %.80s", name, tag)
			}
		}
		if strings.ContainsRune(file, '\u202e') {
			t.Errorf("%s: a bidirectional mark", name)
		}
		var index bytes.Buffer
		if err := page.Index(&index, bad, []page.IndexEntry{{Link: "javascript:alert(1)//" + bad, Page: p}}); err != nil {
			t.Fatal(err)
		}
		if strings.Contains(index.String(), "<script") || strings.Contains(index.String(), "<img") {
			t.Errorf("%s: the index has elements of strangers", name)
		}
		if !strings.Contains(index.String(), `<a href="./javascript:`) {
			t.Errorf("%s: the index links to more than a file", name)
		}
	}
}

// spoil puts a text wherever a name or a sentence can stand.
func spoil(r *assay.Result, bad string) {
	r.Study, r.Question, r.Command, r.Report.Title = bad, bad, bad, ""
	r.Answer.Text, r.Answer.Basis = []string{bad}, bad
	r.Platform.CPU = bad
	r.Warnings = append(r.Warnings, assay.Warning{Code: assay.Code(bad), Text: bad, Facts: []string{bad}, Try: bad, Advice: bad})
	for i := range r.Tables {
		r.Tables[i].Metric.Name = bad
		for j := range r.Tables[i].Rows {
			r.Tables[i].Rows[j].Benchmark.Name = bad
		}
	}
}

// A name of anybody's stays text in a page: it opens no tag and ends no script.
func FuzzHTML(f *testing.F) {
	f.Add(payload)
	f.Add("<!--<script>")
	f.Add("]]></SCRIPT >")
	f.Fuzz(func(t *testing.T, text string) {
		r := ownFixture(t, "two")
		for _, aim := range []leaf{".Study", ".Variants[].Name", ".Tables[].Rows[].Benchmark.Name", ".Warnings[].Text"} {
			if !plant(reflect.ValueOf(r).Elem(), "", aim, text) {
				t.Fatalf("there is no place %s", aim)
			}
		}
		checkOutputs(t, "fuzzed", r, "html")
	})
}

package report

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/explain/group"
	"github.com/seed-1318a441/assay/internal/page"
	"github.com/seed-1318a441/assay/internal/record"
	"github.com/seed-1318a441/assay/internal/sheet"
	"github.com/seed-1318a441/assay/internal/terminal"
)

// studyResults are the results of the records in studies/, by their folder.
func studyResults(t *testing.T) map[string]*assay.Result {
	t.Helper()
	out := map[string]*assay.Result{}
	for _, pattern := range []string{"record", "record/*"} {
		dirs, err := filepath.Glob(filepath.Join("../../studies/*", pattern, "plan.json"))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range dirs {
			dir := filepath.Dir(file)
			r, err := record.ReadResult(os.DirFS(dir))
			if err != nil {
				t.Fatalf("%s: %v", dir, err)
			}
			out[strings.TrimPrefix(dir, "../../studies/")] = r
		}
	}
	if len(out) < 10 {
		t.Fatalf("%d records: is the pattern still right?", len(out))
	}
	return out
}

// markup is what is not read: tags, and the ticks of an axis, which are places.
var markup = regexp.MustCompile(`<text class="tick"[^>]*>[^<]*</text>|<[^>]*>`)

// Every figure of the first screen is one of the result, and one that "assay show" prints:
// percentages and ratios are those of comparisons, with the digits that the sheet gives
// them, or stand in warnings; other numbers stand in the text.
func TestFirstScreenFigures(t *testing.T) {
	for name, r := range studyResults(t) {
		f := figuresOf(t, r)
		file := htmlOf(t, pageOf(r), page.EmbedNone)
		static, _, _ := strings.Cut(staticPart(t, file), "<footer>")
		for where, text := range map[string]string{
			"without a script":    html.UnescapeString(markup.ReplaceAllString(static, " ")),
			"facts of the answer": answerWords(t, file),
			"the answer":          strings.Join(append(slices.Clone(r.Answer.Text), r.Answer.Basis), " "),
		} {
			for _, bad := range f.strange(text) {
				t.Errorf("%s, %s: %q is neither in the result nor in the text of assay show", name, where, bad)
			}
		}
	}
}

// A wrong figure is found.
func TestStrangeFigures(t *testing.T) {
	r := studyResults(t)["small-malloc/record"]
	f := figuresOf(t, r)
	c := r.Tables[0].Geomean[0]
	right, wrong := c.Change.Format(c.Interval.Half()), (c.Change + 9).Format(0.01)
	if bad := f.strange(right + " " + wrong + " 987654 77.7×"); fmt.Sprint(bad) != fmt.Sprint([]string{wrong, "987654", "77.7×"}) {
		t.Errorf("got %q, want all but %q", bad, right)
	}
}

// figures are the numbers that a result has.
type figures struct {
	percent []float64       // limits, and what causes explain
	changes map[string]bool // changes, ends and half-widths of intervals, as they are printed
	ratios  []float64       // of a variant to the base, and of the base to a variant
	words   map[string]bool // numbers as they are printed
	warned  map[string]bool // percentages of warnings
	values  []float64       // of metrics, in their units
}

// figure is a number as readers see it, with its sign, and the sign of percent or ratio.
var figure = regexp.MustCompile(`([+−±]?)([0-9]+(?:,[0-9]{3})*(?:\.[0-9]+)?)( ?%|×)?`)

func figuresOf(t *testing.T, r *assay.Result) *figures {
	t.Helper()
	texts := []string{textOf(t, r, terminal.Style{Width: 1000}), textOf(t, r, terminal.Style{Width: 1000, All: true})}
	// Expected false claims, which no field holds, are 5 %.
	f := &figures{words: map[string]bool{}, changes: map[string]bool{}, warned: map[string]bool{}, percent: []float64{0.05, r.Rule.MinEffect, r.Rule.Confidence, r.Rule.Gate, float64(r.Noise.Floor)}}
	add := func(c assay.Comparison) {
		text := sheet.Change(c.Change, 0)
		if c.Interval != nil {
			half := c.Interval.Half()
			text = sheet.Change(c.Change, half) + " " + c.Interval.String() + " " + sheet.PlusMinus(half) + " " + c.Interval.Bound()
		}
		for _, m := range figure.FindAllStringSubmatch(text, -1) {
			f.changes[m[1]+m[2]], f.changes[m[2]] = true, true
		}
		f.ratios = append(f.ratios, 1+float64(c.Change), 1/(1+float64(c.Change)))
	}
	for _, tab := range r.Tables {
		f.percent = append(f.percent, tab.Metric.MinEffect)
		f.values = append(f.values, sheet.GeomeanBase(tab))
		for _, row := range tab.Rows {
			texts = append(texts, row.Benchmark.String())
			for _, c := range row.Cells {
				add(c)
			}
		}
		for _, c := range tab.Geomean {
			add(c)
		}
		for _, e := range tab.Effects {
			add(e.Whole)
			for _, c := range e.Cells {
				add(c)
			}
		}
		for _, s := range tab.Steps {
			for _, c := range s.Cells {
				add(c)
			}
			if s.Whole != nil {
				add(*s.Whole)
			}
		}
	}
	for _, c := range r.Noise.Cells {
		add(c)
	}
	f.percent = append(f.percent, changesIn(t, r.Explanations)...)
	for _, e := range r.Explanations {
		f.percent = append(f.percent, changesIn(t, group.Of(&e))...)
	}
	for _, w := range r.Warnings {
		for _, m := range figure.FindAllStringSubmatch(w.String(), -1) {
			f.warned[m[1]+m[2]] = true // with its sign
		}
	}
	for _, v := range r.Variants {
		texts = append(texts, v.GoVersion, fmt.Sprint(v.Better, v.Same, v.Worse, v.Unclear))
	}
	for _, text := range texts {
		for _, m := range figure.FindAllStringSubmatch(text, -1) {
			f.words[m[2]] = true
		}
	}
	return f
}

// changesIn are all changes and ends of intervals within a value of the result.
func changesIn(t *testing.T, v any) (out []float64) {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	var read any
	if err := json.Unmarshal(text, &read); err != nil {
		t.Fatal(err)
	}
	var walk func(x any)
	walk = func(x any) {
		switch x := x.(type) {
		case []any:
			for _, y := range x {
				walk(y)
			}
		case map[string]any:
			for k, y := range x {
				if number, ok := y.(float64); ok && slices.Contains([]string{"change", "lo", "hi"}, k) {
					out = append(out, number)
				}
				walk(y)
			}
		}
	}
	walk(read)
	return out
}

// strange are the numbers of a text that are none of the figures.
func (f *figures) strange(text string) (out []string) {
	for _, m := range figure.FindAllStringSubmatch(text, -1) {
		sign, digits, unit := m[1], m[2], strings.TrimSpace(m[3])
		x, err := strconv.ParseFloat(strings.ReplaceAll(digits, ",", ""), 64)
		_, decimals, _ := strings.Cut(digits, ".")
		half := 0.5000001 * math.Pow10(-len(decimals))
		near := func(list []float64, times float64) bool {
			return slices.ContainsFunc(list, func(y float64) bool {
				y *= times
				if sign != "+" && sign != "−" {
					return math.Abs(math.Abs(y)-x) <= half
				}
				if sign == "−" {
					y = -y
				}
				return math.Abs(y-x) <= half
			})
		}
		switch {
		case err != nil:
		case unit == "%" || sign != "":
			if f.changes[strings.TrimPrefix(sign, "±")+digits] || near(f.percent, 100) || f.warned[sign+digits] {
				continue
			}
		case unit == "×":
			if near(f.ratios, 1) {
				continue
			}
		case f.words[digits] || slices.ContainsFunc([]float64{1, 1e3, 1e6, 1e9}, func(unit float64) bool { return near(f.values, unit) }):
			continue
		}
		out = append(out, strings.TrimSpace(m[0]))
	}
	return out
}

// answerWords are the facts beside the answer as the script gets them.
func answerWords(t *testing.T, file string) string {
	t.Helper()
	m := regexp.MustCompile(`(?s)<script type="text/plain" id="assay-data">([^<]*)</script>`).FindStringSubmatch(file)
	if m == nil {
		t.Fatal("a page without data")
	}
	packed, err := base64.StdEncoding.DecodeString(m[1])
	if err != nil {
		t.Fatal(err)
	}
	z, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	var data struct {
		Words struct{ Machines []struct{ Answer any } }
	}
	if err := json.NewDecoder(z).Decode(&data); err != nil {
		t.Fatal(err)
	}
	var texts []string
	var walk func(x any)
	walk = func(x any) {
		switch x := x.(type) {
		case string:
			texts = append(texts, x)
		case []any:
			for _, y := range x {
				walk(y)
			}
		case map[string]any:
			for _, k := range []string{"name", "text"} {
				walk(x[k])
			}
		}
	}
	for _, m := range data.Words.Machines {
		walk(m.Answer)
	}
	return strings.Join(texts, " ")
}

package report

import (
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"strings"
	"testing"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/printable"
	"github.com/seed-1318a441/assay/internal/sheet"
	"github.com/seed-1318a441/assay/internal/sheet/account"
	"github.com/seed-1318a441/assay/internal/terminal"
)

func explainOf(t testing.TB, r *assay.Result, e *assay.Explanation, s terminal.Style) string {
	t.Helper()
	var b strings.Builder
	if err := Explanation(&b, r, e, s); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// The explanation printed in full is the largest change's.
func TestGoldenExplanation(t *testing.T) {
	for name, make := range madeWhy {
		r := make()
		e := sheet.ByChange(r.Explanations)[0]
		for suffix, s := range map[string]terminal.Style{"80": {Width: 80}, "100": {Width: 100}, "120.all": {Width: 120, All: true},
			"80.ascii": {Width: 80, ASCII: true}, "80.color": {Width: 80, Color: true}} {
			if name != "why" && suffix != "80" {
				continue
			}
			got := explainOf(t, r, e, s)
			golden(t, "explain-"+name+"."+suffix, got)
			checkExplained(t, name+"."+suffix, got, s)
		}
	}
}

// Results tell of the first causes, and of no more than there is room for.
func TestGoldenWhy(t *testing.T) {
	for name, make := range madeWhy {
		for suffix, s := range map[string]terminal.Style{"80": {Width: 80}, "100": {Width: 100}, "120.all": {Width: 120, All: true}} {
			if name != "why" && name != "why-six" && suffix != "80" {
				continue
			}
			got := textOf(t, make(), s)
			golden(t, name+"."+suffix, got)
			checkLines(t, name+"."+suffix, got, s)
		}
	}
}

// checkExplained is checkLines, but for the commands that show the profiles: file
// names are not broken.
func checkExplained(t *testing.T, name, text string, s terminal.Style) {
	t.Helper()
	checkLines(t, name, regexp.MustCompile(`(?m)^pprof   `).ReplaceAllString(text, "        "), s)
}

// Every width must hold, with and without everything.
func TestNoExplanationIsWider(t *testing.T) {
	for name, make := range madeWhy {
		r := make()
		r.Explanations[0].Benchmark.Name += "/of(brackets" // in a command to paste
		for width := 40; width <= 160; width += 7 {
			s := terminal.Style{Width: width, All: width%2 == 0, ASCII: width%3 == 0}
			for i := range r.Explanations {
				checkExplained(t, fmt.Sprint(name, " at ", width), explainOf(t, r, &r.Explanations[i], s), s)
			}
			checkLines(t, fmt.Sprint(name, " result at ", width), textOf(t, r, s), s)
		}
	}
}

// The parts that are printed add up: functions, what was not seen, and the
// measured difference.
func TestPartsAddUp(t *testing.T) {
	r := whyMalloc()
	e := sheet.ByChange(r.Explanations)[0]
	for i := range 20 { // more than are printed one by one
		e.CPU.Functions = append(e.CPU.Functions, partOfTest(fmt.Sprint("pkg.f", i), 8.05, 0.1, 0.15, 0.1))
		e.CPU.NotSeen.Change -= 0.05 / 8.05
	}
	for _, all := range []bool{false, true} {
		text := explainOf(t, r, e, terminal.Style{Width: 120, All: all})
		_, rows, _ := strings.Cut(text, "time by function")
		rows, _, _ = strings.Cut(rows, "\n\n")
		sum, whole, n := 0.0, 0.0, 0
		for _, line := range strings.Split(rows, "\n")[1:] {
			m := regexp.MustCompile(`([+−]?[0-9]+\.[0-9]+)(?: \[.*\])?$`).FindStringSubmatch(line)
			if m == nil {
				t.Fatalf("no points in %q", line)
			}
			var v float64
			fmt.Sscan(strings.Replace(m[1], "−", "-", 1), &v)
			if strings.HasPrefix(line, "measured difference") {
				whole = v
				continue
			}
			sum, n = sum+v, n+1
		}
		if math.Abs(sum-whole) > 0.05*float64(n) || whole > -20 {
			t.Errorf("all %v: %d rows add up to %.2f, want %.2f\n%s", all, n, sum, whole, rows)
		}
	}
}

func TestFunctionNames(t *testing.T) {
	for in, want := range map[string]string{
		"runtime.mallocgc": "runtime.mallocgc",
		"github.com/pelletier/go-toml/v2/internal/tracker.(*SeenTracker).clear": "tracker.(*SeenTracker).clear",
		"github.com/pelletier/go-toml/v2.(*Decoder).Decode":                     "go-toml/v2.(*Decoder).Decode",
		"example.com/q.Map[example.com/a/b.Key]":                                "q.Map[example.com/a/b.Key]",
		"":                                                                      "", "/": "", "v2.F": "v2.F",
	} {
		if got := (&account.Account{}).FunctionName(in); got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
}

// A line of why names what plain results need not.
func TestWhyNames(t *testing.T) {
	r := whySix()
	r.Tables[0].Rows[0].Benchmark.Package = "example.com/a"
	twin := r.Tables[0].Rows[0]
	twin.Benchmark.Package = "example.com/b"
	r.Tables[0].Rows = append(r.Tables[0].Rows, twin)
	e := explanation(r, 0, 0, 0)
	e.Base = "no-greentea"
	p := newPrinter(r, terminal.Style{})
	if got, want := p.sheet.WhyName(&e), "example.com/a.Alloc16 in sizespec against no-greentea"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got, want := sheet.ExplainCommand(r, &e), "assay explain 3fd0 example.com/a.Alloc16 --variant sizespec"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	for command, want := range map[string]string{
		"assay compare --on=ssh:me@bench1.lan --on=agent:m4 X=1 X=2": " --on=agent:m4",
		"assay compare --on=m4 --priority=high X=1 X=2":              " --on=m4",
		"assay compare --on=local X=1 X=2":                           "",
		"assay run study.toml":                                       "",
		"assay run 'study.toml":                                      "",
	} {
		r.Command, r.Machine = command, "m4"
		if got, want := sheet.ExplainCommand(r, &e), "assay explain 3fd0 example.com/a.Alloc16 --variant sizespec"+want; got != want {
			t.Errorf("of %s: got %q, want %q", command, got, want)
		}
	}
}

// Chains of steps and races carry lines of why, too.
func TestWhyInOtherResults(t *testing.T) {
	for _, name := range []string{"arc", "race", "service"} {
		r := fixture(t, name)
		var row assay.Row
		for _, tab := range r.Tables {
			if len(tab.Rows) > 0 && len(tab.Rows[0].Cells) > 0 {
				row = tab.Rows[0]
				break
			}
		}
		c := row.Cells[0]
		r.Explanations = []assay.Explanation{{Benchmark: row.Benchmark, Variant: c.Variant, Base: r.Base, Metric: assay.MetricTime, Comparison: c, BaseValue: row.Base,
			Causes: []assay.Cause{{Text: "the loop is gone"}}}}
		for _, s := range []terminal.Style{{Width: 80}, {Width: 100, Pairs: true}} {
			text := textOf(t, r, s)
			at, answer := strings.Index(text, "\nwhy     "+printable.Clean(row.Benchmark.Name)), strings.Index(text, "\nANSWER")
			if at < 0 || at > answer {
				t.Errorf("%s: no line of why before the answer in\n%s", name, text)
			}
			checkLines(t, name, text, s)
		}
	}
}

// Each machine of a merged result has its own, which show where its tables are.
func TestWhyInMerged(t *testing.T) {
	m := &assay.Merged{Study: "small-malloc", Machines: []assay.Machine{{Name: "a", Result: *whyMalloc()}, {Name: "b", Result: *whyLayout()}}}
	var b strings.Builder
	if err := Merged(&b, m, terminal.Style{Width: 80}); err != nil {
		t.Fatal(err)
	}
	_, second, _ := strings.Cut(b.String(), "── b ")
	for _, want := range []string{"why     Alloc64: no cause found", "(assay explain 3fd0 Alloc64)"} {
		if strings.Count(b.String(), want) != 1 || !strings.Contains(second, want) {
			t.Errorf("want %q once, in the second machine's section of\n%s", want, b.String())
		}
	}
	checkLines(t, "merged", b.String(), terminal.Style{Width: 80})
}

func FuzzExplanation(f *testing.F) {
	for _, make := range madeWhy {
		for _, e := range make().Explanations {
			huge := e
			huge.Comparison.Change *= 1e157
			huge.Warnings = []assay.Warning{{Code: assay.Code(strings.Repeat("o", 500)), Text: "a long code"}}
			for _, e := range []assay.Explanation{e, huge} {
				if b, err := json.Marshal(e); err == nil { // NaN has no JSON
					f.Add(b)
				}
			}
		}
	}
	r := whyTable("a", "b")
	f.Fuzz(func(t *testing.T, data []byte) {
		var e assay.Explanation
		if json.Unmarshal(data, &e) != nil {
			return
		}
		s := terminal.Style{Width: 40 + len(data)%80, All: len(data)%2 == 0, ASCII: len(data)%3 == 0}
		checkExplained(t, "fuzz", explainOf(t, r, &e, s), s)
		full := *r
		full.Explanations = []assay.Explanation{e}
		checkLines(t, "fuzz", textOf(t, &full, s), s)
	})
}

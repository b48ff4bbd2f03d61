package report

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"

	"github.com/charmbracelet/x/ansi"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/printable"
	"github.com/seed-1318a441/assay/internal/sheet"
	"github.com/seed-1318a441/assay/internal/slow"
	"github.com/seed-1318a441/assay/internal/terminal"
)

var update = flag.Bool("update", false, "write the golden files anew")

// fixtures are results made up to fill the layouts; see testdata/*.json and
// made_test.go.
var fixtures = []string{"two", "six", "by", "unclear", "withheld", "zero", "hundred", "long", "hostile",
	"mere", "factorial", "sweep", "race", "command",
	"service", "service-four", "saturated", "percentiles", "gc-bench", "gc-command", "mixed", "service-hostile",
	"service-six", "gc-bench-four", "arc", "arc-hostile"}

func fixture(t testing.TB, name string) *assay.Result {
	t.Helper()
	if make := made[name]; make != nil {
		return make()
	}
	b, err := os.ReadFile(filepath.Join("testdata", name+".json"))
	if err != nil {
		t.Fatal(err)
	}
	var r assay.Result
	if err := json.Unmarshal(b, &r); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return &r
}

func textOf(t testing.TB, r *assay.Result, s terminal.Style) string {
	t.Helper()
	var b strings.Builder
	if err := Text(&b, r, s); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// golden compares with a file in testdata, or writes it with -update.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name+".golden")
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s differs (go test -update writes it anew)\n--- got\n%s--- want\n%s", path, got, want)
	}
}

func TestGoldenText(t *testing.T) {
	styles := map[string]terminal.Style{
		"80": {Width: 80}, "100": {Width: 100}, "140": {Width: 140},
		"80.ascii": {Width: 80, ASCII: true}, "80.color": {Width: 80, Color: true},
	}
	for _, name := range fixtures {
		r := fixture(t, name)
		for suffix, s := range styles {
			got := textOf(t, r, s)
			golden(t, name+"."+suffix, got)
			checkLines(t, name+"."+suffix, got, s)
		}
	}
}

// Two variants side by side, as in the tables of case 000.
func TestPair(t *testing.T) {
	styles := map[string]terminal.Style{
		"80": {Width: 80}, "100": {Width: 100}, "140": {Width: 140}, "80.ascii": {Width: 80, ASCII: true},
	}
	r := fixture(t, "command")
	for suffix, s := range styles {
		var b strings.Builder
		if err := Text(&b, r, terminal.Style{Width: s.Width, ASCII: s.ASCII, Pairs: true}); err != nil {
			t.Fatal(err)
		}
		golden(t, "pair."+suffix, b.String())
		checkLines(t, "pair."+suffix, b.String(), s)
		if s.ASCII {
			continue
		}
		for _, want := range []string{`loop-counter +10\.26 s +12\.17 s +\+1\.91 s +\+18\.6 %.* slower`, `eratosthenes-sieve +10\.75 s +11\.20 s +\+0\.45 s +\+4\.2 %.* slower`} {
			if !regexp.MustCompile(want).MatchString(b.String()) {
				t.Errorf("%s: want a line like %s in\n%s", suffix, want, b.String())
			}
		}
	}
}

// checkLines holds what every output must: no line too wide, ASCII where asked
// for, no trailing space, and nothing that a terminal would obey but our colour.
func checkLines(t *testing.T, name, text string, s terminal.Style) {
	t.Helper()
	if s.Color {
		text = regexp.MustCompile(`\x1b\[(32|31|1|1;32|1;31|90|0)m`).ReplaceAllString(text, "")
	}
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if n := ansi.StringWidth(line); n > s.Columns() && !pasteable(line) {
			t.Errorf("%s: %d cells, want at most %d: %q", name, n, s.Columns(), line)
		}
		if strings.TrimRight(line, " ") != line {
			t.Errorf("%s: trailing space: %q", name, line)
		}
		for _, r := range line {
			if unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || s.ASCII && r > '~' {
				t.Errorf("%s: has %q: %q", name, r, line)
			}
		}
	}
}

// pasteable lines may be longer than the screen: a remedy, what repeats the result, and a
// command of its own.
func pasteable(line string) bool {
	text := strings.TrimLeft(line, " ")
	return regexp.MustCompile(`^(try: |again   |run   |cpu   |allocs  |assay |\(assay .*\)$)`).MatchString(text)
}

// Widths must hold between those of the golden files, too: here every eleventh, since the
// others rarely tell more.
func TestNothingIsWider(t *testing.T) { checkWidths(t, 11) }

func TestSlowNothingIsWider(t *testing.T) {
	slow.Test(t)
	checkWidths(t, 1)
}

func checkWidths(t *testing.T, step int) {
	for _, name := range fixtures {
		r := fixture(t, name)
		for width := 58; width <= 160; width += step {
			all := width%2 == 0
			for _, s := range []terminal.Style{{Width: width, All: all}, {Width: width, All: all, ASCII: true}, {Width: width, All: all, Pairs: true}} {
				checkLines(t, fmt.Sprintf("%s as %+v", name, s), textOf(t, r, s), s)
			}
		}
	}
}

func TestColorOnlyPaints(t *testing.T) {
	for _, name := range fixtures {
		r := fixture(t, name)
		want := textOf(t, r, terminal.Style{Width: 80})
		got := textOf(t, r, terminal.Style{Width: 80, Color: true})
		if got == want {
			t.Errorf("%s: nothing is painted", name)
		}
		if ansi.Strip(got) != want {
			t.Errorf("%s: colour changes the text", name)
		}
	}
}

var verdictWords = regexp.MustCompile(`\b(faster|slower|higher|lower|less|more|changed|same code|same|unclear|saturated|invalid)\b|within ±[0-9.]+ %`)

// TestVerdictsAreTheRecords holds rule 1 of the reports: the words printed are
// those of the record's verdicts, all of them, in its order.
func TestVerdictsAreTheRecords(t *testing.T) {
	for _, name := range []string{"two", "by", "unclear", "withheld", "zero", "hundred", "long"} {
		r := fixture(t, name)
		var want []string
		for _, tab := range r.Tables {
			for _, row := range tab.Rows {
				want = append(want, words(row.Cells)...)
			}
			want = append(want, words(tab.Geomean)...)
		}
		for _, width := range []int{90, 100, 400} {
			text := textOf(t, r, terminal.Style{Width: width, All: true})
			got := printedVerdicts(text)
			if strings.Join(got, " ") != strings.Join(want, " ") {
				t.Errorf("%s at %d: printed verdicts\n%q, want those of the record\n%q\n%s", name, width, got, want, text)
			}
		}
	}
}

func words(cells []assay.Comparison) (out []string) {
	for _, c := range cells {
		if c.Verdict != assay.Withheld {
			out = append(out, c.Words())
		}
	}
	return out
}

// printedVerdicts reads the words of the verdict columns, which end where the
// notes begin.
func printedVerdicts(text string) (out []string) {
	_, text, _ = strings.Cut(text, "\n\n") // header
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "note ") || strings.HasPrefix(line, "ANSWER") {
			break
		}
		out = append(out, verdictWords.FindAllString(line, -1)...)
	}
	return out
}

// In a matrix marks stand for the words; the legend translates them.
func TestMarksAreTheRecords(t *testing.T) {
	r := fixture(t, "six")
	lines := strings.Split(textOf(t, r, terminal.Style{Width: 140, All: true}), "\n")
	marks := map[assay.Verdict]string{assay.Faster: "▼", assay.Slower: "▲", assay.Less: "▼", assay.More: "▲",
		assay.Same: "=", assay.Unclear: "?"}
	for _, tab := range r.Tables {
		for len(lines) > 0 && !strings.HasPrefix(lines[0], tab.Metric.Name+", vs base") {
			lines = lines[1:]
		}
		for i, row := range tab.Rows {
			var want strings.Builder
			for _, c := range row.Cells {
				want.WriteString(marks[c.Verdict])
			}
			got := regexp.MustCompile(`[^▼▲=?]`).ReplaceAllString(lines[1+i], "")
			if got != want.String() {
				t.Errorf("%s %s: marks %q, want %q: %s", tab.Metric.Name, row.Benchmark.Name, got, want.String(), lines[1+i])
			}
		}
	}
}

// A change stands never without its interval, except in a matrix and where the
// values carry the intervals.
func TestChangesHaveIntervals(t *testing.T) {
	change := regexp.MustCompile(`[+−][0-9.,]+ %`)
	follows := regexp.MustCompile(`^ *(\[|±|\(exact\)|exact)`)
	for _, name := range []string{"two", "by", "unclear", "hundred", "long"} {
		for _, width := range []int{60, 80, 140} {
			text := textOf(t, fixture(t, name), terminal.Style{Width: width})
			for line := range strings.Lines(strings.Split(text, "ANSWER")[0]) {
				for _, at := range change.FindAllStringIndex(line, -1) {
					if !follows.MatchString(line[at[1]:]) {
						t.Errorf("%s at %d: a change without interval: %s", name, width, line)
					}
				}
			}
		}
	}
}

func TestAnswerIsLast(t *testing.T) {
	for _, name := range fixtures {
		r := fixture(t, name)
		text := textOf(t, r, terminal.Style{Width: 200})
		_, tail, found := strings.Cut(text, "\nANSWER  ")
		if !found {
			t.Errorf("%s: no answer", name)
		}
		for _, want := range append(r.Answer.Text, r.Answer.Basis, r.Command) {
			if want = printable.Clean(want); !strings.Contains(tail, want) {
				t.Errorf("%s: %q is not in the answer:\n%s", name, want, tail)
			}
		}
		if r.Run != "" && !strings.HasSuffix(text, "run 7k2m · study 9c41f00d\n") {
			t.Errorf("%s: does not end with the run:\n%s", name, tail)
		}
	}
}

// Two variants of the same code leave nothing to measure.
func TestSameCodeOnly(t *testing.T) {
	r := fixture(t, "two")
	r.Tables, r.Noise, r.Spent = nil, assay.Noise{}, assay.Spent{Stop: "same code"}
	r.Variants[1].SameAs = &assay.SameCode{Variant: "sizespec", As: "go1.26.0", Functions: 3318}
	r.Answer = assay.Answer{Verdict: assay.SameCoded, Decided: true}
	text := textOf(t, r, terminal.Style{Width: 80})
	for _, want := range []string{"sizespec   ≡ same code as go1.26.0\n", "ANSWER  same code\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("want %q in\n%s", want, text)
		}
	}
}

func TestJSON(t *testing.T) {
	for _, name := range fixtures {
		r := fixture(t, name)
		var a, b bytes.Buffer
		if err := sheet.WriteJSON(&a, r); err != nil {
			t.Fatal(err)
		}
		if strings.ContainsFunc(strings.ReplaceAll(a.String(), "\n", ""), unicode.IsControl) {
			t.Errorf("%s: JSON has control characters", name)
		}
		var back assay.Result
		if err := json.Unmarshal(a.Bytes(), &back); err != nil {
			t.Fatal(err)
		}
		if err := sheet.WriteJSON(&b, &back); err != nil {
			t.Fatal(err)
		}
		if a.String() != b.String() || !strings.HasSuffix(a.String(), "}\n") {
			t.Errorf("%s: JSON does not survive being read", name)
		}
	}
	r := fixture(t, "two")
	r.Rule.Gate = 1 / zero
	if err := sheet.WriteJSON(&bytes.Buffer{}, r); err == nil || !strings.HasPrefix(err.Error(), "write result: ") {
		t.Errorf("got error %v for an infinite gate, want write result: …", err)
	}
}

var zero float64

func FuzzJSON(f *testing.F) {
	for _, name := range []string{"by", "zero", "hostile", "sweep", "factorial", "service-hostile", "saturated", "arc-hostile"} { // the small ones
		b, err := json.Marshal(fixture(f, name))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var r, back assay.Result
		if json.Unmarshal(data, &r) != nil {
			return
		}
		var a, b bytes.Buffer
		if err := sheet.WriteJSON(&a, &r); err != nil {
			t.Skip(err) // a year beyond 9999
		}
		if err := json.Unmarshal(a.Bytes(), &back); err != nil {
			t.Fatal(err)
		}
		if err := sheet.WriteJSON(&b, &back); err != nil || a.String() != b.String() {
			t.Errorf("%v: got\n%s\nwant\n%s", err, b.String(), a.String())
		}
		s := terminal.Style{Width: 80, ASCII: len(data)%2 == 0}
		checkLines(t, "fuzz", textOf(t, &r, s), s)
	})
}

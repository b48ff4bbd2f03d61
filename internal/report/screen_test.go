package report

import (
	"regexp"
	"strings"
	"testing"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/sheet"
	"github.com/seed-1318a441/assay/internal/terminal"
)

// manyVariants are the variants of the results below, of which the first ones count.
var manyVariants = []string{"HEAD~1", ".", "GOEXPERIMENT=greenteagc", "go1.27.2", "nosizespec", "v3"}

// A comparison of 95 benchmarks fits a screen of 80 columns. Every command in it is
// whole, on one line, and stands there once.
func TestManyBenchmarksFitAScreen(t *testing.T) {
	s := terminal.Style{Width: 80}
	for n := 2; n <= 5; n++ {
		r := manyBenches(manyVariants[:n]...)
		text := textOf(t, r, s)
		if lines := strings.Count(text, "\n"); lines > screen {
			t.Errorf("%d variants: %d lines, want at most %d:\n%s", n, lines, screen, text)
		}
		commands := map[string]int{}
		for _, m := range regexp.MustCompile(`\((assay [^()]*)\)|try: (.*)|again +(.*)`).FindAllStringSubmatch(text, -1) {
			commands[m[1]+m[2]+m[3]]++
		}
		for c, times := range commands {
			if times > 1 || strings.Contains(c, "\n") {
				t.Errorf("%d variants: %q stands there %d times, want once and whole:\n%s", n, c, times, text)
			}
		}
		for _, want := range []string{r.Command, "assay doctor", "assay compare --more 20m HEAD~1 .", "assay show 7k2m --all"} {
			if commands[want] != 1 {
				t.Errorf("%d variants: %q is missing in\n%s", n, want, text)
			}
		}
	}
	if all := textOf(t, manyBenches(manyVariants[:2]...), terminal.Style{Width: 80, All: true}); strings.Count(all, "\nDecode") != 3*95 {
		t.Errorf("--all prints %d rows, want %d", strings.Count(all, "\nDecode"), 3*95)
	}
}

// Tables that a screen nearly holds are not cut.
func TestShortTablesAreWhole(t *testing.T) {
	r := manyBenches(manyVariants[:2]...)
	for i := range r.Tables {
		r.Tables[i].Rows = r.Tables[i].Rows[75:]
	}
	if got := strings.Count(textOf(t, r, terminal.Style{Width: 80}), "\nDecode"); got < 40 {
		t.Errorf("%d rows are printed of 3 tables with 20 each", got)
	}
}

// The smallest and the largest figures of benchmarks fit 80 columns, and no heading over
// them is cut.
func TestExtremesFit(t *testing.T) {
	s := terminal.Style{Width: 80}
	for n := 2; n <= len(manyVariants); n++ {
		text := textOf(t, extremes(manyVariants[:n]...), s)
		checkLines(t, "extremes", text, s)
		for _, want := range []string{"0.0003 ns", "+813561.0 %", "geomean of 2"} {
			if !strings.Contains(text, want) {
				t.Errorf("%d variants: there is no %q in\n%s", n, want, text)
			}
		}
	}
	r := extremes(manyVariants[:4]...)
	for i := range r.Tables[0].Geomean {
		r.Tables[0].Geomean[i] = assay.Comparison{Variant: manyVariants[i+1], Change: 0.01, Value: 1, N: 2, Verdict: assay.Unclear, Reason: "2 of 10 blocks"}
	}
	if text, want := textOf(t, r, s), "sec/op, geomean of 2 (n=2) vs base"; !strings.Contains(text, want) {
		t.Errorf("there is no %q in\n%s", want, text)
	}
}

// Many variants are counted by all of their benchmarks, not only by those that have room.
func TestBriefCountsEveryRow(t *testing.T) {
	r := manyBenches(manyVariants...)
	text := strings.Join(strings.Fields(printed(r, terminal.Style{Width: 80}, sheet.Room{})), " ")
	for _, want := range []string{"38 slower: ", "and 35 more; 19 within ±", "v3 95 within ±"} {
		if !strings.Contains(text, want) {
			t.Errorf("there is no %q in\n%s", want, text)
		}
	}
}

package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/sheet"
	"github.com/seed-1318a441/assay/internal/terminal"
)

var mergedStyles = map[string]terminal.Style{
	"80": {Width: 80}, "100": {Width: 100}, "140": {Width: 140},
	"80.ascii": {Width: 80, ASCII: true}, "100.pairs": {Width: 100, Pairs: true},
}

func mergedText(t *testing.T, m *assay.Merged, s terminal.Style) string {
	t.Helper()
	var b strings.Builder
	if err := Merged(&b, m, s); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestMerged(t *testing.T) {
	for suffix, s := range mergedStyles {
		got := mergedText(t, mereMerged(), s)
		golden(t, "merged."+suffix, got)
		checkLines(t, "merged."+suffix, got, s)
	}
	for width := 58; width <= 160; width += 2 {
		for _, ascii := range []bool{false, true} {
			s := terminal.Style{Width: width, ASCII: ascii, All: width%4 == 0, Pairs: width%3 == 0}
			checkLines(t, fmt.Sprint("merged at ", width, " ascii ", ascii), mergedText(t, mereMerged(), s), s)
		}
	}
}

// A machine's section is what Text prints of its run, without its answer.
func TestMergedSections(t *testing.T) {
	m := mereMerged()
	text := mergedText(t, m, terminal.Style{Width: 100})
	for _, x := range m.Machines {
		p := newPrinter(&x.Result, terminal.Style{Width: 100})
		p.sheet.Hint = "(--all shows them)"
		p.body()
		if !strings.Contains(text, p.out.String()) {
			t.Errorf("the section of %s is not that of its run:\n%s", x.Name, p.out.String())
		}
		if n := strings.Count(text, x.Result.Answer.Text[0]); n != 1 {
			t.Errorf("the answer of %s stands %d times, want once", x.Name, n)
		}
	}
}

func TestMergedJSON(t *testing.T) {
	var b bytes.Buffer
	if err := sheet.WriteJSON(&b, mereMerged()); err != nil {
		t.Fatal(err)
	}
	var back assay.Merged
	if err := json.Unmarshal(b.Bytes(), &back); err != nil {
		t.Fatal(err)
	}
	var again bytes.Buffer
	if err := sheet.WriteJSON(&again, &back); err != nil || again.String() != b.String() {
		t.Errorf("JSON of a merged run does not survive being read (%v)", err)
	}
	if back.Across[0].Values[2].OK || !back.Across[1].Values[2].OK {
		t.Error("a missing value is no longer null")
	}
}

// The names of machines are the user's, everything else in a result file is
// anybody's.
func TestMergedHostile(t *testing.T) {
	m := mereMerged()
	for i := range m.Machines {
		m.Machines[i].Name = strings.Repeat("\x1b[31mwide name ", 9)
		m.Machines[i].Result = *fixture(t, "hostile")
	}
	m.Across[0].Benchmark.Name = "a\nb\x1b]0;title\x07"
	m.Across[0].Values, m.Across[0].Changes = nil, nil
	m.Across[1].Values[0].X = 1 / zero
	for width := 58; width <= 140; width += 3 {
		s := terminal.Style{Width: width, ASCII: width%2 == 0}
		checkLines(t, fmt.Sprint("hostile at ", width), mergedText(t, m, s), s)
	}
}

package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/sheet"
	"github.com/seed-1318a441/assay/internal/slow"
	"github.com/seed-1318a441/assay/internal/terminal"
)

// arcMerged is the chain on two machines, of which the second is noisier and fails
// to build the second step for a reason of its own.
func arcMerged() *assay.Merged {
	linux, darwin := arcMade(), arcOn(0.018)
	darwin.Run = "q3fz"
	darwin.Platform = assay.Platform{GOOS: "darwin", GOARCH: "arm64", CPU: "Apple M4", CPUs: 10, Procs: 1, Power: "mains"}
	darwin.Arc.Steps[1].Gap.Reason = "scan_darwin.go:3: undefined: mmap"
	return &assay.Merged{Schema: 1, Study: linux.Study, StudyHash: linux.StudyHash, Question: linux.Question,
		Machines: []assay.Machine{{Name: "linux", Result: *linux}, {Name: "darwin", Result: *darwin}}}
}

func TestArcAll(t *testing.T) {
	s := terminal.Style{Width: 100, All: true}
	got := textOf(t, arcMade(), s)
	golden(t, "arc.100.all", got)
	checkLines(t, "arc.100.all", got, s)
}

func TestArcMerged(t *testing.T) {
	for suffix, s := range mergedStyles {
		got := mergedText(t, arcMerged(), s)
		golden(t, "arc-merged."+suffix, got)
		checkLines(t, "arc-merged."+suffix, got, s)
	}
	checkMergedWidths(t, 9)
}

func TestSlowArcMerged(t *testing.T) {
	slow.Test(t)
	checkMergedWidths(t, 1)
}

func checkMergedWidths(t *testing.T, step int) {
	m := arcMerged()
	m.Machines = append(m.Machines, m.Machines[1], m.Machines[0], m.Machines[1])
	m.Machines[3].Result = *arcHostile()
	m.Machines[4].Result = *mereTwo()
	for i := range m.Machines {
		m.Machines[i].Name = strings.Repeat("\x1b[31mwide name ", i)
	}
	for width := 58; width <= 200; width += step {
		s := terminal.Style{Width: width, ASCII: width%2 == 0, All: width%5 == 0}
		checkLines(t, fmt.Sprint("merged arcs at ", width), mergedText(t, m, s), s)
	}
}

// lineOf is the line of a text that holds words.
func lineOf(t *testing.T, text, words string) string {
	t.Helper()
	for line := range strings.Lines(text) {
		if strings.Contains(line, words) {
			return strings.TrimRight(line, "\n")
		}
	}
	t.Fatalf("no line with %q in\n%s", words, text)
	return ""
}

// Every step has a line with what the record says of it, at every width.
func TestArcSteps(t *testing.T) {
	for _, width := range []int{60, 80, 100, 140} {
		text := textOf(t, arcMade(), terminal.Style{Width: width})
		table, _, _ := strings.Cut(text[strings.Index(text, "\nstep "):], "\n\n")
		flat := strings.ReplaceAll(strings.Join(strings.Fields(table), " "), "[ ", "[")
		for _, want := range []string{
			`^step time vs previous`, `1 ★A new scanner −4\.9 % ±0\.5 ▼|1 ★A new scanner −4\.9 % \[−5\.4, −4\.4\] ▼`,
			`13 ★B decode into map −13\.1 %`, `did not build:`, `intended spike`, `≡`, `total vs base −50\.9 %`,
		} {
			if !regexp.MustCompile(want).MatchString(flat) {
				t.Errorf("at %d: want %s in\n%s", width, want, table)
			}
		}
		if n := strings.Count(flat, "fails:"); n != 8 {
			t.Errorf("at %d: %d steps fail old tests, want 8", width, n)
		}
	}
	text := textOf(t, arcMade(), terminal.Style{Width: 200})
	for words, want := range map[string]string{
		"19    cheap": "the same: −0.5 % to +0.5 %", " 2    parser": "did not build: parser.go:41: undefined: newTree",
		"17    date": "same code as skip comments", "14    field": "2 benchmarks missing", " 5    pool": "unknown: api",
		"15    grow": "the change may be below 1 %", " 3    decoder": "+159.1 %",
	} {
		if line := lineOf(t, text, words); !strings.Contains(line, want) {
			t.Errorf("want %q in %q", want, line)
		}
	}
	if n := strings.Count(text, "old tests: 11 of 19 steps pass; steps 13–20 fail"); n != 1 {
		t.Errorf("the 8 steps that fail the same stand %d times, want once", n)
	}
}

// The words and marks are the record's: turning a verdict turns the mark, whatever
// the figures say.
func TestArcPrintsTheRecord(t *testing.T) {
	r := arcMade()
	r.Tables[0].Steps[0].Whole.Verdict = assay.Slower
	r.Tables[0].Steps[0].Text = "said by the record"
	line := lineOf(t, textOf(t, r, terminal.Style{Width: 140}), "new scanner")
	if !strings.Contains(line, "▲") || !strings.Contains(line, "said by the record") {
		t.Errorf("got %q", line)
	}
}

// A result that was narrowed to some benchmarks has no suite: with one benchmark
// the steps are those on it, with several each has a line.
func TestArcNarrowed(t *testing.T) {
	r := arcMade()
	for i := range r.Tables {
		r.Tables[i].Rows, r.Tables[i].Geomean = r.Tables[i].Rows[:1], nil
	}
	text := textOf(t, r, terminal.Style{Width: 120})
	if line := lineOf(t, text, "new scanner"); !strings.Contains(line, "−4.5 % ±0.8 ▼") && !strings.Contains(line, "[  −5.2,   −3.7] ▼") {
		t.Errorf("one benchmark: got %q, want its own change", line)
	}
	if strings.Contains(text, "geomean") {
		t.Errorf("a geomean of one benchmark:\n%s", text)
	}
	r = arcMade()
	for i := range r.Tables {
		r.Tables[i].Rows, r.Tables[i].Geomean = r.Tables[i].Rows[:2], nil
		for j := range r.Tables[i].Steps {
			r.Tables[i].Steps[j].Whole = nil
		}
	}
	text = textOf(t, r, terminal.Style{Width: 120})
	if n := strings.Count(text, "  Unmarshal/canada "); n < 17 || strings.Contains(text, "twitter") {
		t.Errorf("two benchmarks: canada stands %d times, want one a step and nothing of twitter:\n%s", n, text)
	}
}

// Nothing of a chain may be taken for granted.
func TestArcPoor(t *testing.T) {
	poor := map[string]func(*assay.Result){
		"no tables":  func(r *assay.Result) { r.Tables = nil },
		"no steps":   func(r *assay.Result) { r.Arc.Steps = nil },
		"no changes": func(r *assay.Result) { r.Tables[0].Steps, r.Tables[1].Steps = nil, nil },
		"all gaps": func(r *assay.Result) {
			for i := range r.Arc.Steps {
				r.Arc.Steps[i].Gap = &assay.Gap{Reason: "x"}
			}
		},
		"no intervals": func(r *assay.Result) {
			for i := range r.Tables[0].Steps {
				if w := r.Tables[0].Steps[i].Whole; w != nil {
					w.Interval, w.Verdict, w.Reason = nil, assay.Unclear, "10 blocks needed, 3 so far"
				}
			}
		},
		"empty": func(r *assay.Result) { *r = assay.Result{Arc: &assay.Arc{Steps: make([]assay.StepResult, 3)}} },
	}
	for name, spoil := range poor {
		for _, width := range []int{58, 80, 130} {
			r := arcMade()
			spoil(r)
			s := terminal.Style{Width: width, All: width == 130}
			checkLines(t, name, textOf(t, r, s), s)
			m := &assay.Merged{Machines: []assay.Machine{{Name: "a", Result: *arcMade()}, {Name: "b", Result: *r}}}
			checkLines(t, name+", merged", mergedText(t, m, s), s)
		}
	}
	r := arcMade()
	poor["no changes"](r)
	if line := lineOf(t, textOf(t, r, terminal.Style{Width: 80}), "step  "); !strings.Contains(line, "time vs base") {
		t.Errorf("without changes against the previous step: got %q", line)
	}
}

// A long chain is cut to the steps that did something; bars then stand for several.
func TestArcLong(t *testing.T) {
	r := arcMade()
	first := r.Arc.Steps[0]
	r.Arc.Steps, r.Tables[0].Steps, r.Tables[0].Geomean = nil, nil, nil
	for i := range 300 {
		s := first
		s.Number, s.Variant, s.Gates = i+1, fmt.Sprint("step-", i+1), nil
		c := compared(timeMetric, s.Variant, "", 1, 1.0001, 0.002)
		if i%10 == 0 {
			c = compared(timeMetric, s.Variant, "", 1, 0.97, 0.002)
		}
		r.Arc.Steps = append(r.Arc.Steps, s)
		r.Tables[0].Steps = append(r.Tables[0].Steps, assay.StepChange{Variant: s.Variant, Whole: &c})
		r.Tables[0].Geomean = append(r.Tables[0].Geomean, c)
	}
	s := terminal.Style{Width: 80}
	text := textOf(t, r, s)
	checkLines(t, "long chain", text, s)
	for _, want := range []string{"… 260 more steps", " step-291 ", " step-300 "} {
		if !strings.Contains(text, want) {
			t.Errorf("want %q in\n%s", want, text)
		}
	}
	s.All = true
	if text := textOf(t, r, s); !strings.Contains(text, "299    step-299") {
		t.Error("all steps are not all there")
	}
}

func TestArcGates(t *testing.T) {
	r := arcMade()
	for i := range r.Arc.Steps {
		for j := range r.Arc.Steps[i].Gates {
			g := &r.Arc.Steps[i].Gates[j]
			g.Status, g.Evidence = assay.GateHeld, nil
		}
	}
	line := lineOf(t, textOf(t, r, terminal.Style{Width: 120}), "gates ")
	if want := "gates   held by all 19 steps that were built: api same, tests pass, unsafe none (against the base)"; line != want {
		t.Errorf("got %q, want %q", line, want)
	}
	r.Arc.Gates = assay.Gates{}
	if text := textOf(t, r, terminal.Style{Width: 120}); strings.Contains(text, "gates ") {
		t.Errorf("gates that nobody asked for:\n%s", text)
	}
}

func TestArcJSON(t *testing.T) {
	var b bytes.Buffer
	if err := sheet.WriteJSON(&b, arcMade()); err != nil {
		t.Fatal(err)
	}
	var back assay.Result
	if err := json.Unmarshal(b.Bytes(), &back); err != nil {
		t.Fatal(err)
	}
	if back.Arc == nil || len(back.Arc.Steps) != 20 || back.Arc.Steps[1].Gap == nil || !back.Arc.Steps[12].Failed() {
		t.Errorf("the chain does not survive JSON: %+v", back.Arc)
	}
	if got, want := textOf(t, &back, terminal.Style{Width: 90}), textOf(t, arcMade(), terminal.Style{Width: 90}); got != want {
		t.Error("a chain that was read prints differently")
	}
	if i := slices.IndexFunc(back.Tables[0].Steps, func(c assay.StepChange) bool { return c.Text == "the same: −0.5 % to +0.5 %" }); i != 18 {
		t.Errorf("the text of step 19 is at %d", i)
	}
}

// A chain that ends where it began has nothing to show end to end.
func TestArcBackToBase(t *testing.T) {
	r := arcMade()
	end := &r.Arc.Steps[19]
	end.SameAs = &assay.SameCode{Variant: end.Variant, As: r.Base}
	text := textOf(t, r, terminal.Style{Width: 120})
	if line := lineOf(t, text, "total vs base"); !strings.Contains(line, "≡") || strings.Contains(line, "%") {
		t.Errorf("got %q, want the same code", line)
	}
	if strings.Contains(text, "Unmarshal/twitter") {
		t.Errorf("a table of the base against itself:\n%s", text)
	}
}

// However narrow the screen, the intervals of steps are whole with --all.
func TestArcIntervalsAreWhole(t *testing.T) {
	for width := 58; width < 80; width++ {
		text := textOf(t, arcMade(), terminal.Style{Width: width, All: true})
		steps, _, ok := strings.Cut(text, "\ngates ")
		if !ok {
			t.Fatalf("at %d: no gates", width)
		}
		if !strings.Contains(steps, "vs base") {
			t.Errorf("at %d: no changes against the base", width)
		}
		for line := range strings.Lines(steps) {
			if strings.Count(line, "[") != strings.Count(line, "]") {
				t.Errorf("at %d: an interval is cut: %s", width, line)
			}
		}
	}
}

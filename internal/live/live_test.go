package live

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/analysis"
	"github.com/seed-1318a441/assay/internal/terminal"
)

var update = flag.Bool("update", false, "write the golden files anew")

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

// film is the view after the builds, the plan, a trial, and every block.
func film(m *Model, es []Event) string {
	var b strings.Builder
	for _, e := range es {
		m.Add(e)
		if e.Kind == KindBlock || e.Kind == KindPlan {
			fmt.Fprintf(&b, "== %s\n%s\n", e.Kind, m.View())
		}
		if e.Kind == KindPlan {
			m.Add(Event{Kind: KindTrial, Running: 1, Trial: 3, Of: 16})
			fmt.Fprintf(&b, "== trial\n%s\n", m.View())
		}
	}
	return b.String()
}

// The same events give the same text; no line is wider than the screen, and no
// text higher.
func TestGolden(t *testing.T) {
	styles := map[string]terminal.Style{
		"80": {Width: 80}, "100": {Width: 100}, "140": {Width: 140}, "80.ascii": {Width: 80, ASCII: true}, "100.color": {Width: 100, Color: true},
	}
	for name := range recorded {
		for suffix, s := range styles {
			m := &Model{Style: s, Keys: true}
			got := film(m, events(t, name))
			golden(t, name+"."+suffix, got)
			checkSize(t, got, s, unlimited)
			if s.ASCII && strings.ContainsFunc(got, func(r rune) bool { return r > '~' }) {
				t.Errorf("%s.%s is not ASCII", name, suffix)
			}
			if !s.Color && strings.Contains(got, "\x1b") {
				t.Errorf("%s.%s is painted", name, suffix)
			}
			if s.Color && ansi.Strip(got) != film(&Model{Style: terminal.Style{Width: s.Width}, Keys: true}, events(t, name)) {
				t.Errorf("%s.%s: colour does more than paint", name, suffix)
			}
		}
	}
}

func checkSize(t *testing.T, text string, s terminal.Style, height int) {
	t.Helper()
	lines := strings.Split(text, "\n")
	if len(lines) > height {
		t.Errorf("%d lines on a screen of %d:\n%s", len(lines), height, text)
	}
	for _, l := range lines {
		if w := ansi.StringWidth(l); w >= max(s.Width, 40) {
			t.Errorf("%d cells in a line of %d: %s", w, s.Width, l)
		}
	}
}

// Whatever the size of the screen, the view fits it.
func TestEverySize(t *testing.T) {
	for name := range recorded {
		for _, width := range []int{1, 40, 61, 79, 200} {
			for _, height := range []int{1, 3, 8, 24} {
				m := &Model{Style: terminal.Style{Width: width}, Height: height, Keys: true}
				for _, e := range append(events(t, name), Event{Kind: KindSay, Text: "a warning\n  with a fact " + strings.Repeat("x", 300)}) {
					m.Add(e)
					checkSize(t, m.View(), m.Style, height)
				}
				m.Press("l")
				m.Press("r")
				checkSize(t, m.View(), m.Style, height)
			}
		}
	}
}

// The state of the run stands where the keys do.
func TestKeys(t *testing.T) {
	es := events(t, "malloc")
	m := &Model{Style: terminal.Style{Width: 100}, Keys: true}
	if k := m.Press("s"); k != KeyNone {
		t.Errorf("s before the plan asks for %v", k)
	}
	for _, e := range es {
		m.Add(e)
	}
	for _, step := range []struct {
		key  string
		want Key
		then *Event
		text string
	}{
		{"x", KeyNone, nil, "[p]ause  [s]top"},
		{"p", KeyPause, nil, "a pause comes after this block; [p] continue"},
		{"x", KeyNone, &Event{Kind: KindPause, On: true}, "paused; [p] continue"},
		{"p", KeyPause, &Event{Kind: KindPause}, "[p]ause  [s]top"},
		{"l", KeyNone, nil, "block 119: 23 of 24 decided"},
		{"l", KeyNone, nil, "[l]og"},
		{"s", KeyStop, &Event{Kind: KindStop}, "stopping after this block; [q]uit now"},
		{"p", KeyNone, nil, "stopping after this block"},
		{"ctrl+c", KeyStop, nil, "stopping"},
		{"q", KeyQuit, nil, "stopping"},
	} {
		if got := m.Press(step.key); got != step.want {
			t.Errorf("%s asks for %v, want %v", step.key, got, step.want)
		}
		if step.then != nil {
			m.Add(*step.then)
		}
		if !strings.Contains(m.View(), step.text) {
			t.Errorf("after %s there is no %q in\n%s", step.key, step.text, m.View())
		}
	}
	m.Keys = false
	if strings.Contains(m.View(), "[q]") {
		t.Error("keys are offered where nobody can press them")
	}
}

// An interim change wears no word; names of strangers move no cursor.
func TestOpenAndHostile(t *testing.T) {
	name := "\x1b[2J\u202eevil\n" + strings.Repeat("long/", 800)
	half := &assay.Interval{Lo: -0.1, Hi: 0.2}
	cells := []analysis.Interim{
		{Metric: "sec/op", Base: 1e-6, Comparison: assay.Comparison{Benchmark: assay.Benchmark{Name: name}, Variant: name, N: 4, Change: 0.05, Interval: half, Verdict: assay.Slower}},
		{Metric: "sec/op", Decided: true, Base: 1e-6, Comparison: assay.Comparison{Benchmark: assay.Benchmark{Name: "b"}, Variant: "v", N: 4, Change: 0.05, Interval: half, Verdict: assay.Unclear}},
	}
	m := &Model{Style: terminal.Style{Width: 80}}
	m.Add(Event{Kind: KindPlan, Run: "7k2m", Plan: &Plan{Command: name, Platform: name, Base: name}})
	m.Add(Event{Kind: KindBuild, Build: &Build{Variant: name}})
	m.Add(Event{Kind: KindBlock, Block: &Block{Number: 4, Comparisons: 2}, Cells: cells})
	m.Add(Event{Kind: KindSay, Text: name})
	got := m.View()
	if strings.Contains(got, "slower") || strings.ContainsAny(got, "\x1b\u202e") || !strings.Contains(got, "decided") {
		t.Errorf("got %q", got)
	}
	checkSize(t, got, m.Style, unlimited)
}

// A command that is wider than the view can be pasted all the same, or says that it is cut.
func TestCommandCanBePasted(t *testing.T) {
	m := &Model{Style: terminal.Style{Width: 60}}
	command := "assay run --budget=20m0s --set 'flags=-a -b  -c' studies/interpreters --variant no-stack-slices"
	m.Add(Event{Kind: KindPlan, Plan: &Plan{Command: command}})
	lines := m.pasteable(command)
	if len(lines) < 2 {
		t.Fatalf("got %q, want several lines", lines)
	}
	for _, l := range lines {
		if terminal.Width(l) > m.width() {
			t.Errorf("%q is wider than the view", l)
		}
	}
	if got := strings.ReplaceAll(strings.Join(lines, "\n"), " \\\n ", ""); got != command {
		t.Errorf("a shell reads %q, want %q", got, command)
	}
	if !strings.HasPrefix(m.View(), strings.Join(lines, "\n")) {
		t.Errorf("the view cuts the command:\n%s", m.View())
	}
	if got := words(`a 'b c'\''d e' "f \" g" h\ i`); len(got) != 4 {
		t.Errorf("got the words %q, want 4", got)
	}
	if got := m.pasteable("assay run " + strings.Repeat("x", 80)); len(got) != 1 || !strings.Contains(got[0], "…") {
		t.Errorf("got %q of a word that has no room", got)
	}
}

func TestCalm(t *testing.T) {
	m := &Model{}
	for noise, want := range map[assay.Change]string{0.001: "●●●●● quiet", 0.007: "●●●●○ quiet", 0.015: "●●●○○ fair", 0.03: "●●○○○ restless", 0.2: "●○○○○ restless"} {
		if got := m.calm(noise); got != want {
			t.Errorf("calm(%v) = %q, want %q", noise, got, want)
		}
	}
}

func TestShort(t *testing.T) {
	for d, want := range map[time.Duration]string{0: "0s", 59 * time.Second: "59s", 10 * time.Minute: "10m", 192 * time.Second: "3m12s", 2 * time.Hour: "2h", 125 * time.Minute: "2h05m"} {
		if got := short(d); got != want {
			t.Errorf("short(%v) = %q, want %q", d, got, want)
		}
	}
}

// Kinds that are for the view alone have no fields of their own in JSON.
func TestEventsAreWhole(t *testing.T) {
	for name := range recorded {
		kinds := []string{}
		for _, e := range events(t, name) {
			kinds = append(kinds, e.Kind)
		}
		for _, k := range []string{KindPlan, KindBuild, KindBlock} {
			if !slices.Contains(kinds, k) {
				t.Errorf("%s has no %s among %v", name, k, kinds)
			}
		}
	}
}

// BenchmarkView is what a repaint costs beside Bubble Tea's own work.
func BenchmarkView(b *testing.B) {
	m := &Model{Style: terminal.Style{Width: 100, Color: true}, Height: 40, Keys: true}
	for _, e := range events(b, "mere") {
		m.Add(e)
	}
	for b.Loop() {
		m.View()
	}
}

package live

import (
	"bytes"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/terminal"
)

// An output collects what is written, from whichever goroutine.
type output struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.b.Write(p)
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.b.String()
}

// Remarks stand on the terminal in full once the view is gone, each once and in their
// order, and later ones at once.
func TestScreenSays(t *testing.T) {
	out := &output{}
	s := NewScreen(out, nil, Model{Style: terminal.Style{Width: 80}}, func(Key) {})
	s.Say("first\n  with a fact\n")
	s.Line("measure", "calibrates")
	s.Say("second")
	s.Say("first\n  with a fact\n")
	s.Warn(assay.Warning{Code: "noise", Text: "the machine is loud"})
	s.Done()
	text := out.String()
	gone := strings.LastIndex(text, ansi.EraseScreenBelow)
	if gone < 0 {
		t.Fatalf("the view was not removed: %q", text)
	}
	left := text[gone+len(ansi.EraseScreenBelow):]
	if want := "first\n  with a fact\nsecond\n"; !strings.HasPrefix(left, want) || strings.Count(left, "first") != 1 || strings.Count(left, "the machine is loud") != 1 {
		t.Errorf("got %q, want %q and the warning", left, want)
	}
	s.Done()
	s.Say("second")
	s.Say("third")
	if got := out.String(); got != text+"third\n" {
		t.Errorf("got %q afterwards, want only the third", got[len(text):])
	}
}

// Trials repaint the view at most once a second; nothing else waits.
func TestScreenDue(t *testing.T) {
	s := &Screen{}
	at := time.Date(2026, 11, 26, 20, 0, 0, 0, time.UTC)
	var got []bool
	for _, after := range []time.Duration{0, 10, 999, 1000, 1500, 1999, 2000, 9000} {
		got = append(got, s.due(at.Add(after*time.Millisecond)))
	}
	if want := []bool{true, false, false, true, false, false, true, true}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// Keys go to who measures, those of the view alone do not; the view follows the size of
// the terminal.
func TestScreenKeys(t *testing.T) {
	var pressed []Key
	m := &screenModel{Model: &Model{Style: terminal.Style{Width: 80}, Keys: true}, press: func(k Key) { pressed = append(pressed, k) }}
	m.Update(Event{Kind: KindPlan, Run: "7k2m", Plan: &Plan{Command: "assay run"}})
	for _, r := range "xlrpsq" {
		m.Update(tea.KeyPressMsg{Code: r, Text: string(r)})
	}
	m.Update(tea.KeyPressMsg{Code: 'c', Mod: tea.ModCtrl})
	if want := []Key{KeyPause, KeyStop, KeyQuit, KeyStop}; !slices.Equal(pressed, want) {
		t.Errorf("got %v, want %v", pressed, want)
	}
	if _, cmd := m.Update(tea.KeyPressMsg{Code: 'z', Mod: tea.ModCtrl}); cmd == nil || len(pressed) != 4 {
		t.Error("ctrl+z does not suspend the program")
	}
	m.Update(tea.WindowSizeMsg{Width: 61, Height: 17})
	if m.Style.Width != 61 || m.Height != 17 {
		t.Errorf("got %d by %d cells, want 61 by 17", m.Style.Width, m.Height)
	}
}

// No frame is lower than the one before, unless the terminal became so; what is erased in
// the end is the highest.
func TestScreenHeight(t *testing.T) {
	m := &screenModel{Model: &Model{Style: terminal.Style{Width: 80}, Keys: true}}
	height := func() int { return strings.Count(m.View().Content, "\n") + 1 }
	for m.tall = range 2 {
		if got := m.remove(); got != "\r"+ansi.EraseScreenBelow {
			t.Errorf("removes %q, having shown %d lines", got, m.tall)
		}
	}
	low := height()
	m.Update(Event{Kind: KindSay, Text: "one\ntwo\nthree"})
	high := height()
	if high < low+3 {
		t.Fatalf("three remarks make %d lines of %d", high, low)
	}
	m.said = nil
	if got := height(); got != high {
		t.Errorf("got %d lines after the remarks, want %d as before", got, high)
	}
	if got, want := m.remove(), "\r"+ansi.CursorUp(high-1)+ansi.EraseScreenBelow; got != want {
		t.Errorf("removes %q, want %q", got, want)
	}
	m.Update(tea.WindowSizeMsg{Width: 80, Height: 4})
	if got := height(); got > 3 {
		t.Errorf("got %d lines on a screen of 4", got)
	}
}

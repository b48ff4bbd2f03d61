package terminal

import (
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/printable"
)

// clock is a clock that the test sets.
type clock struct{ t time.Time }

func (c *clock) now() time.Time          { return c.t }
func (c *clock) advance(d time.Duration) { c.t = c.t.Add(d) }

func TestProgressInALog(t *testing.T) {
	var b strings.Builder
	c := &clock{time.Unix(0, 0)}
	p := NewProgress(&b, false, c.now)
	p.Say("assay: run 7k2m: 8 benchmarks × 2 variants, at most 10m")
	p.Line("build", "building go1.25.7")
	p.Line("build", "building go1.26.8") // too early
	p.Say("assay: built go1.25.7 (11s)")
	p.Say("assay: built go1.25.7 (11s)") // said once
	p.Line("measure", "block 1")
	for i := range 65 {
		c.advance(time.Second)
		p.Line("measure", "block "+printable.Int(i+2))
	}
	p.Say("evil\x1b[2Jname\nsecond line")
	p.Done()
	want := `assay: run 7k2m: 8 benchmarks × 2 variants, at most 10m
assay: building go1.25.7
assay: built go1.25.7 (11s)
assay: block 1
assay: block 31
assay: block 61
evilname
second line
`
	if got := b.String(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// screen plays what a terminal would show.
func screen(out string) []string {
	lines := []string{""}
	at := 0
	for _, r := range out {
		last := len(lines) - 1
		switch r {
		case '\r':
			at = 0
		case '\n':
			lines = append(lines, "")
			at = 0
		default:
			row := []rune(lines[last])
			for len(row) <= at {
				row = append(row, ' ')
			}
			row[at] = r
			lines[last] = string(row)
			at++
		}
	}
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return lines
}

func TestProgressOnATerminal(t *testing.T) {
	var b strings.Builder
	c := &clock{time.Unix(0, 0)}
	p := NewProgress(&b, true, c.now)
	show := func(step string, want ...string) {
		t.Helper()
		if got := strings.Join(screen(b.String()), "|"); got != strings.Join(want, "|") {
			t.Errorf("%s: screen %q, want %q", step, got, strings.Join(want, "|"))
		}
	}
	p.Line("build", "go1.25.7 and a long list of others")
	show("first", "build    go1.25.7 and a long list of others")
	p.Line("measure", "block 1")
	show("shorter", "measure  block 1")
	p.Line("measure", "block 2")
	show("too early", "measure  block 1")
	c.advance(time.Second)
	p.Line("measure", "block 3")
	p.Say("assay: a warning")
	show("said above", "assay: a warning", "measure  block 3")
	p.Line("decide", strings.Repeat("x", 200))
	if got := screen(b.String())[1]; Width(got) != defaultWidth-1 {
		t.Errorf("the line is %d cells wide, want %d", Width(got), defaultWidth-1)
	}
	p.Done()
	p.Done()
	show("done", "assay: a warning", "")
}

func TestProgressConcurrently(t *testing.T) {
	var b strings.Builder
	p := NewProgress(&b, false, time.Now)
	var wg sync.WaitGroup
	for i := range 20 {
		wg.Go(func() { p.Say("built " + printable.Int(i)) })
	}
	wg.Wait()
	if got := strings.Count(b.String(), "\n"); got != 20 {
		t.Errorf("%d lines, want 20", got)
	}
}

func TestWarningText(t *testing.T) {
	warns := []assay.Warning{
		{Code: "noisy", Text: "this machine cannot show 1 %: the same binary against itself differs by ±4.2 %",
			Facts: []string{"governor powersave; turbo on", "a\x1b[31mb"}, Try: "assay doctor"},
		{Code: "short", Text: "a short one"},
	}
	var b strings.Builder
	WarningText(&b, warns, Style{Width: 80})
	want := `assay: this machine cannot show 1 %: the same binary against itself differs by
  ±4.2 %   [noisy]
  governor powersave; turbo on
  ab
  try: assay doctor
assay: a short one   [short]
`
	if got := b.String(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	b.Reset()
	WarningText(&b, warns[:1], Style{Width: 100, ASCII: true})
	if got := b.String(); !strings.HasPrefix(got, "assay: this machine cannot show 1 %: the same binary against itself differs by +-4.2 %   [noisy]\n") {
		t.Errorf("got %q", got)
	}
}

package doctor

import (
	"fmt"
	"strings"

	"github.com/seed-1318a441/assay/internal/doctor/check"
	"github.com/seed-1318a441/assay/internal/printable"
	"github.com/seed-1318a441/assay/internal/terminal"
)

// A text is a text built line by line.
type text struct {
	width int
	all   bool
	lines []string
}

func (c *text) print(line string) { c.lines = append(c.lines, line) }

// Lines returns a checkup as text, wrapped at a width: each finding that spoils a
// measurement, then the others, one per line if all is set.
func (checkup *Checkup) Lines(width int, all bool) []string {
	c := &text{width: width, all: all}
	p := checkup.Platform
	c.print(fmt.Sprintf("machine  %s%s, %s, id %s", named(checkup.Name), p, printable.Count(p.CPUs, "CPU"), p.ID))
	spoils := false
	for _, f := range checkup.Findings {
		if f.Spoils() {
			spoils = true
			c.finding(f)
		}
	}
	c.print("")
	if !spoils {
		c.print(fmt.Sprintf(`nothing found that would spoil a measurement; "assay doctor --aa%s" measures the noise`, on(checkup.Name)))
	}
	c.fine(checkup.Findings, on(checkup.Name))
	return c.lines
}

// named and on put the name of a machine elsewhere into a sentence or a command.
func named(name string) string { return lead(name, name+": ") }
func on(name string) string    { return lead(name, " --on="+name) }

func lead(name, text string) string {
	if name == "" {
		return ""
	}
	return text
}

// finding adds one finding. Commands are not wrapped: users paste them.
func (c *text) finding(f check.Finding) {
	mark := "note "
	if f.Level == check.Severe {
		mark = "WARN "
	}
	c.print("")
	c.wrapped(mark, f.Text+"   ["+string(f.Code)+"]")
	c.wrapped("     effect: ", f.Effect)
	if f.Cure != "" {
		c.print("     cure:   " + f.Cure)
	}
	if f.Undo != "" {
		c.print("     undo:   " + f.Undo)
	}
}

// fine adds what is as it should be, and what is unknown here.
func (c *text) fine(findings []check.Finding, on string) {
	var fine, unknown []string
	for _, f := range findings {
		switch f.Level {
		case check.Fine:
			fine = append(fine, f.Text)
		case check.Unknown:
			unknown = append(unknown, f.Text)
		}
	}
	switch {
	case c.all:
		for _, text := range fine {
			c.wrapped("ok   ", text)
		}
	case len(fine) > 0:
		c.print("ok   " + printable.Count(len(fine), "other thing") + `; "assay doctor --all` + on + `" lists them`)
	}
	if len(unknown) > 0 {
		c.wrapped("     ", "unknown on this system: "+strings.Join(unknown, ", "))
	}
}

// wrapped adds a text, its later lines indented under the first.
func (c *text) wrapped(lead, text string) {
	for _, line := range terminal.WrapPercent(text, max(c.width, 60)-len(lead)) {
		c.print(lead + line)
		lead = strings.Repeat(" ", len(lead))
	}
}

package doctor

import (
	"fmt"
	"slices"

	"github.com/seed-1318a441/assay/internal/analysis"
	"github.com/seed-1318a441/assay/internal/machine"
	"github.com/seed-1318a441/assay/internal/printable"
	"github.com/seed-1318a441/assay/internal/sheet"
	"github.com/seed-1318a441/assay/internal/terminal"
)

// trendRuns is the number of runs in a trend.
const trendRuns = 12

// Table returns machines as text: a line each, and below them who occupies a machine or
// why it cannot be reached.
func Table(members []Machine, style terminal.Style) []string {
	rows := [][]string{append(append([]string{"machine", "platform", "assay", "state", "noise", "on"}, reachHeads()...), "trend")}
	var short, below []string // platforms without the names of their processors, which are long
	for _, m := range members {
		platform, brief := "", ""
		if p := m.Platform; p != nil {
			cpus := printable.Count(p.CPUs, "CPU")
			bare := *p
			bare.CPU = ""
			platform, brief = fmt.Sprintf("%s, %s", p, cpus), fmt.Sprintf("%s, %s", bare, cpus)
		} else if n := len(m.Floors); n > 0 {
			platform = m.Floors[n-1].Machine
			brief = platform
		}
		short = append(short, style.Text(orNone(brief)))
		row := append([]string{m.Name, orNone(platform), orNone(m.Assay), string(m.State)}, m.figures()...)
		for i := range row {
			row[i] = style.Text(row[i])
		}
		rows = append(rows, row)
		below = append(below, m.remarks(style)...)
	}
	lines := terminal.Table(rows)
	if width(lines) > style.Columns() {
		for i, platform := range short {
			rows[i+1][1] = style.Middle(platform, longestBrief)
		}
		lines = terminal.Table(rows)
	}
	if width(lines) > style.Columns() { // assay machines NAME lists what it shows
		for i, row := range rows {
			rows[i] = row[:len(row)-1]
		}
		lines = terminal.Table(rows)
	}
	return append(lines, below...)
}

// longestBrief is the width that a narrow terminal has for a platform: "linux/mips64le,
// 128 CPUs".
const longestBrief = 24

// width is the width of the widest line.
func width(lines []string) (n int) {
	for _, line := range lines {
		n = max(n, terminal.Width(line))
	}
	return n
}

// Lines returns one machine as text, with a line for each of its last runs, or for all.
func (m *Machine) Lines(style terminal.Style) []string {
	lines := Table([]Machine{*m}, style)
	if len(m.Floors) == 0 {
		return append(lines, "", "no run with a control (A/A) has measured its noise yet")
	}
	floors := m.Floors
	if !style.All {
		floors = floors[max(0, len(floors)-trendRuns):]
	}
	rows := [][]string{append([]string{"measured", "run", "study", "blocks", "noise"}, reachHeads()...)}
	for _, f := range floors {
		study := f.Study
		if f.AA {
			study = "A/A"
		}
		row := append([]string{f.Time.Local().Format("2006-01-02 15:04"), orNone(f.Run), orNone(study), printable.Int(f.Blocks), noise(f)}, smallest(f)...)
		for i := range row {
			row[i] = style.Text(row[i])
		}
		rows = append(rows, row)
	}
	lines = append(append(lines, ""), terminal.Table(rows)...)
	if n := len(m.Floors) - len(floors); n > 0 {
		lines = append(lines, style.Text("… "+printable.Count(n, "earlier run")+": --all"))
	}
	return lines
}

func reachHeads() (heads []string) {
	for _, d := range analysis.ReachTimes {
		heads = append(heads, fmt.Sprintf("%.0f min", d.Minutes()))
	}
	return heads
}

// figures are the last floor, its date, the changes that the machine shows, and the trend.
func (m *Machine) figures() []string {
	if len(m.Floors) == 0 {
		return []string{sheet.None, sheet.None, sheet.None, sheet.None, sheet.None, ""}
	}
	last := m.Floors[len(m.Floors)-1]
	out := append([]string{noise(last), last.Time.Local().Format("2006-01-02")}, smallest(last)...)
	var trend []float64
	for _, f := range m.Floors[max(0, len(m.Floors)-trendRuns):] {
		trend = append(trend, float64(f.Floor))
	}
	return append(out, sheet.Bars(trend))
}

// remarks are what has no place in the table.
func (m *Machine) remarks(style terminal.Style) (lines []string) {
	say := func(text string) {
		lines = append(lines, "")
		for i, line := range terminal.Wrap(style.Text(text), max(style.Columns()-2, 40)) {
			if i > 0 {
				line = "  " + line
			}
			lines = append(lines, line)
		}
	}
	if m.Fault != "" {
		say(m.Name + " cannot be reached: " + m.Fault)
	}
	switch o := m.Occupant; {
	case o != nil && o.PID > 0:
		say(m.Name + " is busy: " + o.String())
	case o != nil:
		say(m.Name + " is busy: another assay measures there")
	}
	for _, line := range m.queueLines() {
		say(line)
	}
	if limit := m.Require.Noise; limit > 0 && len(m.Floors) > 0 && float64(m.Floors[len(m.Floors)-1].Floor) > limit {
		say(m.Name + " is noisier than it may be: it is required to have at most " + printable.Percent(limit))
	}
	return lines
}

func noise(f machine.Floor) string { return sheet.PlusMinus(f.Floor) + " %" }

// smallest are the smallest changes that a machine shows in analysis.ReachTimes.
func smallest(f machine.Floor) []string {
	out := slices.Repeat([]string{sheet.None}, len(analysis.ReachTimes))
	for i, x := range f.Smallest[:min(len(f.Smallest), len(out))] {
		if x > 0 {
			out[i] = percentOf(x)
		}
	}
	return out
}

func orNone(text string) string {
	if text == "" {
		return sheet.None
	}
	return text
}

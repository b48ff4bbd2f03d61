package live

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/terminal"
)

// indent is the width of the lines' labels.
const indent = 9

// View returns the text of the view. No line is wider than the style, and a line of the
// screen stays free for the prompt.
func (m *Model) View() string {
	head := slices.Concat(m.header(), m.buildLines(), m.measureLines())
	foot := slices.Concat(m.saidPart(), m.noiseLine(), m.logPart(), m.keyLine())
	room := unlimited
	if m.Height > 0 {
		room = m.Height - 1 - len(head) - len(foot)
	}
	lines := slices.Concat(head, m.table(room), foot)
	if m.Height > 0 && len(lines) >= m.Height {
		lines = lines[:max(m.Height-1, 1)]
	}
	for i, l := range lines {
		lines[i] = ansi.Truncate(strings.TrimRight(l, " "), m.width(), "")
	}
	return strings.Join(lines, "\n")
}

// width leaves the last column free: some terminals wrap after writing there.
func (m *Model) width() int { return max(m.Style.Width, 40) - 1 }

// header returns the command, the machine and the run, on one line if they fit.
func (m *Model) header() []string {
	command, machine := m.Style.Text(m.plan.Command), m.Style.Text(m.plan.Platform)
	if m.run != "" {
		machine += "   run " + m.Style.Text(m.run)
	}
	if gap := m.width() - terminal.Width(command) - terminal.Width(machine); gap >= 3 {
		return []string{command + strings.Repeat(" ", gap) + machine}
	}
	return append(m.pasteable(command), m.Style.Middle(machine, m.width()))
}

// commandLines is the number of lines that a command may take.
const commandLines = 4

// pasteable breaks a command between its words, with a backslash at the end of a line, so
// that a shell reads it as one. Where that takes too many lines, or a word is wider than
// the view, an ellipsis in the middle shows that it is not whole.
func (m *Model) pasteable(command string) (lines []string) {
	line := ""
	for _, word := range words(command) {
		if line != "" && terminal.Width(line+" "+word+" \\") > m.width() {
			lines = append(lines, line+" \\")
			line = " "
		}
		if line != "" {
			word = " " + word
		}
		line += word
		if terminal.Width(line+" \\") > m.width() || len(lines) >= commandLines {
			return []string{m.Style.Middle(command, m.width())}
		}
	}
	return append(lines, line)
}

// words splits a command line at its blanks, except those in quotes.
func words(command string) (out []string) {
	from, quote, escaped := 0, rune(0), false
	for i, r := range command {
		switch {
		case escaped:
			escaped = false
		case r == '\\' && quote != '\'':
			escaped = true
		case quote != 0:
			if r == quote {
				quote = 0
			}
		case r == '\'' || r == '"':
			quote = r
		case r == ' ':
			if from < i {
				out = append(out, command[from:i])
			}
			from = i + 1
		}
	}
	if from < len(command) {
		out = append(out, command[from:])
	}
	return out
}

// buildLines marks each variant that was built; of many it returns the number and the
// last.
func (m *Model) buildLines() []string {
	if len(m.builds) == 0 {
		return nil
	}
	var parts []string
	for _, b := range m.builds {
		text := strings.TrimPrefix(buildText(b), "built ")
		parts = append(parts, m.glyph("✓", "+")+" "+strings.TrimSuffix(m.Style.Text(text), " (from the cache)"))
	}
	if len(strings.Join(parts, "   "))+indent > 2*m.width() {
		last := strings.TrimPrefix(parts[len(parts)-1], m.glyph("✓", "+")+" ")
		parts = []string{fmt.Sprintf("%s %d variants, the last %s", m.glyph("✓", "+"), len(m.builds), m.Style.Middle(last, m.width()/2))}
	}
	return m.labelled("build", parts)
}

// measureLines returns the progress of the run.
func (m *Model) measureLines() []string {
	b := m.block
	switch {
	case m.stage != "":
		return m.labelled("measure", []string{m.Style.Text(m.stage)})
	case b == nil && m.running > 0:
		return m.labelled("measure", []string{m.blockText()})
	case b == nil:
		return nil
	}
	parts := []string{m.blockText(), m.bar() + "  " + m.spentText(),
		fmt.Sprintf("%d of %d decided", b.Decided, b.Comparisons) + m.moreText()}
	return m.labelled("measure", parts)
}

// blockText names the running block, or the one that has just ended.
func (m *Model) blockText() string {
	text := fmt.Sprintf("block %d", m.running)
	switch {
	case m.plan.MaxBlocks > m.plan.MinBlocks:
		text += fmt.Sprintf(" of %d–%d", m.plan.MinBlocks, m.plan.MaxBlocks)
	case m.plan.MaxBlocks > 0:
		text += fmt.Sprintf(" of %d", m.plan.MaxBlocks)
	case m.running < m.plan.MinBlocks:
		text += fmt.Sprintf(" of %d at least", m.plan.MinBlocks)
	}
	if m.of > 0 {
		text += fmt.Sprintf(", trial %d of %d", m.trial, m.of)
	}
	return m.Style.Text(text)
}

func (m *Model) spentText() string {
	text := short(m.block.Spent)
	if m.plan.Budget > 0 {
		text += " of " + short(m.plan.Budget) + " at most"
	}
	return text
}

// moreText returns about how much longer the run takes, "" if unknown.
func (m *Model) moreText() string {
	if m.block.More == nil || m.block.Decided == m.block.Comparisons {
		return ""
	}
	return ", about " + short(*m.block.More) + " more"
}

// barWidth is the number of cells of the bar.
const barWidth = 24

// bar shows the share of the measuring time that has passed: of the expected time if
// known, else of the budget or of the blocks.
func (m *Model) bar() string {
	b, share := m.block, 0.0
	if m.plan.Budget > 0 {
		share = float64(b.Spent) / float64(m.plan.Budget)
	}
	if m.plan.MaxBlocks > 0 {
		share = max(share, float64(b.Number)/float64(m.plan.MaxBlocks))
	}
	if b.More != nil && b.Spent+*b.More > 0 {
		share = max(share, float64(b.Spent)/float64(b.Spent+*b.More))
	}
	n := int(math.Round(barWidth * min(max(share, 0), 1)))
	return strings.Repeat(m.glyph("━", "#"), n) + strings.Repeat(m.glyph("┄", "."), barWidth-n)
}

// noiseLine shows how calm the machine is.
func (m *Model) noiseLine() []string {
	if m.block == nil || m.block.Noise == nil && m.block.Load == nil {
		return nil
	}
	var parts []string
	if n := m.block.Noise; n != nil && *n > 0 {
		parts = append(parts, m.Style.Text("A/A ±"+strings.TrimLeft(n.Format(*n), "+")))
	}
	if l := m.block.Load; l != nil {
		parts = append(parts, fmt.Sprintf("other load %.0f %%", 100**l))
	}
	if n := m.block.Noise; n != nil && *n > 0 {
		parts = append(parts, m.calm(*n))
	}
	return append([]string{""}, m.labelled("noise", parts)...)
}

// calm returns five dots if the same code differs from itself by less than 0.5 %, and one
// from 5 % on.
func (m *Model) calm(noise assay.Change) string {
	dots, words := 1, []string{"restless", "restless", "fair", "quiet", "quiet"}
	for _, limit := range []assay.Change{0.05, 0.02, 0.01, 0.005} {
		if noise < limit {
			dots++
		}
	}
	return strings.Repeat(m.glyph("●", "*"), dots) + strings.Repeat(m.glyph("○", "."), 5-dots) + " " + words[dots-1]
}

// saidPart returns the last remarks, each cut to a line.
func (m *Model) saidPart() []string {
	if len(m.said) == 0 {
		return nil
	}
	out := []string{""}
	for _, l := range m.said[max(0, len(m.said)-saidLines):] {
		out = append(out, ansi.Truncate(m.Style.Text(l), m.width(), m.Style.Text("…")))
	}
	return out
}

func (m *Model) logPart() []string {
	if !m.showLog {
		return nil
	}
	out := []string{""}
	for _, l := range m.log[max(0, len(m.log)-logLines):] {
		out = append(out, m.faint(m.Style.Middle(l, m.width()-2), 2))
	}
	return out
}

// keyLine lists the keys, and what was requested.
func (m *Model) keyLine() []string {
	state := ""
	switch {
	case m.stopping:
		state = "stopping after this block; "
	case m.paused:
		state = "paused; "
	case m.asked:
		state = "a pause comes after this block; "
	}
	if !m.Keys {
		return nil
	}
	if m.run == "" {
		return []string{"[l]og  [q]uit"}
	}
	texts := []string{"[p]ause  [s]top and decide with the data so far  [r]ows  [l]og  [q]uit and keep", "[p]ause [s]top [r]ows [l]og [q]uit"}
	switch {
	case m.stopping:
		texts = []string{"[q]uit now"}
	case m.paused || m.asked:
		texts = []string{"[p] continue  [s]top and decide with the data so far  [q]uit and keep", "[p] continue [s]top [q]uit"}
	}
	for _, t := range texts {
		if terminal.Width(state+t) <= m.width() {
			return []string{state + t}
		}
	}
	return []string{state + texts[len(texts)-1]}
}

// labelled puts parts behind a label, as many on a line as fit.
func (m *Model) labelled(label string, parts []string) (lines []string) {
	line := fmt.Sprintf("%-*s", indent, label)
	first := true
	for _, p := range parts {
		if !first && terminal.Width(line)+3+terminal.Width(p) > m.width() {
			lines = append(lines, line)
			line, first = strings.Repeat(" ", indent), true
		}
		if !first {
			line += "   "
		}
		line, first = line+p, false
	}
	return append(lines, line)
}

// glyph returns a sign, or its form in ASCII.
func (m *Model) glyph(sign, ascii string) string {
	if m.Style.ASCII {
		return ascii
	}
	return sign
}

// faint greys what is no finding, behind left spaces.
func (m *Model) faint(text string, left int) string {
	return strings.Repeat(" ", left) + m.paint(text, lipgloss.NewStyle().Foreground(lipgloss.BrightBlack))
}

func (m *Model) paint(text string, s lipgloss.Style) string {
	bare := strings.TrimSpace(text)
	if !m.Style.Color || bare == "" {
		return text
	}
	before, after, _ := strings.Cut(text, bare)
	return before + s.Render(bare) + after
}

// short returns a duration to the second: "40s", "3m12s", "2h05m".
func short(d time.Duration) string {
	d = d.Round(time.Second)
	switch {
	case d < time.Minute:
		return fmt.Sprintf("%ds", d/time.Second)
	case d < time.Hour && d%time.Minute == 0:
		return fmt.Sprintf("%dm", d/time.Minute)
	case d < time.Hour:
		return fmt.Sprintf("%dm%02ds", d/time.Minute, d%time.Minute/time.Second)
	case d%time.Hour < time.Minute:
		return fmt.Sprintf("%dh", d/time.Hour)
	}
	return fmt.Sprintf("%dh%02dm", d/time.Hour, d%time.Hour/time.Minute)
}

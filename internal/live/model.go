package live

import (
	"fmt"
	"strings"
	"time"

	"github.com/seed-1318a441/assay/internal/analysis"
	"github.com/seed-1318a441/assay/internal/terminal"
)

// Cells is how many comparisons the event of a block should carry: more are not
// shown.
const Cells = 40

// Rows and lines of the log that are shown, before and after the key for more.
const (
	fewRows  = 8
	logLines = 8
	// saidLines are those of warnings and remarks.
	saidLines = 6
	// unlimited is the height of a screen that does not say how high it is.
	unlimited = 1 << 20
)

// A Model is what the view knows. Add changes it, View prints it.
type Model struct {
	// Style says how to print; Height is that of the screen, 0 for any.
	Style  terminal.Style
	Height int
	// Keys is true where somebody can press them.
	Keys bool

	plan   Plan
	builds []Build
	stage  string
	block  *Block
	cells  []analysis.Interim

	running, trial, of int

	asked, paused, stopping bool // a pause was asked for; it has come
	allRows, showLog        bool
	log                     []string
	said                    []string
}

// Add takes what happened.
func (m *Model) Add(e Event) {
	switch e.Kind {
	case KindPlan:
		m.plan, m.stage = *e.Plan, ""
	case KindBuild:
		m.builds = append(m.builds, *e.Build)
		m.note(buildText(*e.Build))
	case KindStage:
		m.stage = e.Text
	case KindTrial:
		m.running, m.trial, m.of, m.stage = e.Running, e.Trial, e.Of, ""
	case KindBlock:
		m.block, m.cells, m.stage = e.Block, e.Cells, ""
		m.running, m.trial, m.of = e.Number, 0, 0
		m.note(fmt.Sprintf("block %d: %d of %d decided", e.Number, e.Decided, e.Comparisons))
	case KindDecide:
		for _, c := range e.Cells[:min(len(e.Cells), logLines)] {
			m.note(turnText(c))
		}
	case KindPause:
		m.paused = e.On
	case KindStop:
		m.stopping, m.asked = true, false
	case KindSay:
		m.said = append(m.said, strings.Split(e.Text, "\n")...)
	}
}

// note keeps a line for the log.
func (m *Model) note(line string) {
	m.log = append(m.log, line)
	if n := len(m.log) - 4*logLines; n > 0 {
		m.log = m.log[n:]
	}
}

func buildText(b Build) string {
	text := "built " + b.Variant
	switch {
	case b.Cached:
		text += " (from the cache"
	default:
		text += " (" + b.Took.Round(100*time.Millisecond).String()
	}
	if b.LogLines > 0 {
		text += fmt.Sprintf(", %d log lines hidden", b.LogLines)
	}
	return text + ")"
}

func turnText(c analysis.Interim) string {
	name := c.Benchmark.Name + ", " + c.Variant + ", " + c.Metric
	if !c.Decided {
		return name + ": open again"
	}
	return name + ": " + decidedText(c)
}

// decidedText is the verdict of a comparison that the stop rule is done with. It
// may have none of its own: a gate can be decided where a change is not.
func decidedText(c analysis.Interim) string {
	if !c.Verdict.Differs() && c.Verdict != "same" && c.Verdict != "saturated" && c.Verdict != "invalid" {
		return "decided"
	}
	return "decided: " + string(c.Verdict)
}

// A Key is what a key asks for.
type Key int

// What keys ask for.
const (
	KeyNone  Key = iota
	KeyPause     // wait after the block, or go on
	KeyStop      // stop after the block
	KeyQuit      // stop now
	keyRows
	keyLog
)

var keys = map[string]Key{"p": KeyPause, "s": KeyStop, "ctrl+c": KeyStop, "q": KeyQuit, "r": keyRows, "l": keyLog}

// Press takes a key and returns what it asks the run for.
func (m *Model) Press(key string) Key {
	k := keys[key]
	switch k {
	case keyRows:
		m.allRows = !m.allRows
		return KeyNone
	case keyLog:
		m.showLog = !m.showLog
		return KeyNone
	case KeyPause:
		if m.stopping {
			return KeyNone
		}
		m.asked = !m.asked
	case KeyStop:
		if key == "s" && m.plan.Run == "" {
			return KeyNone // there is nothing to decide with
		}
	}
	return k
}

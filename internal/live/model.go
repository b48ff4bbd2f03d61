package live

import (
	"fmt"
	"strings"
	"time"

	"github.com/seed-1318a441/assay/internal/analysis"
	"github.com/seed-1318a441/assay/internal/terminal"
)

// Cells is the maximum number of comparisons that the event of a block should have. The
// view shows no more.
const Cells = 40

// The numbers of rows and of log lines that the view shows.
const (
	fewRows  = 8
	logLines = 8
	// saidLines is the number of lines of warnings and remarks.
	saidLines = 6
	// unlimited is the height of a screen of unknown height.
	unlimited = 1 << 20
)

// A Model is the state of the view. Add changes it, View prints it.
type Model struct {
	// Style says how to print. Height is that of the screen, 0 for any.
	Style  terminal.Style
	Height int
	// Keys is true if somebody can press keys.
	Keys bool

	plan   Plan
	run    string
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

// Add updates the view.
func (m *Model) Add(e Event) {
	switch e.Kind {
	case KindPlan:
		m.plan, m.run, m.stage = *e.Plan, e.Run, ""
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

// note adds a line to the log.
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

// decidedText returns the verdict of a decided comparison. A gate can be decided where a
// change is not; then there is no verdict.
func decidedText(c analysis.Interim) string {
	if !c.Verdict.Differs() && c.Verdict != "same" && c.Verdict != "saturated" && c.Verdict != "invalid" {
		return "decided"
	}
	return "decided: " + string(c.Verdict)
}

// A Key is what a key requests.
type Key int

// The requests of keys.
const (
	KeyNone  Key = iota
	KeyPause     // wait after the block, or go on
	KeyStop      // stop after the block
	KeyQuit      // stop now
	keyRows
	keyLog
)

var keys = map[string]Key{"p": KeyPause, "s": KeyStop, "ctrl+c": KeyStop, "q": KeyQuit, "r": keyRows, "l": keyLog}

// Press handles a key and returns what it requests of the run.
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
		if key == "s" && m.run == "" {
			return KeyNone // there is nothing to decide with
		}
	}
	return k
}

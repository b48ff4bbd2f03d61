package live

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/fault"
	"github.com/seed-1318a441/assay/internal/terminal"
)

// repaints is the maximum number of repaints per second. An unchanged view costs one
// comparison.
const repaints = 5

// trialEvery is the minimum time between repaints for trials alone: a repaint takes a
// millisecond of a CPU that the next trial may be running on.
const trialEvery = time.Second

// A Screen is a view on a terminal. It neither clears the screen nor uses the alternate
// one. Done removes it. It is safe for concurrent use.
type Screen struct {
	program *tea.Program
	out     io.Writer
	style   terminal.Style
	ended   chan struct{}

	mu        sync.Mutex
	said      []string // is printed when the view is gone
	gone      bool
	lastTrial time.Time
}

// NewScreen shows a model on the terminal out. Keys come from in; a nil in means no keys.
// press gets their requests; it must neither block nor call the screen.
func NewScreen(out io.Writer, in *os.File, m Model, press func(Key)) *Screen {
	options := []tea.ProgramOption{tea.WithOutput(out), tea.WithoutSignalHandler(), tea.WithFPS(repaints)}
	if in == nil {
		options = append(options, tea.WithInput(nil))
	} else {
		options = append(options, tea.WithInput(in))
	}
	s := &Screen{out: out, style: m.Style, ended: make(chan struct{})}
	shown := &screenModel{Model: &m, press: press}
	s.program = tea.NewProgram(shown, options...)
	go func() {
		defer fault.Exit()
		defer close(s.ended)
		// If the view fails the run continues, and nobody needs to know.
		if _, err := s.program.Run(); err == nil {
			io.WriteString(out, shown.remove())
		}
	}()
	return s
}

// Add shows an event.
func (s *Screen) Add(e Event) {
	if e.Kind == KindTrial && !s.due(e.Time) {
		return
	}
	s.program.Send(e)
}

func (s *Screen) due(now time.Time) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if now.Sub(s.lastTrial) < trialEvery {
		return false
	}
	s.lastTrial = now
	return true
}

// Say shows a text in the view, repeated ones once, and prints it in full when the view
// is removed. Bubble Tea's own way to print above a view leaves torn lines on a screen
// that scrolls.
func (s *Screen) Say(text string) {
	var lines []string
	for l := range strings.SplitSeq(strings.TrimRight(text, "\n"), "\n") {
		lines = append(lines, s.style.Text(l))
	}
	text = strings.Join(lines, "\n")
	s.mu.Lock()
	known, gone := slices.Contains(s.said, text), s.gone
	if !known {
		s.said = append(s.said, text)
	}
	s.mu.Unlock()
	switch {
	case known:
	case gone:
		fmt.Fprintln(s.out, text)
	default:
		s.program.Send(Event{Kind: KindSay, Text: text})
	}
}

// Warn shows a warning as Say shows a text.
func (s *Screen) Warn(w assay.Warning) {
	s.Say(strings.Join(terminal.WarningLines(w, "assay: ", "  ", s.style), "\n"))
}

// Line shows the progress of the work before or after the blocks.
func (s *Screen) Line(_, text string) { s.Add(Event{Kind: KindStage, Text: text}) }

// Done removes the view. It may be called twice.
func (s *Screen) Done() {
	s.program.Quit()
	<-s.ended
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.gone {
		return
	}
	s.gone = true
	for _, text := range s.said {
		fmt.Fprintln(s.out, text)
	}
}

// A screenModel adapts a Model to Bubble Tea.
type screenModel struct {
	*Model
	press func(Key)
	// tall is the height of the highest frame. No frame may be lower than the one before:
	// Bubble Tea 2.0 then forgets where the cursor is, and leaves torn lines.
	tall int
}

// Init implements tea.Model.
func (m *screenModel) Init() tea.Cmd { return nil }

// Update implements tea.Model.
func (m *screenModel) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case Event:
		m.Add(msg)
	case tea.WindowSizeMsg:
		m.Style.Width, m.Height = msg.Width, msg.Height
		m.tall = min(m.tall, m.Height-1)
	case tea.KeyPressMsg:
		if msg.String() == "ctrl+z" {
			return m, tea.Suspend
		}
		if k := m.Press(msg.String()); k != KeyNone {
			m.press(k)
		}
	}
	return m, nil
}

// View implements tea.Model.
func (m *screenModel) View() tea.View {
	text := m.Model.View()
	lines := strings.Count(text, "\n") + 1
	m.tall = max(m.tall, lines)
	return tea.NewView(text + strings.Repeat("\n", m.tall-lines))
}

// remove erases the view from its last line, where Bubble Tea leaves the cursor.
func (m *screenModel) remove() string {
	up := ""
	if m.tall > 1 {
		up = ansi.CursorUp(m.tall - 1)
	}
	return "\r" + up + ansi.EraseScreenBelow
}

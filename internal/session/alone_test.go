package session

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/host"
	"github.com/seed-1318a441/assay/internal/terminal"
)

// One that waits warns once, and then has a line for each other assay that has the machine.
// What other users of the machine have written cannot write to the terminal.
func TestReportsEachOccupant(t *testing.T) {
	var out strings.Builder
	s := Session{Config: Config{Command: "assay run", Progress: NewProgress(terminal.NewProgress(&out, false, time.Now))}}
	report := s.reportOccupants()
	for _, o := range []host.Occupant{{PID: 7, Command: "assay run one"}, {PID: 8, Command: "assay run \x1b[2Jtwo"}, {PID: 9, Command: "assay run three"}} {
		if err := report(o); err != nil {
			t.Fatal(err)
		}
	}
	text := out.String()
	if strings.Count(text, "[machine-busy]") != 1 || strings.Count(text, "assay: still waiting, now for process ") != 2 ||
		!strings.Contains(text, "process 8, ") || strings.Contains(text, "\x1b") {
		t.Errorf("got %q", text)
	}
}

// With NoWait the error says for whom this one would wait.
func TestNoWait(t *testing.T) {
	s := Session{Config: Config{Command: "assay bisect", Options: Options{NoWait: true}}}
	err, _ := errors.AsType[*assay.Error](s.reportOccupants()(host.Occupant{PID: 7}))
	if err == nil || err.Exit != assay.ExitRefused || err.Code != assay.CodeMachineBusy || !strings.Contains(strings.Join(err.Facts, ""), "process 7") {
		t.Errorf("got %+v", err)
	}
}

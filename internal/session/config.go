package session

import (
	"io"
	"sync/atomic"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/host"
	"github.com/seed-1318a441/assay/internal/lab"
)

// Options say how a study is measured and where its run is kept, not what the question is.
type Options struct {
	// Store is the folder that runs are kept in.
	Store string
	// More adds blocks for this long to the last run of the study, where it is above 0.
	More time.Duration
	// Gates says what becomes of a step that fails a gate of the study: GatesMark (also
	// ""), GatesStop, or GatesOff.
	Gates string
	// Fix changes the settings of the machine for the time of the run.
	Fix bool
	// NoWait refuses to wait while another assay measures on this machine.
	NoWait bool
	// Trust also runs the programs of a run that was not made here.
	Trust bool
	// Within is set where another process of the same command holds the machine.
	Within bool
}

// What Options.Gates may be.
const (
	GatesMark = "mark"
	GatesStop = "stop"
	GatesOff  = "off"
)

// A Config is what a session needs beside the study: where its run is kept, where progress
// goes, and what it shares with other sessions of one command.
type Config struct {
	Options
	Study *assay.Study
	// Text is the study as its author wrote it; it is kept with the run.
	Text []byte
	// Command is the line that repeats the session.
	Command string
	// Progress is nil where nobody wants to know.
	Progress *Progress
	Lease    *Lease
	Stop     *Stop
	// Keeper changes the settings of the machine, with Options.Fix.
	Keeper host.Keeper
	// Report writes the report that is kept in the run folder; nil keeps none.
	Report func(io.Writer, *assay.Result) error
	// Group does something whose log is folded under a title; nil where nothing is folded.
	Group func(title string, do func() error) error
	// Cache is the folder of binaries and sources, "" for the user's.
	Cache string
	// Simulation takes the place of this computer; nil for none.
	Simulation *Simulation
}

// A Simulation builds variants and runs trials that take no time, so that the rules can be
// tested on a machine whose truth is known.
type Simulation struct {
	lab.Builder
	lab.Machine
	// Run, Seed and Created are those of the next new run.
	Run     string
	Seed    uint64
	Created time.Time
}

func (c *Config) inGroup(title string, do func() error) error {
	if c.Group == nil {
		return do()
	}
	return c.Group(title, do)
}

// A Lease is the hold of one command on the machine: while it has it, no other assay
// measures there.
type Lease struct {
	// Began is when the command began, and its budget with it. Waiting for the machine moves it.
	Began time.Time
	leave func() error
}

// Release lets the next assay measure. The end of the process does so, too.
func (l *Lease) Release() {
	if l.leave != nil {
		l.leave()
		l.leave = nil
	}
}

// A Stop ends a run early. Make one with NewStop.
type Stop struct {
	// measuring is set while blocks run.
	measuring atomic.Bool
	enough    chan struct{}
}

// NewStop returns a Stop that lets a run go on.
func NewStop() *Stop { return &Stop{enough: make(chan struct{})} }

// Request ends the run after its block. It may be called once.
func (s *Stop) Request() { close(s.enough) }

// Requested is closed when the run is to end.
func (s *Stop) Requested() <-chan struct{} { return s.enough }

// Measuring reports whether blocks run: before that there is nothing to finish.
func (s *Stop) Measuring() bool { return s.measuring.Load() }

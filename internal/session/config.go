package session

import (
	"context"
	"io"
	"sync/atomic"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/lab"
	"github.com/seed-1318a441/assay/internal/remote"
	"github.com/seed-1318a441/assay/internal/runs"
)

// Options say how a study is measured and where its run is kept. They do not change the
// question.
type Options struct {
	// Store is the folder of the runs.
	Store string
	// More, if above 0, adds blocks for this long to the last run of the study.
	More time.Duration
	// Gates says what happens to a step that fails a gate of the study: GatesMark (also
	// ""), GatesStop, or GatesOff.
	Gates string
	// NoWait returns an error instead of waiting while another assay measures on this
	// machine.
	NoWait bool
	// Trust allows running programs of a run that was not made here.
	Trust bool
	// Hub says over which hub to reach machines of one: a join file or a URL; "" is
	// the user's own. Priority is "high", "normal" (also "") or
	// "low": who goes first there.
	Hub, Priority string
	// Patience is how long a machine elsewhere, or the hub, may stay away in a run; 0 is
	// remote.Patience.
	Patience time.Duration
	// Here is set if another session of the same command measures on this computer, which
	// one that measures elsewhere then leaves occupied.
	Here bool
	// AA is set if the variants are the same code under several names (ReadAA): the noise
	// floor is what is asked for.
	AA bool
	// FreshLinks is set if every block is to have its own links, whatever they cost.
	FreshLinks bool
}

// Patience is the default of Options.Patience.
const Patience = remote.Patience

// StoreDir is the default of Options.Store: a folder beside the study.
const StoreDir = runs.DefaultStore

// The values of Options.Gates.
const (
	GatesMark = "mark"
	GatesStop = "stop"
	GatesOff  = "off"
)

// A Config is what a session needs besides the study: where to keep the run, where to
// report progress, and what it shares with other sessions of one command.
type Config struct {
	Options
	Study *assay.Study
	// Text is the study as written by its author. It is kept with the run.
	Text []byte
	// Command is the command line that repeats the session.
	Command string
	// Progress is nil for no progress.
	Progress *Progress
	Lease    *Lease
	Stop     *Stop
	// Report writes the report to keep in the run folder; nil keeps none.
	Report func(io.Writer, *assay.Result) error
	// Explain explains the changes of a run before its end is kept, and puts what it
	// finds into that end; nil explains none. The runs of a search are not explained.
	Explain func(context.Context, *Session, *assay.Plan, *assay.Result, *assay.End)
	// Group calls do and folds its log under a title; nil if logs are not folded.
	Group func(title string, do func() error) error
	// Cache is the folder of binaries and sources, "" for the user's.
	Cache string
	// Simulation takes the place of this computer; nil for none.
	Simulation *Simulation
}

// A Simulation builds variants and runs trials that take no time, so that the rules can
// be tested on a machine whose truth is known.
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

// A Lease is one command's hold on the machine: no other assay measures there meanwhile.
type Lease struct {
	leave func() error
	// admitted is set once the machines of the study have been found fit.
	admitted bool
	// lost is a machine of a pool that was lost in this command.
	lost string
}

// Release lets the next assay measure, as the end of the process does.
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

// NewStop returns a Stop that has not been requested.
func NewStop() *Stop { return &Stop{enough: make(chan struct{})} }

// Request ends the run after its current block. It may be called once.
func (s *Stop) Request() { close(s.enough) }

// Requested is closed after Request.
func (s *Stop) Requested() <-chan struct{} { return s.enough }

// Measuring reports whether blocks run: before that there is nothing to finish.
func (s *Stop) Measuring() bool { return s.measuring.Load() }

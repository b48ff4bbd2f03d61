package remote

import (
	"encoding/json"
	"errors"
	"regexp"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/build"
	"github.com/seed-1318a441/assay/internal/design"
	"github.com/seed-1318a441/assay/internal/doctor/check"
	"github.com/seed-1318a441/assay/internal/lab"
	"github.com/seed-1318a441/assay/internal/printable"
	"github.com/seed-1318a441/assay/internal/record"
	"github.com/seed-1318a441/assay/internal/trial"
)

// A request is a message to the agent. Replies have its ID.
type request struct {
	ID   uint64          `json:"id"`
	Do   Operation       `json:"do"`
	Body json.RawMessage `json:"body,omitempty"`
}

// A reply is a message of the agent. One with an Event is followed by others; the last
// has Done or a Fault. ID 0 is a sign of life.
type reply struct {
	ID    uint64          `json:"id"`
	Event json.RawMessage `json:"event,omitempty"`
	Done  json.RawMessage `json:"done,omitempty"`
	Fault *Fault          `json:"fault,omitempty"`
}

// An Operation is what a request asks for.
type Operation string

// The operations.
const (
	OpHello    Operation = "hello"
	OpPlatform Operation = "platform"
	OpInspect  Operation = "inspect"
	OpLook     Operation = "look"
	OpOccupy   Operation = "occupy"
	OpLacks    Operation = "lacks"
	OpPut      Operation = "put" // the pieces of the file follow
	OpStudy    Operation = "study"
	OpPlace    Operation = "place"
	OpCheck    Operation = "check"
	OpPlan     Operation = "plan"
	OpLink     Operation = "link"
	OpDrop     Operation = "drop"
	OpRun      Operation = "run"
	OpTogether Operation = "together"
	OpBlock    Operation = "block"
	OpWritten  Operation = "written"
	OpCancel   Operation = "cancel" // the request named in the body
)

// A greeting opens a session.
type greeting struct {
	Protocol int
	Version  string
	// Pass names variables of the agent's environment that its trials get.
	Pass []string
}

// A Welcome answers it.
type Welcome struct {
	Protocol int
	Version  string
	PID      int
	// CPUs are those that trials can be bound to; NoCPUs says why there are none.
	CPUs   []int
	NoCPUs *Fault
	// Free is the room of the agent's cache on its disk, in bytes; 0 if unknown.
	Free uint64
}

// An occupation asks for the machine; the event is who has it meanwhile.
type occupation struct {
	Command, Dir string
}

// A File is one that travels.
type File struct {
	Sum  string
	Size int64
}

// A tree is the files that trials run among, as one parcel.
type tree struct {
	File
	// Standard is set for a tree of the standard library.
	Standard bool
}

// A placing tells the agent of a build.
type placing struct {
	Artifact lab.Artifact
	Built    build.Artifact
	// Name is the file name of the binary.
	Name   string
	Binary File
	// Path is, for a program that is not sent, its name in PATH there; InStudy its place
	// in the study's folder.
	Path, InStudy string
	// Kit links it there; nil if it is linked here.
	Kit *build.Kit
	// Tree has the files of its package, which is in Dir of it; nil for a program.
	Tree *tree
	Dir  string
	// Study is the hash of the study whose Variants run it.
	Study    string
	Variants []string
	// Layout and Align are those of a link that was made here, of the artifact Of.
	Of     string
	Layout uint64
	Align  int
}

// A sentStudy is a study with the parcel of its folder; nil if no trial runs there.
type sentStudy struct {
	Hash  string
	Study *assay.Study
	Tree  *tree
}

// A run is a lab.RunRequest. Study is the hash of one that was sent, Artifact an ID.
type run struct {
	lab.RunRequest
	Study    string
	Artifact string
}

// A together is a lab.TogetherRequest.
type together struct {
	Arms         []run
	Warm, Rounds int
	Turns        design.Turns
	CPUs         []int
	Memory       uint64
}

// A link is a lab.LinkRequest.
type link struct {
	Artifact string
	Layout   uint64
	Align    int
}

// A block is a lab.BlockRequest. Plan is the hash of one that was sent.
type block struct {
	Plan           string
	Next           assay.NextBlock
	Index, Attempt int
	// Artifacts are the IDs, by variant.
	Artifacts map[string][]string
}

// A sentPlan is a plan; its study was sent before.
type sentPlan struct {
	Hash  string
	Study string
	Plan  *assay.Plan
}

// A trialDone is an event of a block.
type trialDone struct {
	Trial assay.Trial
	Raw   record.Raw
}

// findings are what would spoil a measurement there.
type findings []check.Finding

// A Fault is an error on its way.
type Fault struct {
	Text string
	// Known is the place in sentinels from 1, 0 for another error.
	Known int          `json:",omitempty"`
	Error *assay.Error `json:",omitempty"`
}

// sentinels are the errors that callers compare with.
var sentinels = []error{lab.ErrNoMemory, trial.ErrPrints, trial.ErrNoSlices}

// FaultOf returns an error for sending.
func FaultOf(err error) *Fault {
	f := &Fault{Text: err.Error()}
	for i, s := range sentinels {
		if errors.Is(err, s) {
			f.Known = i + 1
		}
	}
	if e, ok := errors.AsType[*assay.Error](err); ok {
		f.Error = e
	}
	return f
}

// A sentError is an error that came from the agent.
type sentError struct {
	text  string
	cause error
}

func (e *sentError) Error() string { return e.text }
func (e *sentError) Unwrap() error { return e.cause }

// maxFault is the maximum length of a text of the agent in an error.
const maxFault = 2000

// errorCode matches what may be the code of an error.
var errorCode = regexp.MustCompile(`^[a-z0-9-]{1,60}$`)

// Err returns the error that was sent, fit to print.
func (f *Fault) Err() error {
	switch {
	case f == nil:
		return nil
	case f.Error != nil:
		e := *f.Error
		if !errorCode.MatchString(string(e.Code)) {
			e.Code = assay.CodeAgentReport
		}
		if e.Exit != assay.ExitUsage && e.Exit != assay.ExitBuild {
			e.Exit = assay.ExitRefused // no error is a success
		}
		e.Text, e.Try, e.Advice = printable.Line(e.Text, maxFault), printable.Line(e.Try, maxFault), printable.Line(e.Advice, maxFault)
		e.Facts = nil
		for _, fact := range f.Error.Facts[:min(len(f.Error.Facts), 20)] {
			e.Facts = append(e.Facts, printable.Line(fact, maxFault))
		}
		return &e
	case f.Known >= 1 && f.Known <= len(sentinels):
		return &sentError{printable.Line(f.Text, maxFault), sentinels[f.Known-1]}
	}
	return errors.New(printable.Line(f.Text, maxFault))
}

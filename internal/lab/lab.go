// Package lab runs a plan: it has the variants built, has a machine run block after
// block, and appends every trial to the record, until the stop rule ends it. For an
// explanation it runs an Inquiry: separate trials with instruments.
//
// The lab makes no plan (package survey), computes no statistics (package analysis is its
// stop rule, or package search for a race), draws no orders (package design) and prints
// nothing: it reports Events. Builder and Machine are interfaces so that builds and
// trials may run elsewhere. Package local is this computer; labtest simulates one whose
// true effects are known.
package lab

import (
	"context"
	"errors"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/binary"
	"github.com/seed-1318a441/assay/internal/design"
	"github.com/seed-1318a441/assay/internal/trial"
)

// A Builder builds variants, where their sources and toolchains are.
type Builder interface {
	// Build builds what one variant runs of a workload: a test binary per package, or the
	// program of a command. Of several packages, one that does not build has a Fault. Calls
	// may run in parallel.
	Build(ctx context.Context, r BuildRequest) ([]Artifact, error)
	// Locate returns the place of an artifact. The error says that the builder does not
	// have it.
	Locate(a Artifact) (Location, error)
	// Decisions returns the compiler's decisions about packages (import paths) of an
	// artifact that was built for a variant. There are none for a given program.
	Decisions(ctx context.Context, s *assay.Study, v assay.Variant, a Artifact, packages []string) ([]assay.Decision, error)
}

// A Machine runs trials. It need not be the lab's own computer, and must not assume a
// shared file system: artifacts are identified by ID.
type Machine interface {
	Runner
	Platform(ctx context.Context) (assay.Platform, error)
	// Check returns an error for a study that cannot run here, before anything is built.
	Check(ctx context.Context, s *assay.Study) error
	// Block runs one block, like Bench.Block.
	Block(ctx context.Context, r BlockRequest, keep Keeper) error
}

// A Runner runs trials and makes links: all that a Bench needs.
type Runner interface {
	// Link relinks a build with its own layout. Calls may run in parallel.
	Link(ctx context.Context, r LinkRequest) (Artifact, error)
	// Run runs one trial. The error says that it could not be started or that ctx ended;
	// what the program does is an outcome.
	Run(ctx context.Context, r RunRequest) (trial.Outcome, error)
	// Drop removes artifacts made by Link.
	Drop(artifacts []Artifact)
}

// ErrLost means that a machine elsewhere cannot be reached any more. What it had not
// reported is lost; a Recoverer may find it again.
var ErrLost = errors.New("the machine is lost")

// A Recoverer is a Machine that can be lost and found again.
type Recoverer interface {
	// Recover waits until the machine is back and ready for the same plan. cause is the
	// ErrLost of the call that it was lost in. The error says that it stays away, or
	// that it is another machine now.
	Recover(ctx context.Context, cause error) error
}

// A SideBySide is a Machine, or a Runner, that can run the trials of a block side by
// side.
type SideBySide interface {
	// CPUs returns the processors that trials can be bound to; without any, trials run
	// one after the other. The error says why.
	CPUs() ([]int, error)
	// Together runs trials side by side, and returns an outcome for each. The errors are
	// those of Run, and trial.ErrPrints.
	Together(ctx context.Context, r TogetherRequest) ([]trial.Outcome, error)
}

// A TogetherRequest requests one trial in slices of each arm.
type TogetherRequest struct {
	Arms []RunRequest
	// Warm and Rounds are the numbers of slices, as in trial.Slices.
	Warm, Rounds int
	// Turns draws the order of the arms in each round of slices.
	Turns design.Turns
	// CPUs are the processors shared by the arms; nil is any.
	CPUs []int
	// Memory is what they need at once, in bytes; 0 if unknown. If it is more than
	// available the error is ErrNoMemory.
	Memory uint64
}

// A BuildRequest requests one variant's binaries of one workload.
type BuildRequest struct {
	Study    *assay.Study
	Workload int
	Variant  assay.Variant
	// Profiled requests a program, with the same functions, that profiles itself if
	// RunRequest.Profile is set. A test binary can always do that. For a given program
	// the error has the code "no-profile".
	Profiled bool
	// Dry asks only whether test binaries build: the machine does not get them, and the
	// artifacts are empty.
	Dry bool
}

// A Location is the place of an artifact on the computer that built it.
type Location struct {
	// File is the binary.
	File string
	// Dir is the folder with the source of its package, as built. For a given program
	// (Artifact.Given) it is the study's.
	Dir string
}

// A LinkRequest requests a link of a build.
type LinkRequest struct {
	// Artifact comes from Build, with CanLayout.
	Artifact Artifact
	// Layout is the -randlayout seed; it is not 0.
	Layout uint64
	// Align is the alignment of functions in bytes, 0 for the linker's own.
	Align int
}

// An Artifact is a test binary or a program on a machine.
type Artifact struct {
	// ID is the hash of all inputs of the build. With its own layout it identifies the
	// link.
	ID       string
	Workload int
	Package  string
	Info     assay.ArtifactInfo
	// Print identifies the code; nil if the machine cannot compute it.
	Print *binary.Print
	// Reads are the files that Go benchmarks may read, with a hash of each, by name relative
	// to their package's folder; nil is unknown, and for programs. Folder is where that is in
	// its tree.
	Reads  map[string]string
	Folder string
	// Unused is a default.pgo that go build would use for the package and this build did not.
	Unused Profile
	// CanLayout is true if the toolchain can draw layouts.
	CanLayout bool
	// CanAlign is true if the toolchain can align functions as requested.
	CanAlign bool
	// Given is true if assay did not build it.
	Given bool
	// Took is the time of the build or link, 0 from the cache.
	Took     time.Duration
	Cached   bool
	LogLines int
	// Fault says why Package does not build; then there is nothing else but Workload.
	Fault *assay.Error
}

// digest returns the artifact's digest for a trial (assay.Trial.Binary).
func (a Artifact) digest() string {
	if len(a.Info.SHA256) == 0 {
		return ""
	}
	return a.Info.SHA256[0][:min(len(a.Info.SHA256[0]), 32)]
}

// A Profile is a file: its path relative to the module's folder, and its hex SHA-256. The
// zero Profile is none.
type Profile struct{ Name, SHA256 string }

// A RunRequest requests one trial.
type RunRequest struct {
	Study    *assay.Study
	Workload int
	Artifact Artifact
	Variant  assay.Variant
	// Names are the benchmarks to run, as in the binary. If there are none, all that
	// match Pattern run.
	Names   []string
	Pattern string
	// N is the number of iterations. A command or a service runs once. With N = 0 a Go
	// benchmark runs as many as take Time.
	N    int
	Time time.Duration
	// Warm is the number of warm-up runs of N iterations of a Go benchmark in its
	// process.
	Warm int
	// Output is the hex SHA-256 of a command's required output, "" for any.
	Output string
	// GCTrace makes a Go benchmark or a command trace the collector. Services do so in
	// every trial if the study collects it.
	GCTrace bool
	// Profile requests a profile of the whole process with the outcome
	// (trial.Outcome.Profile): assay.CollectCPU, or assay.CollectMem with every object in
	// it; "" for none. A program must be built for that (BuildRequest.Profiled).
	Profile string
	// Skip is a pattern of benchmarks to skip in a discovery.
	Skip string
	// Block, Round and Benchmark are the place of the trial. A simulator keys its noise
	// by them. They are zero outside blocks.
	Block, Round int
	Benchmark    assay.Benchmark
	// Seed is that of the arrivals of the built-in load, the same for all variants of a
	// round; 0 outside blocks.
	Seed uint64
}

// A StopRule decides after every complete block what comes next. It is a pure function of
// the blocks so far.
type StopRule interface {
	Add(block []assay.Trial)
	Next() assay.NextBlock
}

// An Event is something that happened, for the progress display.
type Event struct {
	// Kind is one of the Event constants.
	Kind string
	// Variant is the variant that was built.
	Variant string
	// Took is the time of the build.
	Took     time.Duration
	Cached   bool
	LogLines int
	// Block, Trial and Of say how far the run is.
	Block, Trial, Of int
	// Text is for the reader.
	Text string
}

// The kinds of events.
const (
	EventBuilt   = "built"
	EventFound   = "found"   // a benchmark was calibrated
	EventTrial   = "trial"   // a trial ended
	EventBlock   = "block"   // a block is complete
	EventWarning = "warning" // reported once
	// EventEvidence: a trial for an explanation ended. Text says of what; Trial and Of
	// count those of the inquiry.
	EventEvidence = "evidence"
)

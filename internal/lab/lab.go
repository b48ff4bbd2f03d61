// Package lab is the loop: it has the variants built, has a machine run block after block
// of a plan, and appends every trial to the record, until the stop rule says that it is
// enough. For an explanation it runs an Inquiry: trials with instruments, apart from those.
//
// The lab makes no plan (package survey), computes no statistics (package analysis is its
// stop rule, or package search for a race), draws no orders (package design) and prints
// nothing: it reports Events. Builder and Machine are the seams: what is built here may run elsewhere.
// Package local is this computer, labtest simulates one whose truth is known.
package lab

import (
	"context"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/binary"
	"github.com/seed-1318a441/assay/internal/trial"
)

// A Builder builds variants, where their sources and toolchains are.
type Builder interface {
	// Build builds what one variant runs of a workload: a test binary a package,
	// or the program of a command. Calls may run in parallel.
	Build(ctx context.Context, r BuildRequest) ([]Artifact, error)
	// Locate says where an artifact lies. The error says that the builder does not hold it.
	Locate(a Artifact) (Location, error)
	// Decisions returns what the compiler decides about packages (import paths) of an
	// artifact that was built for a variant. There are none of a program that was given.
	Decisions(ctx context.Context, s *assay.Study, v assay.Variant, a Artifact, packages []string) ([]assay.Decision, error)
}

// A Machine runs trials. It need not be the computer that the lab runs on, and must not
// assume that it shares a file system with it: artifacts go by ID.
type Machine interface {
	Runner
	Platform(ctx context.Context) (assay.Platform, error)
	// Check refuses a study that cannot run here, before anything is built for it.
	Check(ctx context.Context, s *assay.Study) error
	// Block runs one block, as Bench.Block does.
	Block(ctx context.Context, r BlockRequest, keep Keeper) error
}

// A Runner runs trials, and links what they run: all that a Bench needs.
type Runner interface {
	// Link links what was built once more, with a layout of its own. Calls may run in
	// parallel.
	Link(ctx context.Context, r LinkRequest) (Artifact, error)
	// Run runs one trial. The error says that it could not be started or that
	// ctx ended; what the program does is an outcome.
	Run(ctx context.Context, r RunRequest) (trial.Outcome, error)
	// Drop removes what Link made.
	Drop(artifacts []Artifact)
}

// A SideBySide is a Machine, or a Runner, that can have the trials of a block run side by
// side.
type SideBySide interface {
	// CPUs are the processors that trials can be bound to; without any, trials run one
	// after the other. The error says why that is so.
	CPUs() ([]int, error)
	// Together runs trials side by side, and returns an outcome for each. The errors
	// are those of Run, and trial.ErrPrints.
	Together(ctx context.Context, r TogetherRequest) ([]trial.Outcome, error)
}

// A TogetherRequest asks for one trial of each arm, in a gear other than processes.
type TogetherRequest struct {
	Gear assay.Gear
	Arms []RunRequest
	// Warm and Rounds are the numbers of runs of a Go benchmark, as in trial.GoTest.
	Warm, Rounds int
	// Turn is the length of a command's turns.
	Turn time.Duration
	// Order is the order of the arms in each round of slices or turns.
	Order func(round int) []int
	// CPUs are the processors that the arms share; nil is any.
	CPUs []int
	// Memory is what they need at once, in bytes; 0 where that is not known. Where it is
	// more than there is the error is ErrNoMemory.
	Memory uint64
}

// A BuildRequest asks for one variant's binaries of one workload.
type BuildRequest struct {
	Study    *assay.Study
	Workload int
	Variant  assay.Variant
	// Profiled asks for a program that profiles itself where RunRequest.Profile has it do
	// so; its functions are the same. A test binary can do that anyway. The error of a
	// program that was given has the code "no-profile".
	Profiled bool
}

// A Location is where an artifact lies on the computer that built it.
type Location struct {
	// File is the binary.
	File string
	// Dir is the folder with the source of its package, as it was built. That of a
	// program which was given (Artifact.Given) is the study's.
	Dir string
}

// A LinkRequest asks for a link of something that was built.
type LinkRequest struct {
	// Artifact is what Build returned, with CanLayout.
	Artifact Artifact
	// Layout is the -randlayout seed; it is not 0.
	Layout uint64
	// Align is the alignment of functions in bytes, 0 for the linker's own.
	Align int
	// Aside are the CPUs that the linker runs on, at idle priority, beside a block that
	// runs on others; nil is any.
	Aside []int
}

// An Artifact is a test binary or a program that a machine holds.
type Artifact struct {
	// ID is the hash of everything that made it; with a layout of its own it
	// names this link.
	ID       string
	Workload int
	Package  string
	Info     assay.ArtifactInfo
	// Print tells the same code from other code; nil where the machine cannot
	// say.
	Print *binary.Print
	// CanLayout is true where the toolchain can draw layouts.
	CanLayout bool
	// CanAlign is true where it can align functions as asked.
	CanAlign bool
	// Clock is true where the time of its benchmarks leaves out stops.
	Clock bool
	// Given is true where assay did not build it.
	Given bool
	// Took is the time of the build or link, 0 from the cache.
	Took     time.Duration
	Cached   bool
	LogLines int
}

// digest is what a trial that runs the artifact says of it (assay.Trial.Binary).
func (a Artifact) digest() string {
	if len(a.Info.SHA256) == 0 {
		return ""
	}
	return a.Info.SHA256[0][:min(len(a.Info.SHA256[0]), 32)]
}

// A RunRequest asks for one trial.
type RunRequest struct {
	Study    *assay.Study
	Workload int
	Artifact Artifact
	Variant  assay.Variant
	// Names are the benchmarks to run, as in the binary; where there are none,
	// all that match Pattern.
	Names   []string
	Pattern string
	// N is the number of iterations; a command or a service is run once. Where it is 0,
	// a Go benchmark runs as many as take Time.
	N    int
	Time time.Duration
	// Warm is the number of runs of N iterations that a Go benchmark has in its process
	// before the one that counts.
	Warm int
	// Output is the hex SHA-256 that a command has to print, "" for any.
	Output string
	// GCTrace has a Go benchmark or a command trace the collector. Services do so
	// in every trial where the study collects it.
	GCTrace bool
	// Profile asks for a profile of the whole process beside the outcome
	// (trial.Outcome.Profile): assay.CollectCPU, or assay.CollectMem with every
	// object in it; "" for none. A program has to be one that was built for that
	// (BuildRequest.Profiled).
	Profile string
	// Skip is a pattern of benchmarks to leave out of a discovery.
	Skip string
	// Block, Round and Benchmark say where the trial stands; a simulator keys
	// its noise by them. They are zero outside blocks.
	Block, Round int
	Benchmark    assay.Benchmark
}

// A StopRule says after every complete block what comes next. It is a pure
// function of the blocks that it was given.
type StopRule interface {
	Add(block []assay.Trial)
	Next() assay.NextBlock
}

// An Event is something that happened, for the progress display.
type Event struct {
	// Kind is one of the Event constants.
	Kind string
	// Variant that was built.
	Variant string
	// Took is the time that it took.
	Took     time.Duration
	Cached   bool
	LogLines int
	// Block, Trial and Of tell where the run is.
	Block, Trial, Of int
	Pilot            bool
	// Text is for people.
	Text string
}

// The kinds of events.
const (
	EventBuilt   = "built"
	EventFound   = "found"   // a benchmark was calibrated
	EventTrial   = "trial"   // a trial ended
	EventBlock   = "block"   // a block is complete
	EventWarning = "warning" // told once
	// EventEvidence is a trial for an explanation that ended: Text says of what,
	// Trial and Of count those of the inquiry.
	EventEvidence = "evidence"
)

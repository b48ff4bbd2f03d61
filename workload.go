package assay

import "time"

// A Kind is what every variant of a workload runs.
type Kind string

// The kinds of workloads.
const (
	KindGoTest  Kind = "go-test" // Go benchmarks
	KindCommand Kind = "command" // whole runs of a program
	KindService Kind = "service" // a server under load
)

// What a command's standard output must be, beside "file:PATH".
const (
	ExpectSame = "same" // the same from every variant, whatever it is
	ExpectAny  = "any"  // not looked at
)

// A Workload is what every variant runs.
type Workload struct {
	Name string `json:"name,omitempty"`
	Kind Kind   `json:"kind"`

	// Packages are package patterns. Empty means ".", or "./..." where the
	// folder has no benchmark.
	Packages []string `json:"packages,omitempty"`
	// Bench is the -bench pattern. Empty means ".".
	Bench string `json:"bench,omitempty"`
	// BenchIters fixes the iterations of every trial (-benchtime=Nx). 0
	// calibrates.
	BenchIters int `json:"bench_iters,omitempty"`
	// BenchTime is -benchtime as a duration; 0 means Measure.Trial.
	BenchTime time.Duration `json:"bench_time_ns,omitempty"`
	// BuildFlags go to go test -c for every variant, such as -race.
	BuildFlags []string `json:"build_flags,omitempty"`
	// TestFlags go to the test binary, written without "test.", such as
	// "-short".
	TestFlags []string `json:"test_flags,omitempty"`
	// Args follow the flags of the test binary (go test's -args).
	Args []string `json:"args,omitempty"`

	// What follows is for commands. Their command lines are lists of arguments,
	// for no shell; {bin} in them is the program that was built, {name} the
	// benchmark, {tmp} a folder that is empty and the trial's own. They run in
	// Study.Dir.

	// Package is the main package to build; empty means Source.Package.
	Package string `json:"package,omitempty"`
	// Names are the benchmarks, each a run of the same command line.
	Names []string `json:"names,omitempty"`
	// Run is the command line that is measured.
	Run []string `json:"run,omitempty"`
	// Prepare and Cleanup run before and after each trial and are not measured.
	Prepare []string `json:"prepare,omitempty"`
	Cleanup []string `json:"cleanup,omitempty"`
	// Stdin is the file that standard input comes from, relative to Study.Dir; it
	// may hold {name}. Empty is no input.
	Stdin string `json:"stdin,omitempty"`
	// Expect is ExpectSame, ExpectAny or "file:PATH", a file with the exact
	// output, whose name may hold {name}. Empty means ExpectSame.
	Expect string `json:"expect,omitempty"`
	// Env holds variables for every variant's trials. Those of a service are its
	// server's, and their values may hold placeholders.
	Env map[string]string `json:"env,omitempty"`

	// Service is set for services only, which have of the fields above Name,
	// Names, Package, BuildFlags and Env.
	Service *Service `json:"service,omitempty"`
}

// A Benchmark is one named measurement inside a workload. It is comparable,
// so it serves as a map key.
type Benchmark struct {
	// Package is the import path that the benchmark was found in, or that its
	// program was built from; "" for commands that assay did not build.
	Package string `json:"package,omitempty"`
	// Name is the name without "Benchmark" and without the GOMAXPROCS suffix,
	// such as "Decode/large".
	Name string `json:"name"`
}

// String returns "package.Name", or the name where there is no package.
func (b Benchmark) String() string {
	if b.Package == "" {
		return b.Name
	}
	return b.Package + "." + b.Name
}

// Less orders benchmarks by package, then name.
func (b Benchmark) Less(c Benchmark) bool {
	if b.Package != c.Package {
		return b.Package < c.Package
	}
	return b.Name < c.Name
}

package assay

import (
	"iter"
	"path"
	"strings"
	"time"
)

// A Kind is the kind of program that a workload runs.
type Kind string

// The kinds of workloads.
const (
	KindGoTest  Kind = "go-test" // Go benchmarks
	KindCommand Kind = "command" // whole runs of a program
	KindService Kind = "service" // a server under load
)

// What a command's standard output must be, besides "file:PATH".
const (
	ExpectSame = "same" // the same from every variant, whatever it is
	ExpectAny  = "any"  // not checked
)

// A Workload is what every variant runs.
type Workload struct {
	Name string `json:"name,omitempty"`
	Kind Kind   `json:"kind"`

	// Packages are package patterns; empty means ".", or "./..." if it has no benchmark.
	Packages []string `json:"packages,omitempty"`
	// Bench is the -bench pattern. Empty means ".".
	Bench string `json:"bench,omitempty"`
	// BenchIters fixes the iterations of trials (-benchtime=Nx); 0 means calibration.
	BenchIters int `json:"bench_iters,omitempty"`
	// BenchTime is -benchtime as a duration; 0 means Measure.Trial.
	BenchTime time.Duration `json:"bench_time_ns,omitempty"`
	// BuildFlags are passed to go test -c for every variant, such as -race.
	BuildFlags []string `json:"build_flags,omitempty"`
	// TestFlags are passed to the test binary, without "test.", such as "-short".
	TestFlags []string `json:"test_flags,omitempty"`
	// Args follow the flags of the test binary (go test's -args).
	Args []string `json:"args,omitempty"`

	// The following fields are for commands. Command lines are lists of arguments,
	// without a shell, and run in Study.Dir. Placeholders are {bin}, the program that was
	// built; {name}, the benchmark; {tmp}, an empty folder that is the trial's own.

	// Package is the main package to build; empty means Source.Package.
	Package string `json:"package,omitempty"`
	// Names are the benchmarks, each a run of the same command line.
	Names []string `json:"names,omitempty"`
	// Run is the measured command line.
	Run []string `json:"run,omitempty"`
	// Prepare and Cleanup run before and after each trial and are not measured.
	Prepare []string `json:"prepare,omitempty"`
	Cleanup []string `json:"cleanup,omitempty"`
	// Stdin is a file for standard input, relative to Study.Dir, with {name} or without.
	Stdin string `json:"stdin,omitempty"`
	// Expect is ExpectSame (also ""), ExpectAny or "file:PATH", with {name} or without.
	Expect string `json:"expect,omitempty"`
	// Parse names the format of standard output, if it is that of a load generator; see
	// package collect/load. Metrics are metrics in it, in the format of ParsePattern. At
	// most one of them is set.
	Parse   string   `json:"parse,omitempty"`
	Metrics []string `json:"metrics,omitempty"`
	// Env is for every variant's trials, or a service's server, with placeholders.
	Env map[string]string `json:"env,omitempty"`
	// Secrets are variables like those of Env, by name, whose values the machine has: each
	// is the name of a file there (package secret).
	Secrets map[string]string `json:"secrets,omitempty"`

	// Service is set for services, which also use Name, Names, Package, BuildFlags, Env.
	Service *Service `json:"service,omitempty"`
}

// A Benchmark is one named measurement inside a workload. It serves as a map key.
type Benchmark struct {
	// Package is the import path of the benchmark or its program, "" if not built.
	Package string `json:"package,omitempty"`
	// Name has no "Benchmark" and no GOMAXPROCS suffix, such as "Decode/large". See
	// BenchmarkName.
	Name string `json:"name"`
}

// BenchmarkName returns the name of a benchmark from that of its function, and its
// sub-benchmarks: without "Benchmark", unless the function is called just that.
func BenchmarkName(function string) string {
	name := strings.TrimPrefix(function, benchmarkPrefix)
	if name == "" || name[0] == '/' {
		return function
	}
	return name
}

// BenchmarkFunction is the reverse of BenchmarkName.
func BenchmarkFunction(name string) string {
	if name == benchmarkPrefix || strings.HasPrefix(name, benchmarkPrefix+"/") {
		return name
	}
	return benchmarkPrefix + name
}

const benchmarkPrefix = "Benchmark"

// String returns "package.Name", or the name if there is no package.
func (b Benchmark) String() string {
	if b.Package == "" {
		return b.Name
	}
	return b.Package + "." + b.Name
}

// NameBeside is the name of a benchmark beside others: "Name", or "package.Name" if
// another package has a benchmark of that name, with the last element of the path, or the
// whole of it where the last elements are the same, too.
func (b Benchmark) NameBeside(others iter.Seq[Benchmark]) string {
	name := b.Name
	for o := range others {
		switch {
		case o.Name != b.Name || o.Package == b.Package:
		case path.Base(o.Package) == path.Base(b.Package):
			return b.String()
		default:
			name = path.Base(b.Package) + "." + b.Name
		}
	}
	return name
}

// Less orders benchmarks by package, then name.
func (b Benchmark) Less(c Benchmark) bool {
	if b.Package != c.Package {
		return b.Package < c.Package
	}
	return b.Name < c.Name
}

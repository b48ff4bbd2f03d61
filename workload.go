package assay

import "time"

// KindGoTest is the workload kind that runs Go benchmarks.
const KindGoTest = "go-test"

// A Workload is what every variant runs.
type Workload struct {
	Name string `json:"name,omitempty"`
	Kind string `json:"kind"`

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
}

// A Benchmark is one named measurement inside a workload. It is comparable,
// so it serves as a map key.
type Benchmark struct {
	// Package is the import path that the benchmark was found in.
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

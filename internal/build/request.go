package build

import (
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/source"
	"github.com/seed-1318a441/assay/internal/toolchain"
)

// A Request is one binary to build.
type Request struct {
	// Study is the study's folder, absolute.
	Study   string
	Source  assay.Source
	Variant assay.Variant
	// Package is one package: an import path, also of a dependency, or a ./relative
	// pattern.
	Package string
	// Program asks for the main package itself instead of its test binary.
	Program bool
	// Bench is the -bench pattern by which Source.BenchmarksFrom chooses files.
	Bench string
	// BuildFlags go to go test -c or go build before the variant's own flags.
	BuildFlags []string
	// Layout is 0 for the linker's own order, else the seed of -randlayout, below 1<<63.
	Layout uint64
	// Align is the alignment of functions in bytes in a link with a Layout; 0 is the
	// linker's own.
	Align int
	// Linker is the system and processor on which the linker of a Kit will run, such as
	// "darwin/arm64"; "" is this computer's. It need not be the target of the build.
	Linker string
}

// An Artifact is a built test binary or program.
type Artifact struct {
	// ID is the hash of everything that made the artifact, with the seed appended for a
	// relinked one. A resumed run must find the same ID.
	ID string `json:"id"`
	// Path is the binary. A program has go build's file name, the same for all variants.
	Path string `json:"path"`
	// SHA256 is the digest of that file, in hex.
	SHA256 string `json:"sha256"`
	// Dir is the package's folder, and Root that of its tree: a repository or a module. A
	// test binary runs in a copy of them (package scratch); programs have no Root.
	Dir  string `json:"dir"`
	Root string `json:"-"`
	// Tracked is the folder of a working tree that Dir is, or is a copy of; "" where nobody
	// works in the tree.
	Tracked string `json:"-"`
	// Unused is the default.pgo that go build would use for the package and this build did
	// not; "" for none. UnusedName is its path relative to the module's folder, with slashes.
	Unused, UnusedName string `json:"-"`
	// Standard says that the package is one of the standard library.
	Standard bool `json:"standard,omitempty"`
	// Package is the import path.
	Package string `json:"package"`
	// Program says that this is the package itself, not its test binary.
	Program bool `json:"program,omitempty"`
	// GoVersion as the toolchain prints it, such as "go1.26.8-X:nogreenteagc".
	GoVersion string `json:"go_version"`
	// Commit is the full hash where the variant is a revision.
	Commit string `json:"commit,omitempty"`
	// Suite is the tree of the benchmarks, with its hash, if they come from another
	// version (Source.SuiteTree).
	Suite string `json:"-"`
	// DefaultGODEBUG is what the go line of go.mod sets.
	DefaultGODEBUG string `json:"default_godebug,omitempty"`
	// Cached is true if nothing had to be built. Link is the wall time of this call's
	// build or link.
	Cached bool          `json:"-"`
	Link   time.Duration `json:"-"`
	// Log is the file of the build's chatter, of LogLines lines.
	Log      string `json:"log"`
	LogLines int    `json:"log_lines"`
}

// A Package is a Go package that has benchmarks, or is a program.
type Package struct {
	ImportPath string `json:"import_path"`
	Dir        string `json:"dir"`
}

// A job is a request with everything found out that the build needs.
type job struct {
	Request
	tc   toolchain.Toolchain
	tree source.Tree
	env  []string
	// profiling asks for the program that profiles itself.
	profiling bool
}

package hygiene

import (
	"io/fs"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/binary"
	"github.com/seed-1318a441/assay/internal/printable"
)

// An Input is what is known about one benchmark and its trials.
type Input struct {
	Benchmark assay.Benchmark
	// Sources is the folder of the benchmark's package as it was built for the base; its
	// *_test.go files are read. Nil is none.
	Sources fs.FS
	// Binary is the base's test binary, nil for none. Root is the symbol of the
	// benchmark's function in it, "pkg.BenchmarkX".
	Binary *binary.File
	Root   string
	// PerOp is the base's time of an operation in seconds, 0 if unknown.
	PerOp float64
	// AllocsPerOp is the base's number of objects per operation.
	AllocsPerOp float64
	// N is the number of operations of a trial, GCCycles the number of unforced
	// collections in it, -1 if unknown.
	N        int
	GCCycles float64
	// Toolchains has the version of Go of each variant, such as "go1.25.7"; Base is the
	// name of the base among them.
	Toolchains map[string]string
	Base       string
}

func (in Input) name() string { return printable.Line(in.Benchmark.Name, binary.MaxNameLen) }

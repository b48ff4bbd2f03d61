// Package nasty has benchmarks that do to their output, and to their process,
// what benchmarks should not do. Tests of assay build and run it.
package nasty

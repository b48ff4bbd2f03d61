// Package assay holds the nouns of assay as plain values with JSON tags: studies,
// variants and the factors that make them, workloads, plans, trials, comparisons,
// effects, verdicts and results, of one machine or of several.
//
// It does no I/O and keeps no state. Everything that reads, builds, runs, analyses or
// prints is below internal/ and imports this package, which imports only the standard
// library. docs/architecture.md shows how the pieces fit, docs/glossary.md defines each
// word.
package assay

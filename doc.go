// Package assay holds the nouns of assay: studies, variants and the factors
// that make them, workloads, plans, trials, comparisons, effects, verdicts and
// results, of one machine or of several, as plain values with JSON tags.
//
// It does no I/O and keeps no state. Everything that reads, builds, runs,
// analyses or prints lives below internal/ and imports this package; this
// package imports the standard library only. docs/architecture.md shows how
// the pieces meet, docs/glossary.md defines each word once.
package assay

// Package stats is the arithmetic behind every verdict: numbers in, numbers
// out.
//
// It holds the sequential engine of docs/methodology.md (an e-process for a candidate
// effect, from the variant, the base and the control of each block, and the confidence
// sequence that follows), the corrections for many comparisons (e-BH, Holm), and the descriptive pieces:
// medians, the Harrell-Davis quantile, variance components, a band around the mean
// of whole curves.
//
// The unit of everything here is the ln-ratio of one block, D = ln(B/A). Package analysis
// knows blocks, metrics and verdicts. This package drops no outliers, draws random
// numbers only from seeds given by the caller, and imports no other package of assay.
//
// Functions are safe for concurrent use and never reorder the caller's slices. A value
// that is not finite, or beyond 1e100, voids the data: every e-value is 1 and every
// interval unbounded.
package stats

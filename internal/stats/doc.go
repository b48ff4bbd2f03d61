// Package stats is the arithmetic behind every verdict: numbers in, numbers
// out.
//
// It holds the sequential engine of docs/methodology.md (an e-process for a candidate
// effect, from the variant, the base and the control of each block, and the confidence
// sequence that follows), the corrections for many comparisons (e-BH, Holm), and the descriptive pieces:
// medians, the Harrell-Davis quantile, variance components, a band around the mean
// of whole curves.
//
// The unit of everything here is the ln-ratio of one block, D = ln(B/A); what
// a block is, which metric it came from and what word a result deserves is
// internal/analysis's business. The package drops no outliers, draws random
// numbers from seeds that it is given only, and imports nothing of ours.
//
// Functions are safe for concurrent use and never reorder the caller's slices.
// Values that are not finite, or beyond 1e100, are no evidence: one of them among
// the data makes every e-value 1 and every interval unbounded.
package stats

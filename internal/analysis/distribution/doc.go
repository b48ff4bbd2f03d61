// Package distribution adds up what trials collected besides their values: histograms of
// latencies and the collector's cycles, by variant, and the shift between distributions.
//
// No verdict depends on it: those are in the tables.
package distribution

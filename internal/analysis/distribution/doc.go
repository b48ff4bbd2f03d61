// Package distribution adds up what trials left beside their numbers: histograms of
// latencies and the collector's cycles, by variant, and the shift of one distribution
// against another.
//
// Nothing that decides is computed here: verdicts are those of the tables.
package distribution

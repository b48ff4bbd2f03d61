package main

import (
	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/analysis"
	"github.com/seed-1318a441/assay/internal/record"
)

// addPictures adds to a result what the trials left beside their observations:
// latencies and cycles of the collector. Where that cannot be read the verdicts
// stand, and the result says what is missing.
func addPictures(r *assay.Result, run *record.Run) {
	if err := analysis.Distribute(r, run.Plan, run.Trials, run.Collected); err != nil {
		r.Warnings = append(r.Warnings, assay.Warning{Code: "no-pictures",
			Text:  "the distributions of latencies and of the collector's cycles are left out",
			Facts: []string{oneLine(err), "no verdict rests on them"}})
	}
}

package answer

import (
	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/analysis/sample"
)

// Evidence is what an answer rests on besides the tables.
type Evidence struct {
	// Plan is the plan of the run.
	Plan *assay.Plan
	// Others are the variants compared with the base.
	Others []string
	// Ties returns those of others that best is not proved to beat on the whole suite.
	// early ran in fewer blocks than any proof needs; tied has the others.
	Ties func(m assay.Metric, best string, others []string) (tied, early []string)
	// ProofFrom is the number of blocks before which no variant is proved to beat
	// another.
	ProofFrom int
	// Failed lists the comparisons beyond the gate, Open those that may be.
	Failed, Open []string
	// Last is the last measured step, nil if there is none. Direct compares it with the
	// base on the whole suite; nil if all steps have no common benchmark.
	Last   *sample.Link
	Direct *assay.Comparison
}

package answer

import (
	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/analysis/sample"
)

// Evidence is what an answer rests on beside the tables.
type Evidence struct {
	// Plan is the plan of the run.
	Plan *assay.Plan
	// Others are the variants compared with the base.
	Others []string
	// Ties finds, among others, the variants that best is not proved to beat on the whole
	// suite. Those in early ran in fewer blocks than any proof takes, tied has the rest.
	Ties func(m assay.Metric, best string, others []string) (tied, early []string)
	// ProofFrom is the number of blocks before which no variant is proved to beat
	// another.
	ProofFrom int
	// Failed lists the comparisons beyond the gate, Open those that may be.
	Failed, Open []string
	// Last is the last step that was measured, nil where there is none. Direct is what
	// it is to the base on the whole suite, nil where no benchmark is common to all.
	Last   *sample.Link
	Direct *assay.Comparison
}

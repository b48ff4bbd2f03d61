package survey

import (
	"context"
	"slices"

	"github.com/seed-1318a441/assay/internal/lab"
	"github.com/seed-1318a441/assay/internal/trial"
)

// runOrRetry runs a request, and once more if it died of a fault of the Go runtime: that
// says nothing about the benchmark, which would be excluded before the first block.
func (s *surveyor) runOrRetry(ctx context.Context, r lab.RunRequest) (trial.Outcome, error) {
	out, err := s.Machine.Run(ctx, r)
	if err != nil || !died(out) {
		return out, err
	}
	return s.Machine.Run(ctx, r)
}

// died reports whether a run died of a fault of the Go runtime.
func died(outs ...trial.Outcome) bool {
	return slices.ContainsFunc(outs, func(o trial.Outcome) bool { return o.RuntimeFault != "" })
}

package trial

import (
	"github.com/seed-1318a441/assay/internal/collect"

	assay "github.com/seed-1318a441/assay"
)

// brokenBenchmarks returns the benchmarks that a trial of several could not measure, with
// the reason: those reported as failed, and the one that was running when the process
// ended.
func brokenBenchmarks(o Outcome, out collect.Output, stderr *collect.StderrWriter) map[string]string {
	if o.Status == assay.StatusOK {
		return nil
	}
	all := map[string]string{}
	for name, why := range out.Failed {
		if why == "" {
			why = o.Reason
		}
		all[name] = why
	}
	if out.Running != "" {
		all[out.Running] = o.Reason
		if o.Status == assay.StatusFailed {
			all[out.Running] = death(o, stderr, out.Last) // o.Reason may belong to another
		}
	}
	return all
}

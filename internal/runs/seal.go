package runs

import (
	"slices"
	"strings"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/record"
)

// Seal adds digests and the chain to a record measured before records had them. The run's
// end is taken from its result.
func Seal(dir string) error {
	u, err := record.ReadUnsealed(dir)
	if err != nil {
		return err
	}
	var end *assay.End
	if u.Result != nil {
		if end, err = oldEnd(u); err != nil {
			return err
		}
	}
	return u.Seal(time.Now(), end)
}

// oldEnd returns the end of a run that has only a result: everything in it that does not
// follow from the trials.
func oldEnd(u *record.Unsealed) (*assay.End, error) {
	old := u.Result
	end := &assay.End{Assay: old.Assay, Stop: old.Spent.Stop, Budget: u.Plan.Study.Decide.Budget, Explanations: old.Explanations}
	if strings.HasPrefix(u.Plan.Study.Name, "bisect ") {
		end.Rule = assay.RuleProbe
	}
	if !SameJSON(old.Report, u.Plan.Study.Report) {
		end.Told = &assay.Told{Steps: u.Plan.Study.Steps, Report: old.Report}
	}
	follows, err := Derive(u.Run, *end)
	if err != nil {
		return nil, err
	}
	if len(old.Latencies) > len(follows.Latencies) || len(old.GCs) > len(follows.GCs) { // collected/ was omitted
		end.Pictures = &assay.Pictures{Latencies: old.Latencies, GCs: old.GCs}
	}
	for _, w := range old.Warnings {
		switch {
		case IsNoisy(w):
			end.Noise = w.Facts
			if i := slices.IndexFunc(follows.Warnings, IsNoisy); i >= 0 {
				end.Noise = slices.DeleteFunc(slices.Clone(w.Facts), func(f string) bool { return slices.Contains(follows.Warnings[i].Facts, f) })
			}
		case slices.Contains(doubtCodes, w.Code):
			end.Warnings = append(end.Warnings, w)
		}
	}
	return end, nil
}

// doubtCodes are the codes of doubts about benchmarks that a run finds in their binaries
// (package explain).
var doubtCodes = []assay.Code{assay.CodeFewCycles, assay.CodeLoopChanged, assay.CodeNUnused, assay.CodeNoWork, assay.CodeSetupInLoop, assay.CodeSubNanosecond}

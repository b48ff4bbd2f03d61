package session

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/milestone"
	"github.com/seed-1318a441/assay/internal/printable"
	"github.com/seed-1318a441/assay/internal/record"
)

// checkGates checks the study's gates for every step that was built, one step after the
// other. go test keeps all processors busy by itself, and tests that depend on the clock
// would fail beside those of another step.
func (s *Session) checkGates(ctx context.Context) ([]milestone.Finding, error) {
	asked := s.Config.Study.Gates
	asked.Allocs = "" // judged from the measurements
	if asked.Against = ""; s.Config.Study.Steps == nil || asked == (assay.Gates{}) {
		return nil, nil
	}
	keeper := &milestone.Keeper{Cache: s.Builder.Cache}
	chain := s.chain()
	var all []milestone.Finding
	for i := 1; i < len(chain); i++ {
		s.Config.Progress.Stage("gates", fmt.Sprintf("checking gates: %d of %s done", i-1, printable.Count(len(chain)-1, "step"))) // which may run all tests of each
		against := chain[0]
		if s.Config.Study.Gates.Against == assay.AgainstPrevious {
			against = chain[i-1]
		}
		found, err := s.checkStep(ctx, keeper, chain[i], against)
		if err != nil {
			return nil, err
		}
		all = append(all, found...)
	}
	return all, s.stopAtGates(all)
}

// chain returns the base and the steps that were built, in order.
func (s *Session) chain() []assay.Variant {
	gaps := s.Builds.Gaps()
	return slices.DeleteFunc(slices.Clone(s.Config.Study.Variants), func(v assay.Variant) bool {
		return slices.ContainsFunc(gaps, func(g assay.Gap) bool { return g.Variant == v.Name })
	})
}

func (s *Session) checkStep(ctx context.Context, k *milestone.Keeper, step, against assay.Variant) ([]milestone.Finding, error) {
	st, err := s.tree(ctx, step)
	if err != nil {
		return nil, err
	}
	at, err := s.tree(ctx, against)
	if err != nil {
		return nil, err
	}
	found, err := k.Check(ctx, s.Config.Study.Gates, st, at)
	for _, f := range found {
		if f.Status != assay.GateHeld {
			s.Config.Progress.Say(fmt.Sprintf("assay: step %s: gate %s %s: %s", step.Name, f.Gate, f.Status, f.Text))
		}
	}
	return found, err
}

// tree returns the variant's own source, with the environment of its builds.
func (s *Session) tree(ctx context.Context, v assay.Variant) (milestone.Tree, error) {
	t, err := s.Builder.OpenTree(ctx, s.Config.Study.Dir, s.Config.Study.Source, v)
	return milestone.Tree{ID: t.ID, Dir: t.Dir, Go: t.Go, Env: t.Env, Name: v.Name}, err
}

// stopAtGates returns an error if a step fails a gate and the run must then not measure.
func (s *Session) stopAtGates(found []milestone.Finding) error {
	if s.Config.Gates != GatesStop {
		return nil
	}
	w := assay.Warning{Code: assay.CodeGateFailed}
	for _, f := range found {
		if f.Status == assay.GateFailed {
			w.Facts = append(w.Facts, fmt.Sprintf("%s: %s: %s", f.Variant, f.Gate, f.Text))
			for _, line := range f.Evidence {
				w.Facts = append(w.Facts, "  "+line)
			}
		}
	}
	if len(w.Facts) == 0 {
		return nil
	}
	w.Text, w.Advice = "a step fails a gate, and nothing was measured", "--gates=mark, which measures it and marks it"
	return &assay.Error{Warning: w, Exit: assay.ExitGate}
}

// gateLog returns the name of the file with the output of a gate's check.
func gateLog(s *assay.Study, f milestone.Finding) string {
	step := slices.IndexFunc(s.Steps.List, func(step assay.Step) bool { return step.Variant == f.Variant })
	return fmt.Sprintf("gates/%02d-%s.txt", step+1, strings.ReplaceAll(f.Gate, " ", "-"))
}

// results returns the findings for the plan, each with the name of its log.
func results(s *assay.Study, found []milestone.Finding) (out []assay.GateResult) {
	for _, f := range found {
		if f.Output != nil {
			f.Log = gateLog(s, f)
		}
		out = append(out, f.GateResult)
	}
	return out
}

// writeGates writes the logs of the gates into the run folder.
func writeGates(rec *record.Record, found []milestone.Finding) (err error) {
	for _, f := range found {
		if f.Output != nil {
			err = errors.Join(err, rec.WriteFile(gateLog(&rec.Run().Plan.Study, f), f.Output))
		}
	}
	return err
}

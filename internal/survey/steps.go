package survey

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/design"
	"github.com/seed-1318a441/assay/internal/lab"
	"github.com/seed-1318a441/assay/internal/printable"
)

// before finds a benchmark in the earlier plan.
func (s *surveyor) before(b assay.PlannedBenchmark) (assay.PlannedBenchmark, bool) {
	if s.Earlier == nil {
		return assay.PlannedBenchmark{}, false
	}
	for _, e := range s.Earlier.Benchmarks {
		if e.Benchmark == b.Benchmark && e.Workload == b.Workload {
			return e, true
		}
	}
	return assay.PlannedBenchmark{}, false
}

// sizeOnce is size, unless an earlier run has the result. Services are started anyway:
// their first start is slower than later ones.
func (s subject) sizeOnce(ctx context.Context) (calibrated, error) {
	e, ok := s.before(s.bench)
	if !ok {
		return s.size(ctx)
	}
	for _, m := range s.Earlier.Metrics {
		s.metrics[m.Name] = cmp.Or(s.metrics[m.Name], m.Better)
	}
	if s.workload().Kind != assay.KindService {
		return calibrated{N: e.N, Trial: e.Trial}, nil
	}
	c, err := s.size(ctx)
	c.N, c.Trial = e.N, e.Trial
	return c, err
}

// An absence is a benchmark of the base that some steps lack.
type absence struct {
	name string
	in   []string // the steps, in order
	// failed counts those in which it failed; why is the reason in the first of them.
	failed int
	why    string
}

// planSteps plans the base's benchmarks. A benchmark that some steps lack runs in the
// others. Steps without any of them are gaps, and a benchmark that no step has is
// omitted: neither can be compared. The error has the code "steps": no step is left.
func planSteps(p *assay.Plan, listed map[string][]artifactListing) error {
	base := listed[p.Study.Base]
	dropEmpty(p, base, listed)
	if len(comparedSteps(p)) == 0 {
		same := !slices.ContainsFunc(p.Gaps, func(g assay.Gap) bool { return g.Reason != p.Gaps[0].Reason })
		return &assay.Error{Exit: assay.ExitBuild, Warning: assay.Warning{Code: assay.CodeSteps, Text: "no step can be compared with the base", Facts: lab.StepFacts(p.Gaps, same)}}
	}
	var absent []absence
	total, common := 0, 0
	for _, f := range base {
		for _, name := range f.Names {
			total++
			a := absentFrom(p, f.artifact, name, listed)
			if len(a.in) > 0 {
				absent = append(absent, a)
			} else {
				common++
			}
			if len(a.in) < len(comparedSteps(p)) {
				p.Benchmarks = append(p.Benchmarks, assay.PlannedBenchmark{Benchmark: assay.Benchmark{Package: f.artifact.Package, Name: name},
					Workload: f.artifact.Workload, Missing: withSame(p, a.in)})
			}
		}
	}
	if len(absent) > 0 {
		p.Warnings = append(p.Warnings, lackingWarning(absent, total, common))
	}
	p.Warnings = append(p.Warnings, laterWarning(p, base, listed)...)
	return nil
}

// comparedSteps returns the planned variants that are compared: neither base nor control.
func comparedSteps(p *assay.Plan) (out []string) {
	for _, v := range p.Variants {
		if !v.Control && v.Name != p.Study.Base {
			out = append(out, v.Name)
		}
	}
	return out
}

// absentFrom finds the steps that lack a benchmark.
func absentFrom(p *assay.Plan, a lab.Artifact, name string, listed map[string][]artifactListing) absence {
	out := absence{name: name}
	for _, v := range comparedSteps(p) {
		if !has(listed[v], a, name) {
			out.in = append(out.in, v)
			if why := failedIn(listed[v], a, name); why != "" {
				out.failed++
				out.why = cmp.Or(out.why, why)
			}
		}
	}
	return out
}

// allNames is the key in listing.Failed for all benchmarks of a binary that ends early.
const allNames = ""

// deadStep returns the listing of a step's binary that ends before its first benchmark:
// the step lacks all benchmarks. ok is false for another error, or for the base.
func (s *surveyor) deadStep(v assay.Variant, err error) (listing, bool) {
	gap, ok := lab.GapOf(s.Study, v, err)
	return listing{Failed: map[string]string{allNames: gap.Reason}}, ok
}

// failedIn returns why a benchmark failed in the survey; "" if it was not there.
func failedIn(fs []artifactListing, a lab.Artifact, name string) string {
	for _, f := range fs {
		if f.artifact.Package == a.Package && f.artifact.Workload == a.Workload {
			return cmp.Or(f.Failed[name], f.Failed[allNames])
		}
	}
	return ""
}

// withSame adds the variants with the same code as one of these.
func withSame(p *assay.Plan, names []string) []string {
	out := slices.Clone(names)
	for _, x := range p.Same {
		if slices.Contains(names, x.As) {
			out = append(out, x.Variant)
		}
	}
	return out
}

// dropEmpty makes gaps of steps without a benchmark of the base, and of equal ones.
func dropEmpty(p *assay.Plan, base []artifactListing, listed map[string][]artifactListing) {
	shared := func(v string) bool {
		return slices.ContainsFunc(base, func(f artifactListing) bool {
			return slices.ContainsFunc(f.Names, func(name string) bool { return has(listed[v], f.artifact, name) })
		})
	}
	for _, v := range comparedSteps(p) {
		if !shared(v) {
			g := assay.Gap{Variant: v, Reason: "it has none of the base's benchmarks", Facts: whyNone(listed[v])}
			if len(g.Facts) > 0 {
				g.Reason = "none of the base's benchmarks runs: " + g.Facts[0]
			}
			p.Gaps = append(p.Gaps, g)
		}
	}
	p.Same = slices.DeleteFunc(p.Same, func(x assay.SameCode) bool {
		i := slices.IndexFunc(p.Gaps, func(g assay.Gap) bool { return g.Variant == x.As })
		if i >= 0 {
			g := p.Gaps[i]
			g.Variant = x.Variant
			p.Gaps = append(p.Gaps, g)
		}
		return i >= 0
	})
	p.Variants = slices.DeleteFunc(p.Variants, func(v assay.Variant) bool {
		return slices.ContainsFunc(p.Gaps, func(g assay.Gap) bool { return g.Variant == v.Name })
	})
	p.Together = design.Together(&p.Study, p.Variants)
	lab.SortGaps(&p.Study, p.Gaps)
}

// whyNone lists the first reasons why benchmarks of a step failed.
func whyNone(fs []artifactListing) (out []string) {
	for _, f := range fs {
		for _, name := range slices.Sorted(maps.Keys(f.Failed)) {
			if len(out) < lab.MaxGapFacts {
				out = append(out, strings.TrimPrefix(name+": "+f.Failed[name], ": "))
			}
		}
	}
	return out
}

// maxLacking is the number of lines about lacking benchmarks.
const maxLacking = 6

// lackingWarning lists the benchmarks that steps lack, a line for each set of steps.
func lackingWarning(absent []absence, total, common int) assay.Warning {
	w := assay.Warning{Code: assay.CodeStepsMissing, Text: fmt.Sprintf("%d of %s %s not in every step", len(absent), printable.Count(total, "benchmark"), are(len(absent))),
		Advice: "a frozen suite (overlay or suite under [source]) that every step can run"}
	names := map[string][]string{}
	var order []string
	for _, a := range absent {
		where := a.where()
		if names[where] == nil {
			order = append(order, where)
		}
		names[where] = append(names[where], a.name)
	}
	for _, where := range order[:min(len(order), maxLacking)] {
		w.Facts = append(w.Facts, printable.Few(names[where], someNames)+": "+where)
	}
	if more := len(order) - len(w.Facts); more > 0 {
		w.Facts = append(w.Facts, fmt.Sprintf("… %d more such groups", more))
	}
	if common < 2 {
		w.Facts = append(w.Facts, fmt.Sprintf("there is no geomean: %s in every step", countBenchmarks(common)))
	} else {
		w.Facts = append(w.Facts, fmt.Sprintf("the geomean is over the %d that are", common))
	}
	return w
}

// inVariants says which steps lack the benchmark, and why.
func (a absence) where() string {
	in := printable.Few(a.in, someNames)
	switch a.failed {
	case 0:
		return "not in " + in
	case len(a.in):
		return fmt.Sprintf("failed in %s: %s", in, a.why)
	}
	return fmt.Sprintf("failed in %d of %s, not in the others: %s", a.failed, in, a.why)
}

// laterWarning lists the benchmarks of steps that the base lacks.
func laterWarning(p *assay.Plan, base []artifactListing, listed map[string][]artifactListing) []assay.Warning {
	var later []string
	for _, v := range comparedSteps(p) {
		for _, f := range listed[v] {
			for _, name := range f.Names {
				if !has(base, f.artifact, name) && !slices.Contains(later, name) {
					later = append(later, name)
				}
			}
		}
	}
	if len(later) == 0 {
		return nil
	}
	return []assay.Warning{{Code: assay.CodeStepsMissing, Text: fmt.Sprintf("%s in steps and not in the base %s: not measured", countBenchmarks(len(later)), strconv.Quote(p.Study.Base)),
		Facts: []string{printable.Few(later, someNames)}}}
}

// countBenchmarks returns "no benchmark is", "1 benchmark is" or "3 benchmarks are".
func countBenchmarks(n int) string {
	if n == 0 {
		return "no benchmark is"
	}
	return fmt.Sprintf("%d %s %s", n, printable.Plural(n, "benchmark"), are(n))
}

func are(n int) string {
	if n == 1 {
		return "is"
	}
	return "are"
}

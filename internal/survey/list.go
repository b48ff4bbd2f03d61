package survey

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/lab"
	"github.com/seed-1318a441/assay/internal/printable"
	"github.com/seed-1318a441/assay/internal/shell"
	"github.com/seed-1318a441/assay/internal/trial"
)

// A listing is the result of running all benchmarks once, at one iteration.
type listing struct {
	Names   []string
	Metrics map[string]assay.Better
	// Failed and Skipped say why a benchmark cannot be measured, or skips itself.
	Failed, Skipped map[string]string
}

// maxSkips is the maximum number of crashing benchmarks that a discovery skips.
const maxSkips = 20

// orFollows ends the name of the last benchmark that ran in a process which ended early: it
// may be to blame, or the next one.
const orFollows = " or what follows it"

// list finds the benchmarks of an artifact by running each once. One that crashes ends
// the process; it is excluded and the others are run again.
func (s *surveyor) list(ctx context.Context, v assay.Variant, a lab.Artifact) (listing, error) {
	l := listing{Metrics: map[string]assay.Better{}, Failed: map[string]string{}, Skipped: map[string]string{}}
	var skip []string
	for range maxSkips {
		out, err := s.runOrRetry(ctx, lab.RunRequest{Study: s.Study, Workload: a.Workload, Artifact: a, Variant: v,
			Pattern: s.pattern(a.Workload), N: 1, Skip: strings.Join(skip, "|")})
		if err != nil {
			return l, err
		}
		l.add(out)
		ended := out.Status == assay.StatusFailed || out.Status == assay.StatusTimeout || out.Status == assay.StatusNoResult && !out.Passed
		if ended && len(out.Broken) == 0 && len(l.Names) == 0 {
			// An init or a TestMain fails, or -args has an unknown flag.
			return l, assay.NewError(assay.ExitBuild, assay.CodeBenchFailed,
				fmt.Sprintf("the test binary of %s ends before its first benchmark in %s", a.Package, assay.Quoted(v.Name)), []string{out.Reason}, s.goTest(a, v))
		}
		if len(out.Broken) == 0 {
			if out.Status != assay.StatusOK && len(l.Names) > 0 {
				l.Failed[l.Names[len(l.Names)-1]+orFollows] = out.Reason
			}
			return l, nil
		}
		for name, why := range out.Broken {
			l.Failed[name] = why
			skip = append(skip, trial.Select(name))
		}
	}
	return l, nil
}

// goTest returns a command that runs the benchmarks of an artifact once like a variant,
// without assay: in its source, with its toolchain, flags and variables.
func (s *surveyor) goTest(a lab.Artifact, v assay.Variant) string {
	w := s.Study.Workloads[a.Workload]
	var words []string
	if toolchain := cmp.Or(v.Go, s.Study.Source.Go); strings.HasPrefix(toolchain, "go") {
		words = append(words, "GOTOOLCHAIN="+toolchain)
	}
	if len(v.Experiment) > 0 {
		words = append(words, "GOEXPERIMENT="+strings.Join(v.Experiment, ","))
	}
	for _, vars := range []map[string]string{v.Build, v.Env, assay.SecretMarks(v.Secrets)} {
		for _, name := range slices.Sorted(maps.Keys(vars)) {
			words = append(words, name+"="+shell.Quote(vars[name]))
		}
	}
	words = append(words, "go", "test")
	for _, f := range slices.Concat(w.BuildFlags, v.BuildFlags(), []string{"-run=^$", "-bench=" + s.pattern(a.Workload), "-benchtime=1x"}, w.TestFlags, []string{a.Package}) {
		words = append(words, shell.Quote(f))
	}
	if len(w.Args) > 0 {
		words = append(words, "-args", shell.Join(w.Args))
	}
	line := strings.Join(words, " ")
	if at, err := s.Builds.Builder.Locate(a); err == nil && v.Rev+v.Module != "" {
		line = "cd " + shell.Quote(at.Dir) + " && " + line
	}
	return line
}

func (l *listing) add(out trial.Outcome) {
	maps.Copy(l.Skipped, out.Skipped)
	for _, r := range out.Readings {
		if !slices.Contains(l.Names, r.Name) {
			l.Names = append(l.Names, r.Name)
		}
		for m := range r.Values {
			l.Metrics[m] = assay.KnownBetter(m)
		}
	}
	for m, b := range out.Better {
		if _, seen := l.Metrics[m]; seen && b != assay.BetterUnknown {
			l.Metrics[m] = b
		}
	}
}

func (s *surveyor) pattern(workload int) string { return patternOf(s.Study, workload) }

func patternOf(s *assay.Study, workload int) string {
	return cmp.Or(s.Workloads[workload].Bench, ".")
}

// byKey returns a function that splits a full benchmark name by the study's By: the name
// without the key, and the key's value.
func byKey(by *assay.By) (func(full string) (name, value string, ok bool), error) {
	pattern := by.Key
	if !strings.Contains(pattern, "(") {
		pattern = regexp.QuoteMeta(pattern) + "=([^/]+)"
	}
	re, err := regexp.Compile(pattern)
	if err != nil || re.NumSubexp() != 1 {
		return nil, fmt.Errorf("key %q is not /name or a regular expression with one (group)", by.Key)
	}
	return func(full string) (string, string, bool) {
		m := re.FindStringSubmatchIndex(full)
		if m == nil {
			return "", "", false
		}
		return full[:m[0]] + full[m[1]:], full[m[2]:m[3]], true
	}, nil
}

// variantsBy makes variants from the names found in the one binary, and returns the
// benchmarks that all of them have.
func variantsBy(s *assay.Study, pkgs []artifactListing) ([]assay.Variant, []assay.PlannedBenchmark, error) {
	split, err := byKey(s.By)
	if err != nil {
		return nil, nil, err
	}
	var values []string
	names := map[assay.Benchmark]map[string]string{}
	var order []assay.PlannedBenchmark
	for _, f := range pkgs {
		for _, full := range f.Names {
			name, value, ok := split(full)
			if !ok {
				continue
			}
			if !slices.Contains(values, value) {
				values = append(values, value)
			}
			b := assay.Benchmark{Package: f.artifact.Package, Name: name}
			if names[b] == nil {
				names[b] = map[string]string{}
				order = append(order, assay.PlannedBenchmark{Benchmark: b, Workload: f.artifact.Workload})
			}
			names[b][value] = full
		}
	}
	if len(values) < 2 {
		return nil, nil, fmt.Errorf("key %q finds %d values in the benchmark names, two or more are needed", s.By.Key, len(values))
	}
	values, called, err := named(s, values)
	if err != nil {
		return nil, nil, err
	}
	for i := range order {
		order[i].Names = map[string]string{}
		for _, value := range values {
			if full, ok := names[order[i].Benchmark][value]; ok {
				order[i].Names[called[value]] = full
			}
		}
	}
	var vs []assay.Variant
	for _, value := range values {
		v := s.Variants[max(0, slices.IndexFunc(s.Variants, func(v assay.Variant) bool { return v.Select == value }))]
		v.Name, v.Select = called[value], value
		vs = append(vs, v)
	}
	return vs, order, nil
}

// named returns the values that a study measures, in its order, and what it calls them: by
// the variants that select one each, else by the names beside the key, else as they are.
func named(s *assay.Study, found []string) (values []string, called map[string]string, err error) {
	called = map[string]string{}
	for _, v := range s.Variants {
		if v.Select == "" {
			continue
		}
		if !slices.Contains(found, v.Select) {
			return nil, nil, fmt.Errorf("the variant %q selects %q, and the key %q finds %s", v.Name, v.Select, s.By.Key, strings.Join(found, ", "))
		}
		values = append(values, v.Select)
		called[v.Select] = v.Name
	}
	if len(values) > 0 {
		return values, called, nil
	}
	for i, value := range found {
		called[value] = value
		if i < len(s.By.Names) {
			called[value] = s.By.Names[i]
		}
	}
	return found, called, nil
}

// An artifactListing is a listing with its artifact.
type artifactListing struct {
	listing
	artifact lab.Artifact
}

// common keeps the benchmarks that every variant has, and reports the others.
func (s *surveyor) common(ctx context.Context, base []artifactListing, others map[string][]artifactListing) ([]assay.PlannedBenchmark, []assay.Warning) {
	var out []assay.PlannedBenchmark
	missing, only := map[string][]assay.PlannedBenchmark{}, map[string][]assay.PlannedBenchmark{}
	for _, f := range base {
		for _, name := range f.Names {
			b := assay.PlannedBenchmark{Benchmark: assay.Benchmark{Package: f.artifact.Package, Name: name}, Workload: f.artifact.Workload}
			ok := true
			for _, v := range slices.Sorted(maps.Keys(others)) {
				switch {
				case has(others[v], f.artifact, name):
				case leaves(others[v], f.artifact, name):
					ok = false
				default:
					missing[v] = append(missing[v], b)
					ok = false
				}
			}
			if ok {
				out = append(out, b)
			}
		}
	}
	for v, fs := range others {
		for _, f := range fs {
			for _, name := range f.Names {
				if !has(base, f.artifact, name) && !leaves(base, f.artifact, name) {
					only[v] = append(only[v], assay.PlannedBenchmark{Benchmark: assay.Benchmark{Package: f.artifact.Package, Name: name}, Workload: f.artifact.Workload})
				}
			}
		}
	}
	return out, s.setsDiffer(ctx, missing, only, len(out))
}

func has(fs []artifactListing, a lab.Artifact, name string) bool {
	return slices.ContainsFunc(fs, func(f artifactListing) bool {
		return f.artifact.Package == a.Package && f.artifact.Workload == a.Workload && slices.Contains(f.Names, name)
	})
}

// leaves reports whether a benchmark is there, and skips itself or fails.
func leaves(fs []artifactListing, a lab.Artifact, name string) bool {
	return slices.ContainsFunc(fs, func(f artifactListing) bool {
		_, skipped := f.Skipped[name]
		return f.artifact.Package == a.Package && f.artifact.Workload == a.Workload && (skipped || f.fails(name))
	})
}

// fails reports whether a benchmark, or the one that it is a part of, has failed, or may not
// have been reached by a process that ended early.
func (l listing) fails(name string) bool {
	for failed := range l.Failed {
		if failed == name || strings.HasPrefix(name, failed+"/") || strings.HasSuffix(failed, orFollows) {
			return true
		}
	}
	return false
}

// setsDiffer warns about benchmarks that a variant or the base lacks.
func (s *surveyor) setsDiffer(ctx context.Context, missing, only map[string][]assay.PlannedBenchmark, common int) []assay.Warning {
	var out []assay.Warning
	add := func(bs []assay.PlannedBenchmark, where string, has, lacks assay.Variant) {
		if len(bs) > 0 {
			w := setWarning(bs, where, lacks.Name, common)
			w.Suggest(s.overlay(ctx, bs, has, lacks))
			out = append(out, w)
		}
	}
	base := s.base()
	for _, v := range s.Study.Variants {
		where := "are not in " + assay.Quoted(v.Name)
		if len(s.Study.Variants) == 2 {
			where = "exist only in " + assay.Quoted(base.Name)
		}
		add(missing[v.Name], where, base, v)
	}
	for _, v := range s.Study.Variants {
		add(only[v.Name], "exist only in "+assay.Quoted(v.Name), v, base)
	}
	return out
}

func setWarning(bs []assay.PlannedBenchmark, where, notIn string, common int) assay.Warning {
	var names []string
	for _, b := range bs {
		names = append(names, b.Name)
	}
	w := assay.Warning{
		Code:  assay.CodeBenchmarkSetsDiffer,
		Text:  fmt.Sprintf("%d of %d benchmarks %s", len(names), len(names)+common, where),
		Facts: []string{fmt.Sprintf("not in %s: %s", assay.Quoted(notIn), printable.Few(names, someNames))},
	}
	if common > 0 {
		w.Facts = append(w.Facts, fmt.Sprintf("geomean is over the %d common ones", common))
	}
	return w
}

// calibrated is the result of a calibration: see assay.PlannedBenchmark.
type calibrated struct {
	N     int
	Trial time.Duration
	// Metrics are those of a command; those of Go benchmarks are in the listing.
	Metrics []string
	// Timeless is true if a benchmark reports no ns/op.
	Timeless bool
	// PerOp is the time of an operation in seconds, Bytes what it allocates. Allocates is
	// true if it allocates at all.
	PerOp, Bytes float64
	Allocates    bool
	// Grows means that the time of an operation seems to grow with their number, Still that
	// a benchmark takes far longer than its operations.
	Grows, Still bool
	// Slow says how far a service falls behind its open load.
	Slow string
}

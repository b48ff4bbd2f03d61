package inquiry

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/google/pprof/profile"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/binary"
	"github.com/seed-1318a441/assay/internal/explain"
	"github.com/seed-1318a441/assay/internal/explain/code"
	"github.com/seed-1318a441/assay/internal/explain/cputime"
	"github.com/seed-1318a441/assay/internal/explain/gc"
	"github.com/seed-1318a441/assay/internal/explain/hygiene"
	"github.com/seed-1318a441/assay/internal/lab"
	"github.com/seed-1318a441/assay/internal/printable"
	"github.com/seed-1318a441/assay/internal/shell"
)

// A difference is one comparison to explain, of a variant with the base on one benchmark,
// with its evidence.
type difference struct {
	x       *explainer
	planned assay.PlannedBenchmark
	cell    assay.Comparison
	m       *explain.Material
	trials  []assay.EvidenceTrial
	// counted are the allocations per operation of both sides in the run, nil if not exact.
	counted *[2]float64

	base, variant *binary.File
	roots         []string // the benchmark's function, as symbols
	hot           []cputime.Hot
	decisions     [2][]assay.Decision
}

// collect fills in all requested evidence.
func (d *difference) collect(ctx context.Context) error {
	if d.x.now != "" {
		d.warn(assay.Warning{Code: assay.CodeChangedSince, Text: "the explanation describes the current build: " + d.x.now, Try: d.x.plan.Command})
	}
	d.open()
	if err := d.cpu(); err != nil {
		return err
	}
	d.decide(ctx)
	d.code()
	if err := d.mem(); err != nil {
		return err
	}
	d.gc()
	if err := d.levels(); err != nil {
		return err
	}
	if !d.x.brief {
		d.hygiene()
	}
	return d.layout(ctx)
}

func (d *difference) warn(w assay.Warning) { d.m.Warnings = append(d.m.Warnings, w) }

// open reads the two binaries and finds the benchmark's function in them. It warns about
// a file that is not a Go binary.
func (d *difference) open() {
	base, err := d.x.binary(d.x.plan.Study.Base, d.planned)
	variant := base
	if err == nil {
		variant, err = d.x.binary(d.cell.Variant, d.planned)
	}
	if err != nil {
		d.warn(assay.Warning{Code: assay.CodeNoCode, Text: "the code is not compared: the binaries cannot be read", Facts: []string{printable.OneLine(err)}})
		return
	}
	d.base, d.variant = base, variant
	if d.x.plan.Study.Workloads[d.planned.Workload].Kind != assay.KindGoTest {
		d.roots = []string{"main.main"}
		return
	}
	name, _, _ := strings.Cut(d.planned.NameFor(assay.Variant{Name: d.x.plan.Study.Base}, d.x.plan.Study.Base), "/")
	for _, pkg := range []string{d.planned.Package, d.planned.Package + "_test"} {
		symbol := pkg + "." + assay.BenchmarkFunction(name)
		if _, ok := d.base.Find(symbol); ok {
			d.roots = append(d.roots, symbol)
		}
	}
}

// locate finds the binary of a variant.
func (x *explainer) locate(variant string, b assay.PlannedBenchmark) (a lab.Artifact, at lab.Location, err error) {
	if a, err = x.ses.Builds.Binary(variant, b); err == nil {
		at, err = x.ses.Builds.Builder.Locate(a)
	}
	return a, at, err
}

func (x *explainer) binary(variant string, b assay.PlannedBenchmark) (*binary.File, error) {
	a, at, err := x.locate(variant, b)
	if f := x.opened[a.ID]; f != nil || err != nil {
		return f, err
	}
	f, err := binary.Open(at.File)
	if err == nil {
		x.opened[a.ID] = f
	}
	return f, err
}

// profiles returns the profiles of one kind and variant, by block.
func (d *difference) profiles(kind, variant string) (out []*profile.Profile, n int, err error) {
	for _, t := range d.trials {
		if t.Kind != kind || t.Variant != variant || t.Profile == "" {
			continue
		}
		p, err := d.x.profile(t)
		if err != nil {
			return nil, 0, err
		}
		out, n = append(out, p), t.N
	}
	return out, n, nil
}

func (x *explainer) profile(t assay.EvidenceTrial) (*profile.Profile, error) {
	data, err := x.evidence.Profile(t)
	if err != nil {
		return nil, err
	}
	p, err := profile.ParseData(data)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", t.Profile, err)
	}
	return p, nil
}

// merged keeps the sum of profiles for go tool pprof.
func (d *difference) merged(kind, variant string, ps []*profile.Profile) (string, error) {
	p, err := profile.Merge(ps)
	if err != nil {
		return "", fmt.Errorf("merge profiles: %w", err)
	}
	var buf bytes.Buffer
	if err := p.Write(&buf); err != nil {
		return "", fmt.Errorf("write profile: %w", err)
	}
	return d.x.evidence.WriteMerged(fmt.Sprintf("%s.%s.%s", d.planned.Name, variant, kind), buf.Bytes())
}

// cpu compares the CPU profiles.
func (d *difference) cpu() error {
	base, n, err := d.profiles(assay.CollectCPU, d.x.plan.Study.Base)
	if err != nil {
		return err
	}
	variant, _, err := d.profiles(assay.CollectCPU, d.cell.Variant)
	if err != nil || len(base) == 0 || len(variant) == 0 || d.m.Metric.Name != assay.MetricTime {
		return err
	}
	in := cputime.Input{Base: base, Variant: variant, N: n, BaseValue: d.m.BaseValue, Comparison: d.cell, Confidence: confidenceOfParts, Root: d.root()}
	c, err := cputime.Compare(in)
	if err != nil {
		d.warn(assay.Warning{Code: assay.CodeNoSamples, Text: "time is not explained: " + printable.OneLine(err), Try: shell.Join(append([]string{"assay", "explain", "--trial=5s"}, shell.Words(d.x.plan.Run, d.planned.Name)...))})
		return nil
	}
	d.m.CPU = c
	if few := min(c.BaseSamples, c.VariantSamples); few < assay.EnoughSamples {
		d.warn(fewSamples(few))
	}
	d.hot, d.m.Inlined = cputime.HotFunctions(in), cputime.InlinedInto(slices.Concat(base, variant))
	return d.files(&c.BaseFile, &c.VariantFile, &c.Command, assay.CollectCPU, base, variant)
}

// fewSamples says what profiles with so many samples may lack. A function with the share p
// of the time is in none of n samples with the probability (1-p)^n, which is 5 % for p = 3/n
// (the rule of three, as for assay.EnoughSamples).
func fewSamples(n int64) assay.Warning {
	return assay.Warning{Code: assay.CodeNoSamples, Text: fmt.Sprintf("time is explained from %s of one side: functions with less than %.2g %% of it may be missing",
		printable.Count(int(n), "sample"), 300/float64(n)), Advice: "a workload that runs longer"}
}

// confidenceOfParts is the confidence of the intervals of parts. They are descriptive; no
// verdict depends on them.
const confidenceOfParts = 0.95

// root returns the benchmark's function; "" for a program, all of whose time counts.
func (d *difference) root() string {
	if len(d.roots) == 0 || d.x.plan.Study.Workloads[d.planned.Workload].Kind != assay.KindGoTest {
		return ""
	}
	return d.roots[0]
}

// files keeps both sides' merged profiles, and the command that shows them.
func (d *difference) files(a, b, command *string, kind string, base, variant []*profile.Profile, flags ...string) (err error) {
	if *a, err = d.merged(kind, d.x.plan.Study.Base, base); err != nil {
		return err
	}
	if *b, err = d.merged(kind, d.cell.Variant, variant); err != nil {
		return err
	}
	dir := d.x.ses.Record.Dir
	*command = shell.Join(slices.Concat([]string{"go", "tool", "pprof"}, flags, []string{"-top", "-diff_base=" + dir + "/" + *a, dir + "/" + *b}))
	return nil
}

func (d *difference) code() {
	if !d.x.wants(assay.CollectCode) || d.base == nil {
		return
	}
	if d.x.plan.Study.By != nil {
		return // levels compares what the variants run
	}
	in := code.Input{Base: d.base, Variant: d.variant, BaseSize: d.size(d.x.plan.Study.Base), VariantSize: d.size(d.cell.Variant), Hot: d.hot,
		Calls: d.x.plan.Study.Explain.Calls, BaseDecisions: d.decisions[0], VariantDecisions: d.decisions[1]}
	if len(in.Hot) == 0 {
		for _, name := range code.Reach(d.base, d.roots, mostReached) {
			in.Hot = append(in.Hot, cputime.Hot{Name: name})
		}
	}
	in.Named = slices.Clone(d.x.request.Named)
	for _, f := range d.x.plan.Study.Explain.Functions {
		if re, err := regexp.Compile(f); err == nil { // checked when the study was read
			in.Named = append(in.Named, re)
		}
	}
	d.m.Code = code.Compare(in)
	d.m.SameCode = sameCode(d.m.Code)
	d.m.Files = d.otherFiles()
}

// sameCode reports whether two binaries have the same functions and the same data.
func sameCode(c *assay.CodeChange) bool {
	return c.Differ+c.OnlyBase+c.OnlyVariant+len(c.Data) == 0
}

// otherFiles lists the files that the benchmark may read and that differ.
func (d *difference) otherFiles() []string {
	base, errBase := d.x.ses.Builds.Binary(d.x.plan.Study.Base, d.planned)
	variant, errVariant := d.x.ses.Builds.Binary(d.cell.Variant, d.planned)
	if errBase != nil || errVariant != nil {
		return nil
	}
	return lab.OtherFiles(base, variant)
}

// mostReached is the maximum number of functions below a benchmark that are relevant if
// there is no profile.
const mostReached = 60

func (d *difference) size(variant string) int64 {
	_, at, err := d.x.locate(variant, d.planned)
	if err != nil {
		return 0
	}
	info, err := os.Stat(at.File)
	if err != nil {
		return 0
	}
	return info.Size()
}

func (d *difference) gc() {
	of := func(variant string) []assay.EvidenceTrial {
		return slices.DeleteFunc(slices.Clone(d.trials), func(t assay.EvidenceTrial) bool { return t.Kind != assay.CollectGC || t.Variant != variant })
	}
	base, variant := of(d.x.plan.Study.Base), of(d.cell.Variant)
	if len(base) > 0 && len(variant) > 0 {
		d.m.GC = gc.Compare(base, variant, confidenceOfParts)
	}
}

// decide runs the compilers of both sides to get their decisions about the relevant
// packages. If one of them fails, there are none.
func (d *difference) decide(ctx context.Context) {
	if !d.x.wants(assay.CollectCode) && !d.x.wants(assay.CollectMem) || d.base == nil || d.x.brief {
		return
	}
	packages := d.packages()
	for i, name := range []string{d.x.plan.Study.Base, d.cell.Variant} {
		v, _ := d.x.plan.Variant(name)
		var list []assay.Decision
		a, err := d.x.ses.Builds.Binary(name, d.planned)
		if err == nil {
			list, err = d.x.ses.Builds.Builder.Decisions(ctx, &d.x.plan.Study, v, a, packages)
		}
		if err != nil {
			d.warn(assay.Warning{Code: assay.CodeNoDecisions, Text: fmt.Sprintf("the compiler's decisions are unknown for %q", name), Facts: []string{printable.OneLine(err)}})
			d.decisions = [2][]assay.Decision{}
			return
		}
		d.decisions[i] = list
	}
}

// mostPackages is the maximum number of packages whose decisions are collected.
const mostPackages = 6

// packages returns the benchmark's own packages and those of hot functions, without the
// standard library, which would have to be recompiled.
func (d *difference) packages() []string {
	out := []string{d.planned.Package}
	for _, h := range d.hot {
		pkg := strings.TrimSuffix(binary.PackageOf(h.Name), "_test")
		first, _, _ := strings.Cut(pkg, "/")
		if strings.Contains(first, ".") && !slices.Contains(out, pkg) && len(out) < mostPackages {
			out = append(out, pkg)
		}
	}
	return out
}

// hygiene checks the benchmark itself.
func (d *difference) hygiene() {
	if d.m.Metric.Name != assay.MetricTime || d.x.plan.Study.Workloads[d.planned.Workload].Kind != assay.KindGoTest {
		return
	}
	in := hygiene.Input{Benchmark: d.planned.Benchmark, Binary: d.base, Root: d.root(), PerOp: d.m.BaseValue,
		N: d.planned.N, GCCycles: d.cycles(), Toolchains: map[string]string{}, Base: d.x.plan.Study.Base}
	if d.m.Allocs != nil {
		in.AllocsPerOp = d.m.Allocs.BaseObjects
	}
	for _, a := range d.x.plan.Artifacts {
		if a.Variant == d.x.plan.Study.Base || a.Variant == d.cell.Variant {
			in.Toolchains[a.Variant], _, _ = strings.Cut(a.GoVersion, " ")
		}
	}
	if _, at, err := d.x.locate(d.x.plan.Study.Base, d.planned); err == nil && at.Dir != "" {
		in.Sources = os.DirFS(at.Dir)
	}
	d.m.Warnings = append(d.m.Warnings, hygiene.Check(in)...)
}

// cycles returns the number of collections in a measured trial, -1 if unknown.
func (d *difference) cycles() float64 {
	if d.m.GC == nil {
		return -1
	}
	for _, row := range d.m.GC.Rows {
		if row.Metric == assay.MetricGCCyclesOp {
			return row.Base * float64(d.planned.N)
		}
	}
	return -1
}

package inquiry

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/google/pprof/profile"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/binary"
	"github.com/seed-1318a441/assay/internal/explain"
	"github.com/seed-1318a441/assay/internal/explain/alloc"
	"github.com/seed-1318a441/assay/internal/explain/code"
	"github.com/seed-1318a441/assay/internal/explain/cputime"
	"github.com/seed-1318a441/assay/internal/explain/gc"
	"github.com/seed-1318a441/assay/internal/explain/hygiene"
	"github.com/seed-1318a441/assay/internal/funcname"
	"github.com/seed-1318a441/assay/internal/lab"
	"github.com/seed-1318a441/assay/internal/printable"
	"github.com/seed-1318a441/assay/internal/shell"
)

// A side is the evidence of one variant against the base on one benchmark.
type side struct {
	x       *explainer
	planned assay.PlannedBenchmark
	cell    assay.Comparison
	m       *explain.Material
	trials  []assay.EvidenceTrial

	base, variant *binary.File
	roots         []string // the benchmark's function, as symbols
	hot           []cputime.Hot
	decisions     [2][]assay.Decision
}

// collect fills in all requested evidence.
func (s *side) collect(ctx context.Context) error {
	if s.x.now != "" {
		s.warn(assay.Warning{Code: assay.CodeChangedSince, Text: "the explanation describes the current build: " + s.x.now, Try: s.x.subject.Command})
	}
	s.open()
	if err := s.cpu(); err != nil {
		return err
	}
	s.decide(ctx)
	s.code()
	if err := s.mem(); err != nil {
		return err
	}
	s.gc()
	if !s.x.brief {
		s.hygiene()
	}
	return s.layout(ctx)
}

func (s *side) warn(w assay.Warning) { s.m.Warnings = append(s.m.Warnings, w) }

// open reads the two binaries and finds the benchmark's function in them. It warns about
// a file that is not a Go binary.
func (s *side) open() {
	base, err := s.x.binary(s.x.subject.Study.Base, s.planned)
	variant := base
	if err == nil {
		variant, err = s.x.binary(s.cell.Variant, s.planned)
	}
	if err != nil {
		s.warn(assay.Warning{Code: assay.CodeNoCode, Text: "the code is not compared: the binaries cannot be read", Facts: []string{printable.OneLine(err)}})
		return
	}
	s.base, s.variant = base, variant
	if s.x.subject.Study.Workloads[s.planned.Workload].Kind != assay.KindGoTest {
		s.roots = []string{"main.main"}
		return
	}
	name, _, _ := strings.Cut(s.planned.NameFor(assay.Variant{Name: s.x.subject.Study.Base}, s.x.subject.Study.Base), "/")
	for _, pkg := range []string{s.planned.Package, s.planned.Package + "_test"} {
		symbol := pkg + ".Benchmark" + name
		if _, ok := s.base.Find(symbol); ok {
			s.roots = append(s.roots, symbol)
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
func (s *side) profiles(kind, variant string) (out []*profile.Profile, n int, err error) {
	for _, t := range s.trials {
		if t.Kind != kind || t.Variant != variant || t.Profile == "" {
			continue
		}
		p, err := s.x.profile(t)
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
func (s *side) merged(kind, variant string, ps []*profile.Profile) (string, error) {
	p, err := profile.Merge(ps)
	if err != nil {
		return "", fmt.Errorf("merge profiles: %w", err)
	}
	var buf bytes.Buffer
	if err := p.Write(&buf); err != nil {
		return "", fmt.Errorf("write profile: %w", err)
	}
	return s.x.evidence.WriteMerged(fmt.Sprintf("%s.%s.%s", s.planned.Name, variant, kind), buf.Bytes())
}

// cpu compares the CPU profiles.
func (s *side) cpu() error {
	base, n, err := s.profiles(assay.CollectCPU, s.x.subject.Study.Base)
	if err != nil {
		return err
	}
	variant, _, err := s.profiles(assay.CollectCPU, s.cell.Variant)
	if err != nil || len(base) == 0 || len(variant) == 0 || s.m.Metric.Name != assay.MetricTime {
		return err
	}
	in := cputime.Input{Base: base, Variant: variant, N: n, BaseValue: s.m.BaseValue, Comparison: s.cell, Confidence: confidenceOfParts, Root: s.root()}
	c, err := cputime.Compare(in)
	if err != nil {
		s.warn(assay.Warning{Code: assay.CodeNoSamples, Text: "time is not explained: " + printable.OneLine(err), Try: shell.Join([]string{"assay", "explain", s.x.subject.Run, s.planned.Name, "--trial=5s"})})
		return nil
	}
	s.m.CPU = c
	s.hot, s.m.Inlined = cputime.HotFunctions(in), cputime.InlinedInto(slices.Concat(base, variant))
	return s.files(&c.BaseFile, &c.VariantFile, &c.Command, assay.CollectCPU, base, variant)
}

// confidenceOfParts is the confidence of the intervals of parts. They are descriptive; no
// verdict depends on them.
const confidenceOfParts = 0.95

// root returns the benchmark's function; "" for a program, all of whose time counts.
func (s *side) root() string {
	if len(s.roots) == 0 || s.x.subject.Study.Workloads[s.planned.Workload].Kind != assay.KindGoTest {
		return ""
	}
	return s.roots[0]
}

// files keeps both sides' merged profiles, and the command that shows them.
func (s *side) files(a, b, command *string, kind string, base, variant []*profile.Profile, flags ...string) (err error) {
	if *a, err = s.merged(kind, s.x.subject.Study.Base, base); err != nil {
		return err
	}
	if *b, err = s.merged(kind, s.cell.Variant, variant); err != nil {
		return err
	}
	dir := s.x.ses.Record.Dir
	*command = shell.Join(slices.Concat([]string{"go", "tool", "pprof"}, flags, []string{"-top", "-diff_base=" + dir + "/" + *a, dir + "/" + *b}))
	return nil
}

func (s *side) code() {
	if !s.x.wants(assay.CollectCode) || s.base == nil {
		return
	}
	if s.x.subject.Study.By != nil {
		s.warn(assay.Warning{Code: assay.CodeOneBinary, Text: "the code is not compared: the variants are in one binary"})
		return
	}
	in := code.Input{Base: s.base, Variant: s.variant, BaseSize: s.size(s.x.subject.Study.Base), VariantSize: s.size(s.cell.Variant), Hot: s.hot,
		Calls: s.x.subject.Study.Explain.Calls, BaseDecisions: s.decisions[0], VariantDecisions: s.decisions[1]}
	if len(in.Hot) == 0 {
		for _, name := range code.Reach(s.base, s.roots, mostReached) {
			in.Hot = append(in.Hot, cputime.Hot{Name: name})
		}
	}
	in.Named = slices.Clone(s.x.Named)
	for _, f := range s.x.subject.Study.Explain.Functions {
		if re, err := regexp.Compile(f); err == nil { // checked when the study was read
			in.Named = append(in.Named, re)
		}
	}
	s.m.Code = code.Compare(in)
	s.m.SameCode = s.m.Code.Differ+s.m.Code.OnlyBase+s.m.Code.OnlyVariant == 0
}

// mostReached is the maximum number of functions below a benchmark that are relevant if
// there is no profile.
const mostReached = 60

func (s *side) size(variant string) int64 {
	_, at, err := s.x.locate(variant, s.planned)
	if err != nil {
		return 0
	}
	info, err := os.Stat(at.File)
	if err != nil {
		return 0
	}
	return info.Size()
}

func (s *side) gc() {
	of := func(variant string) []assay.EvidenceTrial {
		return slices.DeleteFunc(slices.Clone(s.trials), func(t assay.EvidenceTrial) bool { return t.Kind != assay.CollectGC || t.Variant != variant })
	}
	base, variant := of(s.x.subject.Study.Base), of(s.cell.Variant)
	if len(base) > 0 && len(variant) > 0 {
		s.m.GC = gc.Compare(base, variant, confidenceOfParts)
	}
}

// decide runs the compilers of both sides to get their decisions about the relevant
// packages. If one of them fails, there are none.
func (s *side) decide(ctx context.Context) {
	if !s.x.wants(assay.CollectCode) && !s.x.wants(assay.CollectMem) || s.base == nil || s.x.brief {
		return
	}
	packages := s.packages()
	for i, name := range []string{s.x.subject.Study.Base, s.cell.Variant} {
		v, _ := s.x.subject.Variant(name)
		var list []assay.Decision
		a, err := s.x.ses.Builds.Binary(name, s.planned)
		if err == nil {
			list, err = s.x.ses.Builds.Builder.Decisions(ctx, &s.x.subject.Study, v, a, packages)
		}
		if err != nil {
			s.warn(assay.Warning{Code: assay.CodeNoDecisions, Text: fmt.Sprintf("the compiler's decisions are unknown for %q", name), Facts: []string{printable.OneLine(err)}})
			s.decisions = [2][]assay.Decision{}
			return
		}
		s.decisions[i] = list
	}
}

// mostPackages is the maximum number of packages whose decisions are collected.
const mostPackages = 6

// packages returns the benchmark's own packages and those of hot functions, without the
// standard library, which would have to be recompiled.
func (s *side) packages() []string {
	out := []string{s.planned.Package}
	for _, h := range s.hot {
		pkg := strings.TrimSuffix(funcname.Package(h.Name), "_test")
		first, _, _ := strings.Cut(pkg, "/")
		if strings.Contains(first, ".") && !slices.Contains(out, pkg) && len(out) < mostPackages {
			out = append(out, pkg)
		}
	}
	return out
}

// mem compares where memory is allocated.
func (s *side) mem() error {
	base, err := s.memTrials(s.x.subject.Study.Base)
	if err != nil {
		return err
	}
	variant, err := s.memTrials(s.cell.Variant)
	if err != nil || len(base) == 0 || len(variant) == 0 {
		return err
	}
	c, err := alloc.Compare(alloc.Input{Base: base, Variant: variant, BaseDecisions: s.decisions[0], VariantDecisions: s.decisions[1], Root: s.root(),
		BaseBinary: s.base, VariantBinary: s.variant})
	if err != nil {
		s.warn(assay.Warning{Code: assay.CodeNoSamples, Text: "allocations are not explained: " + printable.OneLine(err)})
		return nil
	}
	s.m.Allocs = c
	larges := func(trials []alloc.Trial) (out []*profile.Profile) {
		for _, t := range trials {
			out = append(out, t.Large)
		}
		return out
	}
	return s.files(&c.BaseFile, &c.VariantFile, &c.Command, assay.CollectMem, larges(base), larges(variant), "-sample_index=alloc_space")
}

// memTrials pairs the two numbers of operations of each block.
func (s *side) memTrials(variant string) (out []alloc.Trial, err error) {
	blocks := map[int]*alloc.Trial{}
	for _, t := range s.trials {
		if t.Kind != assay.CollectMem || t.Variant != variant || t.Profile == "" {
			continue
		}
		p, err := s.x.profile(t)
		if err != nil {
			return nil, err
		}
		m := blocks[t.Block]
		switch {
		case m == nil:
			blocks[t.Block] = &alloc.Trial{Large: p, LargeN: t.N}
		case t.N > m.LargeN:
			*m = alloc.Trial{Small: m.Large, SmallN: m.LargeN, Large: p, LargeN: t.N}
		default:
			m.Small, m.SmallN = p, t.N
		}
	}
	for _, block := range slices.Sorted(maps.Keys(blocks)) {
		out = append(out, *blocks[block])
	}
	return out, nil
}

// hygiene checks the benchmark itself.
func (s *side) hygiene() {
	if s.m.Metric.Name != assay.MetricTime || s.x.subject.Study.Workloads[s.planned.Workload].Kind != assay.KindGoTest {
		return
	}
	in := hygiene.Input{Benchmark: s.planned.Benchmark, Binary: s.base, Root: s.root(), PerOp: s.m.BaseValue,
		N: s.planned.N, GCCycles: s.cycles(), Toolchains: map[string]string{}, Base: s.x.subject.Study.Base}
	if s.m.Allocs != nil {
		in.AllocsPerOp = s.m.Allocs.BaseObjects
	}
	for _, a := range s.x.subject.Artifacts {
		if a.Variant == s.x.subject.Study.Base || a.Variant == s.cell.Variant {
			in.Toolchains[a.Variant], _, _ = strings.Cut(a.GoVersion, " ")
		}
	}
	if _, at, err := s.x.locate(s.x.subject.Study.Base, s.planned); err == nil && at.Dir != "" {
		in.Sources = os.DirFS(at.Dir)
	}
	s.m.Warnings = append(s.m.Warnings, hygiene.Check(in)...)
}

// cycles returns the number of collections in a measured trial, -1 if unknown.
func (s *side) cycles() float64 {
	if s.m.GC == nil {
		return -1
	}
	for _, row := range s.m.GC.Rows {
		if row.Metric == assay.MetricGCCyclesOp {
			return row.Base * float64(s.planned.N)
		}
	}
	return -1
}

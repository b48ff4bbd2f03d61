package local

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"sync"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/binary"
	"github.com/seed-1318a441/assay/internal/build"
	"github.com/seed-1318a441/assay/internal/disk"
	"github.com/seed-1318a441/assay/internal/lab"
	"github.com/seed-1318a441/assay/internal/printable"
	"github.com/seed-1318a441/assay/internal/scratch"
	"github.com/seed-1318a441/assay/internal/testfile"
	"github.com/seed-1318a441/assay/internal/trial"
)

// A Workshop is a Builder with the sources and toolchains of this computer. It delivers
// its builds to the machine that runs them.
type Workshop struct {
	// Target is the platform of the machine; set it before use if that is another one.
	Target Target

	builder *build.Builder
	machine Customer
	// profiling is held while a profile is collected, one run at a time.
	profiling sync.Mutex
	reader    scratch.Reader

	mu   sync.Mutex
	made map[string]build.Artifact // by lab.Artifact.ID
}

// A Customer is the machine that a workshop builds for, here or elsewhere.
type Customer interface {
	// Run runs the trials that collect profiles for builds.
	Run(ctx context.Context, r lab.RunRequest) (trial.Outcome, error)
	// Receive takes a build before the machine is asked to run it. The same build may
	// come more than once, for other variants.
	Receive(d Delivery)
}

// A Delivery is a build, with all that a machine needs in order to have it.
type Delivery struct {
	Artifact lab.Artifact
	Built    build.Artifact
	// Request is what it was built for; it is zero for a given program.
	Request build.Request
	// Relink links it again with a layout; nil if it has none.
	Relink Relinker
	Study  *assay.Study
	// Variants are those whose trials need a copy of its tree.
	Variants []string
}

// A Relinker links a build again, with the functions in the order of a layout seed and
// aligned to align bytes (0: the linker's own), and writes it to out.
type Relinker func(ctx context.Context, layout uint64, align int, out string) (build.Artifact, error)

// NewWorkshop returns a workshop that builds for m.
func NewWorkshop(b *build.Builder, m Customer) *Workshop {
	return &Workshop{builder: b, machine: m, made: map[string]build.Artifact{}}
}

// deliver gives a build to the machine.
func (w *Workshop) deliver(d Delivery) {
	w.mu.Lock()
	w.made[d.Artifact.ID] = d.Built
	w.mu.Unlock()
	w.machine.Receive(d)
}

// find returns the build of an artifact.
func (w *Workshop) find(a lab.Artifact) (build.Artifact, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	b, ok := w.made[a.ID]
	if !ok {
		return b, fmt.Errorf("no artifact %q here", a.ID)
	}
	return b, nil
}

// describe returns a build as an artifact of the lab, under an ID.
func describe(workload int, b build.Artifact, id string) lab.Artifact {
	return lab.Artifact{
		ID: id, Workload: workload, Package: b.Package, Cached: b.Cached, Took: b.Link, LogLines: b.LogLines,
		Info: assay.ArtifactInfo{ID: id, SHA256: []string{b.SHA256}, GoVersion: b.GoVersion, Commit: b.Commit, Suite: b.Suite, DefaultGODEBUG: b.DefaultGODEBUG},
	}
}

// relinker returns what links a request's build again here.
func (w *Workshop) relinker(req build.Request) Relinker {
	return func(ctx context.Context, layout uint64, align int, out string) (build.Artifact, error) {
		req.Layout, req.Align = layout, align
		return w.builder.Relink(ctx, req, out)
	}
}

// Build implements lab.Builder.
func (w *Workshop) Build(ctx context.Context, r lab.BuildRequest) ([]lab.Artifact, error) {
	r.Variant = w.forTarget(r.Study, r.Variant)
	workload := r.Study.Workloads[r.Workload]
	if workload.IsProgram() {
		a, err := w.program(ctx, r, workload)
		return []lab.Artifact{a}, err
	}
	pkgs, err := w.builder.Packages(ctx, request(r, ""), workload.Packages)
	if err != nil {
		return nil, err
	}
	var out []lab.Artifact
	for _, pkg := range matching(pkgs, workload.Bench) {
		a, err := w.buildOne(ctx, r, pkg.ImportPath)
		if e, ok := errors.AsType[*assay.Error](err); ok && e.Code == assay.CodeBuildFailed && len(pkgs) > 1 {
			a, err = lab.Artifact{Workload: r.Workload, Package: pkg.ImportPath, Fault: e}, nil
		}
		if err != nil {
			return nil, err
		}
		out = append(out, a)
	}
	return out, nil
}

// matching returns the packages with a benchmark function that a -bench pattern may
// select; all of them if there is none, so that a message can name what there is.
func matching(pkgs []build.Package, bench string) []build.Package {
	matches := testfile.Matcher(cmp.Or(bench, "."))
	var out []build.Package
	for _, p := range pkgs {
		if slices.ContainsFunc(benchmarksIn(p.Dir), func(name string) bool { return matches(assay.BenchmarkFunction(name)) }) {
			out = append(out, p)
		}
	}
	if len(out) == 0 {
		return pkgs
	}
	return out
}

// forTarget returns the variant with the platform that it is built for, as far as the
// study or the machine asks for one and the variant has none.
func (w *Workshop) forTarget(s *assay.Study, v assay.Variant) assay.Variant {
	t := w.Target.of(s, v)
	more := map[string]string{}
	if v.Build["GOARCH"] == "" && (s.Measure.GOARCH != "" || t.GOARCH != runtime.GOARCH) {
		more["GOARCH"] = t.GOARCH
	}
	if v.Build["GOOS"] == "" && t.GOOS != runtime.GOOS {
		more["GOOS"] = t.GOOS
	}
	if len(more) > 0 {
		v.Build = withVariables(v.Build, more)
	}
	return v
}

// request returns the builder's request for a package.
func request(r lab.BuildRequest, pkg string) build.Request {
	w := r.Study.Workloads[r.Workload]
	return build.Request{Study: r.Study.Dir, Source: r.Study.Source, Variant: r.Variant, Package: pkg,
		Bench: w.Bench, BuildFlags: w.BuildFlags, Program: w.IsProgram()}
}

// buildOne builds what a variant runs of one package.
func (w *Workshop) buildOne(ctx context.Context, r lab.BuildRequest, pkg string) (lab.Artifact, error) {
	if r.Dry {
		_, err := w.builder.Binary(ctx, request(r, pkg))
		return lab.Artifact{}, err
	}
	asked := r.Variant
	r, err := w.ownProfile(ctx, r)
	if err != nil {
		return lab.Artifact{}, err
	}
	req := request(r, pkg)
	if r.Profiled && req.Program {
		b, err := w.builder.ProfiledProgram(ctx, req)
		if err != nil {
			return lab.Artifact{}, err
		}
		a := describe(r.Workload, b, b.ID)
		w.deliver(Delivery{Artifact: a, Built: b, Request: req, Study: r.Study})
		return a, nil
	}
	w.tellOfCgo(ctx, r.Study, req)
	b, err := w.builder.Binary(ctx, req)
	if err != nil {
		return lab.Artifact{}, err
	}
	a := describe(r.Workload, b, b.ID)
	if a.Print, err = w.print(b); err != nil {
		return a, err
	}
	if a.Info.Profile, err = w.match(asked, b, a.Print, r.Study.Path(r.Variant.PGO)); err != nil {
		return a, err
	}
	if err := w.beside(ctx, b, &a); err != nil {
		return a, err
	}
	tc, err := w.builder.ToolchainFor(ctx, r.Study.Dir, r.Study.Source, r.Variant)
	a.CanLayout, a.CanAlign = tc.HasRandLayout(), tc.HasFuncAlign()
	if err != nil {
		return a, err
	}
	w.deliver(Delivery{Artifact: a, Built: b, Request: req, Relink: w.relinker(req), Study: r.Study, Variants: []string{r.Variant.Name}})
	return a, nil
}

// tellOfCgo warns about C code of the base that a build for another platform leaves out.
func (w *Workshop) tellOfCgo(ctx context.Context, s *assay.Study, req build.Request) {
	if req.Variant.Name != s.Base {
		return
	}
	lacks, _ := w.builder.LacksCgo(ctx, req) // its error is also the build's
	if len(lacks) == 0 {
		return
	}
	t := w.Target.of(s, req.Variant)
	w.builder.Cache.Alert(assay.Warning{Code: assay.CodeNoCgo, Text: fmt.Sprintf("built for %s/%s without cgo, which the base uses here: %s", t.GOOS, t.GOARCH, printable.Few(lacks, 3)),
		Advice: "CGO_ENABLED=1 and CC, a C compiler for " + t.GOARCH + ", in the environment"})
}

// printName is the name of the fingerprint kept with an artifact. Its number increases
// when package binary hashes something else, so that old prints are not compared with new
// ones.
const printName = "print-3"

// print fingerprints an artifact once and keeps the print with it. It is nil for
// processors that package binary does not support.
func (w *Workshop) print(b build.Artifact) (*binary.Print, error) {
	p := new(binary.Print)
	if w.builder.Cache.Load(b.ID, printName, p) {
		return p, nil
	}
	p, err := binary.Fingerprint(b.Path)
	if errors.Is(err, binary.ErrArch) || errors.Is(err, binary.ErrStripped) {
		return nil, nil // for example 386, or linked with -s: the same code is not detected
	}
	if err != nil {
		return nil, err
	}
	return p, w.builder.Cache.Store(b.ID, printName, p)
}

// beside fills in what an artifact has beside its code: the files that its benchmarks may
// read, and the profile that go build would use. Trees that nobody works in are read once.
func (w *Workshop) beside(ctx context.Context, b build.Artifact, a *lab.Artifact) (err error) {
	if b.Unused != "" {
		a.Unused.Name = b.UnusedName
		if a.Unused.SHA256, err = disk.Digest(b.Unused); err != nil {
			return fmt.Errorf("read default.pgo: %w", err)
		}
	}
	if b.Program {
		return nil // it runs in the study's folder, which all variants share
	}
	if a.Folder, err = filepath.Rel(b.Root, b.Dir); err != nil {
		return err
	}
	kept := b.Tracked == "" && !b.Standard
	if kept && w.builder.Cache.Load(b.ID, readsName, &a.Reads) {
		return nil
	}
	a.Reads, err = w.reader.Reads(ctx, b.Root, b.Dir, b.Tracked)
	if err == nil && kept {
		err = w.builder.Cache.Store(b.ID, readsName, a.Reads)
	}
	return err
}

// readsName is the name of the hashes kept with an artifact. Its number increases when
// package scratch chooses or hashes files differently.
const readsName = "reads-1"

// Locate implements lab.Builder.
func (w *Workshop) Locate(a lab.Artifact) (lab.Location, error) {
	b, err := w.find(a)
	return lab.Location{File: b.Path, Dir: b.Dir}, err
}

// Decisions implements lab.Builder; see build.Builder.Decisions.
func (w *Workshop) Decisions(ctx context.Context, s *assay.Study, v assay.Variant, a lab.Artifact, packages []string) ([]assay.Decision, error) {
	b, err := w.find(a)
	if err != nil || b.Package == "" {
		return nil, err
	}
	r, err := w.ownProfile(ctx, lab.BuildRequest{Study: s, Workload: a.Workload, Variant: w.forTarget(s, v)})
	if err != nil {
		return nil, err
	}
	return w.builder.Decisions(ctx, request(r, b.Package), packages)
}

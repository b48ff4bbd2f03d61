// Package labtest is a simulated machine whose truth is known: benchmarks with given
// times, effects of variants, noise, drift, layout, order effects and failures, services
// with given latencies, and what the collector does. It drives the real lab, record,
// analysis and output in tests, where a real machine would take hours and nobody would
// know the right answer.
//
// Its noise is keyed by (seed, benchmark, block, round, variant), so that a run
// that was killed and resumed measures what an uninterrupted one does.
package labtest

import (
	"cmp"
	"context"
	"crypto/sha256"
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/binary"
	"github.com/seed-1318a441/assay/internal/calibration"
	"github.com/seed-1318a441/assay/internal/child"
	"github.com/seed-1318a441/assay/internal/collect"
	"github.com/seed-1318a441/assay/internal/collect/gctrace"
	"github.com/seed-1318a441/assay/internal/design"
	"github.com/seed-1318a441/assay/internal/lab"
	"github.com/seed-1318a441/assay/internal/trial"
)

// A Simulator is a simulated lab.Machine, and the lab.Builder for it. Set its fields before
// use.
type Simulator struct {
	Seed       uint64
	Benchmarks []Benchmark
	// Layout is the standard deviation of ln(time) between links.
	Layout float64
	// Placement is the same of links that leave functions where the linker puts them.
	Placement float64
	// LinkTime is the time of one link, BuildTime of one build.
	LinkTime, BuildTime time.Duration
	// Start is the process start that every trial pays.
	Start time.Duration
	// PositionPenalty is added to ln(time) of whatever runs first in a round.
	PositionPenalty float64
	// Drift is added to ln(time) for every second of simulated time.
	Drift float64
	// Fails maps a variant that does not build to what the compiler says.
	Fails map[string][]string
	// Code maps a variant to the name of its code: variants of one name are the
	// same code. One that is not in it has code of its own.
	Code map[string]string
	// BuiltAs maps a variant to the name of its build: variants of one name are one
	// program. One that is not in it has a build of its own.
	BuiltAs map[string]string
	// Cores are the CPUs that trials can be bound to; with any, it runs trials side by
	// side, where each CPU has a speed of its own that drifts.
	Cores []int
	// Alike means that all CPUs have about the same speed: which gear is right is no matter of
	// luck.
	Alike bool
	// Memory is that of the machine in bytes, for trials side by side; 0 is enough.
	Memory uint64
	// Unaligned is the variant whose linker cannot align functions; "" is none.
	Unaligned string
	// Hook, when set, is called before every trial; an error ends the run.
	Hook func(lab.RunRequest) error

	mu    sync.Mutex
	clock time.Duration
	last  string // benchmark and round of the last trial
	runs  []string
	links []string // the builds that were linked with a layout
	bench lab.Bench
}

// A Benchmark is the truth about one benchmark.
type Benchmark struct {
	Name string
	// Time of one operation on the base; Bytes and Allocs of one operation.
	Time          time.Duration
	Bytes, Allocs float64
	// Effects maps a variant to ln(its time / the base's).
	Effects map[string]float64
	// AllocEffects maps a variant to the factor on Bytes and Allocs.
	AllocEffects map[string]float64
	// Noise of ln(time) of one trial. Nil is none.
	Noise Noise
	// Fail says how a trial ends, by variant and block; nil never fails. A reason that is
	// the first line of a runtime fault makes it one.
	Fail func(variant string, block int) (assay.Status, string)
	// Lacks lists the variants whose binary does not have it; Broken maps one that
	// has it to why it fails in the survey, a reason as Fail's.
	Lacks  []string
	Broken map[string]string
	// Service makes it a service; of the fields above it has Name, Noise and Fail.
	Service *Service
	// Once is the time that a run takes beside its operations and counts as theirs.
	Once time.Duration
	// Lumps maps a variant to the time of its own work after which it does a fifth of that
	// more, all at once.
	Lumps map[string]time.Duration
	// Portions is how many times as long an operation takes where their number is fixed, as
	// under b.RunParallel on two CPUs; 0 is a benchmark on one. Variants need Code.
	Portions float64
	// Prints has it print while it runs.
	Prints bool
	// Heap maps a variant to how many times as much it allocates from one garbage
	// collection to the next.
	Heap map[string]float64
	// Cycle is the time of a collection, Fault that of each MiB by which the heap grows.
	Cycle, Fault time.Duration
	// GC is what a trace of the collector tells; nil is nothing.
	GC *GC
	// Profile is what trials with a profile leave, of a kind, a variant and a number
	// of operations; nil leaves none. See ProfileOf.
	Profile func(kind, variant string, n int) []byte
}

// Noise draws ln(time) of one trial around the truth. block lets a noise be
// the same for a stretch of blocks.
type Noise func(r *rand.Rand, block int) float64

// Platform implements lab.Machine.
func (m *Simulator) Platform(context.Context) (assay.Platform, error) {
	return assay.Platform{ID: "simulated", GOOS: "linux", GOARCH: "amd64", CPU: "simulated", CPUs: 2}, nil
}

// Check implements lab.Machine.
func (m *Simulator) Check(context.Context, *assay.Study) error { return nil }

// Locate implements lab.Builder: there are no files.
func (m *Simulator) Locate(a lab.Artifact) (lab.Location, error) {
	return lab.Location{}, fmt.Errorf("%s is simulated", a.ID)
}

// Decisions implements lab.Builder.
func (m *Simulator) Decisions(context.Context, *assay.Study, assay.Variant, lab.Artifact, []string) ([]assay.Decision, error) {
	return nil, nil
}

// Build implements lab.Builder: every variant has one package, "sim".
func (m *Simulator) Build(_ context.Context, r lab.BuildRequest) ([]lab.Artifact, error) {
	if lines, fails := m.Fails[r.Variant.Name]; fails {
		return nil, buildError(r.Variant.Name, lines)
	}
	a := m.artifact(fmt.Sprintf("sim-%s-0", cmp.Or(m.BuiltAs[r.Variant.Name], r.Variant.Name)), r.Workload, m.BuildTime)
	a.CanLayout, a.CanAlign, a.Print = true, r.Variant.Name != m.Unaligned, m.print(r.Variant.Name)
	return []lab.Artifact{a}, nil
}

// Link implements lab.Machine.
func (m *Simulator) Link(_ context.Context, r lab.LinkRequest) (lab.Artifact, error) {
	build := strings.TrimSuffix(r.Artifact.ID, "-0")
	m.mu.Lock()
	m.links = append(m.links, strings.TrimPrefix(build, "sim-"))
	m.mu.Unlock()
	id := fmt.Sprintf("%s-%d", build, r.Layout)
	if r.Align == 0 {
		id += unaligned
	}
	return m.artifact(id, r.Artifact.Workload, m.LinkTime), nil
}

func (m *Simulator) artifact(id string, workload int, took time.Duration) lab.Artifact {
	return lab.Artifact{ID: id, Workload: workload, Package: "sim", Took: took,
		Info: assay.ArtifactInfo{ID: id, SHA256: []string{fmt.Sprintf("%x", sha256.Sum256([]byte(id)))}, GoVersion: "go1.26.8"}}
}

// unaligned ends the ID of a link that leaves functions where the linker puts them.
const unaligned = "-unaligned"

// print is the code of a variant; nil, which is like no other, where Code does
// not name it.
func (m *Simulator) print(variant string) *binary.Print {
	code, ok := m.Code[variant]
	if !ok {
		return nil
	}
	h := fnv.New64a()
	h.Write([]byte(code))
	p := &binary.Print{Platform: "simulated", Funcs: map[string]binary.Hash{"main.run": binary.Hash(h.Sum64())}}
	if slices.ContainsFunc(m.Benchmarks, func(b Benchmark) bool { return b.Portions > 0 }) {
		p.Funcs[calibration.RunParallel] = 1
	}
	return p
}

// Block implements lab.Machine.
func (m *Simulator) Block(ctx context.Context, r lab.BlockRequest, keep lab.Keeper) error {
	m.bench.Runner = m
	return m.bench.Block(ctx, r, keep)
}

// Drop implements lab.Machine.
func (m *Simulator) Drop([]lab.Artifact) {}

// Log is what ran, in order: "benchmark variant block round".
func (m *Simulator) Log() []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return append([]string(nil), m.runs...)
}

// Links are the builds that were linked with a layout, in order.
func (m *Simulator) Links() []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return append([]string(nil), m.links...)
}

// Run implements lab.Machine.
func (m *Simulator) Run(_ context.Context, r lab.RunRequest) (trial.Outcome, error) {
	if m.Hook != nil {
		if err := m.Hook(r); err != nil {
			return trial.Outcome{}, err
		}
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(r.Names) == 0 {
		return m.discover(r), nil
	}
	b, ok := m.find(r.Names[0])
	if !ok || slices.Contains(b.Lacks, r.Variant.Name) {
		return trial.Outcome{Status: assay.StatusNoResult, Reason: "no such benchmark"}, nil
	}
	m.runs = append(m.runs, fmt.Sprintf("%s %s %d %d", b.Name, r.Variant.Name, r.Block, r.Round))
	if why, broken := b.Broken[r.Variant.Name]; broken {
		return m.failed(b, assay.StatusFailed, why), nil
	}
	if b.Fail != nil {
		if status, reason := b.Fail(r.Variant.Name, r.Block); status != "" {
			return m.failed(b, status, reason), nil
		}
	}
	if b.Service != nil {
		return m.serve(b, r), nil
	}
	return m.measure(b, r), nil
}

func (m *Simulator) failed(b Benchmark, status assay.Status, reason string) trial.Outcome {
	out := trial.Outcome{Exit: child.Exit{Start: m.now(), Wall: m.Start}, Status: status, Reason: reason}
	if b.Service != nil {
		out.Server = []byte("simulated: " + reason + "\n")
		return out
	}
	out.RuntimeFault = runtimeFault(reason)
	return out
}

// runtimeFault returns the runtime fault of which a reason is the first line, "" for none.
func runtimeFault(reason string) string {
	var stderr collect.StderrWriter
	_, _ = stderr.Write([]byte(reason))
	return stderr.RuntimeFault()
}

func (m *Simulator) find(name string) (Benchmark, bool) {
	for _, b := range m.Benchmarks {
		if b.Name == name {
			return b, true
		}
	}
	return Benchmark{}, false
}

func (m *Simulator) discover(r lab.RunRequest) trial.Outcome {
	var out trial.Outcome
	out.Status = assay.StatusOK
	for _, b := range m.Benchmarks {
		if b.Service != nil || slices.Contains(b.Lacks, r.Variant.Name) || r.Skip != "" && skips(r.Skip, b.Name) {
			continue
		}
		if why, broken := b.Broken[r.Variant.Name]; broken {
			out.Broken = map[string]string{b.Name: why}
			out.Status, out.RuntimeFault = assay.StatusFailed, runtimeFault(why)
			break // it takes the process with it
		}
		if ok, err := regexp.MatchString(r.Pattern, b.Name); ok && err == nil {
			out.Readings = append(out.Readings, b.reading(1, b.Time.Seconds(), ""))
		}
	}
	return out
}

// skips reports whether a pattern of benchmarks to leave out names one.
func skips(pattern, name string) bool {
	ok, err := regexp.MatchString(pattern, "Benchmark"+name)
	return ok && err == nil
}

// reading is a result line: times are printed as the testing package does,
// with about four digits.
func (b Benchmark) reading(n int, sec float64, variant string) collect.Reading {
	factor := 1.0
	if f, ok := b.AllocEffects[variant]; ok {
		factor = f
	}
	digits := math.Pow(10, 3-math.Floor(math.Log10(sec*1e9)))
	sec = math.Round(sec*1e9*digits) / digits / 1e9
	return collect.Reading{Name: b.Name, N: n, Values: map[string]float64{
		assay.MetricTime: sec, assay.MetricBytes: math.Round(b.Bytes * factor), assay.MetricAllocs: math.Round(b.Allocs * factor)}}
}

// lumps is the additional time of a variant's own work from one moment to another.
func (b Benchmark) lumps(variant string, from, to time.Duration) time.Duration {
	every := b.Lumps[variant]
	if every == 0 {
		return 0
	}
	return (to/every - from/every) * every / 5
}

// now is the simulated clock, from a fixed beginning.
func (m *Simulator) now() time.Time {
	return time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC).Add(m.clock)
}

func (m *Simulator) measure(b Benchmark, r lab.RunRequest) trial.Outcome {
	variant := r.Variant.Name
	rnd := design.Rand(m.Seed, "noise", b.Name, r.Block, r.Round, variant)
	ln := b.Effects[variant] + m.Drift*m.clock.Seconds()
	if r.N == 0 {
		r.N = max(1, int(r.Time/b.Time))
	} else if b.Portions > 0 {
		ln += math.Log(b.Portions)
	}
	if r.Block == 0 { // before the first block
		ln += m.plain()
	}
	if b.Noise != nil {
		ln += b.Noise(rnd, r.Block)
	}
	if m.Layout > 0 {
		ln += m.Layout * design.Rand(m.Seed, "layout", b.Name, r.Artifact.ID).NormFloat64()
	}
	if round := fmt.Sprint(b.Name, r.Block, r.Round); round != m.last {
		m.last = round
		ln += m.PositionPenalty
	}
	sec := b.Time.Seconds()*math.Exp(ln) + (b.Once+b.collecting(variant, r.N, r.Warm)).Seconds()/float64(r.N)
	measured := time.Duration(sec * float64(r.N) * float64(time.Second))
	measured += b.lumps(variant, 0, measured)
	sec = measured.Seconds() / float64(r.N)
	out := trial.Outcome{
		Exit:   child.Exit{Start: m.now(), Wall: m.Start + time.Duration(r.Warm+1)*measured, User: measured, PeakRSS: b.resident(variant, r.N*(r.Warm+1))},
		Status: assay.StatusOK, Readings: []collect.Reading{b.reading(r.N, sec, variant)},
	}
	if b.Portions > 0 {
		out.User *= 2
	}
	if r.GCTrace {
		out.GCCycles = int(b.Bytes * float64(r.N) / b.heap(variant))
		m.trace(b, r, &out, gctrace.Over{Seconds: out.Wall.Seconds(), CPU: out.User.Seconds(), Operations: float64(r.N)})
	}
	if r.Profile != "" && b.Profile != nil {
		out.Profile = b.Profile(r.Profile, variant, r.N)
	}
	m.clock += out.Wall
	return out
}

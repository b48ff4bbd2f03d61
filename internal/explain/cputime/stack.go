package cputime

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/google/pprof/profile"

	"github.com/seed-1318a441/assay/internal/binary"
)

// A frame is one function of a stack, inlined or not, named as in the profile.
type frame struct {
	name string
	file string
	line int64
}

// A stack is a sample of a CPU profile: frames leaf first, of which the first leaf are at
// one instruction, and the time that it stands for.
type stack struct {
	frames []frame
	leaf   int
	nanos  int64
}

// mostNanos is the maximum time of one sample: eleven days. More is not from a profiler,
// and sums of it could overflow.
const mostNanos = 1e15

// Limits of what one profile may hold: an inlined call costs a file a few bytes wherever
// it is used again. Go's profilers end a stack at 128 instructions.
const (
	mostInlined = 100     // frames at an instruction; those further out are left out
	mostStack   = 1000    // frames of a stack; those towards its root are left out
	mostFrames  = 1 << 22 // of all stacks
)

// unknownFrame names code without symbols, such as that of C.
const unknownFrame = "(unknown)"

// readStacks returns the samples of a CPU profile that belong to the benchmark root, or
// to the program if root is "". See [sieve] for what is left out.
func readStacks(p *profile.Profile, root string) ([]stack, error) {
	at, err := cpuIndex(p)
	if err != nil {
		return nil, err
	}
	var all []stack
	frames, known := 0, map[*profile.Location][]frame{}
	for _, s := range p.Sample {
		if len(s.Value) <= at {
			return nil, fmt.Errorf("read CPU profile: a sample has %d values of %d", len(s.Value), at+1)
		}
		if v := s.Value[at]; v < 0 || v > mostNanos {
			return nil, fmt.Errorf("read CPU profile: a sample of %d ns", v)
		}
		if s.Value[at] == 0 {
			continue
		}
		all = append(all, newStack(s, at, known))
		if frames += len(all[len(all)-1].frames); frames > mostFrames {
			return nil, fmt.Errorf("read CPU profile: its stacks have more than %d frames", mostFrames)
		}
	}
	return newSieve(root, all).sift(all), nil
}

// cpuIndex is the place of CPU time among a sample's values.
func cpuIndex(p *profile.Profile) (int, error) {
	if p == nil {
		return 0, fmt.Errorf("there is no CPU profile")
	}
	at := slices.IndexFunc(p.SampleType, func(t *profile.ValueType) bool { return t != nil && t.Type == "cpu" && t.Unit == "nanoseconds" })
	if at < 0 {
		return 0, fmt.Errorf("read CPU profile: it has no value cpu/nanoseconds")
	}
	return at, nil
}

// preempted is what a signal makes a goroutine call that has run for 10 ms on the clock.
// If others use the CPU too, that signal and the profiler's wait together for the thread
// to run again, and the sample falls on this function's entry: with both CPUs taken by
// others a third of all samples did. They belong to the interrupted function; time below
// it, in asyncPreempt2, is the scheduler's.
const preempted = "runtime.asyncPreempt"

// newStack reads a sample; known has the frames of locations that were read before.
func newStack(s *profile.Sample, at int, known map[*profile.Location][]frame) stack {
	out := stack{nanos: s.Value[at]}
	for i, loc := range s.Location {
		if loc != nil && known[loc] == nil {
			known[loc] = locationFrames(loc)
		}
		here := known[loc]
		if i == 0 && len(s.Location) > 1 && len(here) == 1 && here[0].name == preempted {
			continue
		}
		out.frames = append(out.frames, here[:min(len(here), mostStack-len(out.frames))]...)
		if out.leaf == 0 {
			out.leaf = len(out.frames)
		}
	}
	if len(out.frames) == 0 {
		out.frames, out.leaf = []frame{{name: unknownFrame}}, 1
	}
	return out
}

// locationFrames are the functions at an instruction, the innermost inlined first, at
// most mostInlined.
func locationFrames(loc *profile.Location) (out []frame) {
	for _, l := range loc.Line[:min(len(loc.Line), mostInlined)] {
		if l.Function == nil || l.Function.Name == "" {
			continue
		}
		out = append(out, frame{name: l.Function.Name, file: l.Function.Filename[strings.LastIndexAny(l.Function.Filename, `/\`)+1:], line: l.Line})
	}
	if len(out) == 0 {
		return []frame{{name: unknownFrame}}
	}
	return out
}

// A sieve leaves out what belongs to the measuring and not to the benchmark: the
// profile's writer, package testing around the benchmark (its set-up, the collection
// before each run, timers and what they read), the main goroutine of a test binary, and
// the benchmark's probe with b.N = 1. It cannot distinguish what the benchmark sets up
// before its loop from the loop: N has to be so large that it does not matter.
//
// The run time's own goroutines and threads stay: collector, scheduler, monitor.
type sieve struct {
	root    string
	rootPkg string
	// probed is true if b.N = 1 was a run of its own. A benchmark with B.Loop has one run
	// only, which is where others have their probe.
	probed bool
}

// Functions of package testing that tell where a stack is.
const (
	benchProbe  = "testing.(*B).run1.func1"
	benchLaunch = "testing.(*B).launch"
)

// timerFuncs run while the benchmark's clock stands, or is about to.
var timerFuncs = map[string]bool{"testing.(*B).StartTimer": true, "testing.(*B).StopTimer": true, "testing.(*B).ResetTimer": true}

func newSieve(root string, all []stack) sieve {
	v := sieve{root: root, rootPkg: binary.PackageOf(root)}
	if root == "" {
		return v
	}
	v.probed = slices.ContainsFunc(all, func(s stack) bool {
		_, kept := v.cut(s)
		return kept && hasFrame(s, benchLaunch)
	})
	return v
}

func (v sieve) sift(all []stack) (out []stack) {
	for _, s := range all {
		if s, ok := v.cut(s); ok {
			out = append(out, s)
		}
	}
	return out
}

func hasFrame(s stack, name string) bool {
	return slices.ContainsFunc(s.frames, func(f frame) bool { return f.name == name })
}

// cut removes the frames around the benchmark, and reports whether the sample belongs to
// it.
func (v sieve) cut(s stack) (stack, bool) {
	if slices.ContainsFunc(s.frames, v.measuring) || v.probed && hasFrame(s, benchProbe) {
		return s, false
	}
	n := len(s.frames)
	if s.frames[n-1].name == "runtime.goexit" && n > 1 {
		n--
	}
	if s.frames[n-1].name == "runtime.main" && n > 1 {
		if v.root != "" {
			return s, false
		}
		n--
	}
	around := n
	for v.root != "" && n > 0 && binary.PackageOf(s.frames[n-1].name) == "testing" {
		n--
	}
	if n == 0 || n < around && v.setUp(s.frames[n-1].name) {
		return s, false
	}
	s.frames, s.leaf = s.frames[:n], min(s.leaf, n)
	return s, true
}

// measuring reports frames below which nothing is the benchmark's.
func (v sieve) measuring(f frame) bool {
	return timerFuncs[f.name] || v.rootPkg != "runtime/pprof" && binary.PackageOf(f.name) == "runtime/pprof"
}

// calledByTesting are the packages that package testing calls for itself.
var calledByTesting = []string{"runtime", "os", "fmt", "flag", "strings", "strconv", "sort", "slices", "regexp", "time", "sync", "io", "bufio", "context", "errors", "maps"}

// setUp reports whether a function that testing calls is no benchmark.
func (v sieve) setUp(name string) bool {
	pkg := binary.PackageOf(name)
	if pkg == v.rootPkg {
		return false
	}
	return slices.Contains(calledByTesting, pkg) || strings.HasPrefix(pkg, "runtime/") || strings.HasPrefix(pkg, "internal/")
}

// InlinedInto lists, for each function that was inlined somewhere, the functions whose
// code it is in, sorted: its caller, and those that the caller is inlined into in turn.
// It is what the locations of the profiles show, so only of code that ran under the
// profiler. Names are as the profiles have them.
func InlinedInto(p []*profile.Profile) map[string][]string {
	into := map[string]map[string]bool{}
	for _, prof := range p {
		if prof == nil {
			continue
		}
		for _, loc := range prof.Location {
			if loc != nil {
				addInlined(into, locationFrames(loc))
			}
		}
	}
	out := map[string][]string{}
	for name, callers := range into {
		out[name] = slices.Sorted(maps.Keys(callers))
	}
	return out
}

func addInlined(into map[string]map[string]bool, at []frame) {
	for i, f := range at {
		for _, caller := range at[i+1:] {
			if into[f.name] == nil {
				into[f.name] = map[string]bool{}
			}
			into[f.name][caller.name] = true
		}
	}
}

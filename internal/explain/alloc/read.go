package alloc

import (
	"cmp"
	"errors"
	"path"
	"slices"
	"strings"

	"github.com/google/pprof/profile"

	"github.com/seed-1318a441/assay/internal/binary"
	"github.com/seed-1318a441/assay/internal/printable"
)

// An allocTally counts what the trials of one side allocate.
type allocTally struct {
	trials int
	root   string
	called callTable
	sites  map[siteKey]*siteCounts
	funcs  map[*profile.Function]funcName
}

// siteCounts are the differences of a large and a small profile at one site.
type siteCounts struct {
	sizes map[int64]*sizeCounts
	calls []sourcePlace // the line, then those that it is inlined at
}

// sizeCounts are those of the objects of one size, by trial.
type sizeCounts struct{ objects, bytes []int64 }

// A funcName is what the comparison knows about a function of a profile.
type funcName struct {
	readable, file string
	runtime        bool
	harness        harness
}

// add adds the samples of one profile to a trial, or subtracts them with sign -1.
func (t *allocTally) add(trial int, p *profile.Profile, sign int64) error {
	objects, space := sampleIndex(p, "alloc_objects"), sampleIndex(p, "alloc_space")
	if objects < 0 || space < 0 {
		return errors.New("the profile counts no allocations: it is not one of memory")
	}
	if len(p.Sample) == 0 {
		return errors.New("the memory profile has no samples")
	}
	for _, s := range p.Sample {
		if max(objects, space) >= len(s.Value) || s.Value[objects] == 0 {
			continue
		}
		key, calls, ok := t.siteOf(s)
		if !ok {
			continue
		}
		c := t.sites[key]
		if c == nil {
			c = &siteCounts{sizes: map[int64]*sizeCounts{}, calls: calls}
			t.sites[key] = c
		}
		n, b := s.Value[objects], s.Value[space]
		size := SizeClass(b / n)
		if c.sizes[size] == nil {
			c.sizes[size] = &sizeCounts{make([]int64, t.trials), make([]int64, t.trials)}
		}
		c.sizes[size].objects[trial] += sign * n
		c.sizes[size].bytes[trial] += sign * b
	}
	return nil
}

func sampleIndex(p *profile.Profile, name string) int {
	return slices.IndexFunc(p.SampleType, func(v *profile.ValueType) bool { return v.Type == name })
}

// siteOf finds the innermost frame of a stack that is not of the run time, and the lines
// that it is inlined at; ok is false for stacks of the harness. Go's profiles hide the
// frames of the run time below it (writeHeapProto in runtime/pprof/protomem.go), so the
// binary has to say what it calls.
func (t *allocTally) siteOf(s *profile.Sample) (key siteKey, calls []sourcePlace, ok bool) {
	for i, loc := range s.Location {
		for j, l := range loc.Line {
			if l.Function == nil {
				continue
			}
			f := t.name(l.Function)
			key.function, key.file, key.line = f.readable, f.file, int(l.Line)
			if f.runtime {
				key.via = f.readable
				continue
			}
			if key.via == "" && i == 0 {
				key.via = t.called.callee(loc)
			}
			key.via = viaOf(key.via)
			return key, t.inlinedAt(loc.Line[j:]), t.keep(s.Location[i:])
		}
	}
	key.via = "" // the run time's own: the outermost frame
	return key, nil, key.function != "" && t.root == ""
}

// viaOf is how the function of the run time is called in print; that of any allocation
// says nothing.
func viaOf(name string) string {
	name = strings.TrimPrefix(name[strings.LastIndexByte(name, '/')+1:], "runtime.")
	if strings.HasPrefix(name, "mallocgc") {
		return ""
	}
	return name
}

// inlinedAt returns the places of the lines of one location, innermost first.
func (t *allocTally) inlinedAt(lines []profile.Line) []sourcePlace {
	const most = 20
	var list []sourcePlace
	for _, l := range lines[:min(len(lines), most)] {
		if l.Function != nil {
			list = append(list, sourcePlace{t.name(l.Function).file, int(l.Line)})
		}
	}
	return list
}

// keep reports whether a stack, innermost first from its site on, belongs to the
// measurement. In a test binary that is what the benchmark's function does, called by
// (*B).runN or RunParallel, and what its goroutines do. What package testing does before,
// between and after does not cancel, because it shares blocks of small objects and pools
// by chance, and is left out.
func (t *allocTally) keep(stack []*profile.Location) bool {
	inside, seen := harnessNone, harnessNone
	for _, loc := range stack {
		for _, l := range loc.Line {
			if l.Function == nil {
				continue
			}
			of := t.name(l.Function).harness
			switch {
			case of == harnessWriter:
				return false
			case t.root == "": // a program may call what it wants
			case of == harnessCalls:
				return inside == harnessNone
			case of == harnessStarts:
				return false
			}
			inside, seen = of, max(seen, of)
		}
	}
	return t.root == "" || seen == harnessNone
}

// A harness is the part that a function may play in measuring.
type harness int

const (
	harnessNone   harness = iota
	harnessTest           // of package testing
	harnessCalls          // it calls the benchmark
	harnessStarts         // it starts what measures; below it nothing is measured
	harnessWriter         // it writes profiles
)

func harnessOf(name string) harness {
	switch {
	case name == "testing.(*B).runN", strings.HasPrefix(name, "testing.(*B).RunParallel."):
		return harnessCalls
	case name == "testing.(*B).Run", name == "runtime.main", name == "runtime.doInit1",
		strings.HasPrefix(name, "testing.(*M)."), strings.HasPrefix(name, "testing.(*B).run1"),
		strings.HasPrefix(name, "testing.(*B).launch"):
		return harnessStarts
	case strings.HasPrefix(name, "runtime/pprof."):
		return harnessWriter
	case strings.HasPrefix(name, "testing."):
		return harnessTest
	}
	return harnessNone
}

// name looks a function up.
func (t *allocTally) name(f *profile.Function) funcName {
	n, ok := t.funcs[f]
	if !ok {
		file := strings.ReplaceAll(f.Filename, `\`, "/")
		n = funcName{readable: binary.ReadableName(f.Name), file: printable.Line(path.Base(file), binary.MaxNameLen)}
		n.runtime, n.harness = runtimeFunction(f.Name, file), harnessOf(f.Name)
		t.funcs[f] = n
	}
	return n
}

// list divides the counts by the operations of each trial.
func (t *allocTally) list(trials []Trial, types heapTypes) []*allocSite {
	fewest := slices.MinFunc(trials, func(a, b Trial) int { return cmp.Compare(a.operations(), b.operations()) })
	var list []*allocSite
	for key, c := range t.sites {
		s := &allocSite{siteKey: key, n: fewest.operations()}
		var sizes []int64
		for i, trial := range trials {
			d := trial.operations()
			objects, bytes, of := c.trial(i, int64(d))
			s.objects = append(s.objects, float64(objects)/float64(d))
			s.bytes = append(s.bytes, float64(bytes)/float64(d))
			sizes = append(sizes, of...)
		}
		if slices.Sort(sizes); len(sizes) > 0 && sizes[0] == sizes[len(sizes)-1] {
			s.size = sizes[0]
		}
		s.typ, s.reason = types.of(c.calls, key.via)
		list = append(list, s)
	}
	slices.SortFunc(list, func(a, b *allocSite) int { return a.siteKey.compare(b.siteKey) })
	return list
}

// trial sums up one trial of n operations, and lists the sizes of its objects. At a site
// that allocates in each operation, fewer than leastCount objects in all are not the
// site's: a collector that starts during an allocation allocates for itself below the
// same line.
func (c *siteCounts) trial(i int, n int64) (objects, bytes int64, sizes []int64) {
	all := int64(0)
	for _, of := range c.sizes {
		all += max(of.objects[i], -of.objects[i])
	}
	for size, of := range c.sizes {
		count := of.objects[i]
		chance := all >= n && max(count, -count) < min(n, leastCount)
		if count == 0 || chance {
			continue
		}
		objects += count
		bytes += of.bytes[i]
		sizes = append(sizes, size)
	}
	return objects, bytes, sizes
}

package cputime

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/pprof/profile"

	"github.com/seed-1318a441/assay"
)

// flameText prints a tree, a frame a line, in ms of a trial.
func flameText(f assay.Frame, depth int, b *strings.Builder) {
	fmt.Fprintf(b, "%s%s %.0f %.0f\n", strings.Repeat(" ", depth), f.Name, f.Base*1e6, f.Variant*1e6)
	for _, c := range f.Children {
		flameText(c, depth+1, b)
	}
}

func TestFlame(t *testing.T) {
	in := exampleInput()
	// 1 of 270 samples is below 0.5 %.
	for _, p := range in.Variant {
		rare := cpuProfile(map[string]int64{"example.com/m.rare" + underBench: 1})
		p.Sample = append(p.Sample, rare.Sample...)
	}
	var got strings.Builder
	flameText(*compareCPU(t, in).Flame, 0, &got)
	want := `all 1900 2710
 example.com/m.BenchmarkX 1600 2210
  example.com/m.extra 0 200
  example.com/m.work 1400 1900
   example.com/m.tiny 400 900
  runtime.newobject 200 100
   runtime.mallocgc 200 100
    runtime.memclrNoHeapPointers 200 100
 runtime.gcBgMarkWorker 300 500
  runtime.systemstack 300 500
   runtime.gcDrain 300 500
    runtime.scanobject 300 500
`
	if got.String() != want {
		t.Errorf("got\n%swant\n%s", got.String(), want)
	}
}

func TestFlameIsFlat(t *testing.T) {
	in := exampleInput()
	deep := strings.Repeat("example.com/m.down;", 200) + "example.com/m.down" + underBench
	in.Base, in.Variant = []*profile.Profile{cpuProfile(map[string]int64{deep: 50})}, []*profile.Profile{cpuProfile(map[string]int64{deep: 50})}
	depth := 0
	for f := compareCPU(t, in).Flame; ; f = &f.Children[0] {
		if want := 500e-6; math.Abs(f.Base-want) > 1e-12 {
			t.Fatalf("got %v s at depth %d, want %v", f.Base, depth, want)
		}
		if len(f.Children) == 0 {
			break
		}
		depth++
	}
	if depth != flameDepth {
		t.Errorf("got %d frames below the root, want %d", depth, flameDepth)
	}
}

// Children never take longer than what they are in.
func TestFlameAddsUp(t *testing.T) {
	var check func(f assay.Frame)
	check = func(f assay.Frame) {
		var base, variant float64
		for _, c := range f.Children {
			base, variant = base+c.Base, variant+c.Variant
			check(c)
		}
		if base > f.Base*(1+1e-9) || variant > f.Variant*(1+1e-9) {
			t.Errorf("%s: children take %v and %v, it takes %v and %v", f.Name, base, variant, f.Base, f.Variant)
		}
		if !slices.IsSortedFunc(f.Children, func(a, b assay.Frame) int { return strings.Compare(a.Name, b.Name) }) {
			t.Errorf("%s: children are not by name", f.Name)
		}
	}
	check(*compareCPU(t, exampleInput()).Flame)
}

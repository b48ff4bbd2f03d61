package sample

import (
	"math"
	"testing"

	"github.com/seed-1318a441/assay"
)

// gaps are those of twelve blocks around a mean, alternating by a deviation.
func gaps(mean, deviation float64) (out []float64) {
	for i := range 12 {
		out = append(out, mean+deviation*float64(2*(i%2)-1))
	}
	return out
}

// The value that counts is told of if the medians or the means of all slices differ from
// it by more than the margin, and by more than chance.
func TestSliceGap(t *testing.T) {
	const margin = 0.01
	for _, test := range []struct {
		name             string
		byMedian, byMean []float64
		by               float64
		ok               bool
	}{
		{"none", gaps(0, 0.001), gaps(0, 0.001), 0, false},
		{"a clear one of means", gaps(0, 0.001), gaps(0.05, 0.001), 0.05, true},
		{"a clear one of medians", gaps(-0.05, 0.001), gaps(0, 0.001), -0.05, true},
		{"below the margin", gaps(0, 0), gaps(0.009, 0.0001), 0.009, false},
		{"noise", gaps(0, 0), gaps(0.02, 0.1), 0.02, false},
		{"slices in one block", []float64{0.05}, []float64{0.05}, 0, false},
	} {
		s := &Sample{byMedian: test.byMedian, byMean: test.byMean}
		if by, ok := s.SliceGap(margin); math.Abs(by-test.by) > 1e-9 || ok != test.ok {
			t.Errorf("%s: got %g, %v, want %g, %v", test.name, by, ok, test.by, test.ok)
		}
		s.Zero = true
		if _, ok := s.SliceGap(margin); ok {
			t.Errorf("%s: values without a logarithm have a gap", test.name)
		}
	}
}

// A clear change of all slices beyond the margin contradicts a value without one. A gap
// that undoes the change of the value leaves nothing to contradict it.
func TestContradicted(t *testing.T) {
	const margin = 0.01
	for _, test := range []struct {
		name             string
		d                []float64
		byMedian, byMean []float64
		want             bool
	}{
		{"all agree", gaps(0, 0.001), gaps(0, 0.001), gaps(0, 0.001), false},
		{"some slices cost more", gaps(0, 0.001), gaps(0, 0.001), gaps(0.05, 0.001), true},
		{"a gap that undoes the change", gaps(-0.05, 0.001), gaps(0.05, 0.001), gaps(0.05, 0.001), false},
		{"below the margin", gaps(0, 0.0001), gaps(0, 0), gaps(0.008, 0.0001), false},
		{"noise", gaps(0, 0.001), gaps(0, 0.001), gaps(0.02, 0.1), false},
	} {
		s := &Sample{D: append(gaps(9, 0), test.d...), byMedian: test.byMedian, byMean: test.byMean}
		if got := s.Contradicted(margin); got != test.want {
			t.Errorf("%s: got %v, want %v", test.name, got, test.want)
		}
	}
}

// Of slices a few of which cost twice as much in b, the medians say the same, but the
// means do not.
func TestSlicesOfBlocks(t *testing.T) {
	p := planOf([]string{"X"}, "a", "b")
	set := NewSet(p)
	for range 3 {
		a, b := took("a", "X", 1e-7), took("b", "X", 1e-7)
		for i := range 20 {
			a.Slices, b.Slices = append(a.Slices, 100), append(b.Slices, 100)
			if i%4 == 0 {
				b.Slices[i] = 200
			}
		}
		set.Add([]assay.Trial{b, a})
	}
	s := set.Sample(bench("X"), assay.MetricTime, "b")
	mean := math.Log(1.25)
	expect(t, "by medians", s.byMedian, 0, 0, 0)
	expect(t, "by means", s.byMean, mean, mean, mean)
	expect(t, "within", s.Within, 0, 0, 0)
	if by, ok := s.SliceGap(0.01); !ok || math.Abs(by-mean) > 1e-9 || !s.Contradicted(0.01) {
		t.Errorf("got a gap of %g, %v, want ln 1.25", by, ok)
	}
	short := took("b", "X", 1e-7)
	short.Slices = []float64{100, 200}
	set.Add([]assay.Trial{took("a", "X", 1e-7), short})
	if len(s.D) != 4 || len(s.byMean) != 3 {
		t.Errorf("got %d values and %d gaps, want 4 and 3: the base has no slices in the last block", len(s.D), len(s.byMean))
	}
}

// A fresh layout moves variants with a link of their own, and none if all blocks run one
// layout.
func TestRelinked(t *testing.T) {
	p := planOf([]string{"X"}, "a", "b", "gogc", assay.ControlName)
	p.Artifacts = []assay.ArtifactInfo{{Variant: "a", ID: "1"}, {Variant: "b", ID: "2"}, {Variant: "gogc", ID: "1"}}
	for v, want := range map[string]bool{"a": false, "b": true, "gogc": false, assay.ControlName: true} {
		if got := relinked(p)[v]; got != want {
			t.Errorf("%s is moved: %v, want %v", v, got, want)
		}
	}
	set := filled(p, row{"a": 1, "b": 1, "gogc": 1})
	if b, gogc := set.Sample(bench("X"), assay.MetricTime, "b"), set.Sample(bench("X"), assay.MetricTime, "gogc"); !b.Relinked || gogc.Relinked {
		t.Errorf("b is relinked: %v, gogc: %v, want b only", b.Relinked, gogc.Relinked)
	}
	p.Study.Measure.Layouts = 1
	if relinked(p)["b"] {
		t.Error("one layout moves b")
	}
}

// Blocks that use links again note which, of the variants that have their own. Two groups
// of two links that lie apart widen the interval; links that agree do not.
func TestLinksOfBlocks(t *testing.T) {
	p := planOf([]string{"X"}, "a", "b")
	p.Relink = 2
	set := NewSet(p)
	add := func(link uint64, b float64) {
		x := took("b", "X", b)
		x.Layout = link
		set.Add([]assay.Trial{took("a", "X", 1), x})
	}
	for i, b := range []float64{1.10, 1.20, 1.101, 1.201} {
		add(uint64(1+i%2), b)
	}
	s := set.Sample(bench("X"), assay.MetricTime, "b")
	if s.reuse == nil || len(s.reuse.links) != 4 || s.reuse.links[2] != 1 {
		t.Fatalf("got %+v, want four links of which the third is the first", s.reuse)
	}
	apart := s.LinkWidth()
	set = NewSet(p)
	for i, b := range []float64{1.10, 1.101, 1.20, 1.201} {
		add(uint64(1+i%2), b)
	}
	if alike := set.Sample(bench("X"), assay.MetricTime, "b").LinkWidth(); alike != 0 || !(apart > 0.05) {
		t.Errorf("links that are alike widen by %g, those 9 %% apart by %g, want 0 and more than half of that", alike, apart)
	}
	set = NewSet(p)
	add(1, 1.1)
	add(1, 1.2)
	if got := set.Sample(bench("X"), assay.MetricTime, "b").LinkWidth(); !math.IsInf(got, 1) {
		t.Errorf("a single link widens by %g, want everything to be possible", got)
	}
	set = NewSet(p)
	for i, b := range []float64{1.10, 1.20, 1.101, 1.201} {
		x, y := took("b", "X", b), took("b", "X", b)
		x.Layout, y.Layout = uint64(1+i%2), uint64(1+i%2)
		set.Add([]assay.Trial{took("a", "X", 1), x, y, took("a", "X", 1)})
	}
	if got := set.Sample(bench("X"), assay.MetricTime, "b").LinkWidth(); math.Abs(got-apart) > 1e-9 {
		t.Errorf("links widen by %g with two trials a block, want %g as with one", got, apart)
	}
	p.Relink = 1
	set = NewSet(p)
	add(1, 1.1)
	if s := set.Sample(bench("X"), assay.MetricTime, "b"); s.reuse != nil || s.LinkWidth() != 0 {
		t.Errorf("fresh links in every block have %+v", s.reuse)
	}
}

// Geomeans, and contrasts of variants that run links of their own, have the links of their
// blocks; variants that run one link have none that could move them apart.
func TestLinksOfMadeSamples(t *testing.T) {
	p := planOf([]string{"X", "Y"}, "a", "b", "c", "gogc")
	p.Relink = 2
	p.Artifacts = []assay.ArtifactInfo{{Variant: "a", ID: "1"}, {Variant: "b", ID: "2"}, {Variant: "c", ID: "3"}, {Variant: "gogc", ID: "2"}}
	set := NewSet(p)
	for i := range 6 {
		var block []assay.Trial
		for _, v := range []string{"a", "b", "c", "gogc"} {
			for _, name := range []string{"X", "Y", "X", "Y"} {
				tr := took(v, name, 1)
				if v != "a" {
					tr = took(v, name, 1.1+0.1*float64(i%2)+0.001*float64(i))
				}
				tr.Layout = uint64(1 + i%2)
				block = append(block, tr)
			}
		}
		set.Add(block)
	}
	suite := set.Suite(assay.MetricTime)
	alone := set.Sample(bench("X"), assay.MetricTime, "b").LinkWidth()
	for _, test := range []struct {
		name string
		s    *Sample
		want bool
	}{
		{"geomean", suite.Sample("b"), true},
		{"against the base", suite.Contrast(Against(p, "b", "a")), true},
		{"of a benchmark against the base", set.Benchmarks[0].Contrast(assay.MetricTime, Against(p, "a", "c")), true},
		{"of one link", suite.Contrast(Against(p, "gogc", "b")), false},
	} {
		if got := test.s.LinkWidth(); (got > 0) != test.want || test.want && math.Abs(got-alone) > 1e-9 {
			t.Errorf("%s: links widen by %g, want %v, as one benchmark's %g", test.name, got, test.want, alone)
		}
	}
}

package assay

import (
	"math"
	"slices"
	"strings"
	"testing"
	"time"
)

// Digits follow the uncertainty: a half-width of 8 points leaves no decimals,
// one of 0.02 points leaves two.
func TestChangeFormat(t *testing.T) {
	for _, tc := range []struct {
		change, half Change
		want         string
	}{
		{0.186, 0.012, "+18.6 %"}, {-0.5123, 0.34, "−51 %"}, {0.00123, 0.0002, "+0.12 %"}, {0, 0, "0.0 %"}, {-0.3333, 0, "−33.3 %"},
		{-0.0004, 0.02, "0.0 %"}, {0.0004, 0.02, "0.0 %"}, {-0.004, 0.12, "0 %"}, {-0.0006, 0.02, "−0.1 %"},
	} {
		if got := tc.change.Format(tc.half); got != tc.want {
			t.Errorf("%g ± %g: got %q, want %q", tc.change, tc.half, got, tc.want)
		}
	}
	for want, i := range map[string]Interval{"[−19.8, −17.3]": {-0.198, -0.173}, "[0.0, +3.2]": {-0.0004, 0.032}} {
		if got := i.String(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestRatio(t *testing.T) {
	sec, bytes := Metric{Name: MetricTime}, Metric{Name: MetricBytes}
	for _, tc := range []struct {
		m    Metric
		c    Change
		want string
	}{
		{sec, -0.557, "2.3× as fast"}, {sec, 1.6, "2.6× the time"}, {sec, 0.5, ""}, {sec, -0.5, ""}, {sec, -1, ""},
		{bytes, 2.1, "3.1× as much"}, {bytes, -0.6, "0.40× as much"}, {sec, 1e4, "10001× the time"}, {sec, Change(math.NaN()), ""},
	} {
		if got := tc.c.Ratio(tc.m); got != tc.want {
			t.Errorf("%s %g: got %q, want %q", tc.m.Name, float64(tc.c), got, tc.want)
		}
	}
}

// The margin is symmetric in ln: +1 % and its inverse, −0.99 %.
func TestWithin(t *testing.T) {
	for _, tc := range []struct {
		lo, hi Change
		want   bool
	}{{-0.0099, 0.01, true}, {-0.01, 0.005, false}, {0, 0.0101, false}} {
		if got := (Interval{tc.lo, tc.hi}).Within(0.01); got != tc.want {
			t.Errorf("[%g, %g] within 1 %%: got %v, want %v", tc.lo, tc.hi, got, tc.want)
		}
	}
}

// 1 - 0.99 is a little more than 0.01 in floats, which would allow a verdict
// one block early.
func TestAlphaIsExact(t *testing.T) {
	var s Study
	s.SetDefaults()
	if got := s.Decide.Alpha(); got != 0.01 {
		t.Errorf("got %v, want exactly 0.01", got)
	}
}

func TestCompleteLeavesTornBlocksOut(t *testing.T) {
	trial := func(block, attempt, position int) Trial {
		return Trial{Block: block, Attempt: attempt, Of: 2, Position: position}
	}
	blocks := Complete([]Trial{trial(1, 1, 1), trial(1, 1, 2), trial(2, 1, 1), trial(2, 2, 1), trial(2, 2, 2), trial(3, 1, 1)})
	if len(blocks) != 2 || blocks[1][0].Attempt != 2 || len(blocks[1]) != 2 {
		t.Errorf("got %+v, want blocks 1 and 2, the second in its second attempt", blocks)
	}
}

func TestVerdictsAreGoodOrBad(t *testing.T) {
	for _, v := range []Verdict{Faster, Slower, Higher, Lower, Less, More, Changed} {
		if !v.Differs() || v != Changed && v.Good() == v.Bad() {
			t.Errorf("%s: differs %v, good %v, bad %v", v, v.Differs(), v.Good(), v.Bad())
		}
	}
	for _, v := range []Verdict{Same, Unclear, SameCoded, Saturated, Invalid, Mixed, Withheld} {
		if v.Differs() || v.Good() || v.Bad() {
			t.Errorf("%q claims a difference", v)
		}
	}
}

func TestStudyValidate(t *testing.T) {
	good := func() Study {
		s := Study{Variants: []Variant{{Name: "a"}, {Name: "b"}}, Workloads: []Workload{{Kind: KindGoTest}}}
		s.SetDefaults()
		return s
	}
	if s := good(); s.Validate() != nil {
		t.Fatalf("a good study: %v", s.Validate())
	}
	for want, spoil := range map[string]func(*Study){
		"no variants":     func(s *Study) { s.Variants = nil },
		"no workload":     func(s *Study) { s.Workloads = nil },
		"used twice":      func(s *Study) { s.Variants[1].Name = "a" },
		"reserved":        func(s *Study) { s.Variants[1].Name = ControlName },
		"no name":         func(s *Study) { s.Variants[1].Name = "" },
		"not a variant":   func(s *Study) { s.Base = "c" },
		"confidence":      func(s *Study) { s.Decide.Confidence = 1 },
		"min_effect":      func(s *Study) { s.Decide.MinEffect = -1 },
		"second is below": func(s *Study) { s.Decide.MinBlocks, s.Decide.MaxBlocks = 9, 3 },
		"negative":        func(s *Study) { s.Decide.Gate = -0.1 },
	} {
		s := good()
		spoil(&s)
		if err := s.Validate(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want an error with %q", err, want)
		}
	}
}

func TestWarningText(t *testing.T) {
	w := Warning{Code: "noisy", Text: "this machine is restless", Facts: []string{"±4 %"}, Try: "assay doctor"}
	if got, want := w.String(), "this machine is restless   [noisy]\n  ±4 %\n  try: assay doctor"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestNameForControlIsTheBases(t *testing.T) {
	b := PlannedBenchmark{Benchmark: Benchmark{Name: "X"}, Names: map[string]string{"a": "X/a", "b": "X/b"}, Trial: time.Second}
	for v, want := range map[string]string{"a": "X/a", "b": "X/b", ControlName: "X/a"} {
		if got := b.NameFor(Variant{Name: v}, "a"); got != want {
			t.Errorf("%s: got %q, want %q", v, got, want)
		}
	}
}

func TestCPUList(t *testing.T) {
	for _, test := range []struct {
		list string
		want []int
		ok   bool
	}{
		{"", nil, true},
		{"0", []int{0}, true},
		{"0-3,6", []int{0, 1, 2, 3, 6}, true},
		{"6,0-2,1", []int{0, 1, 2, 6}, true},
		{"3-1", nil, false},
		{"-1", nil, false},
		{"1-", nil, false},
		{"0,", nil, false},
		{",", nil, false},
		{"0-99999", nil, false},
		{"all", nil, false},
	} {
		got, err := CPUList(test.list)
		if !slices.Equal(got, test.want) || (err == nil) != test.ok {
			t.Errorf("%q: %v, %v", test.list, got, err)
		}
		if again, _ := CPUList(FormatCPUs(got)); !slices.Equal(again, got) {
			t.Errorf("%q: written as %q", test.list, FormatCPUs(got))
		}
	}
}

func TestHistogram(t *testing.T) {
	h := NewHistogram([]float64{3, 1, 2, 1})
	if !slices.Equal(h.Values, []float64{1, 2, 3}) || !slices.Equal(h.Counts, []int{2, 1, 1}) || h.Total() != 4 {
		t.Errorf("got %+v", h)
	}
	m := Merge(h, Histogram{}, Histogram{Values: []float64{0.5, 3}, Counts: []int{1, 5}})
	if !slices.Equal(m.Values, []float64{0.5, 1, 2, 3}) || !slices.Equal(m.Counts, []int{1, 2, 1, 6}) {
		t.Errorf("merged: %+v", m)
	}
	// 1,000 requests have ten beyond p99, and 999 have nine.
	if Beyond(1000, 0.99) != 10 || Beyond(999, 0.99) != 9 || Beyond(10_000, 0.999) != 10 {
		t.Errorf("beyond: %d, %d, %d", Beyond(1000, 0.99), Beyond(999, 0.99), Beyond(10_000, 0.999))
	}
}

// "±" is for intervals whose ends, as printed, are as far off the change as each other.
func TestIntervalAround(t *testing.T) {
	for _, c := range []struct {
		change, lo, hi Change
		want           bool
	}{
		{-.024, -.050, .002, true},
		{-.024, -.0504, .0021, true},
		{-.024, -.049, .005, false},
		{-.024, -.024, .005, false}, // the change is an end
		{-.3, -.5, .01, false},
		{0, 0, 0, true},
	} {
		if got := (Interval{Lo: c.lo, Hi: c.hi}).Around(c.change); got != c.want {
			t.Errorf("[%v, %v] around %v: got %t, want %t", c.lo, c.hi, c.change, got, c.want)
		}
	}
}

func TestIntervalBound(t *testing.T) {
	for _, c := range []struct {
		lo, hi Change
		want   string
	}{
		{-.067, .021, "±6.7 %"},
		{-.004, .0123, "±1.2 %"}, // as "[−0.4, +1.2]" says
		{-.0002, .0004, "±0.04 %"},
		{.005, .025, "±2.5 %"},
		{-.031, .1213, "±13 %"}, // "[−3.1, +12.1]"
		{-.051, .12, "±12 %"},
		{-.25, .81, "±81 %"},
		{-.6, 4, ""}, // a bound that rules out nothing
	} {
		if got := (Interval{Lo: c.lo, Hi: c.hi}).Bound(); got != c.want {
			t.Errorf("bound of [%v, %v]: got %q, want %q", c.lo, c.hi, got, c.want)
		}
	}
}

// What is unclear says what its interval excludes, where that covers 0 and says anything.
func TestWords(t *testing.T) {
	of := func(lo, hi Change) *Interval { return &Interval{Lo: lo, Hi: hi} }
	for _, test := range []struct {
		c    Comparison
		want string
	}{
		{Comparison{Verdict: Unclear, Interval: of(-.041, .02)}, "within ±4.1 %"},
		{Comparison{Verdict: Unclear, Interval: of(.002, .02)}, "unclear"},
		{Comparison{Verdict: Unclear, Interval: of(-.6, 4)}, "unclear"},
		{Comparison{Verdict: Unclear}, "unclear"},
		{Comparison{Verdict: Same, Interval: of(-.01, .01)}, "same"},
		{Comparison{Verdict: Slower, Interval: of(.01, .02)}, "slower"},
	} {
		if got := test.c.Words(); got != test.want {
			t.Errorf("%+v: got %q, want %q", test.c, got, test.want)
		}
	}
}

func TestSameBuild(t *testing.T) {
	built := ArtifactInfo{Variant: "a", ID: "1", SHA256: []string{"s"}, Code: "c", Reads: "r", GoVersion: "go1.26.8"}
	with := func(f func(*ArtifactInfo)) ArtifactInfo { b := built; f(&b); return b }
	elsewhere := func(b *ArtifactInfo) { b.ID, b.SHA256 = "2", []string{"t"} }
	for _, test := range []struct {
		name    string
		b       ArtifactInfo
		layouts int
		want    bool
	}{
		{"itself", built, 0, true},
		{"another checkout", with(elsewhere), 0, true},
		{"another checkout, linked once", with(elsewhere), 1, false},
		{"itself, linked once", built, 1, true},
		{"another variant", with(func(b *ArtifactInfo) { b.Variant = "b" }), 0, false},
		{"other code", with(func(b *ArtifactInfo) { b.Code = "d" }), 0, false},
		{"other files to read", with(func(b *ArtifactInfo) { b.Reads = "s" }), 0, false},
		{"other files to read, linked once", with(func(b *ArtifactInfo) { b.Reads = "s" }), 1, false},
		{"by an assay that did not look at files", with(func(b *ArtifactInfo) { b.Reads = "" }), 0, true},
		{"another commit", with(func(b *ArtifactInfo) { b.Commit = "3f2c" }), 0, false},
		{"other defaults", with(func(b *ArtifactInfo) { b.DefaultGODEBUG = "x=1" }), 0, false},
		{"no code known", with(func(b *ArtifactInfo) { b.Code = "" }), 0, true},
		{"no code known, another checkout", with(func(b *ArtifactInfo) { b.Code = ""; elsewhere(b) }), 0, false},
	} {
		p := &Plan{Study: Study{Measure: Measure{Layouts: test.layouts}}}
		if p.SameBuild(built, test.b) != test.want || p.SameBuild(test.b, built) != test.want {
			t.Errorf("%s: got %v, want %v", test.name, !test.want, test.want)
		}
	}
}

// An interval from a tenth to ten times the base, or wider, is no information, and the change
// in it is not printed either.
func TestIntervalSaysNothing(t *testing.T) {
	for _, c := range []struct {
		lo, hi Change
		want   string
	}{
		{-1, 996.18, NoInformation}, {-0.9, 9, NoInformation}, {-1, Change(math.Inf(1)), NoInformation}, {Change(math.NaN()), Change(math.NaN()), NoInformation},
		{-0.89, 996.18, "+50 % [−89, +99618]"}, {-1, 8.9, "+50 % [−100, +890]"}, {0.4, 0.6, "+50.0 % [+40.0, +60.0]"},
	} {
		i := Interval{Lo: c.lo, Hi: c.hi}
		if got := i.With(0.5); got != c.want || i.SaysNothing() != (c.want == NoInformation) {
			t.Errorf("[%v, %v]: got %q, want %q", c.lo, c.hi, got, c.want)
		}
	}
	for floor, want := range map[Change]bool{0: false, 0.02: true, 4.9: true, 498: false} {
		if got := (Noise{Floor: floor}).Known(); got != want {
			t.Errorf("a noise floor of %v: known %t, want %t", floor, got, want)
		}
	}
}

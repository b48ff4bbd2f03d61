package group

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/explain/cputime"
)

// part is a change known to half a point.
func part(name string, change float64) assay.Part {
	return assay.Part{Name: name, Base: 1, Variant: 1 + change, Change: assay.Change(change), Interval: around(assay.Change(change), 0.005)}
}

func cause(kind assay.CauseKind, function string, change float64) assay.Cause {
	p := part(function, change)
	return assay.Cause{Kind: kind, Function: function, Part: &p}
}

// explained is an explanation of a change, with a profile of these owners if there are
// any.
func explained(change float64, owners ...assay.Part) *assay.Explanation {
	e := &assay.Explanation{BaseValue: 1, Comparison: assay.Comparison{Change: assay.Change(change), Value: 1 + change, Verdict: assay.Slower, Interval: around(assay.Change(change), 0.01)}}
	if len(owners) > 0 {
		e.CPU = &assay.CPUChange{Owners: owners}
	}
	return e
}

// Each part of a profile counts once, in the group in which its time was spent.
func TestOf(t *testing.T) {
	const f, g = "example.com/p.F", "example.com/p.G"
	for _, test := range []struct {
		name string
		of   *assay.Explanation
		want string
	}{
		{"no profile", with(explained(0.1), assay.Cause{Kind: assay.CauseCode, Function: f}), ""},
		{"the part of a cause alone", with(explained(0.1), cause(assay.CauseGC, "", 0.12)), "of +10.0 %: collector +12.0, unexplained −2.0"},
		{"an allocation without a profile", with(explained(0.1), cause(assay.CauseAllocation, f, 0.1)), "of +10.0 %: allocation +10.0, unexplained 0"},
		{"an allocation claims the collector and functions, too",
			allocated(with(explained(10.31, part(cputime.CategoryAllocation, 7.87), part(cputime.CategoryAssist, 1.12), part(cputime.CategoryGC, 0.64), part(f, 0.54), part(g, 0.02)),
				cause(assay.CauseAllocation, f, 7.87+1.12+0.64+0.54))),
			"of +1031.0 %: allocation +787.0, collector +176.0, code +54.0, unexplained +14.0"},
		{"an allocation known by the code alone claims its function only",
			with(explained(0.2, part(cputime.CategoryAllocation, 0.12), part(f, 0.06)), cause(assay.CauseAllocation, f, 0.06)),
			"of +20.0 %: allocation +12.0, code +6.0, unexplained +2.0"},
		{"causes of the runtime's own time add nothing to it",
			with(explained(-0.3, part(cputime.CategoryAllocation, -0.12), part(cputime.CategoryMark, -0.1), part(cputime.CategoryScheduling, -0.05)),
				cause(assay.CauseAllocator, f, -0.12), cause(assay.CauseGC, "", -0.1), cause(assay.CauseCalls, cputime.CategoryScheduling, -0.05)),
			"of −30.0 %: allocation −12.0, collector −10.0, runtime −5.0, unexplained −3.0"},
		{"idle processors mark for free", with(explained(0.1, part(cputime.CategoryIdleMark, 0.4), part(cputime.CategoryMark, 0.08))), "of +10.0 %: collector +8.0, unexplained +2.0"},
		{"functions count if a cause claims them",
			with(explained(0.4, part(f, 0.2), part(g, 0.1), part("example.com/p.H", 0.07)), cause(assay.CauseInlining, f, 0.2), cause(assay.CauseCalls, g, 0.1)),
			"of +40.0 %: code +20.0, calls +10.0, unexplained +10.0"},
		{"a part can exceed the whole", with(explained(0.389, part(f, 0.573)), cause(assay.CauseInlining, f, 0.573)), "of +38.9 %: code +57.3, unexplained −18.4"},
		{"the same code elsewhere", with(explained(0.1, part(f, 0.1)), cause(assay.CauseLayout, f, 0.1)), "of +10.0 %: placement +10.0, unexplained 0"},
		{"a change that relinking takes away is placement", relinked(with(explained(0.1, part(f, 0.07), part(cputime.CategoryMark, 0.02)), cause(assay.CauseCode, f, 0.07))),
			"of +10.0 %: collector +2.0, placement +7.0, unexplained +1.0"},
		{"what may be noise and has no cause, and what is small, is unexplained",
			with(explained(0.5, part(cputime.CategoryAllocation, 0.004), part(cputime.CategorySyscalls, 0.014), wide(part(cputime.CategoryMark, 0.03)), part(f, 0.4)), cause(assay.CauseCode, f, 0.4)),
			"of +50.0 %: code +40.0, unexplained +10.0"},
		{"nothing is explained", explained(0.1, part(f, 0.1)), "of +10.0 %: unexplained +10.0"},
		{"printed figures add up", with(explained(0.1, part(f, 0.03349), part(g, 0.03349)), cause(assay.CauseCode, f, 0.03349), cause(assay.CauseCalls, g, 0.03349)),
			"of +10.0 %: code +3.3, calls +3.3, unexplained +3.4"},
		{"no number", with(explained(math.NaN(), part(f, 0.1)), cause(assay.CauseCode, f, 0.1)), ""},
		{"no number of a part", with(explained(0.1, part(f, 0.1)), cause(assay.CauseCode, f, math.Inf(1))), ""},
	} {
		if got := Sum(test.of, false); got != test.want {
			t.Errorf("%s: got %q, want %q", test.name, got, test.want)
		}
		addsUp(t, test.name, test.of)
	}
}

func wide(p assay.Part) assay.Part {
	p.Interval = around(p.Change, 0.05)
	return p
}

func with(e *assay.Explanation, causes ...assay.Cause) *assay.Explanation {
	e.Causes = causes
	return e
}

func allocated(e *assay.Explanation) *assay.Explanation {
	e.Allocs = &assay.AllocChange{}
	return e
}

func relinked(e *assay.Explanation) *assay.Explanation {
	e.Layout = &assay.LayoutCheck{Layouts: EnoughLinks, Comparison: assay.Comparison{Verdict: assay.Same}}
	return e
}

// addsUp compares the sum of groups with the measured change, as numbers and as printed.
func addsUp(t *testing.T, name string, e *assay.Explanation) {
	t.Helper()
	groups := Of(e)
	if groups == nil {
		return
	}
	sum, base, variant, printed := 0.0, 0.0, 0.0, 0.0
	for _, g := range groups {
		sum, base, variant, printed = sum+float64(g.Change), base+g.Base, variant+g.Variant, printed+number(t, g.Points)
	}
	near := func(what string, got, want float64) {
		if math.Abs(got-want) > 1e-9*max(1, math.Abs(want)) {
			t.Errorf("%s: %s of the groups adds up to %v, want %v", name, what, got, want)
		}
	}
	near("the change", sum, float64(e.Comparison.Change))
	near("the base's time", base, e.BaseValue)
	near("the variant's time", variant, e.Comparison.Value)
	near("what is printed", printed, number(t, strings.TrimSuffix(Total(e), " %")))
}

func number(t *testing.T, text string) float64 {
	t.Helper()
	v, err := strconv.ParseFloat(strings.Replace(text, "−", "-", 1), 64)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// Intervals are those of independent parts; where the change has none, what is unexplained
// has none.
func TestIntervals(t *testing.T) {
	e := with(explained(0.3, part(cputime.CategoryMark, 0.1), part(cputime.CategoryAssist, 0.1), part("p.F", 0.05)), cause(assay.CauseCode, "p.F", 0.05))
	groups := Of(e)
	for i, want := range []float64{0.005 * math.Sqrt2, 0.005, math.Sqrt(0.01*0.01 + 3*0.005*0.005)} {
		if got := groups[i].Interval.Half(); math.Abs(float64(got)-want) > 1e-12 {
			t.Errorf("%s: got a half-width of %v, want %v", groups[i].Name, got, want)
		}
	}
	e.Comparison.Interval = nil
	if got := Of(e)[2].Interval; got != nil {
		t.Errorf("got %v for what is unexplained of an exact change, want none", got)
	}
	// What an allocation claims beside the runtime's time is as sure as if it were alone.
	e = allocated(with(explained(0.2, part(cputime.CategoryAllocation, 0.1), part("p.F", 0.05)), cause(assay.CauseAllocation, "p.F", 0.15)))
	e.Causes[0].Part.Interval = around(0.15, math.Hypot(0.005, 0.003))
	if got := Of(e)[1].Interval.Half(); math.Abs(float64(got)-0.003) > 1e-12 {
		t.Errorf("got a half-width of %v for the functions of an allocation, want 0.003", got)
	}
}

// Names says of which groups a cause's part consists.
func TestNames(t *testing.T) {
	e := allocated(explained(0.3, part(cputime.CategoryAllocation, 0.1), part(cputime.CategoryMark, 0.05), part(cputime.CategoryScheduling, 0.1), part("p.F", 0.05)))
	for _, test := range []struct {
		cause assay.Cause
		want  string
	}{
		{cause(assay.CauseAllocation, "p.F", 0.2), "allocation, collector, code"},
		{cause(assay.CauseAllocation, "p.F", 0.155), "allocation, collector"},
		{cause(assay.CauseGC, "", 0.05), "collector"},
		{cause(assay.CauseAllocator, "p.F", 0.1), "allocation"},
		{cause(assay.CauseCode, "p.F", 0.05), ""},
	} {
		e.Causes = []assay.Cause{test.cause}
		if got := Names(e, test.cause); got != test.want {
			t.Errorf("%s of %v: got %q, want %q", test.cause.Kind, test.cause.Part.Change, got, test.want)
		}
	}
}

// The groups of every explanation in the published records add up to the measured change.
func TestRecordsAddUp(t *testing.T) {
	divided := 0
	err := filepath.WalkDir("../../../studies", func(path string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasPrefix(d.Name(), "result.json") {
			return err
		}
		r := readResult(t, path)
		for i := range r.Explanations {
			e := &r.Explanations[i]
			addsUp(t, path+", "+e.Benchmark.Name+" in "+e.Variant, e)
			if Of(e) != nil {
				divided++
			}
			if sum := Sum(e, true); sum != "" && !slices.Contains(e.Text, sum) {
				t.Errorf("%s, %s in %s: the record says %q, want %q", path, e.Benchmark.Name, e.Variant, e.Text, sum)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if divided < 5 {
		t.Errorf("got %d explanations with groups, want those of studies/causes", divided)
	}
}

func readResult(t *testing.T, path string) (r assay.Result) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if strings.HasSuffix(path, ".gz") {
		z, err := gzip.NewReader(bytes.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		if data, err = io.ReadAll(z); err != nil {
			t.Fatal(err)
		}
	}
	if err := json.Unmarshal(data, &r); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return r
}

package answer

import (
	"cmp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/seed-1318a441/assay"
)

// unclear is an unclear comparison on a benchmark that takes so much longer to decide.
func unclear(benchmark string, half float64, more time.Duration) assay.Comparison {
	c := claimed("b", assay.Unclear, 1, 1-half, 1+half)
	c.Benchmark.Name, c.MoreTime = benchmark, more
	return c
}

// spent is a result whose budget is spent on comparisons by time.
func spent(cells ...assay.Comparison) *assay.Result {
	r := &assay.Result{Run: "k2vf", Base: "a", Command: "assay compare --budget=1m0s a b"}
	r.Spent = assay.Spent{Blocks: 12, Time: time.Minute, Stop: assay.StopBudget}
	tab := assay.Table{Metric: made(assay.MetricTime, true).Metric, Decides: true}
	for _, c := range cells {
		tab.Rows = append(tab.Rows, assay.Row{Benchmark: c.Benchmark, Cells: one(c)})
	}
	r.Tables = []assay.Table{tab}
	return r
}

// A run that ended without a decision says how many comparisons are open, which is widest,
// and what to type for more, unless that would take days.
func TestUndecidedWarning(t *testing.T) {
	decided := claimed("b", assay.Same, 0, -1, 1)
	for _, test := range []struct {
		name             string
		r                *assay.Result
		text, facts, try string
	}{
		{"two of three", spent(unclear("A", 2, 9*time.Minute), decided, unclear("C", 3, 4*time.Minute)), "2 of 3 comparisons are undecided after 60 s of measuring",
			"widest: C +1.0 % [−2.0, +4.0] / --more adds to run k2vf; nothing is measured again", "assay compare --more 20m --budget=1m0s a b"},
		{"one", spent(unclear("A", 2, time.Minute)), "1 of 1 comparison is undecided after 60 s of measuring",
			"widest: A +1.0 % [−1.0, +3.0] / --more adds to run k2vf; nothing is measured again", "assay compare --more 60s --budget=1m0s a b"},
		{"days", spent(unclear("A", 2, 30*time.Hour)), "1 of 1 comparison is undecided after 60 s of measuring", "widest: A +1.0 % [−1.0, +3.0]",
			"a quieter machine (assay doctor), or a larger --min-effect: more blocks alone would take days"},
		{"no price", spent(unclear("A", 2, 0)), "1 of 1 comparison is undecided after 60 s of measuring", "widest: A +1.0 % [−1.0, +3.0]", ""},
		{"all decided", spent(decided), "", "", ""},
		{"still running", func() *assay.Result {
			r := spent(unclear("A", 2, time.Minute))
			r.Spent.Stop = ""
			return r
		}(), "", "", ""},
	} {
		var got assay.Warning
		if ws := PrecisionWarnings(test.r, false, true); len(ws) > 0 {
			got = ws[0]
		}
		if facts := strings.Join(got.Facts, " / "); got.Text != test.text || facts != test.facts || cmp.Or(got.Try, got.Advice) != test.try || (got.Advice == "") != assay.IsCommandLine(cmp.Or(test.try, "assay")) {
			t.Errorf("%s:\ngot  %s\n%s\n%s\nwant %s\n%s\n%s", test.name, got.Text, facts, got.Remedy(), test.text, test.facts, test.try)
		}
	}
}

// In a chain the changes from step to step are to be decided too. That of the first step
// is the comparison with the base, which counts once.
func TestUndecidedSteps(t *testing.T) {
	r := spent(claimed("b", assay.Same, 0, -1, 1))
	r.Tables[0].Steps = []assay.StepChange{
		{Variant: "b", Previous: "a", Cells: one(unclear("A", 2, time.Minute))},
		{Variant: "c", Previous: "b", Cells: one(unclear("A", 2, time.Minute))},
	}
	if got := PrecisionWarnings(r, false, true); len(got) != 0 {
		t.Errorf("got %v, want nothing where steps do not count", got)
	}
	if got := PrecisionWarnings(r, true, true); len(got) != 1 || !strings.HasPrefix(got[0].Text, "1 of 2 comparisons is undecided") {
		t.Errorf("got %v, want 1 of 2 comparisons", got)
	}
	single, pair := assay.Effect{Switches: make([]assay.Switch, 1)}, assay.Effect{Switches: make([]assay.Switch, 2)}
	single.Whole.Verdict, pair.Whole.Verdict = assay.Unclear, assay.Unclear
	r.Tables[0].Steps, r.Tables[0].Effects = nil, []assay.Effect{single, single, pair}
	r.Tables[0].Effects[1].Whole.Verdict = assay.Faster
	if got := PrecisionWarnings(r, false, true); len(got) != 1 || got[0].Text != "1 of 2 switches is undecided after 60 s of measuring" {
		t.Errorf("got %v, want 1 of 2 switches", got)
	}
}

// A reader elsewhere learns the price, but not a command that would not work there.
func TestElsewhere(t *testing.T) {
	r := spent(unclear("A", 2, 9*time.Minute))
	w := PrecisionWarnings(r, false, true)[0]
	got := Elsewhere(r, w)
	if want := []string{"widest: A +1.0 % [−1.0, +3.0]", "--more 10m would add to run k2vf, where it was measured"}; !slices.Equal(got.Facts, want) || got.Try != "" {
		t.Errorf("got %q, try %q, want %q", got.Facts, got.Try, want)
	}
	if w.Facts[1] != "--more adds to run k2vf; nothing is measured again" || w.Try == "" {
		t.Errorf("the warning itself has become %q, try %q", w.Facts, w.Try)
	}
	other := assay.Warning{Code: assay.CodeNoisy, Facts: []string{"a fact"}, Try: "assay doctor"}
	if got := Elsewhere(r, other); got.Facts[0] != "a fact" || got.Try != "assay doctor" {
		t.Errorf("another warning has become %v", got)
	}
}

// Noise above the minimum effect is a warning, with a minimum effect that the machine can
// show if it is a sensible one.
func TestNoiseWarning(t *testing.T) {
	for _, test := range []struct {
		floor, least float64
		text, advice string
	}{
		{0.01, 0.01, "", ""},
		{0.03, 0.01, "noise on this machine is ±3.0 % so far, above the 1 % you asked for", "assay doctor, or --min-effect 6%, or a larger --budget"},
		{0.3, 0.05, "noise on this machine is ±30 % so far, above the 5 % you asked for", "assay doctor, or a larger --budget"},
	} {
		r := &assay.Result{Noise: assay.Noise{Floor: assay.Change(test.floor)}, Rule: assay.Rule{MinEffect: test.least}}
		var got assay.Warning
		if ws := PrecisionWarnings(r, false, true); len(ws) > 0 {
			got = ws[0]
		}
		if got.Text != test.text || got.Advice != test.advice || got.Try != "" {
			t.Errorf("±%g:\ngot  %s\n%s\nwant %s\n%s", test.floor, got.Text, got.Advice, test.text, test.advice)
		}
	}
}

// Times in an emulator say nothing about a processor; the warning names one to look for.
func TestEmulatedWarning(t *testing.T) {
	if got := Emulated(assay.Platform{GOARCH: "arm64"}); got != nil {
		t.Errorf("got %v on a processor", got)
	}
	got := Emulated(assay.Platform{GOARCH: "arm64", Emulated: "qemu-aarch64"})
	if len(got) != 1 || got[0].Code != assay.CodeEmulated || !strings.Contains(got[0].Text, "an emulator, qemu-aarch64:") ||
		!strings.HasSuffix(got[0].Advice, "a processor for arm64") {
		t.Errorf("got %+v", got)
	}
}

// The price of what is open adds up over benchmarks, which variants and metrics share, and
// is a round one. The whole suite needs no less.
func TestPrice(t *testing.T) {
	a, b := unclear("A", 2, 6*time.Minute), unclear("B", 2, 3*time.Minute)
	again := unclear("A", 2, 5*time.Minute)
	blocks := unclear("A", 2, 0)
	blocks.MoreBlocks = 12
	for _, test := range []struct {
		name  string
		cells []assay.Comparison
		whole time.Duration
		want  string
	}{
		{"nothing open", []assay.Comparison{claimed("b", assay.Same, 0, -1, 1)}, 0, ""},
		{"two benchmarks", []assay.Comparison{a, b}, 0, "; needs about 10 min more"},
		{"one of them twice", []assay.Comparison{a, again}, 0, "; needs about 10 min more"},
		{"three times as much", []assay.Comparison{a, a, a}, 0, "; needs about 10 min more"},
		{"the whole", []assay.Comparison{a}, 40 * time.Minute, "; needs about 1 h more"},
		{"days", []assay.Comparison{a}, 25 * time.Hour, "; needs more than a day of measuring"},
		{"blocks only", []assay.Comparison{blocks}, 0, "; needs about 20 more blocks"},
	} {
		r := spent(test.cells...)
		if test.whole > 0 {
			r.Tables[0].Geomean = one(unclear("", 2, test.whole))
		}
		if got := price(r, false); got != test.want {
			t.Errorf("%s: got %q, want %q", test.name, got, test.want)
		}
	}
}

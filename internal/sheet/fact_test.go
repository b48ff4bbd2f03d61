package sheet

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/seed-1318a441/assay"
)

// facts are lines "name: text".
func facts(list []Fact) (out []string) {
	for _, f := range list {
		out = append(out, f.Name+": "+Joined(f.Text...))
	}
	return out
}

func factResult() *assay.Result {
	change := func(v string, verdict assay.Verdict, by assay.Change) assay.Comparison {
		return assay.Comparison{Variant: v, Benchmark: assay.Benchmark{Name: "A"}, Value: 1 + float64(by), Change: by,
			Interval: &assay.Interval{Lo: by - 0.01, Hi: by + 0.01}, N: 12, Verdict: verdict}
	}
	worst := change("b", assay.Slower, 0.3)
	return &assay.Result{Base: "base", Rule: assay.Rule{Metrics: []string{assay.MetricTime}, MinEffect: 0.01, Confidence: 0.99, MinBlocks: 9, Claims: 2},
		Answer: assay.Answer{Basis: "decided"}, Platform: assay.Platform{GOOS: "linux", GOARCH: "amd64", CPU: "X", CPUs: 2, Load: 0.02},
		Variants: []assay.VariantResult{{Name: "base", GoVersion: "go1.26"}, {Name: "a", GoVersion: "go1.26"},
			{Name: "b", GoVersion: "go1.26", Worse: 2, Same: 1, Worst: &worst}, {Name: "c", SameAs: &assay.SameCode{As: "a"}}},
		Tables: []assay.Table{{Metric: assay.Metric{Name: assay.MetricTime, Better: assay.BetterLower, MinEffect: 0.01}, Decides: true,
			Rows:    []assay.Row{{Benchmark: assay.Benchmark{Name: "A"}, Base: 1, Cells: []assay.Comparison{change("a", assay.Slower, 0.1), worst}}},
			Geomean: []assay.Comparison{change("a", assay.Slower, 0.1), change("b", assay.Faster, -0.1)}}},
		Noise: assay.Noise{Control: assay.ControlName, Floor: 0.02, Cells: []assay.Comparison{change("control", assay.Same, 0), change("control", assay.Slower, 0.1)}, False: 1}}
}

func TestAnswerFacts(t *testing.T) {
	r := factResult()
	r.Answer.Basis, r.Rule.Scope = "decided · for these binaries", "for these binaries"
	want := []string{"how sure: decided · for these binaries", "how much: b against base: sec/op ▼ −10.0 % [−11.0, −9.0] faster",
		"except: A ▲ +30.0 % [+29.0, +31.0] slower · 2 slower · 1 same", "measured: linux/amd64 X, 2 CPUs · go1.26",
		"noise: ±2.0 % (A/A, 1 of 2 called different)"}
	if got := facts(New(r, false, false).Answer()); !slices.Equal(got, want) {
		t.Errorf("the best over the suite: got\n%s", strings.Join(got, "\n"))
	}
	r.Answer.Use = "a"
	if got := facts(New(r, false, false).Answer()); !strings.HasPrefix(got[1], "how much: a against base") || got[2] != "measured: linux/amd64 X, 2 CPUs · go1.26" {
		t.Errorf("the one to use: got\n%s", strings.Join(got, "\n"))
	}
	if got := facts(New(&assay.Result{}, false, false).Answer()); !slices.Equal(got, []string{"noise: unknown: no control ran"}) {
		t.Errorf("of nothing: got %q", got)
	}
}

// Where a study asks for a factor, the figures and the counts are of its switch, which they
// name.
func TestAnswerFactsOfAnEffect(t *testing.T) {
	r := factResult()
	r.Answer.Asks = assay.AskOf(assay.AskFactor, "gc")
	whole := r.Tables[0].Geomean[1]
	whole.Variant = ""
	r.Tables[0].Effects = []assay.Effect{{Switches: []assay.Switch{{Factor: "gc", From: "classic", To: "greentea"}}, Whole: whole, Cells: []assay.Comparison{whole, whole}}}
	got := facts(New(r, false, false).Answer())
	if got[1] != "how much: gc=greentea: sec/op ▼ −10.0 % [−11.0, −9.0] faster" || got[2] != "benchmarks: gc=greentea: 2 faster" {
		t.Errorf("got\n%s", strings.Join(got, "\n"))
	}
}

func TestNoiseFacts(t *testing.T) {
	want := []string{"noise floor: ±2.0 % (A/A): half of the interval of the same code against itself", "minimum effect: ±1 %",
		"control: base (control)", "called: 1 same, 1 slower; 1 of 2 false alarms"}
	if got := facts(NoiseFacts(factResult())); !slices.Equal(got, want) {
		t.Errorf("got\n%s", strings.Join(got, "\n"))
	}
}

func TestMethodLines(t *testing.T) {
	want := []string{"rule: sec/op decides; the minimum effect is 1 %, intervals are of 99 %, nothing is decided before 9 blocks; expected false claims among all 2 comparisons ≤ 5 % (e-BH)"}
	if got := RuleLines(factResult().Rule); !slices.Equal(got, want) {
		t.Errorf("got\n%s", strings.Join(got, "\n"))
	}
	if got, want := Spent(&assay.Result{Spent: assay.Spent{Blocks: 1, Trials: 24, Time: 40 * time.Second, Stop: "budget"}}), "spent: 1 block, 24 trials, 40 s of measuring; it ended because the budget was spent"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	platform := facts(PlatformFacts(assay.Platform{GOOS: "linux", Memory: 1 << 30, GoEnv: map[string]string{"GOAMD64": "v3"}}))
	if want := []string{"system: linux", "memory: 1.000 GiB", "CPU used by others: 0 %", "GOAMD64: v3"}; !slices.Equal(platform, want) {
		t.Errorf("got %q, want %q", platform, want)
	}
}

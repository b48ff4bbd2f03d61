package answer

import (
	"slices"
	"strings"
	"testing"

	"github.com/seed-1318a441/assay"
)

// With a gate the first line is what the gate says, with the comparisons that it says it of,
// and no other line says whether the answer is decided.
func TestGateIsTheAnswer(t *testing.T) {
	slow := claimed("b", assay.Slower, 10.1, 5.2, 15.3)
	open, fast, same := claimed("b", assay.Unclear, 3.2, -1, 8), claimed("b", assay.Faster, -20, -22, -18), claimed("b", assay.Same, 0, -1, 1)
	more := assay.Comparison{Variant: "b", Verdict: assay.More, N: 12, Exact: true, Value: 3, Difference: 1, Change: 0.5}
	cell := func(metric, name string) GateCell {
		return GateCell{metric, "b", assay.Benchmark{Name: name}}
	}
	timeOf := func(whole, a, b assay.Comparison) assay.Table {
		return suite(assay.MetricTime, one(whole), one(a), one(b))
	}
	for _, test := range []struct {
		name         string
		tables       []assay.Table
		failed, open []GateCell
		gate, first  string
		use, left    string
		decided      bool
	}{
		{"held", []assay.Table{timeOf(same, same, same)}, nil, nil, GateHeld, "gate held: no comparison is more than 3 % worse", "", "", true},
		{"held, and nothing else is decided", []assay.Table{timeOf(open, open, open)}, nil, nil, GateHeld, "gate held: no comparison is more than 3 % worse", "", "", true},
		{"failed, on a suite that is not decided", []assay.Table{timeOf(open, slow, open)}, []GateCell{cell(assay.MetricTime, "A")}, []GateCell{cell(assay.MetricTime, "B")},
			GateFailed, "gate failed: A +10.1 % [+5.2, +15.3], limit 3 %", "", "", true},
		{"failed, on a suite that is faster", []assay.Table{timeOf(fast, slow, fast)}, []GateCell{cell(assay.MetricTime, "A")}, nil,
			GateFailed, "gate failed: A +10.1 % [+5.2, +15.3], limit 3 %", "", "", true},
		{"failed on two metrics", []assay.Table{timeOf(open, slow, open), made(assay.MetricAllocs, true, more)},
			[]GateCell{cell(assay.MetricTime, "A"), cell(assay.MetricAllocs, "Only")}, nil,
			GateFailed, "gate failed: Only allocs/op +50.0 % (exact), A +10.1 % [+5.2, +15.3], limit 3 %", "", "", true},
		{"not decided", []assay.Table{timeOf(fast, fast, open)}, nil, []GateCell{cell(assay.MetricTime, "B")},
			GateOpen, "gate not decided: B +3.2 % [−1.0, +8.0], limit 3 %", "b", "the gate; needs about 20 min more", false},
		{"nothing measured", nil, nil, nil, GateOpen, "gate not decided: nothing was measured, limit 3 %", "", "", false},
	} {
		r := &assay.Result{Base: "a", Tables: test.tables, Variants: []assay.VariantResult{{Name: "a"}, {Name: "b"}}}
		r.Rule.Gate = 0.03
		a := Of(r, Evidence{Plan: &assay.Plan{Study: assay.Study{Base: "a", Variants: variants("a", "b")}}, Failed: test.failed, Open: test.open})
		if a.Gate != test.gate || a.Text[0] != test.first || a.Use != test.use || a.Undecided != test.left || a.Decided != test.decided {
			t.Errorf("%s: got %s, use %q, decided %t, open %q, %q", test.name, a.Gate, a.Use, a.Decided, a.Undecided, a.Text)
		}
		if rest := strings.Join(a.Text[1:], "\n"); strings.Contains(rest, "decided") || a.Use == "" && strings.Contains(rest, "use b") {
			t.Errorf("%s: the other lines say %q", test.name, rest)
		}
		if strings.HasPrefix(a.Basis, notDecided[:len(notDecided)-2]) == a.Decided && len(test.tables) > 0 {
			t.Errorf("%s: decided %t, and the basis is %q", test.name, a.Decided, a.Basis)
		}
	}
}

// A gate names the variant where several could fail it, as sentences call it, and recommends
// none that does.
func TestGateOfSeveral(t *testing.T) {
	cells := []assay.Comparison{claimed(".", assay.Faster, -20, -22, -18), claimed("c", assay.Slower, 9, 8, 10)}
	r := &assay.Result{Base: "a", Tables: []assay.Table{made(assay.MetricTime, true, cells...)}, Variants: []assay.VariantResult{{Name: "a"}, {Name: "."}, {Name: "c"}}}
	r.Rule.Gate = 0.05
	e := Evidence{Plan: &assay.Plan{Study: assay.Study{Base: "a", Variants: variants("a", ".", "c")}},
		Ties: func(assay.Metric, string, []string) (tied, early []string) { return nil, nil }}
	for variant, want := range map[string]string{"c": "gate failed: Only of c +9.0 % [+8.0, +10.0], limit 5 %", ".": "gate failed: Only of your tree −20.0 % [−22.0, −18.0], limit 5 %"} {
		e.Failed = []GateCell{{assay.MetricTime, variant, assay.Benchmark{Name: "Only"}}}
		a := Of(r, e)
		if a.Text[0] != want || (a.Use == ".") != (variant == "c") {
			t.Errorf("got use %q, %q, want %q", a.Use, a.Text, want)
		}
	}
}

// Results that were lost take the place of what the gate said of the others.
func TestGateIsSaidOnce(t *testing.T) {
	a := assay.Answer{Text: []string{"not decided: time of b +0.4 % [−0.5, +1.3]"}, Undecided: "b against a"}
	SetGate(&a, GateOpen, "Only +0.4 % [−0.5, +1.3], limit 1 %")
	SetGate(&a, GateFailed, "1 result lost")
	if want := []string{"gate failed: 1 result lost", "time of b +0.4 % [−0.5, +1.3]"}; !slices.Equal(a.Text, want) || a.Undecided != "" || !a.Decided {
		t.Errorf("got %+v, want %q", a, want)
	}
}

package answer

import (
	"slices"
	"strings"
	"testing"

	"github.com/seed-1318a441/assay"
)

// merged is a result of the base a on desktop and laptop, and on a third machine that is
// an emulator, as far as the heads have comparisons.
func merged(heads ...assay.MergedHead) *assay.Merged {
	m := &assay.Merged{Heads: heads, Claims: 4}
	for i, name := range []string{"desktop", "laptop", "qemu"}[:len(heads[0].On)] {
		r := assay.Result{Base: "a", Variants: []assay.VariantResult{{Name: "a"}, {Name: "b"}, {Name: "c"}}}
		r.Rule.Confidence, r.Answer.Decided = 0.99, true
		if i == 2 {
			r.Platform.Emulated = "qemu-aarch64"
		}
		m.Machines = append(m.Machines, assay.Machine{Name: name, Result: r})
	}
	return m
}

// headOf is a head of a variant on these machines; a claimed difference is confirmed.
func headOf(variant, metric string, on ...assay.Comparison) assay.MergedHead {
	h := assay.MergedHead{Variant: variant, Metric: made(metric, true).Metric}
	for i, c := range on {
		h.On = append(h.On, assay.HeadOn{Comparison: c, Confirmed: c.Verdict.Differs()})
		if i == 2 || c.N == 0 {
			continue
		}
		h.Of++
		switch {
		case c.Verdict.Good():
			h.Better++
		case c.Verdict.Bad():
			h.Worse++
		case c.Verdict == assay.Same:
			h.Same++
		}
	}
	return h
}

// changed is a comparison that is one percent wide to either side.
func changed(verdict assay.Verdict, by float64) assay.Comparison {
	return claimed("", verdict, by, by-1, by+1)
}

// Of a chain, the answer says what its last step did, and recommends no commit.
func TestOverChain(t *testing.T) {
	for want, c := range map[string]assay.Comparison{
		"step 2, b: faster on both machines, −12.0 % [−13.0, −11.0] on desktop to −12.0 % [−13.0, −11.0] on laptop": changed(assay.Faster, -12),
		"step 2, b: slower on both machines, +5.0 % [+4.0, +6.0] on desktop to +5.0 % [+4.0, +6.0] on laptop":       changed(assay.Slower, 5),
		"step 2, b: the same within ±2 % on desktop and laptop":                                                     changed(assay.Same, 0),
	} {
		m := merged(headOf("b", assay.MetricTime, c, c))
		for i := range m.Machines {
			m.Machines[i].Result.Arc = &assay.Arc{Steps: []assay.StepResult{{Number: 1, Step: assay.Step{Variant: "a"}}, {Number: 2, Step: assay.Step{Variant: "b"}}}}
			m.Machines[i].Result.Answer = assay.Answer{Verdict: c.Verdict, Undecided: "1 of 2 steps: no change proved"}
		}
		got := Over(m)
		if got.Text[0] != want {
			t.Errorf("%q, want %q", got.Text[0], want)
		}
		if !strings.HasPrefix(got.Basis, "answered on every machine, not all decided · ") {
			t.Errorf("%q: one step is open, and no answer", got.Basis)
		}
	}
}

// One variant on one metric is answered by the machines that confirm its change, with the
// smallest and the largest.
func TestOverOneHead(t *testing.T) {
	faster, slower, same, open := changed(assay.Faster, -12), changed(assay.Slower, 5), changed(assay.Same, 0), changed(assay.Unclear, -0.5)
	for _, test := range []struct {
		name string
		head assay.MergedHead
		want answered
	}{
		{"better", headOf("b", assay.MetricTime, changed(assay.Faster, -18), faster),
			answered{assay.Faster, "b", "use b: faster on both machines, −12.0 % [−13.0, −11.0] on laptop to −18.0 % [−19.0, −17.0] on desktop", ""}},
		{"better on one", headOf("b", assay.MetricTime, faster, open),
			answered{assay.Faster, "b", "use b: faster on 1 of 2 machines, −12.0 % [−13.0, −11.0] on desktop; not confirmed on laptop, −0.5 % [−1.5, +0.5]", ""}},
		{"both ways", headOf("b", assay.MetricTime, slower, faster),
			answered{assay.Mixed, "", "it depends on the machine: b: faster on 1 of 2 machines, −12.0 % [−13.0, −11.0] on laptop; " +
				"slower on 1 of 2 machines, +5.0 % [+4.0, +6.0] on desktop", ""}},
		{"worse", headOf("b", assay.MetricTime, slower, same),
			answered{assay.Slower, "a", "use a: b is slower on 1 of 2 machines, +5.0 % [+4.0, +6.0] on desktop; the same within ±2 % on laptop", ""}},
		{"more memory", headOf("b", assay.MetricRSS, changed(assay.More, 5), changed(assay.More, 6)),
			answered{assay.More, "a", "use a: b has more peak memory on both machines, +5.0 % [+4.0, +6.0] on desktop to +6.0 % [+5.0, +7.0] on laptop", ""}},
		{"same", headOf("b", assay.MetricTime, same, same), answered{assay.Same, "", "keep a: b is the same within ±2 % on both machines", ""}},
		{"nothing confirmed", headOf("b", assay.MetricTime, open, same),
			answered{assay.Unclear, "", "nothing is confirmed over the machines: b: the same within ±2 % on laptop; not confirmed on desktop, −0.5 % [−1.5, +0.5]", ""}},
		{"one machine lacks it", headOf("b", assay.MetricTime, faster, assay.Comparison{}),
			answered{assay.Faster, "b", "use b: faster on the only machine that counts, −12.0 % [−13.0, −11.0] on desktop; not measured on laptop", ""}},
		{"an emulator", headOf("b", assay.MetricTime, faster, faster, slower),
			answered{assay.Faster, "b", "use b: faster on both machines, −12.0 % [−13.0, −11.0] on desktop to −12.0 % [−13.0, −11.0] on laptop / " +
				"not counted: qemu, where an emulator runs the code", ""}},
		{"a unit without a direction", headOf("b", "things", changed(assay.Changed, 5), open),
			answered{assay.Changed, "", "b: changed things on 1 of 2 machines, +5.0 % [+4.0, +6.0] on desktop; not confirmed on laptop, −0.5 % [−1.5, +0.5]", ""}},
	} {
		test.want.check(t, test.name, Over(merged(test.head)))
	}
	m := merged(headOf("b", assay.MetricTime, open, open))
	m.Machines[1].Result.Answer.Decided = false
	a := Over(m)
	answered{assay.Unclear, "", "not decided: b: not confirmed on desktop, −0.5 % [−1.5, +0.5], on laptop, −0.5 % [−1.5, +0.5]", ""}.check(t, "not decided", a)
	if want := "not decided on every machine · confirmed at 99 % over 4 comparisons on 2 machines · nothing is averaged over machines"; a.Basis != want || a.Decided {
		t.Errorf("decided is %v, got %q, want %q", a.Decided, a.Basis, want)
	}
}

// One variant on several metrics has a line for each, after one that sums them up.
func TestOverMetrics(t *testing.T) {
	faster, more, same := changed(assay.Faster, -12), changed(assay.More, 5), changed(assay.Same, 0)
	const fasterText, moreText = "faster on both machines, −12.0 % [−13.0, −11.0] on desktop to −12.0 % [−13.0, −11.0] on laptop",
		"more peak memory on both machines, +5.0 % [+4.0, +6.0] on desktop to +5.0 % [+4.0, +6.0] on laptop"
	const sameText = "the same within ±2 % on desktop and laptop"
	for _, test := range []struct {
		time, memory assay.Comparison
		want         answered
	}{
		{faster, same, answered{assay.Faster, "b", "use b: time of b: " + fasterText + " / peak memory of b: " + sameText, ""}},
		{faster, more, answered{assay.Mixed, "", "it depends on the machine, or on what counts: time of b: " + fasterText + " / peak memory of b: " + moreText, ""}},
		{same, more, answered{assay.More, "a", "use a: time of b: " + sameText + " / peak memory of b: " + moreText, ""}},
		{same, same, answered{assay.Same, "", "keep a: time of b: " + sameText + " / peak memory of b: " + sameText, ""}},
	} {
		m := merged(headOf("b", assay.MetricTime, test.time, test.time), headOf("b", assay.MetricRSS, test.memory, test.memory))
		test.want.check(t, string(test.time.Verdict+", "+test.memory.Verdict), Over(m))
	}
}

// Of several variants the one that most machines confirm is recommended, unless the
// answers of the machines differ.
func TestOverVariants(t *testing.T) {
	heads := func(b, c assay.Comparison) []assay.MergedHead {
		return []assay.MergedHead{headOf("b", assay.MetricTime, b, b), headOf("c", assay.MetricTime, c, c)}
	}
	faster, slower, same, open := changed(assay.Faster, -12), changed(assay.Slower, 5), changed(assay.Same, 0), changed(assay.Unclear, -0.5)
	const fasterText, slowerText = "faster on both machines, −12.0 % [−13.0, −11.0] on desktop to −12.0 % [−13.0, −11.0] on laptop",
		"slower on both machines, +5.0 % [+4.0, +6.0] on desktop to +5.0 % [+4.0, +6.0] on laptop"
	for _, test := range []struct {
		name, uses string // what each machine recommends
		heads      []assay.MergedHead
		want       answered
	}{
		{"all agree", "c c", heads(slower, faster), answered{assay.Faster, "c", "use c: " + fasterText + " / b: " + slowerText, ""}},
		{"each its own", "c b", heads(slower, faster),
			answered{assay.Mixed, "", "it depends on the machine: use b on laptop, c on desktop / c: " + fasterText + " / b: " + slowerText, ""}},
		{"none recommends it", "", heads(open, faster), answered{assay.Faster, "", "c: " + fasterText, ""}},
		{"all the same", "", heads(same, same), answered{assay.Same, "", "keep a: all variants are the same within ±2 % on both machines", ""}},
		{"nothing confirmed", "", heads(open, same), answered{assay.Unclear, "", "no variant is confirmed to be better on any machine", ""}},
		{"many", "", append(heads(faster, slower), headOf("d", assay.MetricTime, slower, slower), headOf("e", assay.MetricTime, slower, slower)),
			answered{assay.Faster, "", "b: " + fasterText + " / c: " + slowerText + " / d: " + slowerText + " / other variants: see the table", ""}},
	} {
		m := merged(test.heads...)
		for i, use := range strings.Fields(test.uses) {
			m.Machines[i].Result.Answer.Use = use
		}
		test.want.check(t, test.name, Over(m))
	}
}

// A gate holds over machines only if it holds on each: a failure counts most.
func TestOverGates(t *testing.T) {
	for _, test := range []struct{ gates, want string }{
		{"held held", "held"}, {"held undecided", "undecided"}, {"undecided held", "undecided"},
		{"undecided failed", "failed"}, {"failed undecided", "failed"}, {"failed held", "failed"},
	} {
		m := merged(headOf("b", assay.MetricTime, changed(assay.Same, 0), changed(assay.Same, 0)))
		for i, gate := range strings.Fields(test.gates) {
			SetGate(&m.Machines[i].Result.Answer, gate, "A is "+gate)
		}
		a := Over(m)
		if a.Gate != test.want || !strings.HasPrefix(a.Text[0], gateLead) || strings.Count(a.Text[0], ": A is "+test.want) != strings.Count(test.gates, test.want) {
			t.Errorf("%s: got %s, %q, want %s", test.gates, a.Gate, a.Text, test.want)
		}
	}
}

// Machines disagree where a difference between two of them is claimed and not small. They
// agree only where no difference is open.
func TestDisagreements(t *testing.T) {
	apart := assay.Interaction{Variant: "b", Metric: assay.MetricTime, Machines: [2]int{0, 1}, Change: 0.254, Verdict: assay.Changed,
		Interval: &assay.Interval{Lo: 0.23, Hi: 0.28}}
	back, small, same, open := apart, apart, apart, apart
	back.Machines, back.Change, back.Interval = [2]int{1, 0}, -0.2, nil
	small.MayBeSmall, same.Verdict, open.Verdict = true, assay.Same, assay.Unclear
	const apartText = "machines disagree: the time of b, relative to a, is 25.4 % [+23.0, +28.0] more on laptop than on desktop"
	for _, test := range []struct {
		name  string
		found []assay.Interaction
		want  []string
	}{
		{"none", nil, nil},
		{"more", []assay.Interaction{apart, same}, []string{apartText}},
		{"less", []assay.Interaction{back}, []string{"machines disagree: the time of b, relative to a, is 20.0 % less on desktop than on laptop"}},
		{"small or open", []assay.Interaction{small, open}, nil},
		{"same and open", []assay.Interaction{same, open}, nil},
		{"same", []assay.Interaction{same, same}, []string{"machines agree: no change differs between two of them by more than 2 %"}},
		{"many", []assay.Interaction{apart, apart, apart, apart, apart}, []string{apartText, apartText, apartText + "; and 2 more"}},
	} {
		m := merged(headOf("b", assay.MetricTime, changed(assay.Same, 0), changed(assay.Same, 0)))
		m.Interactions = test.found
		a := Over(m)
		if got := a.Text[1:]; !slices.Equal(got, test.want) {
			t.Errorf("%s: got %q, want %q", test.name, got, test.want)
		}
		if n := len(test.found); n == 2 && !strings.Contains(a.Basis, "disagreements at 99 % over 2 pairs of machines") {
			t.Errorf("%s: basis %q", test.name, a.Basis)
		}
	}
}

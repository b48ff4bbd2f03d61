package answer

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/printable"
)

// maxOver is the number of heads, and of disagreements, that an answer over several
// machines has a line for.
const maxOver = 3

// Over answers for several machines, from the heads of a merged result: on how many of them
// a difference is confirmed, and where they disagree. It averages nothing.
func Over(m *assay.Merged) assay.Answer {
	o := over{m}
	a := assay.Answer{Decided: true, Verdict: assay.Unclear}
	for i := range m.Machines {
		x := m.Machines[i].Result.Answer
		a.Decided = a.Decided && x.Decided
		if x.Gate == "failed" || x.Gate == "undecided" && a.Gate != "failed" || a.Gate == "" {
			a.Gate = x.Gate
		}
	}
	o.lead(&a)
	if a.Gate != "" {
		o.gate(&a)
	}
	a.Text = append(a.Text, o.disagreements()...)
	if names := o.emulated(); len(names) > 0 {
		a.Text = append(a.Text, "not counted: "+joinAnd(names)+", where an emulator runs the code")
	}
	a.Basis = o.basis(a)
	return a
}

// gate puts before an answer what the worst gate says, and of which machines.
func (o over) gate(a *assay.Answer) {
	var why []string
	for i := range o.Machines {
		x := &o.Machines[i].Result.Answer
		if x.Gate != a.Gate || len(x.Text) == 0 {
			continue
		}
		if a.Gate == GateFailed && x.Use != a.Use {
			a.Use, a.Cost = "", nil
		}
		if _, text, ok := strings.Cut(x.Text[0], ": "); ok && strings.HasPrefix(x.Text[0], gateLead) {
			why = append(why, o.Machines[i].Name+": "+text)
		}
	}
	SetGate(a, a.Gate, cmp.Or(strings.Join(why, "; "), "see each machine"))
}

// An over makes the words of an answer over the machines of a merged result.
type over struct{ *assay.Merged }

// lead answers: with the sentence of the only head, or of those that matter most.
func (o over) lead(a *assay.Answer) {
	best := slices.SortedStableFunc(slices.Values(o.Heads), func(x, y assay.MergedHead) int {
		return cmp.Or(-cmp.Compare(x.Better-x.Worse, y.Better-y.Worse), -cmp.Compare(x.Better, y.Better))
	})
	first := best[0]
	variants := map[string]bool{}
	for _, h := range o.Heads {
		variants[h.Variant] = true
	}
	switch {
	case len(o.Heads) == 1:
		o.single(a, first)
		return
	case len(variants) == 1:
		o.metrics(a)
		return
	}
	uses := o.uses()
	switch {
	case first.Better > 0 && first.Worse == 0 && len(uses) == 1 && uses[first.Variant] != nil:
		a.Use, a.Verdict = first.Variant, o.verdict(first, assay.Verdict.Good)
		a.Text = []string{"use " + o.sentence(first)}
	case len(uses) > 1:
		a.Verdict = assay.Mixed
		a.Text = []string{"it depends on the machine: " + o.usesText(uses)}
		if first.Better+first.Worse > 0 {
			a.Text = append(a.Text, o.sentence(first))
		}
	case first.Better > 0:
		a.Verdict = o.verdict(first, assay.Verdict.Good)
		if first.Worse > 0 {
			a.Verdict = assay.Mixed
		}
		a.Text = []string{o.sentence(first)}
	case !slices.ContainsFunc(o.Heads, func(h assay.MergedHead) bool { return h.Same < h.Of }):
		a.Verdict = assay.Same
		a.Text = []string{fmt.Sprintf("keep %s: all variants are the same%s on %s", Subject(o.base()), within(first.Metric, assay.Comparison{}), o.count(first.Of, first.Of))}
	default:
		a.Text = []string{"no variant is confirmed to be better on any machine"}
		if first.Worse > 0 {
			a.Text = append(a.Text, o.sentence(first))
		}
		if len(uses) == 1 && uses[o.base()] != nil {
			a.Use, a.Text[0] = o.base(), "use "+Subject(o.base())+": "+a.Text[0]
		}
	}
	shown := 1
	for _, h := range best[1:] {
		if h.Better+h.Worse == 0 {
			continue
		}
		if shown++; shown > maxOver {
			a.Text = append(a.Text, "other variants: see the table")
			break
		}
		a.Text = append(a.Text, o.sentence(h))
	}
}

// single answers for one variant on one metric.
func (o over) single(a *assay.Answer, h assay.MergedHead) {
	text := o.sentence(h)
	_, chain := o.step(h.Variant) // nobody asks which commit of a chain to use
	switch {
	case h.Better > 0 && h.Worse > 0:
		a.Verdict = assay.Mixed
		text = "it depends on the machine: " + text
	case h.Better > 0:
		a.Verdict, a.Use = o.verdict(h, assay.Verdict.Good), h.Variant
		text = pick(chain, "", "use ") + text
	case h.Worse > 0:
		a.Verdict, a.Use = o.verdict(h, assay.Verdict.Bad), o.base()
		if !chain {
			text = fmt.Sprintf("use %s: %s %s %s", Subject(o.base()), Subject(h.Variant), pick(h.Metric.IsTime(), "is", "has"), o.findings(h))
		}
	case h.Of > 0 && h.Same == h.Of:
		a.Verdict = assay.Same
		if chain {
			break
		}
		text = fmt.Sprintf("keep %s: %s is the same%s on %s", Subject(o.base()), Subject(h.Variant), within(h.Metric, assay.Comparison{}), o.count(h.Of, h.Of))
	case slices.ContainsFunc(h.On, func(x assay.HeadOn) bool { return x.Confirmed }):
		a.Verdict = assay.Changed
	default:
		text = pick(a.Decided, "nothing is confirmed over the machines: ", notDecided) + text
	}
	a.Text = []string{text}
}

// metrics answers for one variant on several metrics.
func (o over) metrics(a *assay.Answer) {
	better, worse, same := 0, 0, true
	for _, h := range o.Heads {
		better, worse, same = better+h.Better, worse+h.Worse, same && h.Same == h.Of
		a.Text = append(a.Text, noun(h.Metric)+" of "+o.sentence(h))
	}
	v := o.Heads[0].Variant
	lead := "not decided for " + Subject(v)
	switch {
	case better > 0 && worse > 0:
		a.Verdict, lead = assay.Mixed, "it depends on the machine, or on what counts"
	case better > 0:
		a.Verdict, a.Use, lead = o.verdict(o.Heads[0], assay.Verdict.Good), v, "use "+Subject(v)
	case worse > 0:
		a.Verdict, a.Use, lead = o.verdict(o.Heads[0], assay.Verdict.Bad), o.base(), "use "+Subject(o.base())
	case same:
		a.Verdict, lead = assay.Same, "keep "+Subject(o.base())
	}
	a.Text[0] = lead + ": " + a.Text[0]
}

// verdict returns the first confirmed verdict of a kind on some metric, of the head first.
func (o over) verdict(h assay.MergedHead, is func(assay.Verdict) bool) assay.Verdict {
	for _, h := range append([]assay.MergedHead{h}, o.Heads...) {
		for _, x := range h.On {
			if x.Confirmed && is(x.Verdict) {
				return x.Verdict
			}
		}
	}
	return assay.Unclear
}

func (o over) base() string { return o.Machines[0].Result.Base }

// step returns the name of a variant that is a step of a chain.
func (o over) step(variant string) (string, bool) {
	if arc := o.Machines[0].Result.Arc; arc != nil {
		for _, s := range arc.Steps {
			if s.Variant == variant {
				return stepName(s), true
			}
		}
	}
	return "", false
}

// count is "all 4 machines", "both machines" or "3 of 4 machines".
func (o over) count(k, of int) string {
	switch {
	case k == of && of == 2:
		return "both machines"
	case k == of && of > 1:
		return fmt.Sprintf("all %d machines", of)
	case of == 1:
		return "the only machine that counts"
	}
	return fmt.Sprintf("%d of %d machines", k, of)
}

// sentence is "b: faster on 3 of 4 machines, −12.1 % [−13.0, −11.2] on desktop to −18.6 %
// [−19.8, −17.3] on m4; not confirmed on laptop, −0.8 % [−1.9, +0.3]".
func (o over) sentence(h assay.MergedHead) string {
	name, _ := o.step(h.Variant)
	return cmp.Or(name, Subject(h.Variant)) + ": " + o.findings(h)
}

// findings is that without the variant.
func (o over) findings(h assay.MergedHead) string {
	var parts []string
	add := func(word string, on []int) {
		if len(on) > 0 {
			parts = append(parts, fmt.Sprintf("%s on %s, %s", word, o.count(len(on), h.Of), o.span(h, on)))
		}
	}
	var same, open, none []int
	confirmed := map[assay.Verdict][]int{}
	for i, x := range h.On {
		switch {
		case o.isEmulated(i):
		case x.N == 0:
			none = append(none, i)
		case x.Confirmed:
			confirmed[x.Verdict] = append(confirmed[x.Verdict], i)
		case x.Verdict == assay.Same || x.Verdict == assay.SameCoded:
			same = append(same, i)
		default:
			open = append(open, i)
		}
	}
	for _, v := range []assay.Verdict{assay.Faster, assay.Higher, assay.Less, assay.Slower, assay.Lower, assay.More, assay.Changed} {
		word := string(v)
		if !h.Metric.IsTime() {
			word += " " + noun(h.Metric)
		}
		add(word, confirmed[v])
	}
	if len(same) > 0 {
		parts = append(parts, fmt.Sprintf("the same%s on %s", within(h.Metric, assay.Comparison{}), o.names(same)))
	}
	if len(open) > 0 {
		parts = append(parts, "not confirmed on "+o.each(h, open))
	}
	if len(none) > 0 {
		parts = append(parts, "not measured on "+o.names(none))
	}
	return strings.Join(parts, "; ")
}

// span is the smallest and the largest change of some machines, with their names.
func (o over) span(h assay.MergedHead, on []int) string {
	on = slices.Clone(on)
	slices.SortStableFunc(on, func(i, j int) int { return bySize(h.On[j].Comparison, h.On[i].Comparison) })
	text := o.on(h, on[0])
	if last := on[len(on)-1]; len(on) > 1 {
		text += " to " + o.on(h, last)
	}
	return text
}

// on is "−12.1 % [−13.0, −11.2] on desktop".
func (o over) on(h assay.MergedHead, i int) string {
	return Interval(h.On[i].Comparison) + " on " + o.Machines[i].Name
}

// each is "laptop, −0.8 % [−1.9, +0.3]" of each machine, as far as there is room.
func (o over) each(h assay.MergedHead, on []int) string {
	if len(on) > maxOver {
		return o.names(on)
	}
	var parts []string
	for _, i := range on {
		parts = append(parts, o.Machines[i].Name+", "+Interval(h.On[i].Comparison))
	}
	return strings.Join(parts, ", on ")
}

func (o over) names(on []int) string {
	var names []string
	for _, i := range on {
		names = append(names, o.Machines[i].Name)
	}
	return joinAnd(names)
}

func (o over) isEmulated(i int) bool { return o.Machines[i].Result.Platform.Emulated != "" }

func (o over) emulated() (names []string) {
	for i, m := range o.Machines {
		if o.isEmulated(i) {
			names = append(names, m.Name)
		}
	}
	return names
}

// uses returns the machines by the variant that their own answers recommend.
func (o over) uses() map[string][]int {
	out := map[string][]int{}
	for i, m := range o.Machines {
		if use := m.Result.Answer.Use; use != "" && !o.isEmulated(i) {
			out[use] = append(out[use], i)
		}
	}
	return out
}

// usesText is "use b on desktop and m4, a on laptop".
func (o over) usesText(uses map[string][]int) string {
	var parts []string
	for _, v := range o.Machines[0].Result.Variants {
		if on := uses[v.Name]; len(on) > 0 {
			parts = append(parts, Subject(v.Name)+" on "+o.names(on))
		}
	}
	return "use " + strings.Join(parts, ", ")
}

// disagreements say between which machines the change of a variant differs, and by how
// much: the largest interactions that are claimed and not small.
func (o over) disagreements() (out []string) {
	n, same := 0, len(o.Interactions) > 0
	for _, x := range o.Interactions {
		same = same && x.Verdict == assay.Same
		if x.Verdict != assay.Changed || x.MayBeSmall {
			continue
		}
		if n++; n <= maxOver {
			out = append(out, "machines disagree: "+o.Disagreement(x))
		}
	}
	switch {
	case n > maxOver:
		out[len(out)-1] += fmt.Sprintf("; and %d more", n-maxOver)
	case n == 0 && same:
		out = append(out, "machines agree: no change differs between two of them by more than "+printable.Share(o.Heads[0].Metric.MinEffect))
	}
	return out
}

// Disagreement is "the time of b, relative to a, is 25.4 % [+23.0, +28.0] more on laptop
// than on desktop".
func (o over) Disagreement(x assay.Interaction) string {
	return fmt.Sprintf("the %s of %s, relative to %s, is %s %s than on %s", noun(assay.Metric{Name: x.Metric}), Subject(x.Variant), Subject(o.base()),
		InteractionText(x), pick(x.Change < 0, "less", "more")+" on "+o.Machines[x.Machines[1]].Name, o.Machines[x.Machines[0]].Name)
}

// InteractionText is "25.4 % [+23.0, +28.0]", without the sign of the change.
func InteractionText(x assay.Interaction) string {
	if x.Interval == nil {
		return strings.TrimLeft(x.Change.Format(0), "+−")
	}
	return strings.TrimLeft(x.Interval.With(x.Change), "+−")
}

// basis says how an answer over machines was decided.
func (o over) basis(a assay.Answer) string {
	level := printable.Level(o.Machines[0].Result.Rule.Confidence)
	parts := []string{pick(a.Decided, "decided on every machine", "not decided on every machine")}
	if a.Gate == GateFailed {
		parts[0] = "decided by the gate"
	} else if !a.Decided && !slices.ContainsFunc(o.Machines, func(m assay.Machine) bool { return Open(m.Result.Answer) == openAnswer }) {
		parts[0] = "answered on every machine, not all decided"
	}
	if o.Claims > 0 {
		parts = append(parts, fmt.Sprintf("confirmed at %s over %s on %d machines", level, printable.Count(o.Claims, "comparison"), len(o.Machines)))
	}
	if n := len(o.Interactions); n > 0 {
		parts = append(parts, fmt.Sprintf("disagreements at %s over %s of machines", level, printable.Count(n, "pair")))
	}
	return strings.Join(append(parts, "nothing is averaged over machines"), " · ")
}

package sheet

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/analysis/answer"
	"github.com/seed-1318a441/assay/internal/printable"
)

// A Fact is a name with what is known of it.
type Fact struct {
	Name string
	Text []Cell
}

func factOf(name, text string) Fact { return Fact{name, []Cell{Word(text)}} }

// known are the facts that say something.
func known(facts ...Fact) []Fact {
	return slices.DeleteFunc(facts, func(f Fact) bool { return strings.TrimSpace(Joined(f.Text...)) == "" })
}

// Answer are the facts beside an answer: how sure it is, how large the change is, what it
// costs, what is undecided, what speaks against it, and where it was measured.
func (s *Sheet) Answer() []Fact {
	r := s.Result
	var much, except []Cell
	name := "benchmarks"
	if effect, ok := ledEffect(r); ok {
		much, except = effectAmounts(r, effect)
	} else if v, ok := s.Answered(); ok {
		much = amounts(r, v)
		if v.Worst != nil {
			name = "except"
		}
		except = exceptions(r, v)
	}
	noise := strings.TrimPrefix(s.Noise(), "noise ")
	if noise != "" && len(r.Tables) > 0 {
		if of := r.Tables[0].Metric.Name; answer.LeadOf(r).Table.Metric.Name != of { // not of the figure beside it
			noise += ", " + MetricWords(of)
		}
	}
	machine := Platform(r.Platform)
	if all := Toolchains(r); len(all) == 1 {
		machine = append(machine, all[0])
	}
	return known(factOf("how sure", r.Answer.Basis), Fact{"how much", much},
		factOf("cost", costText(r)), factOf("undecided", r.Answer.Undecided), Fact{name, except},
		factOf("measured", JoinWords(" · ", machine...)),
		factOf("noise", cmp.Or(noise, "unknown: no control ran")))
}

// AnswerLines are the lines of an answer: the sentence and what explains it, the costs that
// these do not name, and what is undecided.
func AnswerLines(a assay.Answer) []string {
	lines := slices.Clone(a.Text)
	said := strings.Join(lines, "\n")
	if slices.ContainsFunc(a.Cost, func(c string) bool { return !strings.Contains(said, c) }) {
		lines = append(lines, "cost: "+strings.Join(a.Cost, ", "))
	}
	if a.Undecided != "" {
		lines = append(lines, "undecided: "+a.Undecided)
	}
	return lines
}

// costText lists what the recommended variant costs; "" if the answer recommends none.
func costText(r *assay.Result) string {
	a := r.Answer
	if len(a.Cost) == 0 && a.Use != "" && a.Use != r.Base && len(r.Tables) > 1 {
		return "none proved"
	}
	return strings.Join(a.Cost, ", ")
}

// Answered is the variant that the answer's figures are of: that of [answer.LeadOf], the
// last step, or else the best over the suite.
func (s *Sheet) Answered() (best assay.VariantResult, ok bool) {
	r, t, named := s.Result, Deciding(s.Result), s.Result.Answer.Use
	if len(r.Tables) > 0 {
		named = answer.LeadOf(r).Variant
	}
	least := math.Inf(1)
	for _, v := range r.Variants {
		if !slices.Contains(s.Shown, v.Name) || v.Name == assay.ControlName {
			continue
		}
		if v.Name == named {
			return v, true
		}
		at := math.Inf(1)
		if c, ok := Whole(t, v.Name); ok {
			at = float64(c.Change)
			if t.Metric.Better == assay.BetterHigher {
				at = -at
			}
		}
		if !ok || r.Arc != nil || at < least {
			best, least, ok = v, at, true
		}
	}
	return best, ok
}

// Deciding is the first table that decides, else the first.
func Deciding(r *assay.Result) assay.Table {
	if len(r.Tables) == 0 {
		return assay.Table{}
	}
	return r.Tables[max(0, slices.IndexFunc(r.Tables, func(t assay.Table) bool { return t.Decides }))]
}

// Whole is a variant against the base over the whole suite, or on the only benchmark.
func Whole(t assay.Table, variant string) (assay.Comparison, bool) {
	list := t.Geomean
	if len(list) == 0 && len(t.Rows) == 1 {
		list = t.Rows[0].Cells
	}
	return Entry{Cells: list}.Of(variant)
}

// amounts are a variant's changes over the suite, of each metric that decides.
func amounts(r *assay.Result, v assay.VariantResult) (out []Cell) {
	for _, t := range r.Tables {
		c, ok := Whole(t, v.Name)
		if !ok || !t.Decides || len(out) > 12 {
			continue
		}
		lead := answer.Subject(v.Name) + " against " + answer.Subject(r.Base) + ":"
		if len(out) > 0 {
			lead = "·"
		}
		l, _ := LabelOf(t.Metric.Name)
		if x := answer.RarityOf(t, c); !x.Typical() {
			out = append(out, Word(lead+" "+x.String()))
			continue
		}
		out = append(out, Word(lead+" "+l.Text))
		out = append(out, amount(Entry{Metric: t.Metric, Base: math.NaN(), Cells: []assay.Comparison{c}}, c)...)
	}
	return out
}

// ledEffect is the effect that the answer's figures are of, where the study asks for factors.
func ledEffect(r *assay.Result) (e assay.Effect, ok bool) {
	if len(r.Tables) == 0 {
		return e, false
	}
	list := answer.LeadOf(r).Effects
	return append(list, e)[0], len(list) > 0
}

// effectAmounts are what a switch does to each metric that decides, and how the benchmarks
// are counted on the metric that leads.
func effectAmounts(r *assay.Result, lead assay.Effect) (much, counts []Cell) {
	name := answer.Setting(lead)
	for _, t := range r.Tables {
		i := slices.IndexFunc(t.Effects, func(e assay.Effect) bool { return e.Held == "" && slices.Equal(e.Switches, lead.Switches) })
		if i < 0 || !t.Decides || len(much) > 12 {
			continue
		}
		l, _ := LabelOf(t.Metric.Name)
		much = append(much, Word(map[bool]string{true: name + ":", false: "·"}[len(much) == 0]+" "+l.Text))
		much = append(much, amount(EffectEntry(t.Metric, t.Effects[i].Whole), t.Effects[i].Whole)...)
	}
	var n assay.VariantResult
	for _, c := range lead.Cells {
		n.Count(c)
	}
	if text := Counts(answer.LeadOf(r).Table.Metric, n); text != "" {
		counts = []Cell{Word(name + ": " + text)}
	}
	return much, counts
}

// amount is "▼ −8.0 %" and "[−8.8, −7.2] faster".
func amount(e Entry, c assay.Comparison) []Cell {
	change, interval, _ := ChangeCells(e, c)
	return []Cell{Toned(Mark(c)+" "+change.Joined(), ToneOf(c.Verdict)), Word(JoinWords(" ", interval.Joined(), VerdictWords(c)))}
}

// exceptions are the largest change for the worse, and how the benchmarks are counted.
func exceptions(r *assay.Result, v assay.VariantResult) (out []Cell) {
	t := Deciding(r)
	if w := v.Worst; w != nil {
		i := slices.IndexFunc(t.Rows, func(r assay.Row) bool { return r.Benchmark == w.Benchmark })
		e := Entry{Metric: t.Metric, Base: math.NaN(), Cells: []assay.Comparison{*w}}
		if i >= 0 {
			e.Base = t.Rows[i].Base
		}
		out = append([]Cell{Word(t.NameOf(w.Benchmark))}, amount(e, *w)...)
	}
	if text := Counts(t.Metric, v); text != "" {
		out = append(out, Word(strings.Repeat("· ", min(1, len(out)))+text))
	}
	return out
}

// Counts says how many benchmarks of a variant have which verdict, the worst first.
func Counts(m assay.Metric, v assay.VariantResult) string {
	heads := CountHeads(m, false)
	var parts []string
	for _, x := range []struct {
		n    int
		word string
	}{{v.Worse, heads[2]}, {v.Unclear, heads[3]}, {v.Same, heads[1]}, {v.Better, heads[0]}} {
		if x.n > 0 {
			parts = append(parts, printable.Int(x.n)+" "+x.word)
		}
	}
	return strings.Join(parts, " · ")
}

// Toolchains are those of the variants, each once.
func Toolchains(r *assay.Result) (all []string) {
	for _, v := range r.Variants {
		if v.GoVersion != "" && !slices.Contains(all, v.GoVersion) {
			all = append(all, v.GoVersion)
		}
	}
	return all
}

// PlatformFacts are everything that is known of a machine.
func PlatformFacts(m assay.Platform) []Fact {
	number := func(n int) string {
		if n == 0 {
			return ""
		}
		return strconv.Itoa(n)
	}
	memory := ""
	if m.Memory > 0 {
		memory = Value(assay.Metric{Name: "B"}, float64(m.Memory), 0.001)
	}
	virtual := m.Virtual
	if virtual == "virtual machine" { // host.Unnamed
		virtual = "yes"
	}
	facts := []Fact{factOf("system", strings.Trim(m.GOOS+"/"+m.GOARCH, "/")), factOf("emulator", m.Emulated), factOf("processor", m.CPU), factOf("CPUs to use", number(m.CPUs)),
		factOf("cores", number(m.Cores)), factOf("memory", memory), factOf("kernel", m.Kernel), factOf("virtual machine", virtual),
		factOf("GOMAXPROCS", number(m.Procs)), factOf("governor", m.Governor), factOf("power profile", m.Profile), factOf("power", m.Power),
		factOf("CPU used by others", fmt.Sprintf("%.0f %%", 100*m.Load))}
	for _, k := range slices.Sorted(maps.Keys(m.GoEnv)) {
		facts = append(facts, factOf(k, m.GoEnv[k]))
	}
	return known(append(facts, factOf("platform", m.ID))...)
}

// Conditions are the facts about a machine on which its noise depends.
func Conditions(m assay.Platform) []Fact {
	has := []string{"system", "emulator", "processor", "kernel", "virtual machine", "governor", "power profile", "power", "CPU used by others"}
	facts := slices.DeleteFunc(PlatformFacts(m), func(f Fact) bool { return !slices.Contains(has, f.Name) })
	if m.Governor == "" {
		facts = append(facts, factOf("governor", "unknown"))
	}
	return facts
}

// NoiseFacts are the noise floor, what the control was, and what it was called.
func NoiseFacts(r *assay.Result) []Fact {
	n := r.Noise
	floor, control := "unknown", "none"
	switch {
	case n.Known():
		floor = PlusMinus(n.Floor) + " % (A/A): half of the interval of the same code against itself"
	case n.Change != 0:
		floor = "unknown: an interval takes one block more than a verdict"
	}
	switch n.Control {
	case "":
	case assay.ControlName:
		control = answer.Subject(r.Base) + " (control)"
	default:
		control = answer.Subject(n.Control) + ", the same code as " + answer.Subject(r.Base)
	}
	facts := []Fact{factOf("noise floor", floor), factOf("minimum effect", MinEffect(r.Rule.MinEffect)), factOf("control", control)}
	if len(n.Cells) == 0 {
		return facts
	}
	judged := slices.DeleteFunc(slices.Clone(n.Cells), func(c assay.Comparison) bool { return c.Verdict == assay.Withheld })
	return append(facts, factOf("called", fmt.Sprintf("%s; %d of %d false alarms", answer.Counts(judged), n.False, len(n.Cells))))
}

// Layouts says how much of the variance of a variant lies between links with another
// order of functions: the median over the benchmarks, and the range.
func Layouts(r *assay.Result, variant string) string {
	var all []float64
	for _, row := range Deciding(r).Rows {
		if c, ok := (Entry{Cells: row.Cells}).Of(variant); ok && c.LayoutShare > 0 {
			all = append(all, c.LayoutShare)
		}
	}
	if len(all) == 0 {
		return ""
	}
	slices.Sort(all)
	text := fmt.Sprintf("%.0f %% of the variance of %s vs %s lies between layouts of the code", 100*all[len(all)/2], answer.Subject(variant), answer.Subject(r.Base))
	if len(all) > 1 {
		text += fmt.Sprintf(" (%.0f to %.0f %% by benchmark)", 100*all[0], 100*all[len(all)-1])
	}
	return text
}

// stops say why a run ended.
var stops = map[string]string{
	"decided":      "everything was decided",
	"budget":       "the budget was spent",
	"blocks":       "the number of blocks was reached",
	"interrupted":  "it was interrupted",
	"nothing left": "nothing was left to measure",
	"same code":    "the variants are the same code",
}

// Spent says what a run took and why it ended, "" where nothing ran.
func Spent(r *assay.Result) string {
	s := r.Spent
	if s.Blocks == 0 {
		return ""
	}
	text := "spent: " + answer.Blocks(r) + ", " + printable.Count(s.Trials, "trial") + ", " + answer.Measuring(s)
	if stop := cmp.Or(stops[string(s.Stop)], string(s.Stop)); stop != "" {
		text += "; it ended because " + stop
	}
	return text
}

// RuleLines say by which rule a result was decided.
func RuleLines(r assay.Rule) (out []string) {
	text := "rule: "
	if len(r.Metrics) > 0 {
		var names []string
		for _, m := range r.Metrics {
			l, _ := LabelOf(m)
			names = append(names, l.Text)
		}
		verb := " decides; "
		if len(names) > 1 {
			verb = " decide; "
		}
		text += strings.Join(names, ", ") + verb
	}
	text += fmt.Sprintf("the minimum effect is %s, intervals are of %s, nothing is decided before %s", printable.Percent(r.MinEffect), printable.Level(r.Confidence), printable.Count(r.MinBlocks, "block"))
	if r.Claims > 1 {
		text += fmt.Sprintf("; expected false claims among all %s ≤ 5 %% (e-BH)", printable.Count(r.Claims, "comparison"))
	}
	out = append(out, text)
	if r.Gate > 0 {
		out = append(out, "gate: a proved slowdown of more than "+printable.Percent(r.Gate)+" fails")
	}
	if r.Scope != "" {
		out = append(out, "layout: the verdicts are "+r.Scope+", and no statement about the code apart from its placement")
	}
	return out
}

package answer

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/printable"
)

// mainEffects returns the effects of single switches that an ask is about, on the first
// metric that has any.
func mainEffects(r *assay.Result, ask assay.Ask) []assay.Effect {
	for _, tab := range r.Tables {
		if es := effectsOf(tab, ask); len(es) > 0 {
			return es
		}
	}
	return nil
}

// effectsOf returns the effects of single switches that an ask is about.
func effectsOf(tab assay.Table, ask assay.Ask) (out []assay.Effect) {
	for _, e := range tab.Effects {
		if len(e.Switches) == 1 && e.Held == "" && (ask.Factor() == "" || e.Switches[0].Factor == ask.Factor()) {
			out = append(out, e)
		}
	}
	return out
}

// Setting is "gc=classic", or "go1.26.8" for a level that begins with its factor's name.
func Setting(e assay.Effect) string {
	s := e.Switches[0]
	if strings.HasPrefix(s.To, s.Factor) {
		return s.To
	}
	return s.Factor + "=" + s.To
}

// factorAnswer says what each switch does: the first line has the effects on the first
// metric that claims any. What is recommended comes after it.
func factorAnswer(a *assay.Answer, tabs []assay.Table) {
	var lines []string
	for _, tab := range tabs {
		if text := effectsText(tab, a.Asks); text != "" {
			lines = append(lines, text)
		}
	}
	if len(lines) == 0 {
		lines = []string{noEffectText(tabs, a.Asks)}
	}
	if a.Use == "" { // the effects say why
		a.Text = slices.DeleteFunc(a.Text, func(l string) bool {
			return strings.Contains(l, noWinnerText) || strings.Contains(l, "tied: ") || strings.HasPrefix(l, noChange) || strings.HasPrefix(l, notDecided)
		})
	}
	a.Text = append(lines, a.Text...)
	a.Undecided = join(openEffects(tabs[0], a.Asks), interactions(tabs[0], a.Asks))
}

// effectsText is "gc=classic: 3.6 % less time [−5.2, −2.7]; malloc=generic: 3.9 % more
// time [+2.4, +4.2]", the largest effect first; "" if none is claimed.
func effectsText(tab assay.Table, ask assay.Ask) string {
	var proved, same []assay.Effect
	for _, e := range effectsOf(tab, ask) {
		switch v := e.Whole.Verdict; {
		case v.Differs():
			proved = append(proved, e)
		case v == assay.Same || v == assay.SameCoded:
			same = append(same, e)
		}
	}
	if len(proved) == 0 {
		return ""
	}
	slices.SortStableFunc(proved, func(x, y assay.Effect) int { return bySize(x.Whole, y.Whole) })
	var parts []string
	for i, e := range proved {
		if i == maxEffects {
			parts = append(parts, fmt.Sprintf("and %d more", len(proved)-i))
			break
		}
		text := amount(tab.Metric, e.Whole)
		if i > 0 {
			text = strings.Replace(text, " "+noun(tab.Metric), "", 1) // said already
		}
		if x := RarityOfEffect(tab, e); !x.Typical() && len(proved) == 1 {
			text = x.String()
		} else {
			text += x.few()
		}
		parts = append(parts, Setting(e)+": "+text)
	}
	if len(same) > 0 {
		parts = append(parts, joinAnd(settingsOf(same))+": the same")
	}
	return strings.Join(parts, "; ")
}

// maxEffects is the number of effects in a sentence.
const maxEffects = 4

func settingsOf(es []assay.Effect) (out []string) {
	for _, e := range es {
		out = append(out, Setting(e))
	}
	return out
}

// noEffectText says that no switch is proved to do anything on the whole, and what is
// proved of single benchmarks.
func noEffectText(tabs []assay.Table, ask assay.Ask) string {
	es := effectsOf(tabs[0], ask)
	var figures []string
	same := true
	for _, e := range es {
		figures = append(figures, Setting(e)+" "+Interval(e.Whole))
		same = same && (e.Whole.Verdict == assay.Same || e.Whole.Verdict == assay.SameCoded)
	}
	var list []assay.Metric
	for _, tab := range tabs {
		list = append(list, tab.Metric)
	}
	metrics := nounList(list)
	proved := ""
	if ask.Factor() == "" { // else it is not of what was asked
		proved = provedSingly(tabs)
	}
	switch {
	case proved != "":
		return fmt.Sprintf("no effect on the whole is proved; %s", proved)
	case same:
		return fmt.Sprintf("no effect on %s above ±%s: %s", noun(tabs[0].Metric), printable.Share(tabs[0].Metric.MinEffect), strings.Join(figures, ", "))
	case len(figures) > maxEffects:
		return fmt.Sprintf("none of %d settings has a proved effect on %s", len(es), joinOr(metrics))
	case len(tabs) > 1 && len(es) == 1:
		return fmt.Sprintf("no effect of %s is proved on any metric that decides; %s: %s", Setting(es[0]), noun(tabs[0].Metric), Interval(es[0].Whole))
	case len(tabs) > 1:
		return fmt.Sprintf("no effect is proved on any metric; %s: %s", noun(tabs[0].Metric), strings.Join(figures, ", "))
	}
	return fmt.Sprintf("no effect on %s is proved: %s", metrics[0], strings.Join(figures, ", "))
}

// openEffects lists the switches without a claim.
func openEffects(tab assay.Table, ask assay.Ask) string {
	var open []string
	for _, e := range effectsOf(tab, ask) {
		if e.Whole.Verdict == assay.Unclear {
			open = append(open, Setting(e))
		}
	}
	if len(open) == 0 {
		return ""
	}
	return Few(open)
}

// interactions counts the pairs of switches whose interaction is not decided.
func interactions(tab assay.Table, ask assay.Ask) string {
	open, total := 0, 0
	for _, e := range tab.Effects {
		if len(e.Switches) == 2 && (ask.Factor() == "" || slices.ContainsFunc(e.Switches, func(s assay.Switch) bool { return s.Factor == ask.Factor() })) {
			total++
			open += btoi(e.Whole.Verdict == assay.Unclear)
		}
	}
	if open == 0 {
		return ""
	}
	return fmt.Sprintf("%d of %s", open, printable.Count(total, "interaction"))
}

package chain

import (
	"cmp"
	"slices"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/printable"
	"github.com/seed-1318a441/assay/internal/sheet"
)

// maxEvidence is the number of printed lines of a gate's evidence, and of all gates'
// together before each gate gets a line.
const maxEvidence = 12

// maxFailures is the number of failures in the line of a gate.
const maxFailures = 6

// A gateGroup is what one gate says of several steps.
type gateGroup struct {
	assay.GateResult
	steps []int
	logs  []string
}

// GateLines returns the lines about a machine's gates; evidence is indented. Much of it is
// counted instead, and hint says how to see it.
func (ch *Chain) GateLines(x Panel, hint string) (out []string) {
	asked := GatesText(x.Result.Arc.Gates)
	if asked == "" {
		return nil
	}
	groups := append(groupGates(x.Result.Arc.Steps, assay.GateFailed), groupGates(x.Result.Arc.Steps, assay.GateUnknown)...)
	evidence := 0
	for _, g := range groups {
		evidence += len(g.Evidence)
		out = append(out, ch.groupLines(g)...)
	}
	if evidence > maxEvidence && !ch.All {
		out = append(gateTotals(x.Result.Arc.Steps, groups), printable.Count(evidence, "line")+" of evidence "+hint)
	}
	var held, unchecked []int
	others := 0
	for _, s := range x.Result.Arc.Steps {
		switch {
		case s.Gap != nil:
		case slices.ContainsFunc(s.Gates, func(g assay.GateResult) bool { return g.Status != assay.GateHeld }):
			others++
		case len(s.Gates) == 0 && s.SameAs == nil:
			unchecked = append(unchecked, s.Number)
		default:
			held = append(held, s.Number)
		}
	}
	if len(unchecked) > 0 {
		out = append(out, "not checked: "+StepsText(unchecked))
	}
	if n := len(held); n > 0 {
		who := "all " + printable.Count(n, "step")
		switch {
		case others+len(unchecked) > 0:
			who = strings.Replace("the other "+printable.Count(n, "step"), "other 1 ", "other ", 1)
		case n < len(x.Result.Arc.Steps):
			who += " that were built"
		}
		out = append(out, "held by "+who+": "+asked)
	} else {
		out = append(out, "asked for: "+asked)
	}
	return out
}

// groupGates groups steps with the same result of a gate: a test that one step breaks
// fails in later ones too.
func groupGates(steps []assay.StepResult, status assay.GateStatus) (groups []gateGroup) {
	for _, s := range steps {
		for _, g := range s.Gates {
			if g.Status != status {
				continue
			}
			i := slices.IndexFunc(groups, func(o gateGroup) bool {
				return o.Gate == g.Gate && o.Text == g.Text && o.Against == g.Against && slices.Equal(o.Evidence, g.Evidence)
			})
			if i < 0 {
				groups = append(groups, gateGroup{GateResult: g})
				i = len(groups) - 1
			}
			groups[i].steps = append(groups[i].steps, s.Number)
			groups[i].logs = append(groups[i].logs, g.Log)
		}
	}
	return groups
}

// gateTotals has a line for each gate that did not hold: "unsafe: 3 of 5 steps pass; steps
// 1, 2 fail: 3 uses of unsafe code".
func gateTotals(steps []assay.StepResult, groups []gateGroup) (out []string) {
	var gates []string
	by := map[string][]gateGroup{}
	for _, g := range groups {
		if by[g.Gate] == nil {
			gates = append(gates, g.Gate)
		}
		by[g.Gate] = append(by[g.Gate], g)
	}
	for _, gate := range gates {
		held, checked := 0, 0
		for _, s := range steps {
			for _, g := range s.Gates {
				if g.Gate != gate {
					continue
				}
				if checked++; g.Status == assay.GateHeld {
					held++
				}
			}
		}
		var line strings.Builder
		line.WriteString(gate + ": " + printable.Int(held) + " of " + printable.Count(checked, "step") + " pass")
		left := 0
		for i, g := range by[gate] {
			if i >= maxFailures {
				left += len(g.steps)
				continue
			}
			line.WriteString("; " + sheet.JoinWords(": ", StepsText(g.steps)+" "+g.verb(), g.Text))
		}
		if left > 0 {
			line.WriteString("; " + printable.Count(left, "more step"))
		}
		out = append(out, line.String())
	}
	return out
}

// verb is "fails" of one step, "fail" of several, "unknown" of a gate that could not be
// checked.
func (g gateGroup) verb() string {
	switch {
	case g.Status == assay.GateUnknown:
		return "unknown"
	case len(g.steps) == 1:
		return "fails"
	}
	return "fail"
}

// groupLines is "step 13 fails old tests against v2: 10 tests fail", and the evidence.
func (ch *Chain) groupLines(g gateGroup) []string {
	verb := g.verb()
	if g.Status == assay.GateUnknown {
		verb += ":"
	}
	text := StepsText(g.steps) + " " + verb + " " + g.Gate
	if g.Against != "" {
		text += " against " + g.Against
	}
	if g.Text != "" {
		text += ": " + g.Text
	}
	lines := []string{text}
	for i, e := range g.Evidence {
		if i == maxEvidence && !ch.All {
			more := "  … " + printable.Int(len(g.Evidence)-i) + " more"
			return append(lines, strings.TrimSuffix(more+": "+cmp.Or(g.logs...), ": "))
		}
		// Evidence may be indented; only our own indent counts.
		if e = strings.TrimSpace(e); e != "" {
			lines = append(lines, "  "+e)
		}
	}
	if log := cmp.Or(g.logs...); log != "" && len(g.Evidence) == 0 {
		lines = append(lines, "  log: "+log)
	}
	return lines
}

// GatesText is what the study asks for: "api same, tests pass, unsafe none".
func GatesText(g assay.Gates) string {
	var parts []string
	for _, x := range []struct{ gate, want string }{
		{assay.GateAPI, g.API}, {assay.GateTests, g.Tests}, {assay.GateUnsafe, g.Unsafe}, {assay.GateVet, g.Vet},
		{assay.GateRace, g.Race}, {assay.GateAllocs, g.Allocs},
	} {
		if x.want != "" {
			parts = append(parts, x.gate+" "+x.want)
		}
	}
	if len(parts) > 0 && (g.API != "" || g.Tests != "" || g.Allocs != "") {
		against := "the base"
		if g.Against == assay.AgainstPrevious {
			against = "the previous step"
		}
		return strings.Join(parts, ", ") + " (against " + against + ")"
	}
	return strings.Join(parts, ", ")
}

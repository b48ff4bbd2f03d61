package chain

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/printable"
	"github.com/seed-1318a441/assay/internal/sheet"
)

// MaxRemark is the width of a remark on a step, unless all is wanted: compiler errors can
// be long.
const MaxRemark = 200

// maxNames is the number of missing benchmarks that are named.
const maxNames = 40

// Remark is the text beside a step: what all machines say, then the others by machine.
func (ch *Chain) Remark(s assay.StepResult) string {
	parts := []string{s.Aside}
	var n sheet.Notes
	for _, x := range ch.Panels {
		for _, t := range ch.remarks(x, s.Variant) {
			if t = strings.TrimSpace(t); t != "" {
				n.Add(t, x.Name)
			}
		}
	}
	var some sheet.Notes // what not all say, by who says it
	for _, t := range n.Texts {
		if w := n.Where[t]; len(w) < len(ch.Panels) {
			some.Add(strings.Join(w, ", "), t)
		} else {
			parts = append(parts, t)
		}
	}
	for _, who := range some.Texts {
		parts = append(parts, who+": "+strings.Join(some.Where[who], ", "))
	}
	for i, t := range parts {
		parts[i] = strings.TrimSpace(printable.Clean(t))
	}
	return strings.Join(slices.DeleteFunc(parts, func(t string) bool { return t == "" }), "; ")
}

// remarks returns the remarks of a machine's record on a step.
func (ch *Chain) remarks(x Panel, variant string) (out []string) {
	s, ok := x.Step(variant)
	if !ok {
		return []string{"not measured"}
	}
	if s.Gap != nil {
		return []string{GapText(*s.Gap)}
	}
	if x.fromTree(variant) {
		out = append(out, AsItIs)
	}
	t := x.First()
	change, ok := x.change(t, variant)
	c, known := ch.Comparison(x, t, variant)
	switch {
	case s.SameAs != nil:
		out = append(out, cmp.Or(change.Text, string(assay.SameCoded)+" as "+s.SameAs.As))
	case ok && x.says(t, change):
		out = append(out, change.Text)
	case known && c.Verdict == assay.Unclear && c.Interval == nil && c.N > 0:
		out = append(out, c.Reason)
	}
	if known && sheet.AtEnd(c) {
		out = append(out, sheet.EndWords)
	}
	if known && c.Verdict.Differs() && c.MayBeSmall {
		out = append(out, "the change may be below "+printable.Percent(t.Metric.MinEffect))
	}
	return append(out, append(GateRemarks(s.Gates), ch.missing(s))...)
}

// TotalRemark is the text beside the last step against the base: where its change stands
// at an end of the interval, by machine where not on all.
func (ch *Chain) TotalRemark() string {
	var on []string
	for _, x := range ch.Panels {
		if c, ok := x.End(x.First()); ok && sheet.AtEnd(c) {
			on = append(on, x.Name)
		}
	}
	switch len(on) {
	case 0:
		return ""
	case len(ch.Panels):
		return sheet.EndWords
	}
	return strings.Join(on, ", ") + ": " + sheet.EndWords
}

// AsItIs is the remark on a step that is no commit.
const AsItIs = "the tree as it is"

// GapText says why a step could not be built.
func GapText(g assay.Gap) string {
	const lead = "did not build"
	if strings.HasPrefix(g.Reason, lead) {
		return g.Reason
	}
	return lead + ": " + g.Reason
}

// GateRemarks is "fails: tests (10), api" and "unknown: race".
func GateRemarks(gates []assay.GateResult) (out []string) {
	by := map[assay.GateStatus][]string{}
	for _, g := range gates {
		text := g.Gate
		if n := len(g.Evidence); n > 0 && g.Status == assay.GateFailed {
			text += " (" + printable.Int(n) + ")"
		}
		by[g.Status] = append(by[g.Status], text)
	}
	if failed := by[assay.GateFailed]; len(failed) > 0 {
		out = append(out, "fails: "+strings.Join(failed, ", "))
	}
	if unknown := by[assay.GateUnknown]; len(unknown) > 0 {
		out = append(out, "unknown: "+strings.Join(unknown, ", "))
	}
	return out
}

// missing is "2 benchmarks missing", with their names if all is wanted.
func (ch *Chain) missing(s assay.StepResult) string {
	if len(s.Missing) == 0 {
		return ""
	}
	text := printable.Count(len(s.Missing), "benchmark") + " missing"
	if !ch.All {
		return text
	}
	var names []string
	for i, b := range s.Missing {
		if i == maxNames {
			names = append(names, "…")
			break
		}
		names = append(names, b.Name)
	}
	return text + ": " + strings.Join(names, ", ")
}

// Moved returns the benchmarks listed below a step: those with a change proved on any
// machine, the largest first, or all if there is no suite.
func (ch *Chain) Moved(s assay.StepResult) (out []assay.Benchmark) {
	whole := ch.suite
	if whole && !ch.All {
		return nil
	}
	most := map[assay.Benchmark]float64{}
	for _, x := range ch.Panels {
		t := x.First()
		change, _ := x.change(t, s.Variant)
		for _, c := range change.Cells {
			if whole && !c.Verdict.Differs() || !hasRow(t, c.Benchmark) || len(t.Rows) == 1 {
				continue
			}
			size := math.Abs(c.Change.Log())
			if sheet.NotFinite(size) {
				size = 0
			}
			if _, seen := most[c.Benchmark]; !seen {
				out = append(out, c.Benchmark)
			}
			most[c.Benchmark] = max(most[c.Benchmark], size)
		}
	}
	slices.SortStableFunc(out, func(a, b assay.Benchmark) int { return cmp.Compare(most[b], most[a]) })
	return out
}

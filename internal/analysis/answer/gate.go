package answer

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/printable"
)

// What a gate says of a cell and of a study.
const (
	GateHeld   = "held"
	GateFailed = "failed"
	GateOpen   = "undecided"
)

// A GateCell names a comparison beyond a gate, or one that may be.
type GateCell struct {
	Metric, Variant string
	Benchmark       assay.Benchmark
}

// gateAnswer says whether any benchmark is worse than the gate allows: proved, not merely
// unclear. What does not pass is not recommended.
func gateAnswer(a *assay.Answer, r *assay.Result, e Evidence) {
	limit := ", limit " + printable.Share(r.Rule.Gate)
	switch {
	case len(e.Failed) > 0:
		if slices.ContainsFunc(e.Failed, func(c GateCell) bool { return c.Variant == a.Use }) {
			a.Use, a.Cost = "", nil
		}
		SetGate(a, GateFailed, gateCells(r, e.Failed)+limit)
	case len(e.Open) > 0:
		SetGate(a, GateOpen, gateCells(r, e.Open)+limit)
		a.Undecided = "the gate" + price(r, e.Plan.Study.ComparesSteps())
	case a.Verdict == assay.Invalid:
		SetGate(a, GateOpen, "nothing was measured"+limit)
	default:
		SetGate(a, GateHeld, "no comparison is more than "+printable.Share(r.Rule.Gate)+" worse")
	}
}

// SetGate puts what a gate says before an answer. With a gate that is the question, so
// nothing else in the answer says whether it is decided.
func SetGate(a *assay.Answer, status, why string) {
	a.Gate, a.Decided = status, status != GateOpen
	if a.Decided {
		a.Undecided = ""
	}
	a.Text = slices.DeleteFunc(a.Text, func(l string) bool { return strings.HasPrefix(l, gateLead) })
	for i, l := range a.Text {
		a.Text[i] = strings.TrimPrefix(l, notDecided)
		if a.Use == "" {
			a.Text[i] = strings.TrimPrefix(a.Text[i], "use ")
		}
	}
	word := pick(status == GateOpen, "not decided", status)
	a.Text = slices.Insert(a.Text, 0, gateLead+word+": "+why)
}

// gateLead begins the line of a gate, noChange one that says what is excluded, notDecided
// another one without a claim.
const (
	gateLead   = "gate "
	noChange   = "no change"
	notDecided = "not decided: "
)

// gateCells is "Decode +10.1 % [+5.2, +15.3], Encode allocs/op +16.7 % (exact) and 3 more":
// the largest changes of a list. It names the variant where there are several.
func gateCells(r *assay.Result, list []GateCell) string {
	var found []view
	for _, x := range list {
		for _, tab := range r.Tables {
			c, ok := findCell(tab, x)
			if !ok {
				continue
			}
			c.Benchmark.Name = tab.NameOf(c.Benchmark) // it is only printed
			found = append(found, view{metric: tab.Metric, Comparison: c})
		}
	}
	slices.SortStableFunc(found, view.bySize)
	var parts []string
	for _, v := range found {
		text := v.Benchmark.Name
		if v.metric.Name != assay.MetricTime {
			text += " " + noun(v.metric)
		}
		if len(r.Variants) > 2 {
			text += " of " + v.Variant
		}
		parts = append(parts, text+" "+Interval(v.Comparison))
	}
	return printable.Few(parts, maxMovers)
}

func findCell(tab assay.Table, x GateCell) (assay.Comparison, bool) {
	if tab.Metric.Name == x.Metric {
		for _, row := range tab.Rows {
			if row.Benchmark == x.Benchmark {
				return Find(row.Cells, x.Variant)
			}
		}
	}
	return assay.Comparison{}, false
}

// Few joins names; of many it names a few and their number.
func Few(names []string) string {
	if len(names) <= maxNamed+1 {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%d comparisons: %s and %d more", len(names), strings.Join(names[:maxNamed], ", "), len(names)-maxNamed)
}

// maxNamed is the number of names in a sentence.
const maxNamed = 5

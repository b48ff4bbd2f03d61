package explain

import (
	"fmt"
	"math"
	"path"
	"slices"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/explain/alloc"
	"github.com/seed-1318a441/assay/internal/explain/cputime"
)

// shortName is a function's name without the folders of its package.
func shortName(name string) string {
	head, types, generic := strings.Cut(name, "[")
	if generic {
		return path.Base(head) + "[" + types
	}
	return path.Base(head)
}

// tellingCalls returns a function's changed calls, the most telling first: the
// allocator's, inlining, replacements.
func tellingCalls(calls []assay.CallChange) []assay.CallChange {
	weight := func(c assay.CallChange) int {
		switch {
		case allocates(c):
			return 0
		case c.Inlined:
			return 1
		case c.From != "" && c.To != "" && !(cputime.OfRuntime(c.From) && cputime.OfRuntime(c.To)):
			return 2
		}
		return 3
	}
	calls = slices.DeleteFunc(slices.Clone(calls), func(c assay.CallChange) bool { return weight(c) == 3 })
	slices.SortStableFunc(calls, func(a, b assay.CallChange) int { return weight(a) - weight(b) })
	return calls
}

// allocates reports whether one entry of the allocator became another.
func allocates(c assay.CallChange) bool { return allocator(c.From) && allocator(c.To) }

// allocations returns the calls of the allocator that came or went: without a memory
// profile there is no better evidence.
func allocations(calls []assay.CallChange) []assay.CallChange {
	return slices.DeleteFunc(slices.Clone(calls), func(c assay.CallChange) bool {
		return c.Inlined || c.From != "" && c.To != "" || !allocator(c.From) && !allocator(c.To)
	})
}

func allocator(name string) bool {
	return strings.HasPrefix(name, "runtime.mallocgc") || name == "runtime.newobject" || name == "runtime.makeslice" || name == "runtime.growslice"
}

// cameAndWent returns the functions, but for those of the run time, that a function calls
// now, and those that it calls no more, without another in their place.
func cameAndWent(f assay.FuncChange) (came, went []string) {
	for _, c := range f.Calls {
		switch {
		case c.Inlined || c.From != "" && c.To != "":
		case c.From == "" && !cputime.OfRuntime(c.To):
			came = append(came, c.To)
		case c.To == "" && !cputime.OfRuntime(c.From):
			went = append(went, c.From)
		}
	}
	return came, went
}

// calleesText says what a function calls now, and what no more.
func calleesText(f assay.FuncChange, came, went []string) string {
	text := shortName(f.Name) + " calls "
	switch {
	case len(went) == 0:
		return text + namesText(came) + " now"
	case len(came) == 0:
		return text + namesText(went) + " no more"
	}
	return text + namesText(came) + " now, and " + namesText(went) + " no more"
}

// namesText lists functions, the first two by name.
func namesText(names []string) string {
	var short []string
	for _, name := range names[:min(len(names), 2)] {
		short = append(short, shortName(name))
	}
	if more := len(names) - len(short); more > 0 {
		short = append(short, fmt.Sprintf("%d more", more))
	}
	if last := len(short) - 1; last > 0 {
		short = append(short[:last-1], short[last-1]+" and "+short[last])
	}
	return strings.Join(short, ", ")
}

func callText(f assay.FuncChange, c assay.CallChange) string {
	in := " in " + shortName(f.Name)
	switch {
	case c.From != "" && c.To != "":
		return fmt.Sprintf("call %s became %s%s", shortName(c.From), shortName(c.To), in)
	case c.Inlined && c.From == "":
		return fmt.Sprintf("%s is called%s, and was inlined%s", shortName(c.To), in, whyNotInlined(f, c.To))
	case c.Inlined:
		return fmt.Sprintf("%s is inlined%s, and was called", shortName(c.From), in)
	case c.From == "":
		return fmt.Sprintf("%s is called%s", shortName(c.To), in)
	}
	return fmt.Sprintf("%s is called no more%s", shortName(c.From), in)
}

// whyNotInlined returns the compiler's reason not to inline a callee.
func whyNotInlined(f assay.FuncChange, callee string) string {
	for _, d := range f.Decisions {
		if d.Kind == assay.DecisionNoInline && d.Side == "variant" && d.Reason != "" && strings.HasSuffix(callee, d.What) {
			return " (" + d.Reason + ")"
		}
	}
	return ""
}

// funcLines says in figures how a function differs.
func funcLines(f assay.FuncChange) (out []string) {
	if f.Base != nil && f.Variant != nil {
		a, b := f.Base, f.Variant
		var words []string
		for _, x := range []struct {
			name string
			a, b int
		}{{"size", a.Size, b.Size}, {"frame", a.Frame, b.Frame}, {"calls", a.Calls, b.Calls}, {"bounds checks", a.BoundsChecks, b.BoundsChecks}, {"write barriers", a.WriteBarriers, b.WriteBarriers}} {
			if x.a != x.b {
				words = append(words, fmt.Sprintf("%s %d -> %d", x.name, x.a, x.b))
			}
		}
		if len(words) > 0 {
			out = append(out, strings.Join(words, ", "))
		}
	}
	for _, c := range f.Calls {
		out = append(out, callText(f, c)+atLine(c.File, c.Line))
	}
	for _, d := range f.Decisions {
		out = append(out, decisionText(d))
	}
	return out[:min(len(out), mostEvidence)]
}

// mostEvidence is the number of lines of evidence of a cause.
const mostEvidence = 6

func decisionText(d assay.DecisionChange) string {
	verb := map[string]string{
		assay.DecisionInline: "can inline", assay.DecisionNoInline: "cannot inline", assay.DecisionCall: "inlines the call of",
		assay.DecisionEscape: "to the heap:", assay.DecisionStack: "on the stack:", assay.DecisionBounds: "checks",
	}[d.Kind]
	return fmt.Sprintf("%s only: compiler %s %s", d.Side, verb, d.What) + inBrackets(d.Reason) + atLine(d.File, d.Line)
}

func atLine(file string, line int) string {
	if file == "" {
		return ""
	}
	return fmt.Sprintf(" at %s:%d", file, line)
}

// allocText says what is allocated more or less.
func allocText(a *assay.AllocChange) string {
	objects, bytes := a.VariantObjects-a.BaseObjects, a.VariantBytes-a.BaseBytes
	var what []string
	if math.Abs(objects) >= alloc.LeastObjects {
		noun := "allocations"
		if math.Abs(math.Abs(objects)-1) < alloc.LeastObjects {
			noun = "allocation"
		}
		what = append(what, amount(math.Abs(objects))+" "+noun)
	}
	if math.Abs(bytes) >= 0.5 {
		what = append(what, amount(math.Abs(bytes))+" B")
	}
	way := func(d float64) string {
		if d < 0 {
			return " less"
		}
		return " more"
	}
	change := "the same amount in other places"
	switch {
	case len(what) == 2 && way(objects) != way(bytes): // a slice that was grown in advance
		change = what[0] + way(objects) + ", " + what[1] + way(bytes)
	case len(what) > 0 && math.Abs(objects) >= alloc.LeastObjects:
		change = strings.Join(what, ", ") + way(objects)
	case len(what) > 0:
		change = strings.Join(what, ", ") + way(bytes)
	}
	s := a.Sites[0]
	text := fmt.Sprintf("%s per operation: %s", change, siteText(s))
	return text + atLine(s.File, s.Line) + inBrackets(s.Reason)
}

// amount prints a number per operation.
func amount(x float64) string {
	if r := math.Round(x); math.Abs(x-r) < alloc.LeastObjects || x >= 100 {
		return fmt.Sprintf("%.0f", r)
	}
	return fmt.Sprintf("%.3g", x)
}

// siteText is what a site allocates, or where.
func siteText(s assay.AllocSite) string {
	switch {
	case s.Type != "":
		return s.Type + " in " + shortName(s.Function)
	case s.Via != "":
		return s.Via + " in " + shortName(s.Function)
	}
	return shortName(s.Function)
}

// inBrackets returns a reason to append, "" for none.
func inBrackets(reason string) string {
	if reason == "" {
		return ""
	}
	return " (" + reason + ")"
}

func siteLines(a *assay.AllocChange) (out []string) {
	for _, s := range a.Sites {
		out = append(out, fmt.Sprintf("%s -> %s objects, %s -> %s B per operation: %s%s%s", amount(s.BaseObjects), amount(s.VariantObjects),
			amount(s.BaseBytes), amount(s.VariantBytes), siteText(s), atLine(s.File, s.Line), inBrackets(s.Reason)))
	}
	return out[:min(len(out), mostEvidence)]
}

// gcNames is what a line of evidence calls the metrics of the collector per operation. The
// others are per cycle, and add up to these.
var gcNames = map[string]string{assay.MetricGCCyclesOp: "GC cycles per operation", assay.MetricGCMarkOp: "mark CPU per operation, s"}

// gcLines lists the collector's figures that are known to differ.
func gcLines(g *assay.GCChange) (out []string) {
	if g == nil {
		return nil
	}
	for _, row := range g.Rows {
		if name, ok := gcNames[row.Metric]; ok && row.Interval != nil && !row.Interval.Covers(0) {
			out = append(out, fmt.Sprintf("%s: %.3g -> %.3g, %s %s", name, row.Base, row.Variant, row.Change.Format(row.Interval.Half()), row.Interval))
		}
	}
	return out[:min(len(out), mostEvidence)]
}

package explain

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/binary"
	"github.com/seed-1318a441/assay/internal/explain/cputime"
	"github.com/seed-1318a441/assay/internal/printable"
)

// functions returns the changed functions: first those that call something else now,
// since these also account for what they call, and the program's own before the run
// time's.
func functions(c *assay.CodeChange) []assay.FuncChange {
	if c == nil {
		return nil
	}
	out := slices.Clone(c.Functions)
	slices.SortStableFunc(out, func(a, b assay.FuncChange) int { return callerRank(a) - callerRank(b) })
	return out
}

func callerRank(f assay.FuncChange) int {
	came, went := cameAndWent(f)
	switch {
	case len(tellingCalls(f.Calls))+len(came)+len(went) == 0:
		return 2
	case cputime.OfRuntime(f.Name):
		return 1
	}
	return 0
}

// function makes a cause of a function that differs. A change of the allocator's entry is
// the allocator's, wherever it was found.
func (r *ranking) function(f assay.FuncChange) {
	c := assay.Cause{Function: f.Name, File: f.File, Line: f.Line, Evidence: funcLines(f)}
	calls := tellingCalls(f.Calls)
	if len(calls) == 0 && (f.Base == nil || f.Variant == nil) && r.calledInstead(f.Name) {
		return
	}
	switch {
	case f.VariantName != "":
		c.Kind, c.Text = assay.CauseCode, levelText(f)
		c.Part = r.claim(shortName(f.VariantName), slices.Concat(r.within(f.Name), r.within(f.VariantName))...)
	case len(calls) > 0 && allocates(calls[0]):
		c.Kind, c.Text = assay.CauseAllocator, callText(f, calls[0])
		c.Part = r.claim("allocation", cputime.CategoryAllocation)
		if c.Part == nil && r.has(assay.CauseAllocator) {
			return // told of another function, at more length
		}
	case len(calls) > 0 && calls[0].Inlined:
		c.Kind, c.Text = assay.CauseInlining, callText(f, calls[0])
		c.Part = r.claim(shortName(f.Name), r.within(f.Name, calls[0].From, calls[0].To)...)
	case len(calls) > 0 && calls[0].From != "" && calls[0].To != "":
		c.Kind, c.Text = assay.CauseCallee, callText(f, calls[0])
		c.Part = r.claim(shortName(f.Name), r.withCallees(f.Name, calls[0].From, calls[0].To)...)
	case r.Allocs == nil && len(allocations(f.Calls)) > 0:
		calls = allocations(f.Calls)
		c.Kind, c.Text = assay.CauseAllocation, callText(f, calls[0])
		c.Part = r.claim(shortName(f.Name), r.within(f.Name)...)
	default:
		came, went := cameAndWent(f)
		if c.Kind, c.Text = instructions(f); c.Kind == assay.CauseCode && r.sees(slices.Concat(came, went)) {
			c.Kind, c.Text = assay.CauseCallee, calleesText(f, came, went)
		}
		c.Part = r.claim(shortName(f.Name), r.withCallees(f.Name, slices.Concat(came, went)...)...)
	}
	if len(calls) > 0 {
		c.File, c.Line = cmp.Or(calls[0].File, c.File), cmp.Or(calls[0].Line, c.Line)
	}
	c.Evidence = slices.DeleteFunc(c.Evidence, func(line string) bool { return strings.HasPrefix(line, c.Text) })
	r.found = append(r.found, c)
}

// levelText compares two functions that variants inside one binary run.
func levelText(f assay.FuncChange) string {
	side := func(name string, x assay.FuncFacts) string {
		return fmt.Sprintf("%s has %s and %s", shortName(name), printable.Count(x.Instructions, "instruction"), printable.Count(x.Calls, "call"))
	}
	return side(f.VariantName, *f.Variant) + ", " + side(f.Name, *f.Base)
}

// levelLines are the lines of evidence about the functions that variants inside one binary run.
func levelLines(c *assay.CodeChange) (out []string) {
	for _, f := range functions(c) {
		if f.VariantName != "" {
			out = append(out, levelText(f))
		}
	}
	return out
}

// manyChanged is the number of changed functions above which a change is a rewrite:
// without a profile nothing says which of them costs.
const manyChanged = 4

// changedFunctions makes causes of the functions that differ, or one of a rewrite.
func (r *ranking) changedFunctions() {
	changed := functions(r.Code)
	if r.CPU == nil {
		changed = withoutFollowers(changed)
	}
	own := slices.DeleteFunc(slices.Clone(changed), func(f assay.FuncChange) bool { return cputime.OfRuntime(f.Name) })
	if c := r.Code; r.CPU == nil && len(own) > manyChanged {
		r.found = append(r.found, assay.Cause{Kind: assay.CauseCode, Text: fmt.Sprintf("%d of the %d functions that the benchmark can call differ; only a CPU profile shows which of them cost time", c.Hot-c.SameHot, c.Hot)})
		return
	}
	for _, f := range changed {
		r.function(f)
	}
}

// withoutFollowers returns the changed functions without those of one side, if another one
// calls something else now: what came or went with the callee is no cause of its own.
func withoutFollowers(changed []assay.FuncChange) []assay.FuncChange {
	both := slices.DeleteFunc(slices.Clone(changed), func(f assay.FuncChange) bool { return f.Base == nil || f.Variant == nil })
	if !slices.ContainsFunc(both, func(f assay.FuncChange) bool {
		came, went := cameAndWent(f)
		return len(came)+len(went)+len(tellingCalls(f.Calls)) > 0
	}) {
		return changed
	}
	return both
}

// sees reports whether one of these functions may matter: without a profile any of them, else
// those that it has samples of.
func (r *ranking) sees(names []string) bool {
	return slices.ContainsFunc(names, func(name string) bool {
		return r.CPU == nil || slices.ContainsFunc(r.CPU.Owners, func(p assay.Part) bool { return p.Name == name })
	})
}

// calledInstead reports whether a changed function now calls this one, or no longer does.
func (r *ranking) calledInstead(name string) bool {
	return slices.ContainsFunc(functions(r.Code), func(f assay.FuncChange) bool {
		came, went := cameAndWent(f)
		return slices.Contains(came, name) || slices.Contains(went, name) ||
			slices.ContainsFunc(tellingCalls(f.Calls), func(c assay.CallChange) bool { return c.From == name || c.To == name })
	})
}

// within returns the parts of the profile in which a change of a function shows: its own,
// those of what it calls instead, and of what is inlined into it, whose samples have the
// inlined function's name. A function that also runs on its own has code and a change of
// its own.
func (r *ranking) within(names ...string) []string {
	var inside []string
	for inlined, into := range r.Inlined {
		if slices.Contains(into, names[0]) && !r.changed(inlined) {
			inside = append(inside, binary.ReadableName(inlined))
		}
	}
	slices.Sort(inside) // sums of floats depend on the order
	return append(slices.Clone(names), inside...)
}

// withCallees returns the parts of the profile in which other callees of a function show: also
// those of what the profile has seen below these alone.
func (r *ranking) withCallees(function string, callees ...string) []string {
	out := r.within(slices.Concat([]string{function}, callees)...)
	if r.CPU == nil || r.CPU.Flame == nil {
		return out
	}
	below, elsewhere := map[string]bool{}, map[string]bool{}
	var walk func(f *assay.Frame, in bool)
	walk = func(f *assay.Frame, in bool) {
		if in {
			below[f.Name] = true
		} else {
			elsewhere[f.Name] = true
		}
		for i := range f.Children {
			walk(&f.Children[i], in || slices.Contains(callees, f.Name))
		}
	}
	walk(r.CPU.Flame, false)
	for _, name := range slices.Sorted(maps.Keys(below)) { // sums of floats depend on the order
		if !elsewhere[name] && !r.changed(name) {
			out = append(out, name)
		}
	}
	return out
}

// changed reports whether a function has a cause of its own.
func (r *ranking) changed(name string) bool {
	return slices.ContainsFunc(functions(r.Code), func(f assay.FuncChange) bool { return binary.PlainName(f.Symbol) == binary.PlainName(name) })
}

// instructions says how a function's own instructions differ.
func instructions(f assay.FuncChange) (kind assay.CauseKind, text string) {
	name := shortName(f.Name)
	a, b := f.Base, f.Variant
	switch {
	case a == nil && b == nil:
		return assay.CauseCode, name + " differs in a way that could not be read"
	case a == nil:
		return assay.CauseCode, name + " is new"
	case b == nil:
		return assay.CauseCode, name + " is gone, or under another name"
	case a.BoundsChecks != b.BoundsChecks:
		return assay.CauseBounds, fmt.Sprintf("%s checks indices at %s, not %d", name, printable.Count(b.BoundsChecks, "place"), a.BoundsChecks)
	case a.WriteBarriers != b.WriteBarriers:
		return assay.CauseBarriers, fmt.Sprintf("%s has write barriers at %s, not %d", name, printable.Count(b.WriteBarriers, "place"), a.WriteBarriers)
	}
	if a.Instructions == b.Instructions {
		return assay.CauseCode, fmt.Sprintf("%s has other instructions, %d as before", name, a.Instructions)
	}
	return assay.CauseCode, fmt.Sprintf("%s has other instructions: %d, not %d", name, b.Instructions, a.Instructions)
}

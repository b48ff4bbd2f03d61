package explain

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/explain/cputime"
	"github.com/seed-1318a441/assay/internal/explain/group"
	"github.com/seed-1318a441/assay/internal/printable"
)

// worthTelling is the share of the difference below which a cause is omitted, unless it
// is the only one.
const worthTelling = 0.03

// mostCauses is the length of the list.
const mostCauses = 12

// causes finds the causes of a difference and ranks them: those in its direction before
// those against it, larger parts first, and those that may be nothing last. Each part of
// the profile belongs to one cause at most, so the causes' parts can be added up. Without
// a profile the order is that of kinds: allocation, then calls, then the rest.
func causes(m Material) []assay.Cause {
	r := ranking{Material: m, left: partition(m.CPU)}
	r.allocation()
	r.collector()
	r.changedFunctions()
	r.data()
	r.leftovers()
	r.settings()
	found := r.worthListing()
	slices.SortStableFunc(found, r.compare)
	if l := m.Layout; l != nil && l.Layouts >= group.EnoughLinks && l.Comparison.Verdict == assay.Same {
		found = append([]assay.Cause{{Kind: assay.CauseLayout, Text: l.Text}}, found...)
	}
	found = found[:min(len(found), mostCauses)]
	if len(slices.DeleteFunc(slices.Clone(found), locatesOnly)) == 0 {
		return append(found, r.nothing())
	}
	return found
}

// locatesOnly reports whether a cause says where time went, but not why.
func locatesOnly(c assay.Cause) bool {
	return c.Kind == assay.CauseCalls || c.Kind == assay.CauseLayout || c.Kind == assay.CauseUnknown
}

// A ranking is the list of causes while it is made.
type ranking struct {
	Material
	found []assay.Cause
	// left has the parts of the profile that no cause has yet, by name.
	left map[string]assay.Part
}

// partition divides the profile by who caused the time: the parts do not overlap.
func partition(c *assay.CPUChange) map[string]assay.Part {
	out := map[string]assay.Part{}
	if c == nil {
		return out
	}
	for _, p := range c.Owners {
		if p.Name != cputime.Others {
			out[p.Name] = p
		}
	}
	return out
}

// claim gives the parts of these names to a cause called name, so that no other cause
// gets them; nil if the profile has none of them.
func (r *ranking) claim(name string, parts ...string) *assay.Part {
	var sum *assay.Part
	for _, p := range parts {
		part, ok := r.left[p]
		if !ok {
			continue
		}
		delete(r.left, p)
		if sum == nil {
			sum = &assay.Part{Name: name}
		}
		*sum = sumOfParts(*sum, part)
	}
	return sum
}

// sumOfParts adds two parts of a profile. The interval is that of independent parts, with
// half-widths added in quadrature; parts of one profile are nearly so, since each sample
// is in one.
func sumOfParts(a, b assay.Part) assay.Part {
	half := 0.0
	for _, i := range []*assay.Interval{a.Interval, b.Interval} {
		if i != nil {
			half = math.Hypot(half, float64(i.Half()))
		}
	}
	a.Base, a.Variant, a.Change = a.Base+b.Base, a.Variant+b.Variant, a.Change+b.Change
	if a.Interval != nil || b.Interval != nil {
		a.Interval = &assay.Interval{Lo: a.Change - assay.Change(half), Hi: a.Change + assay.Change(half)}
	}
	return a
}

// named returns the remaining parts that satisfy a condition.
func (r *ranking) named(is func(string) bool) []string {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(r.left)), func(name string) bool { return !is(name) })
}

// isGC reports whether a part of the profile is the collector's and counts on the clock:
// idle processors mark for free.
func isGC(name string) bool { return strings.HasPrefix(name, "GC") && name != cputime.CategoryIdleMark }

// allocation finds objects that came or went. They cost the allocator's time, the
// collector's, and what the functions that allocate them do with them: growing a slice is
// copying too.
func (r *ranking) allocation() {
	a := r.Allocs
	if a == nil || len(a.Sites) == 0 || !allocMatters(a) {
		return
	}
	first := a.Sites[0]
	parts := append(r.named(isGC), cputime.CategoryAllocation)
	for _, s := range a.Sites {
		parts = append(parts, s.Function)
	}
	if r.contrary(a, parts) {
		return
	}
	part := r.claim("allocation", parts...)
	r.found = append(r.found, assay.Cause{Kind: assay.CauseAllocation, Function: first.Function, File: first.File, Line: first.Line,
		Text: allocText(a), Part: part, Evidence: slices.Concat(siteLines(a), levelLines(r.Code), gcLines(r.GC))})
}

// contrary reports whether the time of allocating and collecting is known to have changed
// in the other direction than what is allocated. More objects do not save time: then
// their number depends on something else, such as a set-up made per b.N, and the cause is
// elsewhere.
func (r *ranking) contrary(a *assay.AllocChange, parts []string) bool {
	objects, bytes := a.VariantObjects-a.BaseObjects, a.VariantBytes-a.BaseBytes
	if objects*bytes < 0 {
		return false
	}
	left := maps.Clone(r.left)
	part := r.claim("allocation", parts...)
	r.left = left
	return part != nil && excludesZero(*part) && float64(part.Change)*(objects+bytes) < 0
}

// leastAlloc is the smallest relative change in objects or bytes that can be a cause: a
// program that makes millions of objects makes some more by the way.
const leastAlloc = 0.01

func allocMatters(a *assay.AllocChange) bool {
	apart := func(b, v float64) bool { return math.Abs(v-b) > leastAlloc*max(b, v) }
	return apart(a.BaseObjects, a.VariantObjects) || apart(a.BaseBytes, a.VariantBytes)
}

// collector finds work of the collector that no allocation explains.
func (r *ranking) collector() {
	if r.has(assay.CauseAllocation) {
		return
	}
	names := r.named(isGC)
	if len(names) == 0 && r.cycles() == 0 {
		return
	}
	evidence := gcLines(r.GC)
	part := r.claim("GC", names...)
	if r.cycles() == 0 && (part == nil || !excludesZero(*part)) {
		return
	}
	how := "more"
	if part != nil && part.Change < 0 || part == nil && r.cycles() < 0 {
		how = "less"
	}
	text := "the collector works " + how + ": the same is allocated"
	if r.Allocs != nil && allocMatters(r.Allocs) {
		text = "the collector works " + how + "; the allocations do not explain it"
		evidence = append(evidence, allocText(r.Allocs))
	}
	r.found = append(r.found, assay.Cause{Kind: assay.CauseGC, Text: text, Part: part, Evidence: evidence})
}

// cycles returns the change of the number of cycles per operation, 0 if it is not known
// to differ.
func (r *ranking) cycles() assay.Change {
	if r.GC == nil {
		return 0
	}
	for _, row := range r.GC.Rows {
		if row.Metric == assay.MetricGCCyclesOp && row.Interval != nil && !row.Interval.Covers(0) && !row.Interval.Within(cyclesApart) {
			return row.Change
		}
	}
	return 0
}

// cyclesApart is the smallest change of the number of cycles that counts as one.
const cyclesApart = 0.05

// excludesZero reports whether a part is known to differ from nothing.
func excludesZero(p assay.Part) bool { return p.Interval == nil || !p.Interval.Covers(0) }

func (r *ranking) has(kind assay.CauseKind) bool {
	return slices.ContainsFunc(r.found, func(c assay.Cause) bool { return c.Kind == kind })
}

// leftovers finds the parts that have changed without a change of code: the same
// instructions have more or less to do, or lie elsewhere.
func (r *ranking) leftovers() {
	// Idle processors mark for free: that is no time on the clock.
	for _, name := range r.named(func(name string) bool { return name != cputime.CategoryIdleMark }) {
		p := r.left[name]
		if !excludesZero(p) || math.Abs(float64(p.Change)) < r.threshold() {
			continue
		}
		kind, text := assay.CauseCalls, fmt.Sprintf("%s takes %s: the same instructions, called more or less often, or on other data", shortName(name), direction(p))
		switch {
		case r.Code == nil || cputime.Shared[name]:
			text = fmt.Sprintf("%s takes %s", shortName(name), direction(p))
		case sameHot(r.Material) && len(r.found) == 0: // nothing but time is known to differ
			kind, text = assay.CauseLayout, fmt.Sprintf("%s takes %s with the same instructions", shortName(name), direction(p))
		}
		p.Name = shortName(name)
		r.found = append(r.found, assay.Cause{Kind: kind, Function: name, Text: text, Part: &p})
	}
}

func direction(p assay.Part) string {
	if p.Change < 0 {
		return "less time"
	}
	return "more time"
}

// data finds what the benchmark works on, if that differs and the code that matters does
// not.
func (r *ranking) data() {
	if !sameHot(r.Material) {
		return
	}
	var parts []string
	if r.Code != nil && len(r.Code.Data) > 0 {
		names := slices.Clone(r.Code.Data)
		for i, name := range names {
			names[i] = shortName(name)
		}
		parts = append(parts, printable.Few(names, mostData)+" "+differ(names))
	}
	if len(r.Files) > 0 {
		parts = append(parts, printable.Files(r.Files)+" "+differ(r.Files)+", which the benchmark may read")
	}
	if len(parts) > 0 {
		r.found = append(r.found, assay.Cause{Kind: assay.CauseData, Text: "the code that matters is the same, but the data is not: " + strings.Join(parts, "; ")})
	}
}

// mostData is the number of package variables that a cause names.
const mostData = 3

func differ(names []string) string {
	if len(names) == 1 {
		return "differs"
	}
	return "differ"
}

// settings adds settings that differ, as evidence if the code is the same.
func (r *ranking) settings() {
	if r.Settings == "" {
		return
	}
	c := assay.Cause{Kind: assay.CauseSettings, Text: "the run settings differ: " + r.Settings}
	if r.SameCode && r.has(assay.CauseGC) {
		i := slices.IndexFunc(r.found, func(c assay.Cause) bool { return c.Kind == assay.CauseGC })
		r.found[i].Evidence = append([]string{c.Text}, r.found[i].Evidence...)
		return
	}
	r.found = append(r.found, c)
}

// nothing is the cause if none was found.
func (r *ranking) nothing() assay.Cause {
	if sameHot(r.Material) {
		return assay.Cause{Kind: assay.CauseLayout, Text: "the code that matters is the same: its place in memory, the environment, or noise"}
	}
	return assay.Cause{Kind: assay.CauseUnknown, Text: lookAtLayout(r.Material)}
}

// worthListing drops causes that account for next to nothing.
func (r *ranking) worthListing() []assay.Cause {
	return slices.DeleteFunc(r.found, func(c assay.Cause) bool {
		if c.Part == nil {
			return r.CPU != nil && c.Function != "" && c.Kind != assay.CauseAllocation // the profile has not seen it
		}
		return math.Abs(float64(c.Part.Change)) < r.threshold() && c.Kind != assay.CauseAllocation
	})
}

// threshold is the smallest part worth listing, in points.
func (r *ranking) threshold() float64 {
	return worthTelling * math.Abs(float64(r.Comparison.Change))
}

func (r *ranking) compare(a, b assay.Cause) int {
	return cmp.Or(cmp.Compare(r.rank(a), r.rank(b)), cmp.Compare(sizeOfPart(b), sizeOfPart(a)), cmp.Compare(slices.Index(kinds, a.Kind), slices.Index(kinds, b.Kind)))
}

// kinds are in the order of what usually costs most.
var kinds = []assay.CauseKind{
	assay.CauseAllocation, assay.CauseGC, assay.CauseAllocator, assay.CauseSettings, assay.CauseInlining, assay.CauseCallee,
	assay.CauseBounds, assay.CauseBarriers, assay.CauseCode, assay.CauseData, assay.CauseCalls, assay.CauseLayout, assay.CauseUnknown,
}

// rank puts data that differs under the same code first, then causes in the direction of the difference, then those of unknown size,
// then those against it, and last those whose part may be nothing.
func (r *ranking) rank(c assay.Cause) int {
	switch {
	case c.Kind == assay.CauseData: // it is why the same instructions take another time
		return -1
	case c.Part == nil:
		return 1
	case !excludesZero(*c.Part):
		return 3
	case (c.Part.Change > 0) == (r.Comparison.Change > 0):
		return 0
	}
	return 2
}

func sizeOfPart(c assay.Cause) float64 {
	if c.Part == nil {
		return 0
	}
	return math.Abs(float64(c.Part.Change))
}

// Package group divides the measured change of an explanation into a few groups of
// causes that add up to it: allocation, collector, code and so on, and what is left
// unexplained. It finds no causes; package explain does.
package group

import (
	"math"
	"slices"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/explain/cputime"
)

// The names of groups, in the order in which they are listed.
const (
	Allocation  = "allocation"  // time in the allocator
	Collector   = "collector"   // time in the garbage collector, without idle processors
	Code        = "code"        // functions whose code or callees differ, and functions that allocate more or less
	Calls       = "calls"       // functions with the same code that have more or less to do
	Placement   = "placement"   // functions with the same code that lie elsewhere in memory
	Runtime     = "runtime"     // scheduling, locks, system calls and the like
	Unexplained = "unexplained" // the measured change without all others
)

var names = []string{Allocation, Collector, Code, Calls, Placement, Runtime}

// EnoughLinks is the number of pairs of links from which a verdict holds across layouts
// (docs/methodology.md).
const EnoughLinks = 10

// largest bounds changes: no program becomes ten thousand times as slow.
const largest = 1e4

// A Group is a part of a measured change.
type Group struct {
	// Part has the group's name, its seconds per operation on both sides, and its change as
	// a share of the base's measured time. Changes add up to the measured one.
	assay.Part
	// Points is the change in percent without its sign of percent, "+14.2". All groups have
	// the decimals of the measured change, and add up to it as printed.
	Points string
}

// worthListing is the share of the measured change below which time is unexplained: as in
// the list of causes, it says nothing about the change.
const worthListing = 0.03

// Of divides the measured change of an explanation into groups. It returns nil without a
// profile, and if a figure is none that a program can have.
//
// Time is counted once, where it was spent:
//   - the runtime's own time goes to Allocation, Collector and Runtime by its category,
//     whatever caused it;
//   - a function's time goes to the group of the cause that claims it: causes share no
//     part of a profile. That of an allocation goes to Code without the time of allocator
//     and collector, which it claims too;
//   - if the measured change does not hold across relinked builds, the time of functions
//     is Placement;
//   - Unexplained is the measured change minus all these: time that no profile sees, that
//     no cause claims and that may be noise, and groups below 3 % of the change.
//
// An interval is that of independent parts: half-widths add up in quadrature. Unexplained
// has the half-width of what the profile does not see if that is nearly all of it.
func Of(e *assay.Explanation) []Group {
	found := located(e)
	for _, c := range e.Causes {
		if name, p := claimed(e, c); name != "" {
			found[name] = add(found[name], p)
		}
	}
	if e.CPU == nil && len(found) == 0 {
		return nil
	}
	measured := assay.Part{Base: e.BaseValue, Variant: e.Comparison.Value, Change: e.Comparison.Change, Interval: e.Comparison.Interval}
	left := measured
	var out []Group
	for _, name := range names {
		p := found[name]
		if math.Abs(float64(p.Change)) < worthListing*math.Abs(float64(measured.Change)) || p.Change == 0 {
			continue
		}
		if p.Interval != nil && p.Interval.Covers(0) && !slices.ContainsFunc(e.Causes, func(c assay.Cause) bool { return slices.Contains(groupsOf(e, c), name) }) {
			continue
		}
		p.Name = name
		left = without(left, p)
		out = append(out, Group{Part: p})
	}
	left.Name = Unexplained
	if c := e.CPU; c != nil && left.Interval != nil && math.Abs(float64(left.Change-c.NotSeen.Change)) < worthListing*math.Abs(float64(measured.Change)) && c.NotSeen.Interval != nil {
		left.Interval = around(left.Change, halfWidth(c.NotSeen))
	}
	out = append(out, Group{Part: left})
	if slices.ContainsFunc(out, func(g Group) bool { return !(math.Abs(float64(g.Change)) < largest) }) {
		return nil
	}
	return printed(out, measured)
}

// located returns the runtime's own time in a profile by group.
func located(e *assay.Explanation) map[string]assay.Part {
	out := map[string]assay.Part{}
	if e.CPU == nil {
		return out
	}
	for _, p := range e.CPU.Owners {
		if name := groupOfOwner(p.Name); name != "" {
			out[name] = add(out[name], p)
		}
	}
	return out
}

// groupOfOwner returns the group of the runtime's own time, "" of a function's and of what
// no clock shows.
func groupOfOwner(owner string) string {
	switch owner {
	case cputime.CategoryAllocation:
		return Allocation
	case cputime.CategoryMark, cputime.CategoryAssist, cputime.CategoryGC:
		return Collector
	case cputime.CategoryIdleMark, cputime.CategoryProgram, cputime.Others:
		return ""
	}
	if strings.ContainsAny(owner, ".(") { // of a package, or unknown
		return ""
	}
	return Runtime
}

// profiled reports whether an explanation has a profile that is divided by who caused the
// time.
func profiled(e *assay.Explanation) bool { return e.CPU != nil && len(e.CPU.Owners) > 0 }

// groupsOf returns the groups that the part of a cause belongs to: first those of the
// runtime's own time.
func groupsOf(e *assay.Explanation, c assay.Cause) []string {
	name := Code
	switch c.Kind {
	case assay.CauseSettings, assay.CauseData, assay.CauseUnknown:
		return nil
	case assay.CauseAllocator:
		return []string{Allocation}
	case assay.CauseGC:
		return []string{Collector}
	case assay.CauseAllocation:
		if !profiled(e) {
			return []string{Allocation}
		}
	case assay.CauseCalls:
		if owner := groupOfOwner(c.Function); owner != "" && c.Function != "" {
			return []string{owner}
		}
		name = Calls
	case assay.CauseLayout:
		name = Placement
	}
	if vanishes(e.Layout) {
		name = Placement
	}
	if c.Kind == assay.CauseAllocation && e.Allocs != nil {
		return []string{Allocation, Collector, name}
	}
	return []string{name}
}

// claimed returns what a cause adds to a group beside the runtime's own time of the
// profile, and the group; "" for nothing.
func claimed(e *assay.Explanation, c assay.Cause) (name string, p assay.Part) {
	groups := groupsOf(e, c)
	if c.Part == nil || len(groups) == 0 {
		return "", p
	}
	name = groups[len(groups)-1]
	switch {
	case !profiled(e):
		return name, *c.Part
	case slices.Contains([]string{Allocation, Collector, Runtime}, name):
		return "", p
	case len(groups) > 1:
		own := located(e)
		return name, functions(*c.Part, own[Allocation], own[Collector])
	}
	return name, *c.Part
}

// vanishes reports whether a difference does not hold across relinked builds.
func vanishes(l *assay.LayoutCheck) bool {
	return l != nil && l.Layouts >= EnoughLinks && l.Comparison.Verdict == assay.Same
}

// functions returns a part of an allocation without that of the runtime.
func functions(p assay.Part, runtime ...assay.Part) assay.Part {
	half := halfWidth(p)
	for _, r := range runtime {
		p.Base, p.Variant, p.Change = p.Base-r.Base, p.Variant-r.Variant, p.Change-r.Change
		half = math.Sqrt(max(0, half*half-halfWidth(r)*halfWidth(r)))
	}
	if p.Interval != nil {
		p.Interval = around(p.Change, half)
	}
	return p
}

// add adds two parts of a profile.
func add(a, b assay.Part) assay.Part {
	sum := assay.Part{Name: a.Name, Base: a.Base + b.Base, Variant: a.Variant + b.Variant, Change: a.Change + b.Change}
	if a.Interval != nil || b.Interval != nil {
		sum.Interval = around(sum.Change, math.Hypot(halfWidth(a), halfWidth(b)))
	}
	return sum
}

// without subtracts a part from what is left of a change.
func without(left, p assay.Part) assay.Part {
	p.Base, p.Variant, p.Change = -p.Base, -p.Variant, -p.Change
	if p.Interval != nil {
		p.Interval = &assay.Interval{Lo: -p.Interval.Hi, Hi: -p.Interval.Lo}
	}
	known := left.Interval != nil
	left = add(left, p)
	if !known {
		left.Interval = nil
	}
	return left
}

func halfWidth(p assay.Part) float64 {
	if p.Interval == nil || !(p.Interval.Half() < largest) {
		return 0
	}
	return max(0, float64(p.Interval.Half()))
}

func around(c assay.Change, half float64) *assay.Interval {
	return &assay.Interval{Lo: c - assay.Change(half), Hi: c + assay.Change(half)}
}

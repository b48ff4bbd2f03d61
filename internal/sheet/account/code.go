package account

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/printable"
	"github.com/seed-1318a441/assay/internal/sheet"
)

// Whole says how much of the binaries is the same.
func (a *Account) Whole(c *assay.CodeChange) []string {
	var lines []string
	total := c.Same + c.Differ + c.OnlyBase + c.OnlyVariant
	switch {
	case a.Explanation.SameCode, total > 0 && c.Same == total:
		lines = append(lines, "all "+printable.Count(c.Same, "function")+" are the same")
	case total > 0:
		lines = append(lines, sheet.JoinWords(" · ", printable.Int(c.Same)+" functions the same", nonzero(c.Differ, "differ"),
			nonzero(c.OnlyBase, "only in "+a.Base), nonzero(c.OnlyVariant, "only in "+a.Variant)))
	}
	if c.Hot > 0 {
		lines = append(lines, hot(c))
	}
	if len(c.Data) > 0 {
		names := slices.Clone(c.Data)
		for i, name := range names {
			names[i] = a.FunctionName(name)
		}
		lines = append(lines, "data that differs: "+printable.Few(names, mostData))
	}
	for _, m := range c.Missing {
		lines = append(lines, "unknown: "+m)
	}
	return lines
}

// mostData is the number of package variables named.
const mostData = 5

// hot compares the functions that matter.
func hot(c *assay.CodeChange) string {
	if c.SameHot >= c.Hot {
		if c.Hot == 1 {
			return "the function that matters here is the same in both"
		}
		return "all " + printable.Int(c.Hot) + " functions that matter here are the same in both"
	}
	if c.Hot == 1 {
		return "the function that matters here differs"
	}
	if c.SameHot <= 0 {
		return "the " + printable.Int(c.Hot) + " functions that matter here differ"
	}
	return fmt.Sprintf("of %d functions that matter here %d %s the same in both", c.Hot, c.SameHot, verb(c.SameHot, "is", "are"))
}

func verb(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

// nonzero is "12 differ", "" for none.
func nonzero(n int, what string) string {
	if n == 0 {
		return ""
	}
	return printable.Int(n) + " " + what
}

func signedInt(n int64) string {
	if n > 0 {
		return "+" + printable.Int(n)
	}
	return printable.Int(n)
}

// sizeCells returns the row of a size in bytes: both sides, the difference, and the
// change.
func sizeCells(name string, base, variant int64) []sheet.Cell {
	cs := []sheet.Cell{sheet.Word(name), sheet.Word(printable.Int(base)), sheet.Word(printable.Int(variant)), sheet.Word(signedInt(variant - base)), {}}
	if by := assay.Change(float64(variant)/float64(base) - 1); base > 0 && math.Abs(float64(by)) >= sheet.LeastPoint/2 {
		cs[4] = sheet.Number(sheet.Points(by, nil), "%")
	}
	return cs
}

// SideOf returns the name of the only side with a decision of the compiler.
func (a *Account) SideOf(d assay.DecisionChange) string {
	if d.Side == "variant" {
		return a.Variant
	}
	return a.Base
}

// CallText says how a call changed.
func (a *Account) CallText(k assay.CallChange) string {
	from, to := a.FunctionName(k.From), a.FunctionName(k.To)
	switch {
	case k.From != "" && k.To != "":
		return from + " → " + to
	case k.To == "" && k.Inlined:
		return from + " is inlined now"
	case k.To == "":
		return from + " is not called any more"
	case k.Inlined:
		return to + " was inlined, is called now"
	}
	return to + " is called now"
}

// CallIn says how a call in a function changed, how often and where. Of two functions inside
// one binary none changed: it says which of them makes the call.
func (a *Account) CallIn(f assay.FuncChange, k assay.CallChange) string {
	text := a.CallText(k)
	if one := k.From == "" || k.To == ""; one && f.VariantName != "" {
		what, in := cmp.Or(k.From, k.To), f.Name
		if k.From == "" {
			in = f.VariantName
		}
		text = a.FunctionName(what) + " is called in " + a.FunctionName(in) + " only"
	}
	return sheet.JoinWords(", ", text+Times(k.Count), fileLine(k.File, k.Line))
}

// Decision says what the compiler decided for one side alone, where and why.
func Decision(d assay.DecisionChange) string {
	return sheet.JoinWords(": ", fileLine(d.File, d.Line), decided(d.Kind, d.What), d.Reason)
}

// Times is how often a function makes a call, if more than once.
func Times(n int) string {
	if n > 1 {
		return " (" + printable.Int(n) + "×)"
	}
	return ""
}

// PlaceOf is a function and where it begins, with both names where variants run functions of
// their own.
func (a *Account) PlaceOf(f assay.FuncChange) string {
	place := a.Place(f.Name, f.File, f.Line)
	if f.VariantName == "" {
		return place
	}
	return sheet.JoinWords(" → ", place, a.FunctionName(f.VariantName))
}

// FactsOf describes a function: all facts if only one side has it, else its size and the
// differences.
func (a *Account) FactsOf(f assay.FuncChange) []string {
	switch {
	case f.Base == nil && f.Variant == nil:
		return []string{"not read"}
	case f.Base == nil:
		return oneSide(a.Variant, *f.Variant)
	case f.Variant == nil:
		return oneSide(a.Base, *f.Base)
	}
	b, v := *f.Base, *f.Variant
	return []string{arrow("", b.Size, v.Size, " bytes"), changedArrow("stack frame ", b.Frame, v.Frame, " B"),
		changedArrow("instructions ", b.Instructions, v.Instructions, ""), changedArrow("calls ", b.Calls, v.Calls, ""),
		changedArrow("bounds checks ", b.BoundsChecks, v.BoundsChecks, ""),
		changedArrow("write barriers ", b.WriteBarriers, v.WriteBarriers, "")}
}

func oneSide(side string, f assay.FuncFacts) []string {
	return []string{"only in " + side + ": " + printable.Count(f.Size, "byte"), "stack frame " + printable.Int(f.Frame) + " B", printable.Count(f.Instructions, "instruction"),
		printable.Count(f.Calls, "call"), printable.Count(f.BoundsChecks, "bounds check"), printable.Count(f.WriteBarriers, "write barrier")}
}

func changedArrow(label string, base, variant int, unit string) string {
	if base == variant {
		return ""
	}
	return arrow(label, base, variant, unit)
}

func arrow(label string, base, variant int, unit string) string {
	if base == variant {
		return label + printable.Int(base) + unit
	}
	return label + printable.Int(base) + " → " + printable.Int(variant) + unit
}

// decided puts a decision into words.
func decided(kind, what string) string {
	switch kind {
	case assay.DecisionInline:
		return what + " can be inlined"
	case assay.DecisionNoInline:
		return what + " cannot be inlined"
	case assay.DecisionCall:
		return "call of " + what + " inlined"
	case assay.DecisionEscape:
		return what + " escapes to the heap"
	case assay.DecisionStack:
		return what + " stays on the stack"
	case assay.DecisionBounds:
		return "index checked: " + what
	}
	return sheet.JoinWords(" ", kind, what)
}

// Weight is a function's share of the profile, "" if unknown.
func Weight(f assay.FuncChange) string {
	if f.Weight > 0 && f.Weight <= 1 {
		return strconv.FormatFloat(100*f.Weight, 'f', 0, 64) + " % of the profile"
	}
	return ""
}

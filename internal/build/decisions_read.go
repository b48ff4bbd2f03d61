package build

import (
	"bytes"
	"cmp"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/printable"
)

const (
	// maxDecisionLines limits how much compiler output is read: net/http, one of the
	// largest packages, yields 35,000 lines.
	maxDecisionLines = 200_000
	// maxDecisionLine is the length in bytes at which a line is cut: it may quote
	// expressions with long strings.
	maxDecisionLine = 16 << 10
	// maxDecisionText is the number of characters kept of a decision's subject and
	// reason.
	maxDecisionText = 160
)

// A decisionReader reads decisions from the output of a go command that compiles with
// tellFlags, in pieces of any size. It knows the messages of cmd/compile, internal/inline
// and internal/escape from go1.24 to go1.27, and keeps other lines as other.
type decisionReader struct {
	packages []string
	current  string // the package that lines are of now
	skip     bool   // nobody asked for it
	line     []byte
	lines    int

	found map[decided]string // the reason, by decision without one
	open  decided            // what the flow lines that come are about
	flow  []string           // those lines
	other []byte             // of lines that are no decisions, the first maxLog bytes
}

// decided is a decision and its package: file names alone do not distinguish packages.
type decided struct {
	pkg string
	assay.Decision
}

func newDecisionReader(packages []string) *decisionReader {
	return &decisionReader{packages: packages, found: map[decided]string{}}
}

// Write takes a piece of the output; it never fails.
func (r *decisionReader) Write(p []byte) (int, error) {
	n := len(p)
	for len(p) > 0 {
		part, rest, whole := bytes.Cut(p, []byte("\n"))
		r.line = append(r.line, part[:min(len(part), maxDecisionLine-len(r.line))]...)
		if whole {
			r.end()
		}
		p = rest
	}
	return n, nil
}

// end reads the completed line.
func (r *decisionReader) end() {
	line := strings.TrimRight(string(r.line), "\r")
	r.line = r.line[:0]
	if r.lines++; r.lines <= maxDecisionLines && line != "" {
		r.take(line)
	}
}

// decisions returns the decisions found, each once, by package and place.
func (r *decisionReader) decisions() []assay.Decision {
	r.end()
	r.close()
	found := slices.SortedFunc(maps.Keys(r.found), func(a, b decided) int {
		return cmp.Or(cmp.Compare(a.pkg, b.pkg), byPlace(a.Decision, b.Decision))
	})
	out := make([]assay.Decision, len(found))
	for i, d := range found {
		out[i] = d.Decision
		out[i].Reason = r.found[d]
	}
	return out
}

// byPlace orders the decisions about a package by where they are, then by what they say.
func byPlace(a, b assay.Decision) int {
	return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Col, b.Col),
		cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.What, b.What))
}

// position matches the place of a message. One from a //line directive may lack the
// column.
var position = regexp.MustCompile(`^(.+?):(\d+)(?::(\d+))?: (.*)$`)

// take reads one line.
func (r *decisionReader) take(line string) {
	if name, ok := strings.CutPrefix(line, "# "); ok {
		r.close()
		r.current, _, _ = strings.Cut(name, " ")
		r.skip = !slices.Contains(r.packages, r.current) && !slices.Contains(r.packages, strings.TrimSuffix(r.current, "_test"))
		return
	}
	m := position.FindStringSubmatch(line)
	if m == nil {
		r.keep(line)
		return
	}
	d := decided{r.current, assay.Decision{File: printable.Short(baseName(m[1]), maxDecisionText), Line: number(m[2]), Col: number(m[3])}}
	if strings.HasPrefix(m[4], "  ") {
		r.follow(d, strings.TrimSpace(m[4]))
		return
	}
	r.close()
	switch known := r.message(d, m[4]); {
	case known, slices.ContainsFunc(chatter, func(s string) bool { return strings.Contains(m[4], s) }):
	default:
		r.keep(line)
	}
}

// number parses digits; it returns 0 if there are none, or too many for an int.
func number(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil {
		return 0
	}
	return n
}

// chatter lists parts of messages without interest here, which must not be mistaken for
// errors.
var chatter = []string{"leaking param", " leaks to ", "capturing by ", "ignoring self-assignment", "will be kept alive", "zero-copy ",
	"hot-", "devirtualizing ", "rewriting ", "alias analysis: ", "assuming ", "marking ", "mutates param: ", "calls param: ", "not inlining", "should inline", "skip inlining"}

// baseName is the last element of a path of any system.
func baseName(file string) string { return file[strings.LastIndexAny(file, `/\`)+1:] }

// keep keeps a line that is no decision.
func (r *decisionReader) keep(line string) {
	if len(r.other)+len(line) < maxLog {
		r.other = append(append(r.other, line...), '\n')
	}
}

// message reads the text of a message and reports whether it is a decision.
func (r *decisionReader) message(d decided, text string) bool {
	if what, ok := strings.CutPrefix(text, "can inline "); ok {
		what, _, _ = strings.Cut(what, " as: ")
		what, cost, _ := strings.Cut(what, " with cost ")
		if cost != "" {
			cost = "cost " + cost
		}
		r.add(d, assay.DecisionInline, what, cost)
	} else if what, ok := strings.CutPrefix(text, "cannot inline "); ok {
		what, reason, _ := strings.Cut(what, ": ")
		r.add(d, assay.DecisionNoInline, what, reason)
	} else if what, ok := strings.CutPrefix(text, "inlining call to "); ok {
		r.add(d, assay.DecisionCall, what, "")
	} else if what, ok := strings.CutPrefix(text, "moved to heap: "); ok {
		r.move(d, what)
	} else if what, ok := strings.CutPrefix(text, "Found Is"); ok && strings.HasSuffix(what, "InBounds") {
		r.add(d, assay.DecisionBounds, bounds[what], "")
	} else if i := strings.LastIndex(text, " does not escape"); i > 0 {
		r.add(d, assay.DecisionStack, text[:i], "")
	} else if i := strings.LastIndex(text, " escapes to heap"); i > 0 {
		r.escape(d, text[:i], strings.HasSuffix(text, ":"))
	} else {
		return false
	}
	return true
}

// bounds says what is checked, by the name of the check in package ssa.
var bounds = map[string]string{"InBounds": "index", "SliceInBounds": "slice"}

// add records a decision; the first known reason stays.
func (r *decisionReader) add(d decided, kind, what, reason string) {
	if r.skip || d.Line == 0 || strings.HasPrefix(d.File, "<") { // <autogenerated> is nobody's source
		return
	}
	d.Kind, d.What = kind, printable.Short(what, maxDecisionText)
	if r.found[d] == "" {
		r.found[d] = printable.Short(reason, maxDecisionText)
	}
}

// escape records that something escapes. The compiler says so twice: with a colon before
// the flow that explains it, and again below, where an append has no operands.
func (r *decisionReader) escape(d decided, what string, flows bool) {
	if strings.HasPrefix(what, "append(") {
		what = "append"
	}
	r.add(d, assay.DecisionEscape, what, "")
	if flows {
		d.Kind, d.What = assay.DecisionEscape, printable.Short(what, maxDecisionText)
		r.open = d
	}
}

// move records that a variable is on the heap. Its flow came before, without the word
// "moved", which distinguishes a variable from what an expression allocates.
func (r *decisionReader) move(d decided, what string) {
	d.Kind, d.What = assay.DecisionEscape, printable.Short(what, maxDecisionText)
	reason := r.found[d]
	delete(r.found, d)
	r.add(d, assay.DecisionEscape, "moved to heap: "+what, reason)
}

// follow reads a line of the open flow.
func (r *decisionReader) follow(d decided, text string) {
	if r.open.Kind == "" || d.pkg != r.open.pkg || d.File != r.open.File || d.Line != r.open.Line || len(r.flow) > 1000 {
		return
	}
	if from, ok := strings.CutPrefix(text, "from "); ok {
		r.flow = append(r.flow, from)
	}
}

// close ends a flow.
func (r *decisionReader) close() {
	if old, ok := r.found[r.open]; ok && old == "" {
		r.found[r.open] = printable.Short(flowReason(r.flow), maxDecisionText)
	}
	r.open, r.flow = decided{}, r.flow[:0]
}

// flowReason says why something escapes, from the "EXPR (why) at PLACE" of its flow, in
// the compiler's order: the last step that is more than a copy, else what it becomes part
// of.
func flowReason(flow []string) string {
	var part string
	for _, line := range slices.Backward(flow) {
		if i := strings.LastIndex(line, ") at "); i > 0 {
			line = line[:i+1]
		}
		i := strings.LastIndex(line, " (")
		if i < 0 || !strings.HasSuffix(line, ")") {
			continue
		}
		expr, why := line[:i], line[i+2:len(line)-1]
		if reason := stepReason(expr, why); reason != "" {
			return reason
		}
		if part == "" && strings.HasSuffix(why, "element") { // of a literal of a struct, slice or array
			part = "part of " + expr
		}
	}
	return part
}

// stepReason gives the reason in assay's words, or "" for steps within an expression,
// which explain nothing.
func stepReason(expr, why string) string {
	switch why {
	case "return":
		return "returned"
	case "call parameter":
		return "passed to " + callee(expr)
	case "receiver in indirect call", "callee operand":
		return why
	case "interface-converted":
		return "converted to an interface"
	case "assign", "assign-pair", "assign-pair-dot-type", "assign-pair-func-call", "assign-pair-mapr", "assign-pair-receive":
		to, _, ok := strings.Cut(expr, " = ")
		if !ok || strings.HasPrefix(to, "~") { // a := is a variable of the function, ~r0 a result of what is inlined
			return ""
		}
		return "stored in " + to
	case "spill", "address-of", "reference", "dot", "dot of pointer", "slice", "fixed-array-index-of", "range", "indirection",
		"slice-literal-element", "array literal element", "struct literal element":
		return ""
	}
	return why // "too large for stack", "non-constant size", "captured by a closure", "key of map put", "send", and what is to come
}

// callee returns what a call's text names: everything before the parenthesis that closes
// last. Parentheses in strings may mislead it, which costs only clarity.
func callee(expr string) string {
	depth := 0
	for i := len(expr) - 1; i > 0; i-- {
		switch expr[i] {
		case ')':
			depth++
		case '(':
			if depth--; depth == 0 {
				return expr[:i]
			}
		}
	}
	return expr
}

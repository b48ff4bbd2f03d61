package alloc

import (
	"slices"
	"strings"

	"github.com/seed-1318a441/assay"
	"github.com/seed-1318a441/assay/internal/binary"
	"github.com/seed-1318a441/assay/internal/printable"
)

// heapTypes are the compiler's decisions to allocate on the heap, by place.
type heapTypes map[sourcePlace][]assay.Decision

func newHeapTypes(list []assay.Decision) heapTypes {
	t := heapTypes{}
	for _, d := range list {
		at := sourcePlace{d.File, d.Line}
		if d.Kind == assay.DecisionEscape && !slices.ContainsFunc(t[at], func(o assay.Decision) bool { return o.What == d.What }) {
			t[at] = append(t[at], d)
		}
	}
	return t
}

// of finds what is allocated at a place and why it escapes. calls are the line itself and
// those that it is inlined at: the compiler reports inlined allocations at the outermost.
// Of several things on a line it takes those that via can allocate, else all of them,
// with the first one's reason.
func (t heapTypes) of(calls []sourcePlace, via string) (typ, reason string) {
	for _, at := range calls {
		list := t[at]
		if fit := slices.DeleteFunc(slices.Clone(list), func(d assay.Decision) bool { return !canAllocate(d.What, via) }); len(fit) > 0 {
			list = fit
		}
		if len(list) == 0 {
			continue
		}
		const most = 3
		var words []string
		for _, d := range list[:min(len(list), most)] {
			words = append(words, printable.Line(strings.TrimPrefix(d.What, "moved to heap: "), binary.MaxNameLen))
		}
		return strings.Join(words, ", "), printable.Line(list[0].Reason, binary.MaxNameLen)
	}
	return "", ""
}

// allocated has the expressions that a function of the run time is called for, by the
// first words of the compiler's text.
var allocated = map[string][]string{
	"newobject":         {"new(", "&", "moved to heap", "func literal", "... argument"},
	"makeslice":         {"make("},
	"makeslice64":       {"make("},
	"makeslicecopy":     {"make("},
	"makemap":           {"make(", "map["},
	"makemap_small":     {"make(", "map["},
	"makechan":          {"make("},
	"growslice":         {"append"},
	"slicebytetostring": {"string("},
	"slicerunetostring": {"string("},
	"intstring":         {"string("},
	"stringtoslicebyte": {"[]byte(", "([]byte)("},
	"stringtoslicerune": {"[]rune(", "([]rune)("},
	"rawbyteslice":      {"[]byte(", "([]byte)("},
}

// canAllocate reports whether via may be called for something that escapes. What it does
// not know fits.
func canAllocate(what, via string) bool {
	if strings.HasPrefix(via, "concatstring") {
		return strings.Contains(what, " + ")
	}
	begins, known := allocated[via]
	return !known || slices.ContainsFunc(begins, func(b string) bool { return strings.HasPrefix(what, b) })
}

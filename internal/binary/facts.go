package binary

import "github.com/seed-1318a441/assay"

// Facts counts a function's instructions. Size is without the padding behind the
// function. Frame is the largest number of bytes of stack that it takes, with its saved
// frame pointer and without amd64's return address, from Go's line table; 0 for C. Calls
// are direct or not, tail calls too, without those that the other two count and those
// that grow the stack. BoundsChecks are calls that panic for an index or a slice; checks
// of one line that find the same share one. WriteBarriers are calls of the garbage
// collector's barrier, which may buffer several pointers each.
func (f *File) Facts(fn Func) *assay.FuncFacts {
	facts := &assay.FuncFacts{Frame: f.frame(fn)}
	for _, in := range f.decode(fn, false) {
		facts.Instructions++
		facts.Size += in.Size
		switch in.Mark {
		case MarkCall:
			facts.Calls++
		case MarkBounds:
			facts.BoundsChecks++
		case MarkBarrier:
			facts.WriteBarriers++
		}
	}
	return facts
}

// frame returns the largest distance of the stack pointer from its value at the call. The
// table that unwinds stacks has it, so that no prologue needs to be understood.
func (f *File) frame(fn Func) int {
	most := int32(0)
	if lf, ok := f.lines.function(fn.Addr); ok {
		for _, s := range lf.values(funcSP) {
			most = max(most, s.value)
		}
	}
	return int(most)
}

package binary

// Facts are counts of a function's instructions.
type Facts struct {
	// Size is in bytes, without padding behind the function.
	Size int
	// Frame is how many bytes of stack the function takes at most, its saved frame
	// pointer included, the return address of amd64 not. It is that of Go's line table,
	// which run time and debuggers go by; 0 for C functions.
	Frame        int
	Instructions int
	// Calls counts calls and tail calls, direct or not, without those below and those
	// that grow the stack.
	Calls int
	// BoundsChecks counts calls that panic for an index or a slice; checks of one line
	// that find the same share one. WriteBarriers counts calls of the garbage collector's
	// barrier, which may buffer several pointers each.
	BoundsChecks, WriteBarriers int
}

// Facts counts what a function has.
func (f *File) Facts(fn Func) Facts {
	facts := Facts{Frame: f.frame(fn)}
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

package binary

import (
	"slices"
	"strings"
)

// An Inst is one instruction. Its text does not depend on the layout: equal code has
// equal texts, wherever the linker put it and what it uses.
type Inst struct {
	Addr uint64
	Size int // bytes
	// Text is in the syntax of Go's assembler, with names in place of addresses and
	// distances from the function's start in place of addresses within it: "CALL
	// runtime.newobject(SB)", "JMP +0x1c". Control characters in names are replaced.
	// Anything undecodable is "BYTE $0x.." (arm64: "WORD $0x..").
	Text string
	// Callee is the function other than this one that is called or jumped to directly, ""
	// for none, as the file has it; it may hold anything.
	Callee string
	// Call is true for calls, Indirect for calls and jumps through a register or memory.
	// A tail call is a Callee without Call.
	Call, Indirect bool
	// Mark is one of the Mark constants, "" for most.
	Mark string
	// File and Line are its source, as in LineOf; 0 if unknown.
	File string
	Line int
}

// The marks of instructions.
const (
	MarkCall    = "call"    // calls and tail calls, but those below and those that grow the stack
	MarkBounds  = "bounds"  // calls that panic for an index or a slice
	MarkBarrier = "barrier" // calls of the garbage collector's write barrier
)

// maxInsts is the maximum number of decoded instructions of a function. The largest
// functions of real programs are tables of 1 MB.
const maxInsts = 1 << 18

// Insts decodes a function, up to 262,144 instructions of it. It reads the whole file
// once, as Hashes does, when an instruction uses data.
func (f *File) Insts(fn Func) []Inst {
	list := f.decode(fn, true)
	lines := f.LinesOf(fn)
	for i := range list {
		for len(lines) > 0 && lines[0].End <= list[i].Addr {
			lines = lines[1:]
		}
		if len(lines) > 0 && lines[0].Addr <= list[i].Addr {
			list[i].File, list[i].Line = lines[0].File, max(0, lines[0].Line)
		}
	}
	return list
}

// decode is Insts without lines, and without texts unless they are wanted.
func (f *File) decode(fn Func, texts bool) []Inst {
	d := decoder{f: f, fn: fn, texts: texts, code: f.image.bytes(fn.Addr, fn.Size)}
	if f.Arch == "arm64" {
		// Symbols of ELF count the padding.
		d.code = d.code[:f.image.unpaddedCode(fn.Addr, uint64(len(d.code)))]
		d.a64()
	} else {
		d.x86()
	}
	return d.list
}

// A decoder turns the bytes of one function into instructions.
type decoder struct {
	f     *File
	fn    Func
	texts bool
	code  []byte
	list  []Inst
}

// add completes an instruction that may lead to target, 0 for none.
func (d *decoder) add(in Inst, target uint64, branch bool) {
	if branch && !d.inside(target) {
		if i := d.f.funcAt(target); i >= 0 {
			in.Callee = d.f.Funcs[i].Name
		}
	}
	in.Mark = markOf(in)
	in.Text = cleanText(in.Text)
	d.list = append(d.list, in)
}

// label names what an instruction leads to; recursion has the function's name.
func (d *decoder) label(target uint64, call bool) string {
	switch {
	case target == 0:
		return ""
	case call && target == d.fn.Addr:
		return d.fn.Name
	}
	return d.f.operand(d.fn, target)
}

func (d *decoder) inside(addr uint64) bool { return addr-d.fn.Addr < d.fn.Size }

func markOf(in Inst) string {
	switch name, _ := strings.CutPrefix(in.Callee, "runtime."); {
	case !in.Call && in.Callee == "", strings.HasPrefix(name, "morestack"):
		return ""
	case name == in.Callee:
		return MarkCall
	case hasPrefix(name, "panicIndex", "panicSlice", "panicExtend", "panicBounds", "goPanicIndex", "goPanicSlice", "goPanicExtend"):
		return MarkBounds
	case hasPrefix(name, "gcWriteBarrier", "wbZero", "wbMove"):
		return MarkBarrier
	}
	return MarkCall
}

func hasPrefix(s string, prefixes ...string) bool {
	return slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(s, p) })
}

// cleanText replaces what a terminal would not print.
func cleanText(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r >= 0x7f && r < 0xa0 {
			return '?'
		}
		return r
	}, strings.ToValidUTF8(s, "?"))
}

package binary

import (
	"slices"
	"strings"
)

// pointer returns the word at addr if it is a pointer into the image. A
// position-independent ELF file says so. Mach-O and PE load at addresses that few numbers
// look like. In other ELF files addresses are small, and a number taken for one would
// change with the layout.
func (p *fingerprinter) pointer(addr uint64) (uint64, bool) {
	v, ok := p.im.word(addr)
	if !ok || v == 0 || p.im.strings.holds(addr) || p.im.gcbits.holds(addr) {
		return 0, false
	}
	to := p.im.section(v)
	if to == nil || p.im.pointers != nil {
		// Methods that the linker left out have no relocation.
		return v, to != nil && (p.im.pointers[addr] || v == p.im.unreachable)
	}
	return v, !p.im.sized || p.ownerAllows(addr, v, to) && p.plausible(addr, v, to)
}

// ownerAllows reports whether Go keeps pointers to section to where addr is. Only
// read-only data and the lists of init functions point at code, and the third word of an
// itab is a hash.
func (p *fingerprinter) ownerAllows(addr, v uint64, to *section) bool {
	from := p.im.section(addr)
	i := find(p.im.named, addr)
	if i >= 0 && strings.HasPrefix(p.im.named[i].name, "go:itab.") && addr-p.im.named[i].addr == 16 {
		return false
	}
	if p.types.holds(addr) && i < 0 && p.types.resting {
		return to.exec || p.types.isKey(v) // closures and itabs; descriptors are read field by field
	}
	if !from.numbers && !(to.exec && from.write) {
		return true
	}
	return i >= 0 && slices.ContainsFunc([]string{"inittask", "moduledatap", "cgo"}, func(part string) bool {
		return strings.Contains(p.im.named[i].name, part)
	})
}

// maxInside is how far into a variable a static pointer may point. There are variables of
// 32 MB, and many numbers lie in them.
const maxInside = 1 << 16

// plausible reports whether v, at addr, leads to something in section to: the entry of a
// function, a string whose length follows, a type, an aligned word.
func (p *fingerprinter) plausible(addr, v uint64, to *section) bool {
	switch {
	case to.exec:
		return true // pointerLabel looks closer
	case p.im.strings.holds(v):
		n, ok := p.im.word(addr + 8)
		return ok && n > 0 && n <= p.im.strings.end()-v
	case p.types.holds(v):
		return p.types.isKey(v) || p.closure(v) || p.itab(v)
	}
	if i := find(p.im.named, v); i >= 0 {
		off := v - p.im.named[i].addr
		return off == 0 || off&3 == 0 && off < maxInside
	}
	return v&3 == 0 || p.afterType(addr) || p.beforeLengths(addr)
}

// afterType reports whether a type or a table of methods precedes addr: that is an
// interface, whose value may be a small constant.
func (p *fingerprinter) afterType(addr uint64) bool {
	t, ok := p.im.word(addr - 8)
	if ok && p.itab(t) {
		return true
	}
	if i := find(p.im.named, t); ok && i >= 0 {
		return strings.HasPrefix(p.im.named[i].name, "go:itab.")
	}
	return ok && p.types.isKey(t)
}

// beforeLengths reports whether a length and an equal capacity follow: that is a slice,
// whose elements may be small.
func (p *fingerprinter) beforeLengths(addr uint64) bool {
	n, ok := p.im.word(addr + 8)
	c, also := p.im.word(addr + 16)
	return ok && also && n == c && n > 0 && n < 1<<20
}

// itab reports whether a table of methods is at addr among the types, where go1.27 puts
// it: two types come first.
func (p *fingerprinter) itab(addr uint64) bool {
	a, ok := p.im.word(addr)
	b, also := p.im.word(addr + 8)
	return p.types.holds(addr) && ok && also && p.types.isKey(a) && p.types.isKey(b)
}

// closure reports whether the word at addr is the entry of a function.
func (p *fingerprinter) closure(addr uint64) bool {
	f, ok := p.im.word(addr)
	i := find(p.im.funcs, f)
	return ok && i >= 0 && p.im.funcs[i].addr == f
}
